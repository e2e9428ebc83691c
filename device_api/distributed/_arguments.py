# SPDX-License-Identifier: Apache-2.0
"""Arguments of collectives that are of the wrong kind: each is named, with what to pass."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from device_api import _core, errors


def whole(value: object, what: str, remedy: str) -> int:
    """Return a whole number, NumPy's too; raises InvalidArgumentError for others and for bool."""
    if not isinstance(value, bool):
        try:
            return operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass  # told below
    raise errors.InvalidArgumentError(f"{what} {value!r} is no whole number", remedy)


def rank(value: object) -> int:
    """Return a rank's number."""
    return whole(value, "rank", "ranks are the numbers that get_rank() returns")


def _told(value: object) -> str:
    """A value as an error shows it: plain ones themselves, others by their type."""
    plain = value is None or isinstance(value, (bool, int, float, str, bytes))
    return repr(value) if plain else f"a {type(value).__name__}"


def listed(values: object, what: str, remedy: str) -> list[Any]:
    """Return the elements of a list or another sequence; no text, and no array."""
    no_list = isinstance(values, (str, bytes, _core.Tensor))
    if no_list or not isinstance(values, (Sequence, range, set, frozenset)):
        raise errors.InvalidArgumentError(f"{what}: {_told(values)} is no list", remedy)
    return list(values)


def arrays(values: object, name: str) -> list[Any]:
    """Return the arrays of a list, one for each rank."""
    return listed(values, name, "pass a list of arrays, one for each rank")


def receivers(out: object, name: str) -> list[Any]:
    """Return the list that gets the arrays, or the arrays that are written."""
    if isinstance(out, list):
        return out
    if isinstance(out, tuple) and out:
        return list(out)
    raise errors.InvalidArgumentError(
        f"{name}: the results cannot be put into {_told(out)}",
        "pass an empty list, which gets the arrays, or a list of arrays, which are written",
    )
