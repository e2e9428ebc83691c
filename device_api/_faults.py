# SPDX-License-Identifier: Apache-2.0
"""What a fault of a simulated chip takes, checked: for calls and for scenario files alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from device_api import errors
from device_api._sizes import parse_bytes

KINDS = {
    "out_of_memory": 1, "launch": 2, "async": 3, "device_lost": 4, "wrong_result": 5,
    "corrupt_copy": 6, "hang": 7, "ecc": 8, "slow": 9, "telemetry": 10, "telemetry_short": 11,
    "collective": 12, "slow_link": 13, "telemetry_stale": 14,
}  # fmt: skip
_SLOW = ("slow", "slow_link")
_WIDTHS = {"skip": 64, "count": 64, "seed": 64, "stream": 32}


def _wrong(key: str, value: object, takes: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(f"fault: {key}={value!r}", f"{key} takes {takes}")


def _whole(key: str, value: object, low: int, high: int, takes: str) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not low <= value < high:  # type: ignore[operator]  # it is one
        raise _wrong(key, value, takes)
    return int(value)  # type: ignore[call-overload, no-any-return]


def _count(key: str, value: object) -> int:
    return _whole(key, value, 0, 2 ** _WIDTHS[key], "a whole number that is not negative")


def _index(key: str, value: object) -> int:
    return _whole(key, value, -1, 2**31, "the index of a device, or -1 for any")


def _code(key: str, value: object) -> int:
    return _whole(key, value, -(2**31), 2**31, "a vendor's error code, 32 bits")


def _size(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _wrong(key, value, "a number of bytes, or a text as '1MiB'")
    return parse_bytes(value)


def _number(key: str, value: object, takes: str = "a finite number, not negative") -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:  # type: ignore[arg-type, operator]
        raise _wrong(key, value, takes)
    return float(value)  # type: ignore[arg-type]


def _probability(key: str, value: object) -> float:
    takes = "a number above 0 and up to 1"
    chance = _number(key, value, takes)
    if not 0 < chance <= 1:
        raise _wrong(key, value, takes)
    return chance


def _seconds(key: str, value: object) -> float:
    return _number(key, value, "seconds of the host's clock after the fault was put in")


def _pattern(key: str, value: object) -> bytes:
    if not isinstance(value, str) or len(value.encode()) > 63 or "\0" in value:
        raise _wrong(key, value, "a pattern of at most 63 bytes, with * and ? as in a shell")
    return value.encode()


# Keyword -> the member of das_fault, and how its value is read.
_MEMBERS: dict[str, tuple[str, Callable[[str, object], Any]]] = {
    "op": ("name", _pattern), "device": ("device", _index), "stream": ("stream", _count),
    "skip": ("skip", _count), "count": ("count", _count), "seed": ("seed", _count),
    "probability": ("probability", _probability), "value": ("value", _number),
    "code": ("code", _code), "min_bytes": ("min_bytes", _size), "max_bytes": ("max_bytes", _size),
    "after": ("after_s", _seconds), "until": ("until_s", _seconds),
}  # fmt: skip
KEYS = tuple(_MEMBERS)


def members(kind: str, given: Mapping[str, object]) -> dict[str, Any]:
    """Return the members of a ``das_fault``; values that are None are left to the default.

    Raises InvalidArgumentError that names the keyword, its value and what it takes.
    """
    if kind not in KINDS:
        raise errors.InvalidArgumentError(
            f"unknown fault: {kind!r}", f"use one of {', '.join(KINDS)}"
        )
    read: dict[str, Any] = {"kind": KINDS[kind], "device": -1, "count": int(kind not in _SLOW)}
    for key, value in given.items():
        if key not in _MEMBERS:
            raise errors.InvalidArgumentError(
                f"fault: unknown keyword {key!r}", f"use one of {', '.join(KEYS)}"
            )
        if value is not None:
            member, reader = _MEMBERS[key]
            read[member] = reader(key, value)
    if kind in _SLOW and read.get("value", 0.0) <= 1:
        raise _wrong("value", given.get("value"), f"how many times as long, above 1, for {kind!r}")
    if read.get("max_bytes") and read["max_bytes"] < read.get("min_bytes", 0):
        raise _wrong("max_bytes", given["max_bytes"], "a size not below min_bytes")
    if read.get("until_s") and read["until_s"] <= read.get("after_s", 0.0):
        raise _wrong("until", given["until"], "a time after `after`")
    return read
