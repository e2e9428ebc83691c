# SPDX-License-Identifier: Apache-2.0
"""All cases of a level, made from the op table (op x dtype x layout x shape x values)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase

from device_api_abi import optable
from device_api_abi.optable import Op
from device_api_conformance import again, cases_structured, runtime_cases
from device_api_conformance.case import Case
from device_api_conformance.formats import FLOATS, FORMATS, PARTS
from device_api_conformance.layouts import LAYOUTS
from device_api_conformance.places import GRIDS, LARGE, SMOKE, Grid, edges, shape_for

LEVELS = ("health", *GRIDS, "soak")
"""Levels that exist; a reduced level never certifies."""

ELEMENTWISE = ("unary", "binary", "compare", "logical", "select", "cast", "copy")
WIDTHS = ("bool", "bfloat16", "int32", "float32", "float64", "int64", "complex128")
SHARED_OUT = ("add", "exp", "where", "cast", "copy", "less", "gelu", "sum", "max", "any")
"""Ops that are also tried on many elements."""
UPDATES = {
    "copy": WIDTHS, "fill": WIDTHS, "add": ("float32", "int64"), "mul": ("float16", "int32"),
}  # fmt: skip
"""Ops that also write into a given view, in place or not, and the types tried."""


def generate(level: str = "smoke") -> tuple[Case, ...]:
    """All cases of `level` in their fixed order.

    Raises:
        ValueError: no such level, or two cases with one id (a fault of the suite).
    """
    if level not in LEVELS:
        raise ValueError(f"no level {level!r}; there are: {', '.join(LEVELS)}")
    grid = GRIDS.get(level, SMOKE)
    found = [*runtime_cases.cases(level)]
    for op in optable.load() if level in GRIDS else ():
        found += _numeric(op, grid)
        found += _updates(op, grid)
    found += again.cases(found, grid.repeats)
    drawn = [case for case in found if case.op and case.check == "numeric" and _random_values(case)]
    found += [replace(c, draw=n) for n in range(2, grid.draws + 1) for c in drawn]
    found = list(dict.fromkeys(found))  # a boundary may be a size that every level tries
    counts = Counter(case.id for case in found)
    if len(counts) != len(found):
        twice = sorted(i for i, n in counts.items() if n > 1)
        raise ValueError(f"case ids are not unique: {twice[:5]}")
    return tuple(found)


def select(cases: Iterable[Case], patterns: Iterable[str]) -> list[Case]:
    """Cases whose id equals or matches one of the shell patterns; all when there are none.

    A pattern without wildcards also selects whole branches: ``N`` or ``N/add``.
    """
    wanted = list(patterns)
    return [c for c in cases if not wanted or any(_matches(c.id, p) for p in wanted)]


def _matches(case_id: str, pattern: str) -> bool:
    return fnmatchcase(case_id, pattern) or case_id.startswith(pattern.rstrip("/") + "/")


def _random_values(case: Case) -> bool:
    """Whether another draw gives other values; single elements and large arrays are left out."""
    if case.values in ("exhaustive", "edges", "count", "ones") or case.chapter == "G":
        return False
    return case.layout != "" and 1 < math.prod(case.shape or ()) < 10_000


def _numeric(op: Op, grid: Grid) -> Iterator[Case]:
    family = _FAMILIES.get(op.kind) or cases_structured.FAMILIES.get(op.kind, _elementwise)
    for dtype in op.dtypes:
        base = Case("N", "numeric", op.name, dtype, layout="contiguous")
        yield from family(op, base, grid)


def _elementwise(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    complex_ = base.dtype in PARTS
    slow = complex_ and op.error == "ulp"  # a truth of many digits for each element
    size = 67 if slow else 257
    for target in _targets(op, base.dtype):
        one = replace(base, other=target, shape=(size,), values="ordinary")
        yield one
        if base.dtype != "bool" or op.kind == "select":
            yield edges(one, shape=None)
    unary = op.kind in ("unary", "activation")
    if op.error == "ulp" and unary and not complex_ and FORMATS[base.dtype].precision <= 11:
        yield edges(base, "exhaustive", shape=(65536,))
    first = replace(base, other=_other(op, base), values="ordinary")
    full = grid.full(op, base.dtype)
    for layout in grid.layouts(op, base.dtype):
        shape = (5, 1, 7) if slow else shape_for(layout)
        yield replace(first, chapter="L", layout=layout, shape=shape)
    if full:
        for shape in ((), (0,), (2, 0, 5), (1,), (3,), (31, 33), (1025,), (2, 3, 1, 2, 3)):
            yield replace(first, chapter="X", shape=shape)
        if op.name in SHARED_OUT and not slow:
            yield replace(first, chapter="X", shape=(LARGE,))
    for n in grid.up_to(_largest(op, complex_)):
        yield replace(first, chapter="X", shape=(n,))


def _largest(op: Op, complex_: bool) -> int:
    """Largest boundary at which an op is tried: where the truth has many digits it is slow."""
    if op.error != "ulp":
        return 1 << 20
    return 129 if complex_ else 1025


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


def _fill(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    special = base.dtype in FLOATS or base.dtype in PARTS
    kinds = ["zero", "ordinary", "extreme"] + (["nan", "tie"] if special else [])
    for kind in kinds:
        yield replace(base, layout="", shape=(67,), values=kind)
    if grid.full(op, base.dtype):
        for shape in ((), (0, 3), (5, 1, 4)):
            yield replace(base, chapter="X", layout="", shape=shape, values="ordinary")


def _iota(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    kinds = ["count", "large"] if base.dtype.startswith("uint") else ["count", "down", "large"]
    kinds += ["fraction"] if base.dtype in FLOATS else []
    for kind in kinds:
        yield replace(base, layout="", shape=(101,), values=kind)
    if grid.full(op, base.dtype):
        for n in (0, 1, 1025):
            yield replace(base, chapter="X", layout="", shape=(n,), values="count")


def _reduce(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    floating = base.dtype in FLOATS
    for shape, axes in (((257,), (0,)), ((17, 13), (0,)), ((17, 13), (1,)), ((5, 7, 3), (0, 2))):
        yield replace(base, shape=shape, axes=axes, values="ordinary")
    if op.name == "sum" and floating:
        for kind in ("cancel", "growing", "integers"):
            yield replace(base, shape=(4, 1031), axes=(1,), values=kind)
        yield replace(base, shape=(4099, 2), axes=(0,), values="ones")
    if op.name != "prod" or base.dtype not in PARTS:
        yield edges(base, "edges", shape=(67, 67), axes=(1,))
    if op.name == "max" and floating:
        yield edges(base, "negative_zeros", shape=(8193,), axes=(0,))
    full = grid.full(op, base.dtype)
    for layout in grid.layouts(op, base.dtype):
        laid = replace(base, chapter="L", layout=layout, shape=shape_for(layout), values="ordinary")
        yield replace(laid, axes=(1,))
        yield replace(laid, axes=(0,))
    if full:
        yield from _reduce_shapes(op, base, grid)


def _reduce_shapes(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    shapes = [((1,), (0,)), ((1025, 1), (0,)), ((1, 1025), (0,)), ((31, 33), (0, 1)),
              ((2, 3, 4, 5), (1, 3)), ((2, 3, 4, 5), (0, 2)), ((3, 0), (0,))]  # fmt: skip
    if op.name in SHARED_OUT:
        shapes += [((LARGE,), (0,)), ((3, 33_391), (0,))]
    if op.name == "sum":
        shapes += [((0,), (0,)), ((3, 0), (1,))]
    for shape, axes in shapes:
        yield replace(base, chapter="X", shape=shape, axes=axes, values="ordinary")
    for n in grid.boundaries:
        yield replace(base, chapter="X", shape=(n, 3), axes=(0,), values="ordinary")
        yield replace(base, chapter="X", shape=(3, n), axes=(1,), values="ordinary")


def _arg_reduce(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    for shape, axis in (((257,), 0), ((17, 13), 0), ((17, 13), 1)):
        yield replace(base, shape=shape, axes=(axis,), values="ordinary")
    yield edges(base, "ties", shape=(33, 65), axes=(1,))
    yield edges(base, "ties", shape=(65, 33), axes=(0,))
    yield edges(base, "edges", shape=(67, 67), axes=(1,))
    for layout in grid.layouts(op, base.dtype):
        laid = replace(base, chapter="L", layout=layout, shape=shape_for(layout), values="ties")
        yield replace(laid, axes=(0,))
    for n in grid.boundaries:
        yield replace(base, chapter="X", shape=(3, n), axes=(1,), values="ties")


def _matmul(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Shapes are (m, k, n), with the batch in front."""
    yield replace(base, shape=(17, 13, 5), values="ordinary")
    if base.dtype not in PARTS:
        yield replace(base, shape=(16, 32, 16), values="integers")
    if base.dtype in FLOATS:
        yield replace(base, shape=(9, 64, 7), values="cancel")
        yield edges(base, "nan_row", shape=(19, 37, 11))
    full = grid.full(op, base.dtype)
    for layout in grid.layouts(op, base.dtype):
        laid = (1, 7, 1) if layout == "odd_unit" else (7, 13, 9)
        yield replace(base, chapter="L", layout=layout, shape=laid, values="ordinary")
    yield replace(base, chapter="X", shape=(3, 5, 7, 4), values="ordinary")
    yield replace(base, chapter="X", shape=(4, 0, 3), values="ordinary")
    if full:
        more: list[tuple[int, ...]] = [(1, 1, 1), (0, 4, 3), (1, 129, 1), (65, 31, 66)]
        for shape in [*more, (2, 33, 16, 31)]:
            yield replace(base, chapter="X", shape=shape, values="ordinary")
    for n in grid.up_to(1025):
        for shape in ((n, 3, 5), (3, n, 5), (3, 5, n)):
            yield replace(base, chapter="X", shape=shape, values="ordinary")


