# SPDX-License-Identifier: Apache-2.0
"""The timed cases: one callable for each library that can do it, on equal inputs.

Each case is a function of a `Library`; eager cases are timed per call, large ones in whole.

The targets of eager calls are times (ns) on one machine, where NumPy was timed in the same run.
What carries over to another machine is the ratio: the limit of such a case is written as the
target's time over NumPy's, both from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from libraries import Library

LARGE = 1 << 24
"""Elements of the large cases (64 MiB of float32)."""


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
    if not lib.mutable:
        raise NotImplementedError(f"{lib.name} does not write into arrays")
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


def _large(name: str, n: int = LARGE) -> Callable[[Library], Callable[[], Any]]:
    def case(lib: Library) -> Callable[[], Any]:
        x, function = lib.array(_random(n)), getattr(lib, name)
        return lambda: function(x)

    return case


def _add_into(lib: Library) -> Callable[[], Any]:
    x, y, out = lib.array(_random(LARGE)), lib.array(_random(LARGE)), lib.array(_ones(LARGE))
    function = lib.add_into
    return lambda: function(x, y, out)


def _exp_into(lib: Library) -> Callable[[], Any]:
    x, out = lib.array(_random(LARGE)), lib.array(_ones(LARGE))
    function = lib.exp_into
    return lambda: function(x, out)


def _matrix(name: str, rows: int, columns: int) -> Callable[[Library], Callable[[], Any]]:
    def case(lib: Library) -> Callable[[], Any]:
        x, function = lib.array(_random(rows * columns).reshape(rows, columns)), getattr(lib, name)
        return lambda: function(x)

    return case


def _layer_norm(lib: Library) -> Callable[[], Any]:
    x, function = lib.array(_random(4096 * 1024).reshape(4096, 1024)), lib.layer_norm
    weight, bias = lib.array(_ones(1024)), lib.array(_ones(1024))
    return lambda: function(x, weight, bias)


def _where(lib: Library) -> Callable[[], Any]:
    condition, x, y = (
        lib.array(_random(LARGE) > 0),
        lib.array(_random(LARGE)),
        lib.array(_ones(LARGE)),
    )
    return lambda: lib.where(condition, x, y)


def _convolution(lib: Library) -> Callable[[], Any]:
    x = lib.array(_random(64 * 56 * 56).reshape(1, 64, 56, 56))
    weight, function = lib.array(_random(64 * 64 * 9).reshape(64, 64, 3, 3)), lib.convolution
    return lambda: function(x, weight)


@dataclass(frozen=True)
class Case:
    """A timed case; `limit` is the largest ratio that counts as met, None for no limit.

    The ratio is to `peer`: the name of a library, or "best" for the fastest of them. `otherwise`
    are the limit and the peer where the library that `peer` names is not installed.
    """

    name: str
    make: Callable[[Library], Callable[[], Any]]
    limit: float | None
    large: bool = False
    peer: str = "numpy"
    otherwise: tuple[float, str] | None = None


CASES = (
    Case("add, 1 element", _add(1), 120 / 310),
    Case("add, 16 elements", _add(16), 120 / 310),
    Case("add, 1,024 elements", _add(1024), 180 / 477),
    Case("4x16 + 16", _broadcast, 200 / 878),
    Case("a * 2.0, 16 elements", _scalar, 140 / 703),
    Case("a += b, 16 elements", _in_place, 110 / 350),
    Case("matmul 8x8", _matmul, 220 / 921),
    Case("sum of 16", _sum(16), 140 / 2193),
    Case("reshape", _reshape, 140 / 219),
    Case("a[2:8]", _slice, 140 / 152),
    Case("a[3]", _index, 100 / 104),
    Case("a.shape", _shape, 65 / 70),
    Case("add, 16M, new result", _add(LARGE), 0.55, large=True),
    Case("add, 16M, given result", _add_into, 0.95, large=True, peer="best"),
    Case("exp, 16M, new result", _large("exp"), 0.75, large=True),
    Case("exp, 16M, given result", _exp_into, 0.75, large=True),
    Case("tanh, 16M, new result", _large("tanh"), 0.7, large=True),
    Case("sum of 16M", _sum(LARGE), 1.05, large=True, peer="best"),
    Case("sum, 4096x4096, axis 0", _matrix("sum_columns", 4096, 4096), 0.75, large=True),
    Case("softmax, 4096x1024", _matrix("softmax", 4096, 1024), 0.85, large=True, peer="torch"),
    Case("layer_norm, 4096x1024", _layer_norm, 0.75, large=True, peer="torch"),
    # A quarter of JAX's time, which was 0.67 (gelu) and 0.58 (where) of the other peer's.
    Case("gelu, 16M", _large("gelu"), 0.25, large=True, peer="jax", otherwise=(0.17, "torch")),
    Case("where, 16M", _where, 0.25, large=True, peer="jax", otherwise=(0.15, "numpy")),
    Case(
        "transpose and copy, 4096x4096",
        _matrix("transpose_copy", 4096, 4096),
        0.25,
        large=True,
        peer="torch",
    ),
    Case("float32 to bfloat16, 16M", _large("to_bfloat16"), 0.2, large=True, peer="torch"),
    Case("float32 to float16, 16M", _large("to_float16"), 0.2, large=True, peer="torch"),
    Case("convolution 3x3, 1x64x56x56", _convolution, None, large=True),
    Case("sort, 1M", _large("sort", 1 << 20), None, large=True),
    Case("argsort, 1M, stable", _large("argsort", 1 << 20), None, large=True),
    Case("cumulative sum, 16M", _large("cumulative_sum"), None, large=True),
)
