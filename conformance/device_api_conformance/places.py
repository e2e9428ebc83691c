# SPDX-License-Identifier: Apache-2.0
"""What the families of cases share: the type tried in full, layouts and shapes for the others."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.formats import FLOATS, PARTS
from device_api_conformance.layouts import BASIC, LAYOUTS, SHARING

LARGE = 100_003
"""A number of elements that is shared out among threads or blocks, with a rest."""
MANY = 65_537
"""A number of rows or batches that a counter of 16 bits does not hold."""


@dataclass(frozen=True)
class Grid:
    """How much of the table of cases a level tries.

    `every_type`: all types in all layouts and shapes, not the primary one only; `boundaries`: sizes
    beside those of tiles, blocks and vectors; `many`: numbers beside the limits of 15 and 16 bits;
    `draws`: sets of values per case; `repeats`: numbers of runs that chapter D compares;
    `every_value`: all values of a narrow type also where one result is right; `whole`: all types
    where the levels before try the primary one.
    """

    every_type: bool = False
    boundaries: tuple[int, ...] = ()
    many: tuple[int, ...] = ()
    draws: int = 1
    repeats: tuple[int, ...] = ()
    every_value: bool = False
    whole: bool = False

    def full(self, op: Op, dtype: str) -> bool:
        """Whether a type gets all layouts and shapes."""
        return self.every_type or dtype == primary(op)

    def up_to(self, largest: int) -> tuple[int, ...]:
        """The boundaries that are not above a size."""
        return tuple(n for n in self.boundaries if n <= largest)

    def sizes(self, op: Op, dtype: str) -> tuple[int, ...]:
        """The boundaries for a type, without the large ones where the truth has many digits."""
        return self.up_to(4097) if slow(op, dtype) else self.boundaries

    def counts(self, op: Op, dtype: str) -> tuple[int, ...]:
        """Large numbers of rows, batches and terms for a type."""
        if slow(op, dtype):
            return ()
        return self.many if dtype == primary(op) or self.whole else ()

    def layouts(self, op: Op, dtype: str) -> tuple[str, ...]:
        """The layouts besides contiguous that a type gets."""
        if self.every_type:
            return LAYOUTS[1:]
        return BASIC[1:] if dtype == primary(op) else (rotating(op, dtype),)

    def single(self, op: Op, dtype: str) -> tuple[str, ...]:
        """Layouts that single operands of an op get while the others are dense."""
        if self.whole or (self.every_type and dtype == primary(op)):
            return tuple(n for n in LAYOUTS[1:] if n not in SHARING and n != "odd_unit")
        return ("transposed", "stepped") if self.every_type or dtype == primary(op) else ()


SMOKE = Grid()
STANDARD = Grid(
    every_type=True,
    repeats=(3,),
    every_value=True,
    boundaries=(15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 255, 256, 1023, 1024, 4095, 4097),
    many=(32_769, MANY),
)
FULL = replace(
    STANDARD,
    draws=4,
    repeats=(3, 100),
    boundaries=tuple(
        sorted(
            {2**k + d for k in range(1, 14) for d in (-1, 0, 1)}
            | {3, 100, 1000, 32_767, 32_769, 65_535, 65_537}
        )
    ),
    many=(32_767, 32_768, 32_769, 65_535, 65_536, MANY),
    whole=True,
)
GRIDS = {"smoke": SMOKE, "standard": STANDARD, "full": FULL}
"""Grids by level; each holds all cases of the one before."""


def primary(op: Op) -> str:
    """The type on which an op is tried in every layout and shape."""
    return "float32" if "float32" in op.dtypes else op.dtypes[0]


PRECISE = ("prod", "scan", "normalize", "attention")
"""Names or kinds of ops whose truth for float64 is made of numbers with many digits."""


def slow(op: Op, dtype: str) -> bool:
    """Whether the truth takes long: a millisecond for ten elements or less."""
    if dtype in PARTS:
        return op.kind not in ("copy", "cast", "select", "gather", "fill", "compare")
    return dtype == "float64" and (op.kind in PRECISE or op.name in PRECISE)


def rotating(op: Op, dtype: str) -> str:
    """The one layout besides contiguous that a type gets at this level."""
    return LAYOUTS[1 + zlib.crc32(f"{op.name} {dtype}".encode()) % (len(LAYOUTS) - 1)]


def shape_for(layout: str) -> tuple[int, ...]:
    """A shape of two or three dimensions in which a layout shows."""
    return {"odd_unit": (7, 1, 9), "permuted": (5, 6, 7)}.get(layout, (13, 17))


def by_operand(op: Op, base: Case, grid: Grid, operands: tuple[int, ...]) -> Iterator[Case]:
    """A case with views for one operand only, and then for another; `+all` for all of them."""
    for layout in grid.single(op, base.dtype):
        for which in operands:
            yield replace(base, chapter="L", layout=f"{layout}+{'all' if which < 0 else which}")


def edges(base: Case, values: str = "edges", **kwargs: object) -> Case:
    """The same case in the chapter of edge values."""
    return replace(base, chapter="E", values=values, **kwargs)  # type: ignore[arg-type]


def narrow(dtype: str) -> bool:
    """Whether a type has so few values that all of them can be tried."""
    return dtype in FLOATS[:2] or dtype in ("int8", "uint8", "int16", "uint16")
