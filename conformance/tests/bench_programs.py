# SPDX-License-Identifier: Apache-2.0
"""Programs for the tests of `device-api bench-model`: one good model, and all kinds of bad ones."""

from __future__ import annotations

import itertools
import os

import numpy as np

import device_api as xp

STATE = {"calls": 0}


def model(batch=2, scale="1.0"):
    """Two layers on numbers from a seed."""
    w = xp.ones((8, 8)) * float(scale)
    x = xp.asarray(np.linspace(-1, 1, batch * 8, dtype=np.float32).reshape(batch, 8))
    return (lambda x: {"y": xp.tanh(x @ w), "sums": [xp.sum(x)]}), (x,)


def needy(weights):
    return model()


def raising():
    raise KeyError("weights")


def too_large():
    return xp.zeros, ((1 << 50,),)


def number():
    return 3


def no_inputs():
    return xp.exp, xp.ones(3)


def host_result():
    return (lambda: 2.5), ()


def no_result():
    return (lambda: None), ()


def elsewhere():
    return (lambda: xp.ones(3, device="cpu") + 1), ()


def changing():
    """Other bits in every call."""
    counter = itertools.count()
    return (lambda: xp.ones(3) * float(next(counter))), ()


def by_process():
    """The same bits in a process, others in the next one."""
    x = xp.ones(3) * float(os.getpid())
    return (lambda: x + x), ()


def idle():
    """The work is not done by the device."""
    x = xp.ones(3)
    return (lambda: x), ()


def leaking():
    """Keeps what it makes."""
    kept = []

    def call():
        kept.append(xp.ones(1000) + 1)
        return kept[-1]

    return call, ()


def late():
    """Fails after some calls."""

    def call():
        STATE["calls"] += 1
        if STATE["calls"] > 5:
            raise RuntimeError("the sixth call")
        return xp.ones(3) + 1

    return call, ()


def dying():
    """Takes its process with it after some calls."""

    def call():
        STATE["calls"] += 1
        if STATE["calls"] > 5:
            os.abort()
        return xp.ones(3) + 1

    return call, ()
