# SPDX-License-Identifier: Apache-2.0
"""Cases of reductions, of products of matrices, and of ops that take or put by index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.formats import FLOATS, PARTS
from device_api_conformance.places import LARGE, Grid, by_operand, edges, shape_for, slow


def reduce(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Reductions over one axis and several."""
    floating = base.dtype in FLOATS
    for shape, axes in (((257,), (0,)), ((17, 13), (0,)), ((17, 13), (1,)), ((5, 7, 3), (0, 2))):
        yield replace(base, shape=shape, axes=axes, values="ordinary")
    if op.name == "sum" and floating:
        for kind in ("cancel", "growing", "integers"):
            yield replace(base, shape=(4, 1031), axes=(1,), values=kind)
        yield replace(base, shape=(4099, 2), axes=(0,), values="ones")
    if op.name != "prod" or base.dtype not in PARTS:
        yield edges(base, "edges", shape=(67, 67), axes=(1,))
    if floating:
        yield edges(base, "negative_zeros", shape=(8193,), axes=(0,))
        yield edges(base, "negative_zeros", shape=(3, 37), axes=(1,))
        if op.name in ("sum", "max", "min"):
            yield edges(base, "subnormal", shape=(33, 9), axes=(1,))
    yield from _one_sided(op, base, ((5, 33), (33, 5), (3, 1025)))
    for layout in grid.layouts(op, base.dtype):
        laid = replace(base, chapter="L", layout=layout, shape=shape_for(layout), values="ordinary")
        yield replace(laid, axes=(1,))
        yield replace(laid, axes=(0,))
    if grid.full(op, base.dtype):
        square = replace(base, chapter="L", layout="transposed", shape=(12, 12), values="ordinary")
        yield replace(square, axes=(1,))
        yield from _reduce_shapes(op, base, grid)


EXTREMES = ("max", "min", "argmax", "argmin")


def _one_sided(op: Op, base: Case, shapes: tuple[tuple[int, int], ...]) -> Iterator[Case]:
    """Lines of one sign, and of nothing but the last value of the type: what a neutral element
    that is 0, or a limit of another type, spoils."""
    if op.name not in EXTREMES or base.dtype == "bool":
        return
    for values in ("one_sided", "limits"):
        for shape in shapes:
            axis = 1 if shape[1] > shape[0] else 0
            yield edges(base, values, shape=shape, axes=(axis,))


SHARED_OUT = ("sum", "max", "any")
"""Reductions that are also tried on many elements."""


