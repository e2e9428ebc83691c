# SPDX-License-Identifier: Apache-2.0
"""The timed cases of simulated.py: every op of the op table, products and convolutions.

A case makes its operands on a device and returns the call to time, which is one op; an op that the
device lacks is left out, so that no fallback is timed. The library's own calls are used, not the
plugin's, so that a user's overhead is part of both sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import device_api as da
from device_api import _core

SMALL, LARGE = (1, 16), (1024, 1024)
LIMIT = 3.0
"""How often the CPU backend's time a product or a convolution of the simulated chip may take."""

Call = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One row: `make(device)` gives the call; `limit` is None where nothing is demanded."""

    group: str
    name: str
    make: Callable[[Any], Call]
    op: str
    dtype: str = "float32"
    limit: float | None = None


RANGES = {
    "acosh": (1.1, 9.0), "atanh": (-0.9, 0.9), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9),
    "erf": (-3.0, 3.0), "round": (-9.0, 9.0), "sin": (-6.0, 6.0), "cos": (-6.0, 6.0),
}  # fmt: skip
ATTRIBUTES: dict[str, tuple[Any, ...]] = {
    "hardsigmoid": (1 / 6, 0.5), "softplus": (1.0, 20.0), "leaky_relu": (0.01,), "elu": (1.0,),
    "layer_norm": (1e-5,), "rms_norm": (1e-5,), "softmax": (1,), "log_softmax": (1,),
    "cumsum": (1,), "cumprod": (1,), "sort": (1, 0), "argsort": (1, 0),
    "take_along_axis": (1,), "put_along_axis": (1,), "index_accumulate": (1,),
}  # fmt: skip
"""Attributes of the ops that have some, for operands of rank 2."""


def _random(shape: tuple[int, ...], dtype: str, device: Any, low: float, high: float) -> Any:
    values = np.random.default_rng(7).uniform(low, high, shape)
    if dtype == "bool":
        values = values > (low + high) / 2
    name = "float32" if dtype == "bfloat16" else dtype
    array = da.asarray(values.astype(name), device=device)
    return da.astype(array, da.bfloat16) if dtype == "bfloat16" else array


def _key(facts: dict[str, Any]) -> str:
    """The type to time an op in: float32 where it takes that."""
    return next((d for d in ("float32", "int32") if d in facts["dtypes"]), facts["dtypes"][0])


def _operands(op: str, facts: dict[str, Any], shape: tuple[int, ...], device: Any) -> list[Any]:
    key = _key(facts)
    low, high = (-1.0, 1.0) if key == "bool" else (1.0, 9.0)
    if key == "float32":
        low, high = RANGES.get(op, (0.1, 0.9))

    def number(of: tuple[int, ...] = shape) -> Any:
        return _random(of, key, device, low, high)

    if facts["kind"] == "select":
        return [_random(shape, "bool", device, -1.0, 1.0), number(), number()]
    if facts["kind"] in {"gather", "scatter"}:
        indices = _random(shape, "int64", device, 0.0, shape[1] - 0.5)
        return [number(), indices, number()][: facts["inputs"]]
    if facts["kind"] == "normalize":
        return [number(), number(shape[1:]), number(shape[1:])][: facts["inputs"]]
    return [number() for _ in range(facts["inputs"])]


def _row(op: str, facts: dict[str, Any], shape: tuple[int, int]) -> Callable[[Any], Call]:
    """The call of an op whose operands have one shape, or of a reduction along the last axis."""
    kind = facts["kind"]

    def make(device: Any) -> Call:
        inputs = _operands(op, facts, shape, device)
        attributes = ATTRIBUTES.get(op, ())
        out: tuple[int, ...] = shape
        dtype: Any = {"bool": da.bool, "int64": da.int64}.get(facts["result"], inputs[0].dtype)
        if op == "where":
            dtype = inputs[1].dtype
        if op == "cast":
            dtype = da.float16
        if kind == "reduce":
            out, attributes = shape[:1], (2,)
        if kind == "arg_reduce":
            out, attributes = shape[:1], (1,)
        return lambda: _core.apply(op, inputs, out, dtype, attributes)

    return make


def _search(shape: tuple[int, int]) -> Callable[[Any], Call]:
    def make(device: Any) -> Call:
        values = _random(shape, "float32", device, 0.1, 0.9)
        line = da.sort(_random((math.prod(shape),), "float32", device, 0.1, 0.9))
        return lambda: _core.apply("searchsorted", [line, values], shape, da.int64, (0,))

    return make


def _topk(shape: tuple[int, int]) -> Callable[[Any], Call]:
    def make(device: Any) -> Call:
        x = _random(shape, "float32", device, 0.1, 0.9)
        out = shape[0], min(8, shape[1])
        return lambda: _core.apply("topk", [x], out, da.int64, (1, 0))

    return make


def _pool(op: str, shape: tuple[int, int]) -> Callable[[Any], Call]:
    def make(device: Any) -> Call:
        side = math.isqrt(shape[1])
        x = _random((shape[0], 1, side, side), "float32", device, 0.1, 0.9)
        out = shape[0], 1, side // 2, side // 2
        tail = (1, 1, 1) if op == "max_pool" else (0,)
        attributes = (1, 2, 2, 1, 2, 2, 0, 0, 0, *tail)
        return lambda: _core.apply(op, [x], out, x.dtype, attributes)

    return make


def _attention(shape: tuple[int, int]) -> Callable[[Any], Call]:
    def make(device: Any) -> Call:
        length = max(4, shape[0] // 4)
        x = _random((8, length, 16), "float32", device, -1.0, 1.0)
        return lambda: _core.apply("attention", [x, x, x], x.shape, x.dtype, (0.25, 0))

    return make


def _made(op: str, shape: tuple[int, int]) -> Callable[[Any], Call]:
    n = math.prod(shape)

    def make(device: Any) -> Call:
        if op == "fill":
            return lambda: da.full(shape, 3.0, dtype=da.float32, device=device)
        if op == "iota":
            return lambda: da.arange(n, dtype=da.float32, device=device)
        return lambda: da.random.bits(n, key=da.random.key(1), device=device)

    return make


def table(shape: tuple[int, int], group: str) -> Iterator[Case]:
    """A case of each op of the table, but of those that take complex numbers only."""
    structured = {"searchsorted": _search(shape), "topk": _topk(shape),
                  "attention": _attention(shape)}  # fmt: skip
    for op, facts in _core.op_info().items():
        kind = facts["kind"]
        if facts["result"] in {"complex", "real"} or op == "conj":
            continue
        if kind in {"matmul", "convolution"}:
            continue  # rows of their own
        if kind in {"fill", "iota", "random"}:
            make = _made(op, shape)
        elif kind == "pool":
            make = _pool(op, shape)
        else:
            make = structured.get(op) or _row(op, facts, shape)
        yield Case(group, op, make, op, _key(facts))


def _product(
    left: tuple[int, ...], right: tuple[int, ...], dtype: str, transposed: bool = False
) -> Callable[[Any], Call]:
    def make(device: Any) -> Call:
        high = 9.0 if dtype.startswith(("int", "uint")) else 1.0
        x = _random(left, dtype, device, -1.0 if high == 1.0 else 0.0, high)
        y = _random(right[::-1] if transposed else right, dtype, device, 0.0, high)
        y = y.T if transposed else y
        return lambda: da.matmul(x, y)

    return make


def products() -> Iterator[Case]:
    """Matrix products of all types of the chip: square, batched, and of transposed views."""
    for dtype in ("float32", "float16", "bfloat16"):
        for n in (64, 128, 256, 512, 1024):
            make = _product((n, n), (n, n), dtype)
            limit = LIMIT if n > 64 else None  # one of 64x64 is mostly its launch
            yield Case("matmul", f"{n}x{n} {dtype}", make, "matmul", dtype, limit)
        for name, left, right, transposed in (
            ("512x512 by a transposed view", (512, 512), (512, 512), True),
            ("64 of 64x64", (64, 64, 64), (64, 64, 64), False),
            ("32 of 128x64 by one 64x128", (32, 128, 64), (64, 128), False),
            ("1024x1024 by a vector", (1024, 1024), (1024, 1), False),
            ("2048x64 by 64x2048", (2048, 64), (64, 2048), False),
        ):
            make = _product(left, right, dtype, transposed)
            yield Case("matmul", f"{name} {dtype}", make, "matmul", dtype, LIMIT)
    for dtype in ("int8", "int32"):
        make = _product((256, 256), (256, 256), dtype)
        yield Case("matmul", f"256x256 {dtype}", make, "matmul", dtype)


@dataclass(frozen=True)
class Shape:
    """A convolution: shapes of x and weight, and one number for all axes."""

    name: str
    x: tuple[int, ...]
    weight: tuple[int, ...]
    stride: int = 1
    pad: int = 0
    dilation: int = 1
    groups: int = 1


SHAPES = (
    Shape("1d, window 9", (8, 32, 2048), (64, 32, 9), pad=4),
    Shape("1d, stride 4", (8, 64, 4096), (64, 64, 8), stride=4),
    Shape("1d, dilation 8", (8, 64, 1024), (64, 64, 3), pad=8, dilation=8),
    Shape("2d, 3x3", (8, 64, 56, 56), (64, 64, 3, 3), pad=1),
    Shape("2d, 1x1", (8, 256, 28, 28), (128, 256, 1, 1)),
    Shape("2d, 7x7, stride 2", (4, 3, 224, 224), (64, 3, 7, 7), stride=2, pad=3),
    Shape("2d, 3x3, dilation 2", (4, 64, 56, 56), (64, 64, 3, 3), pad=2, dilation=2),
    Shape("2d, 3x3, 4 groups", (8, 64, 28, 28), (64, 16, 3, 3), pad=1, groups=4),
    Shape("2d, 3x3, each channel alone", (8, 128, 56, 56), (128, 1, 3, 3), pad=1, groups=128),
    Shape("2d, 3x3, small", (4, 16, 16, 16), (16, 16, 3, 3), pad=1),
    Shape("3d, 3x3x3", (2, 16, 16, 28, 28), (32, 16, 3, 3, 3), pad=1),
    Shape("3d, stride 2", (2, 16, 16, 56, 56), (32, 16, 3, 3, 3), stride=2, pad=1),
)


def _convolution(shape: Shape, dtype: str) -> Callable[[Any], Call]:
    axes = len(shape.x) - 2

    def make(device: Any) -> Call:
        x = _random(shape.x, dtype, device, -1.0, 1.0)
        weight = _random(shape.weight, dtype, device, -1.0, 1.0)
        reach = [(k - 1) * shape.dilation + 1 for k in shape.weight[2:]]
        positions = [
            (n + 2 * shape.pad - r) // shape.stride + 1
            for n, r in zip(shape.x[2:], reach, strict=True)
        ]

        def three(value: int, otherwise: int) -> tuple[int, ...]:
            return (otherwise,) * (3 - axes) + (value,) * axes

        out = (shape.x[0], shape.weight[0], *positions)
        attributes = (*three(shape.stride, 1), *three(shape.pad, 0), *three(shape.dilation, 1),
                      shape.groups)  # fmt: skip
        return lambda: _core.apply("convolution", [x, weight], out, x.dtype, attributes)

    return make


def convolutions() -> Iterator[Case]:
    """Convolutions of all types of the chip over one, two and three axes."""
    for dtype in ("float32", "float16", "bfloat16"):
        for shape in SHAPES:
            make = _convolution(shape, dtype)
            name = f"{shape.name} {dtype}"
            yield Case("convolution", name, make, "convolution", dtype, LIMIT)


def all_cases() -> list[Case]:
    """All rows, in the order of the report."""
    return [*table(SMALL, "16 elements"), *table(LARGE, "1048576 elements"), *products(),
            *convolutions()]  # fmt: skip
