# SPDX-License-Identifier: Apache-2.0
"""What the families of cases share: the type tried in full, layouts and shapes for the others."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.layouts import LAYOUTS

LARGE = 100_003
"""A number of elements that is shared out among threads or blocks, with a rest."""


@dataclass(frozen=True)
class Grid:
    """How much of the table of cases a level tries.

    `every_type`: all types in all layouts and shapes, not the primary one only; `boundaries`: sizes
    beside those of tiles, blocks and vectors; `draws`: sets of values per case; `repeats`: numbers
    of runs that chapter D compares.
    """

    every_type: bool = False
    boundaries: tuple[int, ...] = ()
    draws: int = 1
    repeats: tuple[int, ...] = ()

    def full(self, op: Op, dtype: str) -> bool:
        """Whether a type gets all layouts and shapes."""
        return self.every_type or dtype == primary(op)

    def up_to(self, largest: int) -> tuple[int, ...]:
        """The boundaries that are not above a size."""
        return tuple(n for n in self.boundaries if n <= largest)

    def layouts(self, op: Op, dtype: str) -> tuple[str, ...]:
        """The layouts besides contiguous that a type gets."""
        return LAYOUTS[1:] if self.full(op, dtype) else (rotating(op, dtype),)


SMOKE = Grid()
STANDARD = Grid(
    every_type=True,
    repeats=(3,),
    boundaries=(15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 129, 255, 256, 1023, 1024, 4095, 4097),
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
)
GRIDS = {"smoke": SMOKE, "standard": STANDARD, "full": FULL}
"""Grids by level; each holds all cases of the one before."""


def primary(op: Op) -> str:
    """The type on which an op is tried in every layout and shape."""
    return "float32" if "float32" in op.dtypes else op.dtypes[0]


def rotating(op: Op, dtype: str) -> str:
    """The one layout besides contiguous that a type gets at this level."""
    return LAYOUTS[1 + zlib.crc32(f"{op.name} {dtype}".encode()) % (len(LAYOUTS) - 1)]


def shape_for(layout: str) -> tuple[int, ...]:
    """A shape of two or three dimensions in which a layout shows."""
    return (7, 1, 9) if layout == "odd_unit" else (13, 17)


def edges(base: Case, values: str = "edges", **kwargs: object) -> Case:
    """The same case in the chapter of edge values."""
    return replace(base, chapter="E", values=values, **kwargs)  # type: ignore[arg-type]
