# SPDX-License-Identifier: Apache-2.0
"""Indexing with arrays: take, take_along_axis, nonzero, and ``x[...]`` beyond basic keys.

Indices may be negative. Host indices (lists, NumPy) and those on a CPU device are checked:
OutOfRangeError. Those on an accelerator are not read back, since that would wait for the device;
one out of range takes the nearest element.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.reductions import as_axes

Indices: TypeAlias = "Tensor | np.ndarray[Any, Any] | Sequence[Any] | int"
HostIndices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def checked(indices: HostIndices, size: int, axis: int) -> HostIndices:
    """Return host indices made non-negative; raise OutOfRangeError for those out of range."""
    bad = (indices < -size) | (indices >= size)
    if bad.any():
        raise errors.OutOfRangeError(
            f"index {int(indices[bad][0])} is out of range for axis {axis} with size {size}",
            f"use an index from {-size} to {size - 1}" if size else "the axis is empty",
        )
    return np.where(indices < 0, indices + size, indices)


def host_indices(indices: Any) -> HostIndices:
    """Return indices as a host array of int64; raise DTypeError if they are not integers."""
    found = indices.numpy() if isinstance(indices, Tensor) else np.asarray(indices)
    if found.size == 0 and not isinstance(indices, Tensor | np.ndarray):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise errors.DTypeError(
            f"indices must be integers, not {found.dtype}", "convert them to int64"
        )
    return found.astype(np.int64)


def _on_device(indices: Indices, x: Tensor, axis: int) -> Tensor:
    """Return indices as non-negative int64 on the device of x, in range."""
    size = x.shape[axis]
    if not isinstance(indices, Tensor) or indices.device.type == "cpu":
        return _core.from_numpy(checked(host_indices(indices), size, axis), None, x.device)
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
    return tuple(_core.from_numpy(i, None, x.device) for i in np.nonzero(x.numpy()))


class _Selection:
    """An advanced key applied to an array: the array with its indexed axes joined, and the indices.

    ``view``: a view of the array, basic parts of the key applied, the indexed axes side by side
    from ``axis``. ``index``: positions in these axes joined, on the host, of the shape they have
    in the result.
    """

    def __init__(self, x: Tensor, key: Any) -> None:
        given = _numbered(key if isinstance(key, tuple) else (key,))
        basic, arrays, where = _split(_expanded(given, x.ndim))
        view: Tensor = x[tuple(basic)]
        start = where[0] if _together(given) else 0
        rest = [i for i in range(view.ndim) if i not in where]
        self.view = _core.permute_dims(view, (*rest[:start], *where, *rest[start:]))
        self.axis, self.count = start, len(where)
        sizes = self.view.shape[start : start + len(where)]
        self.index = _joined(arrays, sizes, where)

    @property
    def joined_shape(self) -> tuple[int, ...]:
        """Shape of the view with its indexed axes joined to one."""
        shape, stop = self.view.shape, self.axis + self.count
        return (*shape[: self.axis], math.prod(shape[self.axis : stop]), *shape[stop:])

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the selected elements."""
        shape = self.view.shape
        return (*shape[: self.axis], *self.index.shape, *shape[self.axis + self.count :])


def _numbered(key: tuple[Any, ...]) -> list[Any]:
    """Return a key with its arrays as host arrays of int64, masks as the positions they choose."""
    parts: list[Any] = []
    for part in key:
        if not _is_array(part):
            parts.append(part)
            continue
        # An empty list selects nothing; NumPy makes it floating.
        empty = isinstance(part, list | tuple) and np.size(part) == 0
        found = part if isinstance(part, Tensor) else np.asarray(part, int if empty else None)
        if found.dtype.kind == "b":
            parts += _mask_indices(found.numpy() if isinstance(found, Tensor) else found)
        else:
            parts.append(host_indices(found))
    return parts


def _expanded(parts: list[Any], ndim: int) -> list[Any]:
    """Return a key with the ellipsis written out, also the one that is meant at its end."""
    used = sum(part is not None and part is not Ellipsis for part in parts)
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1 or used > ndim:
        raise errors.OutOfRangeError(
            "several ellipses in a key" if len(dots) > 1 else f"{used} indices for {ndim} axes",
            "give at most one ellipsis and one index per axis",
        )
    at = dots[0] if dots else len(parts)
    return parts[:at] + [slice(None)] * (ndim - used) + parts[at + 1 :]


def _is_array(part: Any) -> bool:
    return isinstance(part, Tensor | np.ndarray | list | tuple | bool | np.bool_)


class _Mask(np.ndarray[Any, Any]):
    """Indices that came of a mask; ``size_of`` is the mask's size along their axis."""

    size_of: int