def _reduce_shapes(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    shapes = [((1,), (0,)), ((1025, 1), (0,)), ((1, 1025), (0,)), ((31, 33), (0, 1)),
              ((2, 3, 4, 5), (1, 3)), ((2, 3, 4, 5), (0, 2)), ((3, 0), (0,)),
              ((0, 3), (1,))]  # fmt: skip
    if op.name in SHARED_OUT and not slow(op, base.dtype):
        shapes += [((LARGE,), (0,)), ((3, 33_391), (0,))]
    if op.name == "sum":
        shapes += [((0,), (0,)), ((3, 0), (1,))]
    for shape, axes in shapes:
        yield replace(base, chapter="X", shape=shape, axes=axes, values="ordinary")
    for n in grid.sizes(op, base.dtype):
        yield replace(base, chapter="X", shape=(n, 3), axes=(0,), values="ordinary")
        yield replace(base, chapter="X", shape=(3, n), axes=(1,), values="ordinary")
    for n in grid.counts(op, base.dtype):
        yield replace(base, chapter="X", shape=(n, 2), axes=(1,), values="ordinary")
        yield replace(base, chapter="X", shape=(2, n), axes=(1,), values="ordinary")
        yield replace(base, chapter="X", shape=(2, n), axes=(0,), values="ordinary")
    if grid.every_type:
        for layout in ("pitched", "transposed", "zero_stride"):
            for shape in ((65, 33), (257, 9)):
                yield replace(base, chapter="X", layout=layout, shape=shape, axes=(1,),
                              values="ordinary")  # fmt: skip
        yield replace(base, chapter="X", layout="stepped", shape=(2, 2, 3, 2, 2, 2, 2),
                      axes=(1, 4), values="ordinary")  # fmt: skip


def arg_reduce(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Places of the largest and of the smallest element."""
    for shape, axis in (((257,), 0), ((17, 13), 0), ((17, 13), 1)):
        yield replace(base, shape=shape, axes=(axis,), values="ordinary")
    yield edges(base, "ties", shape=(33, 65), axes=(1,))
    yield edges(base, "ties", shape=(65, 33), axes=(0,))
    yield edges(base, "edges", shape=(67, 67), axes=(1,))
    yield from _one_sided(op, base, ((5, 33), (33, 5)))
    for layout in grid.layouts(op, base.dtype):
        laid = replace(base, chapter="L", layout=layout, shape=shape_for(layout), values="ties")
        yield replace(laid, axes=(0,))
    for n in grid.sizes(op, base.dtype):
        yield replace(base, chapter="X", shape=(3, n), axes=(1,), values="ties")
    for n in grid.counts(op, base.dtype):
        yield replace(base, chapter="X", shape=(2, n), axes=(1,), values="ordinary")


def matmul(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Shapes are (m, k, n), with the batch in front."""
    yield replace(base, shape=(17, 13, 5), values="ordinary")
    yield replace(base, shape=(3, 4, 9, 6), values="ordinary")
    if base.dtype not in PARTS:
        yield replace(base, shape=(16, 32, 16), values="integers")
    if base.dtype in FLOATS:
        yield replace(base, shape=(9, 64, 7), values="cancel")
        yield edges(base, "nan_row", shape=(19, 37, 11))
        yield edges(base, "nan_sweep", shape=(70, 35, 5))
        yield edges(base, "subnormal", shape=(5, 9, 4))
    for layout in grid.layouts(op, base.dtype):
        laid = {"odd_unit": (1, 7, 1), "permuted": (2, 7, 13, 9)}.get(layout, (7, 13, 9))
        yield replace(base, chapter="L", layout=layout, shape=laid, values="ordinary")
    one = replace(base, shape=(13, 13, 13), values="ordinary")
    yield from by_operand(op, one, grid, (0, 1))
    yield replace(base, chapter="X", shape=(3, 5, 7, 4), values="ordinary")
    yield replace(base, chapter="X", shape=(4, 0, 3), values="ordinary")
    if grid.full(op, base.dtype):
        more: list[tuple[int, ...]] = [(1, 1, 1), (0, 4, 3), (4, 3, 0), (0, 2, 3, 4), (2, 3, 0, 4),
                                       (1, 129, 1), (65, 31, 66), (2, 3, 5, 4, 6)]  # fmt: skip
        for shape in [*more, (2, 33, 16, 31)]:
            yield replace(base, chapter="X", shape=shape, values="ordinary")
    if grid.every_type:
        for layout in ("pitched", "transposed"):
            yield replace(base, chapter="X", layout=layout, shape=(33, 65, 34), values="ordinary")
    for n in grid.up_to(1025):
        for shape in ((n, 3, 5), (3, n, 5), (3, 5, n)):
            yield replace(base, chapter="X", shape=shape, values="ordinary")
    for n in grid.counts(op, base.dtype):
        for shape in ((n, 1, 2, 1), (2, n, 3)):
            yield replace(base, chapter="X", shape=shape, values="ordinary")


def along_axis(op: Op, base: Case, grid: Grid) -> Iterator[Case]:
    """Taking, putting and adding by index along an axis."""
    for index in op.others:
        for axis in (0, 1):
            one = replace(base, other=index, shape=(7, 11), axes=(axis,), values="ordinary")
            yield one
    one = replace(base, other="int64", shape=(7, 11), axes=(0,), values="ordinary")
    if op.kind == "scatter":
        yield replace(one, shape=(3, 5), axes=(1,), values="duplicates")
        yield replace(one, shape=(3, 5), axes=(1,), values="none")
    for layout in grid.layouts(op, base.dtype):
        shape = {"odd_unit": (9, 1), "permuted": (4, 5, 3)}.get(layout, (9, 5))
        yield replace(one, chapter="L", layout=layout, shape=shape)
    yield from by_operand(op, replace(one, shape=(9, 5)), grid, tuple(range(len(op.inputs))))
    if grid.full(op, base.dtype):
        for shape, axis in (((1,), 0), ((257,), 0), ((3, 4, 5), 1), ((3, 4, 5), 2)):
            yield replace(one, chapter="X", shape=shape, axes=(axis,))
    for n in grid.sizes(op, base.dtype):
        yield replace(one, chapter="X", shape=(2, n), axes=(1,))
    for n in grid.counts(op, base.dtype):
        yield replace(one, chapter="X", shape=(n, 2), axes=(0,))
        yield replace(one, chapter="X", shape=(2, n), axes=(0,))


FAMILIES = {"reduce": reduce, "arg_reduce": arg_reduce, "matmul": matmul, "gather": along_axis,
            "scatter": along_axis}  # fmt: skip
"""Families of cases by the kind of the op."""
