# SPDX-License-Identifier: Apache-2.0
"""Sizes of memory as people write them."""

from __future__ import annotations

import re
from fractions import Fraction

from device_api import errors

_UNITS = {"": 1, "b": 1}
for _power, _letter in enumerate("kmgt", start=1):
    _UNITS |= {f"{_letter}ib": 1024**_power, f"{_letter}b": 1000**_power, _letter: 1024**_power}


def parse_bytes(size: int | str) -> int:
    """Return a size in bytes: a number, or a text as "4GiB" or "512 MB"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(size).lower())
    if match is None or match.group(2) not in _UNITS:
        raise errors.InvalidArgumentError(
            f"not a size of memory: {size!r}", "write a number of bytes, or as '4GiB'"
        )
    whole = Fraction(match.group(1)) * _UNITS[match.group(2)]
    if whole >= 1 << 63:
        raise errors.InvalidArgumentError(
            "a size of memory of 2^63 bytes or more", "write a number of bytes, or as '4GiB'"
        )
    return int(whole)
