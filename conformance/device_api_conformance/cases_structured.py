# SPDX-License-Identifier: Apache-2.0
"""Cases of ops with a structure of their own: scans, sorting, windows, normalisation, attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.formats import FLOATS, PARTS
from device_api_conformance.places import LARGE, Grid, by_operand, edges, shape_for, slow

Shape = tuple[int, ...]
_LINES: tuple[tuple[Shape, int], ...] = (((257,), 0), ((17, 13), 0), ((17, 13), 1))
"""Shapes with an axis that every type meets."""


def scan(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Running sums and products."""
    one = replace(base, values="ordinary")
    for shape, axis in _LINES:
        yield replace(one, shape=shape, axes=(axis,))
    if op.name == "cumsum" and base.dtype in FLOATS:
        yield replace(base, shape=(4, 515), axes=(1,), values="cancel")
        yield replace(base, shape=(4099, 2), axes=(0,), values="ones")
    if base.dtype not in PARTS:
        yield edges(base, "edges", shape=(67, 67), axes=(1,))
    for layout in grid.layouts(op, base.dtype):
        yield replace(one, chapter="L", layout=layout, shape=shape_for(layout), axes=(0,))
    if grid.full(op, base.dtype):
        shapes: tuple[tuple[Shape, int], ...]
        shapes = (((1,), 0), ((0,), 0), ((3, 0), 0), ((2, 33, 5), 1), ((1025,), 0))
        if not slow(op, base.dtype):
            shapes += (((LARGE,), 0),)
        for shape, axis in shapes:
            yield replace(one, chapter="X", shape=shape, axes=(axis,))
    for n in grid.sizes(op, base.dtype):
        yield replace(one, chapter="X", shape=(3, n), axes=(1,))
    for n in grid.counts(op, base.dtype):
        yield replace(one, chapter="X", shape=(n, 2), axes=(1,))


