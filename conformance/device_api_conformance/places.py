# SPDX-License-Identifier: Apache-2.0
"""What the families of cases share: the type tried in full, layouts and shapes for the others."""

from __future__ import annotations

import zlib
from dataclasses import replace

from device_api_abi.optable import Op
from device_api_conformance.case import Case
from device_api_conformance.layouts import LAYOUTS

LARGE = 100_003
"""A number of elements that is shared out among threads or blocks, with a rest."""


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
