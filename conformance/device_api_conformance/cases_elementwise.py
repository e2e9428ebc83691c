# SPDX-License-Identifier: Apache-2.0
"""Cases of elementwise ops, of constants and sequences, and of random bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.formats import FLOATS, FORMATS, PARTS, storage
from device_api_conformance.places import (
    LARGE,
    Grid,
    by_operand,
    edges,
    narrow,
    primary,
    shape_for,
)

ELEMENTWISE = ("unary", "binary", "compare", "logical", "select", "cast", "copy")
STRATA = 554
"""Numbers of both signs, one of each power of two that float32 has."""
HUGE = 2**24 + 3
"""A number of elements that float32 does not hold."""


def elementwise(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Ordinary and special values, layouts, shapes."""
    slow = base.dtype in PARTS and op.error == "ulp"  # a truth of many digits for each element
    size = 67 if slow else 257
    for target in _targets(op, base.dtype):
        one = replace(base, other=target, shape=(size,), values="ordinary")
        yield one
        if base.dtype != "bool" or op.kind == "select":
            yield edges(one, shape=None)
        yield from _all_over(op, one, grid)
    first = replace(base, other=_other(op, base), values="ordinary")
    yield from _layouts(op, first, grid, slow)
    if grid.full(op, base.dtype):
        for shape in ((), (0,), (2, 0, 5), (0, 3), (3, 0), (1,), (3,), (31, 33), (1025,),
                      (2, 3, 1, 2, 3)):  # fmt: skip
            yield replace(first, chapter="X", shape=shape)
        if not slow:
            yield replace(first, chapter="X", shape=(LARGE,), values="repeated")
        if op.name in HUGE_TOO and grid.whole and base.dtype == primary(op):
            yield replace(first, chapter="X", shape=(HUGE,), values="repeated")
    for n in grid.up_to(_largest(op, base.dtype in PARTS)):
        yield replace(first, chapter="X", shape=(n,))
    for n in grid.counts(op, base.dtype):
        yield replace(first, chapter="X", shape=(n,), values="repeated")


HUGE_TOO = ("add", "exp", "copy", "where", "less")


def _layouts(op: Op, first: Case, grid: Grid, slow: bool) -> Iterator[Case]:
    for layout in grid.layouts(op, first.dtype):
        shape = (5, 1, 7) if slow else shape_for(layout)
        yield replace(first, chapter="L", layout=layout, shape=shape)
    if slow:
        return
    if grid.full(op, first.dtype):
        # as many rows as columns: who takes one for the other still stays inside
        yield replace(first, chapter="L", layout="transposed", shape=(12, 12))
    if grid.every_type:
        for layout in ("stepped", "pitched", "transposed", "negative", "zero_stride"):
            yield replace(first, chapter="X", layout=layout, shape=(65, 33))
        for layout in ("transposed", "zero_stride") if first.dtype == primary(op) else ():
            yield replace(first, chapter="X", layout=layout, shape=(300, 401))
        yield replace(first, chapter="X", layout="pitched", shape=(3, 1025))
        # no two of these axes can be taken for one
        yield replace(first, chapter="X", layout="stepped", shape=(2, 2, 3, 2, 2, 2, 2))
    operands = {2: (1, -1), 3: (0, 1, 2)}.get(len(op.inputs), ())
    one = replace(first, shape=(13, 17))
    yield from by_operand(op, one, grid, operands)
    if len(op.inputs) > 1 and grid.full(op, first.dtype) and op.name != "logaddexp":
        for layout in ("zero_stride", "zero_last", "scalar"):  # as a row, a column and a number
            for which in range(len(op.inputs)):
                yield replace(one, chapter="L", layout=f"{layout}+{which}")


def _all_over(op: Op, one: Case, grid: Grid) -> Iterator[Case]:
    """All values of narrow types, and numbers of every size of wide ones."""
    unary = len(op.inputs) == 1
    if one.dtype in FLOATS and unary:
        short = FORMATS[one.dtype].precision <= 11
        if short and (op.error == "ulp" or grid.every_value):
            yield edges(one, "exhaustive", shape=(65536,))
        if not short and grid.full(op, one.dtype):
            yield replace(one, shape=(STRATA,), values="stratified")
            if grid.whole:
                yield replace(one, shape=(STRATA * 8,), values="stratified")
    elif one.dtype in FLOATS and op.error == "ulp" and grid.full(op, one.dtype):
        yield replace(one, shape=(STRATA,), values="stratified")
    elif grid.every_value and narrow(one.dtype) and len(op.inputs) < 3:
        width = storage(one.dtype).itemsize * 8
        if width * len(op.inputs) <= 16:
            yield edges(one, "exhaustive", shape=(1 << width * len(op.inputs),))


def _largest(op: Op, complex_: bool) -> int:
    """Largest boundary at which an op is tried: where the truth has many digits it is slow."""
    if complex_:
        return 129 if op.error == "ulp" else 4097
    return 1025 if op.error == "ulp" else 1 << 20


def _targets(op: Op, dtype: str) -> tuple[str, ...]:
    """Types of the result that the op leaves free; what a complex number is as a real one is not
    specified."""
    if op.kind != "cast":
        return ("",)
    return tuple(t for t in op.others if dtype not in PARTS or t in (*PARTS, "bool"))


def _other(op: Op, base: Case) -> str:
    if op.kind != "cast":
        return ""
    if base.dtype in PARTS:
        return "complex64" if base.dtype == "complex128" else "complex128"
    return "float16" if base.dtype == "float32" else "float32"


def fill(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Constants of several kinds."""
    special = base.dtype in FLOATS or base.dtype in PARTS
    kinds = ["zero", "ordinary", "extreme"] + (["nan", "tie"] if special else [])
    for kind in kinds:
        yield replace(base, layout="", shape=(67,), values=kind)
    if grid.full(op, base.dtype):
        for shape in ((), (0, 3), (5, 1, 4), (LARGE,)):
            yield replace(base, chapter="X", layout="", shape=shape, values="ordinary")


def iota(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Sequences up, down, far from 0 and in fractions."""
    kinds = ["count", "large"] if base.dtype.startswith("uint") else ["count", "down", "large"]
    kinds += ["fraction"] if base.dtype in FLOATS else []
    for kind in kinds:
        yield replace(base, layout="", shape=(101,), values=kind)
    if grid.full(op, base.dtype):
        for n in (0, 1, 1025):
            yield replace(base, chapter="X", layout="", shape=(n,), values="count")
    if base.dtype == primary(op):
        yield replace(base, chapter="X", layout="", shape=(LARGE,), values="count")


def random(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Random bits: sizes, seeds and offsets beside the limits of 32 bits."""
    for n in (1, 3, 4, 5, 1025):
        yield replace(base, chapter="G", layout="", shape=(n,), values="small_seed")
    for kind in ("large_seed", "carry", "offset", "far"):
        yield replace(base, chapter="G", layout="", shape=(67,), values=kind)
    yield replace(base, chapter="G", layout="", shape=(LARGE,), values="offset")
    for n in (*grid.boundaries, *grid.many):
        yield replace(base, chapter="G", layout="", shape=(n,), values="offset")


FAMILIES = {"fill": fill, "iota": iota, "random": random}
"""Families of cases by the kind of the op."""