def order(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """sort, argsort and topk, in both directions."""
    for shape, axis in _LINES:
        for values in ("ordinary", "ordinary_down"):
            yield replace(base, shape=shape, axes=(axis,), values=values)
    for values in ("ties", "ties_down", "edges", "edges_down"):
        yield edges(base, values, shape=(33, 65), axes=(1,))
    yield edges(base, "ties_down", shape=(65, 9), axes=(0,))
    for values in ("limits", "limits_down"):  # what fills the last block is no smaller
        yield edges(base, values, shape=(5, 33), axes=(1,))
    for layout in grid.layouts(op, base.dtype):
        yield replace(base, chapter="L", layout=layout, shape=shape_for(layout), axes=(0,),
                      values="ties")  # fmt: skip
    if grid.full(op, base.dtype):
        shapes: tuple[tuple[Shape, int], ...]
        shapes = (((1,), 0), ((0,), 0), ((3, 0), 0), ((2, 33, 5), 1), ((1025,), 0), ((2049,), 0))
        if op.name == "sort":
            shapes += (((20011,), 0),)
        for shape, axis in shapes:
            yield replace(base, chapter="X", shape=shape, axes=(axis,), values="ties")
        if op.name == "topk":
            for values in ("all", "none"):
                yield replace(base, chapter="X", shape=(9, 33), axes=(1,), values=values)
    for n in grid.sizes(op, base.dtype):
        yield replace(base, chapter="X", shape=(2, n), axes=(1,), values="ties")
    for n in grid.counts(op, base.dtype):
        yield replace(base, chapter="X", shape=(n, 2), axes=(1,), values="ties")


def search(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """searchsorted: the shape is that of x followed by that of the values."""
    for values in ("ordinary", "ordinary_right"):
        yield replace(base, shape=(67, 5, 13), values=values)
    for values in ("ties", "ties_right", "edges", "edges_right"):
        yield edges(base, values, shape=(64, 129))
    for layout in grid.layouts(op, base.dtype):
        shape: Shape = (31, *shape_for(layout))
        yield replace(base, chapter="L", layout=layout, shape=shape, values="ties_right")
    yield from by_operand(op, replace(base, shape=(31, 13, 17), values="ties"), grid, (0, 1))
    if grid.full(op, base.dtype):
        for shape in ((0, 5), (1, 5), (7, 0), (1025, 3), (33,)):
            yield replace(base, chapter="X", shape=shape, values="ordinary")
    for n in grid.sizes(op, base.dtype):
        yield replace(base, chapter="X", shape=(n, 7), values="ordinary")


def convolution(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Geometries by name, in one to three dimensions."""
    plane = replace(base, shape=(2, 4, 9, 7))
    for values in ("ordinary", "padded", "strided", "grouped", "integers", "dilated", "depthwise",
                   "pointwise", "uneven"):  # fmt: skip
        yield replace(plane, values=values)
    for values in ("padded", "depthwise"):
        yield replace(base, shape=(2, 3, 1, 9), values=values)
    yield replace(base, shape=(2, 3, 259, 2), values="tall")
    yield replace(base, shape=(2, 4, 3, 5, 4), values="ordinary")
    yield edges(plane, "nan")
    for layout in grid.layouts(op, base.dtype):
        shape: Shape = (2, 4, 1, 7) if layout == "odd_unit" else (2, 4, 6, 7)
        values = "pointwise" if layout == "odd_unit" else "padded"
        yield replace(base, chapter="L", layout=layout, shape=shape, values=values)
    yield from by_operand(op, replace(base, shape=(2, 4, 6, 7), values="padded"), grid, (0, 1))
    yield replace(base, chapter="X", shape=(2, 3, 17), values="strided")
    if grid.full(op, base.dtype):
        for shape in ((1, 2, 4, 5, 6), (0, 4, 9, 7), (1, 1, 33, 3), (3, 17, 5, 5)):
            yield replace(base, chapter="X", shape=shape, values="padded")
        yield replace(base, chapter="X", shape=(1, 2, 5, 6, 7), values="strided")
    for n in grid.up_to(129):
        yield replace(base, chapter="X", shape=(1, n, 5, 6), values="pointwise")
        yield replace(base, chapter="X", shape=(1, 2, 3, n), values="padded")


def pool(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Geometries by name, in one to three dimensions."""
    plane = replace(base, shape=(2, 3, 9, 7))
    names = ["ordinary", "padded", "overlapping", "negative"]
    names += ["counted", "ceil"] if op.name == "avg_pool" else ["dilated"]
    for values in names:
        yield replace(plane, values=values)
    yield edges(plane, "nan")
    if op.name == "max_pool":
        yield edges(plane, "outside")
    for layout in grid.layouts(op, base.dtype):
        shape: Shape = (2, 3, 1, 8) if layout == "odd_unit" else (2, 3, 6, 7)
        yield replace(base, chapter="L", layout=layout, shape=shape, values="padded")
    yield replace(base, chapter="X", shape=(2, 3, 17), values="padded")
    if grid.full(op, base.dtype):
        for shape in ((1, 2, 5, 4, 6), (0, 3, 9, 7), (1, 1, 2, 33), (1, 17, 5, 5)):
            yield replace(base, chapter="X", shape=shape, values="padded")
    for n in grid.up_to(1025):
        yield replace(base, chapter="X", shape=(1, 1, 3, n), values="padded")


def normalize(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """softmax and log_softmax along any axis, norms over the last one."""
    along = op.name in ("softmax", "log_softmax")
    last = replace(base, shape=(5, 37), axes=(1,) if along else None)
    yield replace(last, values="ordinary")
    for values in ("far", "below"):
        yield replace(last, shape=(5, 19), values=values)
    if along:
        yield replace(base, shape=(37, 5), axes=(0,), values="ordinary")
        yield edges(replace(last, shape=(11, 23)), "infinities")
        for values in ("far", "below"):
            yield edges(replace(last, shape=(19, 5), axes=(0,)), values)
    else:
        yield edges(last, "constant")
        yield edges(replace(last, shape=(19, 17)), "nan_row")
        yield from by_operand(op, replace(base, shape=(6, 17), values="ordinary"), grid,
                              tuple(range(len(op.inputs))))  # fmt: skip
    for layout in grid.layouts(op, base.dtype):
        shape: Shape = (4, 1, 9) if layout == "odd_unit" else (6, 17)
        axes = (len(shape) - 1,) if along else None
        yield replace(base, chapter="L", layout=layout, shape=shape, axes=axes, values="ordinary")
    if grid.full(op, base.dtype):
        shapes: list[Shape] = [(1,), (0, 5), (3, 0), (2, 3, 16), (2, 257), (1, 1025)]
        for shape in shapes:
            axes = (len(shape) - 1,) if along else None
            yield replace(base, chapter="X", shape=shape, axes=axes, values="ordinary")
        if along:
            yield replace(base, chapter="X", shape=(3, 17, 5), axes=(1,), values="ordinary")
    wide = replace(base, chapter="X", axes=(1,) if along else None, values="ordinary")
    for n in grid.sizes(op, base.dtype):
        yield replace(wide, shape=(2, n))
    for n in grid.counts(op, base.dtype):
        yield replace(wide, shape=(2, n))
        yield replace(wide, shape=(n, 2))


def attention(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """The shape is (batch.., L, S, D, E)."""
    one = replace(base, shape=(2, 5, 7, 8, 6))
    for values in ("ordinary", "causal", "far"):
        yield replace(one, values=values)
    yield replace(one, shape=(2, 3, 9, 5, 8, 8), values="causal")
    for values in ("masked", "nan_row"):
        yield edges(one, values, shape=(2, 9, 11, 8, 6))
    for layout in grid.layouts(op, base.dtype):
        shape: Shape = (1, 4, 1, 8, 1) if layout == "odd_unit" else (2, 4, 5, 8, 6)
        yield replace(base, chapter="L", layout=layout, shape=shape, values="ordinary")
    square = replace(base, shape=(2, 6, 6, 6, 6), values="ordinary")
    yield from by_operand(op, square, grid, (0, 1, 2))
    if grid.full(op, base.dtype):
        for shape in ((2, 3, 4, 5, 8, 8), (2, 0, 4, 8, 5), (1, 1, 1, 1, 1), (0, 3, 4, 8, 5),
                      (1, 33, 65, 17, 9)):  # fmt: skip
            yield replace(base, chapter="X", shape=shape, values="ordinary")
        for shape in ((2, 9, 5, 8, 4), (1, 70, 70, 8, 8)):
            yield replace(base, chapter="X", shape=shape, values="causal")
    for n in grid.up_to(129):
        yield replace(base, chapter="X", shape=(1, 3, n, 8, 4), values="ordinary")
        yield replace(base, chapter="X", shape=(1, n, 5, 4, n), values="ordinary")
    for n in grid.counts(op, base.dtype):
        yield replace(base, chapter="X", shape=(n, 1, 2, 2, 1), values="ordinary")


FAMILIES: dict[str, Callable[[Op, Case, Grid], Iterator[Case]]] = {
    "scan": scan, "sort": order, "search": search, "convolution": convolution, "pool": pool,
    "normalize": normalize, "attention": attention,
}  # fmt: skip
"""Families of cases by the kind of the op."""
