# SPDX-License-Identifier: Apache-2.0
"""The timed cases: one callable for each library that can do it, on equal inputs.

Each case is a function of a `Library`; eager cases are timed per call, large ones in whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGE = 1 << 24
"""Elements of the large cases (64 MiB of float32)."""


@dataclass(frozen=True)
class Library:
    """What a case needs of an array library."""

    name: str
    array: Callable[[np.ndarray], Any]
    sum: Callable[[Any], Any]
    exp: Callable[[Any], Any]
    tanh: Callable[[Any], Any]
    reshape: Callable[[Any, tuple[int, ...]], Any]
    add_into: Callable[[Any, Any, Any], Any]
    exp_into: Callable[[Any, Any], Any]


def numpy_library() -> Library:
    """NumPy."""
    return Library("numpy", np.copy, np.sum, np.exp, np.tanh, np.reshape,
                   lambda x, y, out: np.add(x, y, out=out),
                   lambda x, out: np.exp(x, out=out))  # fmt: skip


def torch_library() -> Library:
    """PyTorch on the CPU with one thread."""
    import torch

    torch.set_num_threads(1)
    return Library("torch", lambda a: torch.from_numpy(a.copy()), torch.sum, torch.exp, torch.tanh,
                   torch.reshape, lambda x, y, out: torch.add(x, y, out=out),
                   lambda x, out: torch.exp(x, out=out))  # fmt: skip


def own_library() -> Library:
    """device_api on the CPU.

    Its functions take no result to write into: where the others do, it makes a new one, whose
    memory comes from its cache.
    """
    import device_api as xp

    return Library("device_api", xp.asarray, xp.sum, xp.exp, xp.tanh, xp.reshape,
                   lambda x, y, _: x + y, lambda x, _: xp.exp(x))  # fmt: skip


LIBRARIES = {"numpy": numpy_library, "torch": torch_library, "device_api": own_library}


def _ones(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32)


def _random(n: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(n, np.float32)


def _add(n: int) -> Callable[[Library], Callable[[], Any]]:
    def case(lib: Library) -> Callable[[], Any]:
        x, y = lib.array(_ones(n)), lib.array(_ones(n))
        return lambda: x + y

    return case


def _broadcast(lib: Library) -> Callable[[], Any]:
    x, y = lib.array(_ones(4, 16)), lib.array(_ones(16))
    return lambda: x + y


def _scalar(lib: Library) -> Callable[[], Any]:
    x = lib.array(_ones(16))
    return lambda: x * 2.0


def _in_place(lib: Library) -> Callable[[], Any]:
    x, y = lib.array(np.zeros(16, np.float32)), lib.array(np.zeros(16, np.float32))

    def run() -> None:
        nonlocal x
        x += y

    return run


def _matmul(lib: Library) -> Callable[[], Any]:
    x = lib.array(_ones(8, 8))
    return lambda: x @ x


def _sum(n: int) -> Callable[[Library], Callable[[], Any]]:
    def case(lib: Library) -> Callable[[], Any]:
        x, function = lib.array(_random(n)), lib.sum
        return lambda: function(x)

    return case


def _reshape(lib: Library) -> Callable[[], Any]:
    x, function = lib.array(_ones(16)), lib.reshape
    return lambda: function(x, (4, 4))


def _slice(lib: Library) -> Callable[[], Any]:
    x = lib.array(_ones(16))
    return lambda: x[2:8]


def _index(lib: Library) -> Callable[[], Any]:
    x = lib.array(_ones(16))
    return lambda: x[3]


def _shape(lib: Library) -> Callable[[], Any]:
    x = lib.array(_ones(16))
    return lambda: x.shape


def _large(name: str) -> Callable[[Library], Callable[[], Any]]:
    def case(lib: Library) -> Callable[[], Any]:
        x, function = lib.array(_random(LARGE)), getattr(lib, name)
        return lambda: function(x)

    return case


def _add_into(lib: Library) -> Callable[[], Any]:
    x, y, out = lib.array(_random(LARGE)), lib.array(_random(LARGE)), lib.array(_ones(LARGE))
    return lambda: lib.add_into(x, y, out)


def _exp_into(lib: Library) -> Callable[[], Any]:
    x, out = lib.array(_random(LARGE)), lib.array(_ones(LARGE))
    return lambda: lib.exp_into(x, out)


@dataclass(frozen=True)
class Case:
    """A timed case; `limit` is the largest ratio that counts as met, None for no limit.

    The ratio is to NumPy, or with `best` to the faster of NumPy and PyTorch.
    """

    name: str
    make: Callable[[Library], Callable[[], Any]]
    limit: float | None
    large: bool = False
    best: bool = False


CASES = (
    Case("add, 1 element", _add(1), 0.55),
    Case("add, 16 elements", _add(16), 0.55),
    Case("add, 1,024 elements", _add(1024), 0.55),
    Case("4x16 + 16", _broadcast, None),
    Case("a * 2.0, 16 elements", _scalar, None),
    Case("a += b, 16 elements", _in_place, None),
    Case("matmul 8x8", _matmul, None),
    Case("sum of 16", _sum(16), 0.55),
    Case("reshape", _reshape, None),
    Case("a[2:8]", _slice, None),
    Case("a[3]", _index, None),
    Case("a.shape", _shape, None),
    Case("add, 16M, new result", _add(LARGE), 0.55, large=True),
    Case("add, 16M, given result", _add_into, 0.95, large=True, best=True),
    Case("exp, 16M, new result", _large("exp"), 0.75, large=True),
    Case("exp, 16M, given result", _exp_into, 0.75, large=True),
    Case("tanh, 16M, new result", _large("tanh"), 0.7, large=True),
    Case("sum of 16M", _sum(LARGE), 1.05, large=True, best=True),
)
