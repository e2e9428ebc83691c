# SPDX-License-Identifier: Apache-2.0
"""Normal numbers from random words, the same bits on every device.

The quantile function, in pieces: eight polynomials for each halving of the tail probability
(`tools/make_normal_tables.py`). Only comparisons, selections, conversions of integers, sums and
products are used, which every device rounds alike; logarithms and roots are not.
"""

from __future__ import annotations

import threading
from importlib import resources
from typing import Any

import numpy as np

from device_api import _core, dtypes
from device_api._core import Device, Tensor

_PARTS = 8  # polynomials for one octave
_OCTAVES = {"float32": 32, "float64": 64}
_FILES = {"float32": "normal32.npy", "float64": "normal64.npy"}

_lock = threading.Lock()
_tables: dict[str, np.ndarray[Any, Any]] = {}
_on_device: dict[tuple[Device, str], list[Tensor]] = {}


def normal(words: Tensor, low_words: Tensor | None) -> Tensor:
    """Return standard normal numbers, float32, or float64 when given low words too.

    ``words``, ``low_words``: rank 1, int32, each bit random. The error is a few units in the last
    place, of 1 for numbers below that.
    """
    dtype = dtypes.float32 if low_words is None else dtypes.float64
    negative = _core.less(words, 0)
    whole = _core.where(negative, _core.subtract(-1, words), words)  # 31 bits
    unit = _core.multiply(_core.add(_core.astype(whole, dtype), 0.5), 2.0**-31)
    if low_words is not None:
        fine = _core.add(_core.astype(low_words, dtype), 2.0**31 + 0.5)
        unit = _core.multiply(
            _core.add(_core.astype(whole, dtype), _core.multiply(fine, 2.0**-32)), 2.0**-31
        )
    # Rounding may have reached 1, which is in no piece.
    unit = _core.minimum(unit, 1 - float(dtypes.finfo(dtype).eps) / 2)
    tail = _quantile(unit, dtype)
    return _core.where(negative, _core.negative(tail), tail)


def _quantile(unit: Tensor, dtype: dtypes.DType) -> Tensor:
    """Return the normal number whose upper tail has half the probability ``unit``, 0 < unit < 1."""
    octave = _core.full(unit.shape, 0, dtype, unit.device)
    step = _OCTAVES[dtype.name] // 2
    while step:  # brings unit to [0.5, 1) and counts the halvings; all exact
        below = _core.less(unit, 2.0**-step)
        unit = _core.where(below, _core.multiply(unit, 2.0**step), unit)
        octave = _core.where(below, _core.add(octave, step), octave)
        step //= 2
    place = _core.multiply(_core.subtract(unit, 0.5), 2.0 * _PARTS)
    part = _core.floor(place)
    t = _core.subtract(place, part)
    column = _core.add(_core.multiply(octave, _PARTS), part)
    index = _core.astype(column, dtypes.int32)
    *rest, result = (
        _core.take_along_axis(row, index, 0) for row in _coefficients(unit.device, dtype)
    )
    for coefficient in reversed(rest):
        result = _core.add(_core.multiply(result, t), coefficient)
    return result


def _coefficients(device: Device, dtype: dtypes.DType) -> list[Tensor]:
    """Return the rows of the table on a device, which keeps them."""
    key = (device, dtype.name)
    with _lock:
        rows = _on_device.get(key)
    if rows is None:
        table = _core.from_numpy(_table(dtype.name), None, device)
        rows = [table[i] for i in range(table.shape[0])]
        with _lock:
            _on_device[key] = rows
    return rows


def _table(name: str) -> np.ndarray[Any, Any]:
    if name not in _tables:
        source = resources.files("device_api") / "data" / _FILES[name]
        with resources.as_file(source) as path:
            _tables[name] = np.load(path, allow_pickle=False)
    return _tables[name]
