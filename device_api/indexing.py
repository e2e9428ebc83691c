# SPDX-License-Identifier: Apache-2.0
"""Indexing with arrays: take, take_along_axis, nonzero, and ``x[...]`` beyond basic keys.

Indices may be negative. Host indices (lists, NumPy) and those on a CPU device are checked:
OutOfRangeError. Those on an accelerator are not read back, since that would wait for the device;
one out of range takes the nearest element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api._keys import Selection, checked, host_indices, is_array
from device_api.reductions import as_axes

Indices: TypeAlias = "Tensor | np.ndarray[Any, Any] | Sequence[Any] | int"


def _on_device(indices: Indices, x: Tensor, axis: int) -> Tensor:
    """Return indices as non-negative int64 on the device of x, in range."""
    size = x.shape[axis]
    if not isinstance(indices, Tensor) or indices.device.type == "cpu":
        given = host_indices(indices)
        found = checked(given, size, axis)
        if isinstance(indices, Tensor) and found is given and indices.device == x.device:
            return _core.astype(indices, dtypes.int64, False)
        return _core.from_numpy(found, None, x.device)
    if indices.dtype.kind not in "iu":
        raise errors.DTypeError(
            f"indices must be integers, not {indices.dtype.name}", "convert them to int64"
        )
    if indices.device != x.device:
        raise errors.DeviceMismatchError(
            f"indices are on {indices.device}, the array on {x.device}", "move one of them"
        )
    if size == 0 and indices.size:
        raise errors.OutOfRangeError(f"axis {axis} is empty", "there is nothing to take")
    wide = _core.astype(indices, dtypes.int64, False)
    wide = _core.where(_core.less(wide, 0), _core.add(wide, size), wide)
    return _core.minimum(_core.maximum(wide, 0), size - 1)


def take(x: Tensor, indices: Indices, /, *, axis: int | None = None) -> Tensor:
    """Return the elements of x at indices along an axis (None: the only one).

    Indices of rank 1 by the standard; those of another rank put their shape in the axis's place.
    """
    if axis is None and x.ndim != 1:
        raise errors.InvalidArgumentError(
            f"take: an array of {x.ndim} dimensions needs an axis", "name the axis"
        )
    (along,) = as_axes(0 if axis is None else axis, x.ndim)
    return _taken(x, _on_device(indices, x, along), along)


def _taken(x: Tensor, index: Tensor, axis: int) -> Tensor:
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    flat = _core.reshape(index, (1,) * axis + (index.size,) + (1,) * len(after))
    spread = _core.broadcast_to(flat, (*before, index.size, *after))
    result = _core.take_along_axis(x, spread, axis)
    return _core.reshape(result, before + index.shape + after)


def take_along_axis(x: Tensor, indices: Indices, /, *, axis: int = -1) -> Tensor:
    """Return ``x[.., indices[.., i, ..], ..]``: indices per row; the other axes broadcast."""
    (along,) = as_axes(axis, x.ndim)
    index = _on_device(indices, x, along)
    if index.ndim != x.ndim:
        raise errors.ShapeError(
            f"take_along_axis: indices of {index.ndim} dimensions for {x.ndim}",
            "give both the same number of dimensions",
        )
    rows, columns = list(x.shape), list(index.shape)
    rows[along] = columns[along] = 1
    try:
        common = np.broadcast_shapes(tuple(rows), tuple(columns))
    except ValueError as error:
        raise errors.ShapeError(
            f"take_along_axis: shapes {x.shape} and {index.shape} do not fit",
            "sizes of the other axes must be equal or 1",
        ) from error
    full = [
        (*common[:along], n, *common[along + 1 :]) for n in (x.shape[along], index.shape[along])
    ]
    return _core.take_along_axis(
        _core.broadcast_to(x, full[0]), _core.broadcast_to(index, full[1]), along
    )


def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Return the indices of elements that are not zero, an int64 array per axis; waits for x.

    The result's shape depends on the data, so the positions are found on the host.
    """
    if x.ndim == 0:
        raise errors.InvalidArgumentError("nonzero: a scalar has no indices", "reshape it to (1,)")
    mask = x if x.dtype.kind == "b" else _core.not_equal(x, 0)
    return tuple(_core.from_numpy(i, None, x.device) for i in np.nonzero(mask.numpy()))


def getitem(x: Tensor, key: Any) -> Tensor:
    """Return ``x[key]`` for a key with arrays, as NumPy does: a copy. Device indices are read."""
    chosen = Selection(x, key)
    flat = _core.reshape(chosen.view, chosen.joined_shape)
    index = _core.from_numpy(chosen.index, None, x.device)
    return _taken(flat, index, chosen.axis)


def setitem(x: Tensor, key: Any, value: Any) -> None:
    """Do ``x[key] = value`` for keys with arrays, or values that are neither Tensor nor number.

    Of equal indices the last one counts.
    """
    from device_api.conversion import asarray

    parts = key if isinstance(key, tuple) else (key,)
    if not isinstance(value, Tensor) and not any(map(is_array, parts)):
        x[key] = asarray(value, dtype=x.dtype, device=x.device)
        return
    plain = isinstance(value, bool | int | float | complex)
    if isinstance(key, Tensor) and key.dtype.kind == "b" and key.shape == x.shape and plain:
        filled = _core.full((), value, x.dtype, x.device)
        _core.copyto(x, _core.where(key, filled, x))
        return
    chosen = Selection(x, key)
    if not isinstance(value, Tensor):
        value = asarray(value, dtype=x.dtype, device=x.device)
    values = _core.broadcast_to(dtypes.astype(value, x.dtype, copy=False), chosen.shape)
    if values.size == 0:
        return
    axis, size = chosen.axis, chosen.index.size
    before, after = chosen.joined_shape[:axis], chosen.joined_shape[axis + 1 :]
    lined = (*before, size, *after)
    index = _core.from_numpy(chosen.index.reshape(size, *(1,) * len(after)), None, x.device)
    old = _core.reshape(chosen.view, chosen.joined_shape)
    inputs = [old, _core.broadcast_to(index, lined), _core.reshape(values, lined)]
    new = _core.apply("put_along_axis", inputs, attributes=(axis,))
    _core.copyto(chosen.view, _core.reshape(new, chosen.view.shape))
