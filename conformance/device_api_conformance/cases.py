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
from device_api_conformance import (
    again,
    cases_elementwise,
    cases_structured,
    cases_sums,
    overlaps,
    runtime_cases,
)
from device_api_conformance.case import Case
from device_api_conformance.layouts import LAYOUTS, SHARING
from device_api_conformance.places import GRIDS, SMOKE, Grid, shape_for

LEVELS = ("health", *GRIDS, "soak")
"""Levels that exist; a reduced level never certifies."""

WIDTHS = ("bool", "bfloat16", "int32", "float32", "float64", "int64", "complex128")
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
    if (
        case.values in ("exhaustive", "edges", "count", "ones", "negative_zeros", "limits")
        or case.chapter == "G"
    ):
        return False
    return case.layout != "" and 1 < math.prod(case.shape or ()) < 10_000


def _numeric(op: Op, grid: Grid) -> Iterator[Case]:
    for dtype in op.dtypes:
        base = Case("N", "numeric", op.name, dtype, layout="contiguous")
        yield from _FAMILIES.get(op.kind, cases_elementwise.elementwise)(op, base, grid)


_FAMILIES = cases_elementwise.FAMILIES | cases_sums.FAMILIES | cases_structured.FAMILIES


def _updates(op: Op, grid: Grid) -> Iterator[Case]:
    tried = UPDATES.get(op.name, ())
    for dtype in op.dtypes if grid.every_type and tried else tried:
        base = Case("L", "update", op.name, dtype, values="ordinary")
        for layout in LAYOUTS:
            if layout not in SHARING:
                yield replace(base, layout=layout, shape=shape_for(layout))
        for layout in ("stepped", "pitched", "transposed") if grid.every_type else ():
            yield replace(base, chapter="X", layout=layout, shape=(65, 33))
        if op.name != "fill":
            for overlap in overlaps.NAMES:
                for shape in ((12, 12), (67, 67)) if grid.every_type else ((12, 12),):
                    yield replace(base, check="overlap", layout=overlap, shape=shape)