def _mask_indices(mask: Any) -> list[Any]:
    if mask.ndim == 0:
        raise errors.NotSupportedError(
            "a boolean scalar as an index is not supported", "use a mask of rank 1 or more"
        )
    indices: list[Any] = []
    for found, size in zip(np.nonzero(mask), mask.shape, strict=True):
        marked = found.view(_Mask)
        marked.size_of = size
        indices.append(marked)
    return indices


def _split(parts: list[Any]) -> tuple[list[Any], list[Any], list[int]]:
    """Split a key into its basic part and its arrays, with the axes they have in the view."""
    basic: list[Any] = []
    arrays: list[Any] = []
    where: list[int] = []
    for part in parts:
        if part is None or isinstance(part, slice):
            basic.append(part)
            continue
        where.append(len(basic))
        arrays.append(part if isinstance(part, np.ndarray) else host_indices(part))
        basic.append(slice(None))
    return basic, arrays, where


def _together(parts: list[Any]) -> bool:
    """Tell whether the arrays and integers of a key stand side by side, as NumPy counts it.

    An ellipsis parts them even where it stands for no axis.
    """
    flags = [not (part is None or part is Ellipsis or isinstance(part, slice)) for part in parts]
    first, last = flags.index(True), len(flags) - flags[::-1].index(True)
    return all(flags[first:last])


def _joined(arrays: list[Any], sizes: tuple[int, ...], where: list[int]) -> HostIndices:
    """Combine indices of several axes into positions in these axes joined."""
    for array, size, axis in zip(arrays, sizes, where, strict=True):
        if isinstance(array, _Mask) and array.size_of != size:
            raise errors.ShapeError(
                f"a mask of size {array.size_of} along axis {axis}, which has size {size}",
                "give the mask the shape of the axes it selects from",
            )
    plain = [checked(np.asarray(a), n, i) for a, n, i in zip(arrays, sizes, where, strict=True)]
    try:
        spread = np.broadcast_arrays(*plain)
    except ValueError as error:
        raise errors.ShapeError(
            f"indices do not broadcast: {', '.join(str(a.shape) for a in plain)}",
            "give index arrays one common shape",
        ) from error
    position = np.zeros(spread[0].shape, np.int64)
    for indices, size in zip(spread, sizes, strict=True):
        position = position * size + indices
    return np.asarray(position)


def getitem(x: Tensor, key: Any) -> Tensor:
    """Return ``x[key]`` for a key with arrays, as NumPy does: a copy. Device indices are read."""
    chosen = _Selection(x, key)
    flat = _core.reshape(chosen.view, chosen.joined_shape)
    index = _core.from_numpy(chosen.index, None, x.device)
    return _taken(flat, index, chosen.axis)


def setitem(x: Tensor, key: Any, value: Any) -> None:
    """Do ``x[key] = value`` for keys with arrays, or values that are neither Tensor nor number.

    Of equal indices the last one counts.
    """
    from device_api.conversion import asarray

    parts = key if isinstance(key, tuple) else (key,)
    if not isinstance(value, Tensor) and not any(map(_is_array, parts)):
        x[key] = asarray(value, dtype=x.dtype, device=x.device)
        return
    mask = key if isinstance(key, Tensor) and key.dtype.kind == "b" else None
    if mask is not None and mask.shape == x.shape and isinstance(value, bool | int | float):
        filled = _core.full((), value, x.dtype, x.device)
        _core.copyto(x, _core.where(mask, filled, x))
        return
    chosen = _Selection(x, key)
    if not isinstance(value, Tensor):
        value = asarray(value, dtype=x.dtype, device=x.device)
    values = _core.broadcast_to(_core.astype(value, x.dtype, False), chosen.shape)
    if chosen.index.size == 0:
        return
    axis, count = chosen.axis, chosen.index.ndim
    lined = (*values.shape[:axis], chosen.index.size, *values.shape[axis + count :])
    values = _core.reshape(values, lined)
    source = np.full(chosen.joined_shape[axis], -1, np.int64)
    source[chosen.index.ravel()] = np.arange(chosen.index.size)
    new = _taken(values, _core.from_numpy(np.maximum(source, 0), None, x.device), axis)
    rest = (1,) * (len(chosen.joined_shape) - axis - 1)
    hit = _core.reshape(_core.from_numpy(source >= 0, None, x.device), (source.size, *rest))
    old = _core.reshape(chosen.view, chosen.joined_shape)
    merged = _core.where(_core.broadcast_to(hit, chosen.joined_shape), new, old)
    _core.copyto(chosen.view, _core.reshape(merged, chosen.view.shape))
