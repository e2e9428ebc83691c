# SPDX-License-Identifier: Apache-2.0
"""Two views of one square of memory: what is written to, and what is read meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from device_api_conformance.layouts import Placed

_Pair = tuple[Placed, Placed]


def _shifted(whole: Placed, by: int) -> _Pair:
    """All elements but `by`, and those `by` places before."""
    n = whole.shape[0] * whole.shape[1] - by
    first = replace(whole, shape=(n,), strides=(1,))
    return replace(first, offset=whole.offset + by), first


def _turned(whole: Placed) -> _Pair:
    rows, columns = whole.shape
    last = whole.offset + rows * columns - 1
    return whole, replace(whole, strides=(-columns, -1), offset=last)


def _crossed(whole: Placed) -> _Pair:
    return whole, replace(whole, strides=whole.strides[::-1])


def _row(whole: Placed) -> _Pair:
    columns = whole.shape[1]
    return whole, replace(whole, strides=(0, 1), offset=whole.offset + 3 * columns)


_VIEWS: dict[str, Callable[[Placed], _Pair]] = {
    "ahead": lambda whole: _shifted(whole, 1),
    "behind": lambda whole: _shifted(whole, 1)[::-1],
    "rows_ahead": lambda whole: _shifted(whole, whole.shape[1]),
    "turned": _turned,
    "crossed": _crossed,
    "same": lambda whole: (whole, whole),
    "row": _row,
}

NAMES = tuple(_VIEWS)
"""How the two views lie over each other."""


def views(whole: Placed, name: str) -> _Pair:
    """The view that is written to and the one that is read, of a dense square."""
    return _VIEWS[name](whole)
