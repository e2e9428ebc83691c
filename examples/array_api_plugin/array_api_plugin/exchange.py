# SPDX-License-Identifier: Apache-2.0
"""Bits in and out of a library's arrays, through DLPack and NumPy's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_abi.optable import DTYPES
from device_api_conformance.formats import Array, Host
from device_api_conformance.layouts import Placed


def types(xp: Any) -> dict[str, Any]:
    """The types of the op table that a namespace has, by name."""
    found = {name: getattr(xp, name, None) for name in DTYPES}
    return {name: kind for name, kind in found.items() if kind is not None}


def name_of(xp: Any, array: Any) -> str:
    """Name of an array's type in the op table."""
    for name, kind in types(xp).items():
        if array.dtype == kind:
            return name
    raise TypeError(f"the op table has no type {array.dtype}")


def taken_in(xp: Any, placed: Placed, buffer: Array) -> Any:
    """An array of the library that shares `buffer`, with the strides of `placed`."""
    array = xp.from_dlpack(placed.view(buffer))
    return array.view(xp.bfloat16) if placed.dtype == "bfloat16" else array


def given_out(xp: Any, array: Any) -> Host:
    """A dense copy of an array, bit by bit."""
    array = xp.asarray(array)
    name = name_of(xp, array)
    if name == "bfloat16":  # NumPy has no such type
        array = array.view(xp.uint16)
    return Host(name, np.array(np.from_dlpack(array), order="C"))