def _along_axis(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    for index in op.others:
        for axis in (0, 1):
            one = replace(base, other=index, shape=(7, 11), axes=(axis,), values="ordinary")
            yield one
    one = replace(base, other="int64", shape=(7, 11), axes=(0,), values="ordinary")
    if op.kind == "scatter":
        yield replace(one, shape=(3, 5), axes=(1,), values="duplicates")
        yield replace(one, shape=(3, 5), axes=(1,), values="none")
    full = grid.full(op, base.dtype)
    for layout in grid.layouts(op, base.dtype):
        yield replace(
            one, chapter="L", layout=layout, shape=(9, 5) if layout != "odd_unit" else (9, 1)
        )
    if full:
        for shape, axis in (((1,), 0), ((257,), 0), ((3, 4, 5), 1), ((3, 4, 5), 2)):
            yield replace(one, chapter="X", shape=shape, axes=(axis,))
    for n in grid.boundaries:
        yield replace(one, chapter="X", shape=(2, n), axes=(1,))


def _random(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    for n in (1, 3, 4, 5, 1025):
        yield replace(base, chapter="G", layout="", shape=(n,), values="small_seed")
    for kind in ("large_seed", "carry", "offset"):
        yield replace(base, chapter="G", layout="", shape=(67,), values=kind)
    for n in grid.boundaries:
        yield replace(base, chapter="G", layout="", shape=(n,), values="offset")


_FAMILIES = {
    "fill": _fill, "iota": _iota, "reduce": _reduce, "arg_reduce": _arg_reduce,
    "matmul": _matmul, "gather": _along_axis, "scatter": _along_axis, "random": _random,
}  # fmt: skip


def _updates(op: Op, grid: Grid) -> Iterator[Case]:
    tried = UPDATES.get(op.name, ())
    for dtype in op.dtypes if grid.every_type and tried else tried:
        for layout in LAYOUTS:
            if layout != "zero_stride":
                shape = shape_for(layout)
                yield Case("L", "update", op.name, dtype, layout=layout, shape=shape,
                           values="ordinary")  # fmt: skip
