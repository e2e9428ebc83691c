# SPDX-License-Identifier: Apache-2.0
"""Observers: functions that are called as ops, copies, allocations and fallbacks happen.

An observer is called on the thread that does the work, with an :class:`Observation` that is valid
during the call only. What it computes itself is not observed. Without observers an op pays for one
load and one branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

from device_api import _core

Observation = _core.Observation
Kind: TypeAlias = Literal["op", "alloc", "free", "copy", "fallback", "composed"]


@contextmanager
def observe(function: Callable[[Observation], object], *kinds: Kind) -> Iterator[None]:
    """Call a function for everything of these kinds (default: all) inside a ``with`` block.

    ``op`` and ``copy`` have a begin and an end with the same ``span`` number; ``alloc``, ``free``,
    ``fallback`` and ``composed`` are points, and ``within`` is the span of the op they belong to.
    All threads are observed. What the function raises at an op makes the op raise it; elsewhere it
    is printed. Raises InvalidArgumentError for an unknown kind.
    """
    handle = _core.add_observer(kinds or _ALL, function)
    try:
        yield
    finally:
        _core.remove_observer(handle)


_ALL: tuple[Kind, ...] = ("op", "alloc", "free", "copy", "fallback", "composed")


def synchronous_ops(on: bool | None = None) -> bool:
    """Return whether every op is waited for, after setting it if ``on`` is given.

    A late failure then names the op that caused it. At the start it is on where the environment
    variable ``DEVICE_API_SYNC`` is 1. Ops are slower so: it is for finding a mistake.
    """
    if on is not None:
        _core.set_synchronous_ops(on)
    return _core.synchronous_ops()
