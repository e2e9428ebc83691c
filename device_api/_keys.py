# SPDX-License-Identifier: Apache-2.0
"""Keys with arrays: what ``x[key]`` selects, as positions on the host (as NumPy selects).

Lists, NumPy and device arrays of integers or bool may be mixed with integers, slices, ``...`` and
``None``. Bad keys raise OutOfRangeError, index arrays that do not broadcast ShapeError.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, errors
from device_api._core import Tensor

HostIndices: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def checked(indices: HostIndices, size: int, axis: int) -> HostIndices:
    """Return host indices made non-negative; raise OutOfRangeError for those out of range.

    Where none is negative they are returned as they are.
    """
    least, most = (int(indices.min()), int(indices.max())) if indices.size else (0, -1)
    if least < -size or most >= size:
        bad = (indices < -size) | (indices >= size)
        raise errors.OutOfRangeError(
            f"index {int(indices[bad][0])} is out of range for axis {axis} with size {size}",
            f"use an index from {-size} to {size - 1}" if size else "the axis is empty",
        )
    return indices if least >= 0 else np.where(indices < 0, indices + size, indices)


def host_indices(indices: Any) -> HostIndices:
    """Return indices as a host array of int64; raise DTypeError if they are not integers.

    An index that int64 does not hold raises OutOfRangeError.
    """
    found = indices.numpy() if isinstance(indices, Tensor) else np.asarray(indices)
    if found.size == 0 and not isinstance(indices, Tensor | np.ndarray):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise errors.DTypeError(
            f"indices must be integers, not {found.dtype}", "convert them to int64"
        )
    whole = found.astype(np.int64, copy=False)
    if found.dtype == np.uint64 and (whole < 0).any():
        raise errors.OutOfRangeError(
            f"index {int(found.max())} is out of range for any axis", "use an index within the axis"
        )
    return whole


class Selection:
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
        if not is_array(part):
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
    used = sum(map(_uses_axis, parts))
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1 or used > ndim:
        raise errors.OutOfRangeError(
            "several ellipses in a key" if len(dots) > 1 else f"{used} indices for {ndim} axes",
            "give at most one ellipsis and one index per axis",
        )
    at = dots[0] if dots else len(parts)
    return parts[:at] + [slice(None)] * (ndim - used) + parts[at + 1 :]


def is_array(part: Any) -> bool:
    return isinstance(part, Tensor | np.ndarray | list | tuple | bool | np.bool_)


class _Mask(np.ndarray[Any, Any]):
    """Indices that came of a mask.

    ``size_of`` is the mask's size along their axis. A mask of rank 0 selects from an axis of size
    1 that it adds (``adds_axis``): all of it, or nothing.
    """

    size_of: int
    adds_axis: bool


def _mask_indices(mask: Any) -> list[Any]:
    adds = mask.ndim == 0
    mask = np.atleast_1d(mask)
    indices: list[Any] = []
    for found, size in zip(np.nonzero(mask), mask.shape, strict=True):
        marked = found.view(_Mask)
        marked.size_of, marked.adds_axis = size, adds
        indices.append(marked)
    return indices


def _uses_axis(part: Any) -> bool:
    """Tell whether a part of a key stands for an axis of the array."""
    return not (part is None or part is Ellipsis or getattr(part, "adds_axis", False))


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
        basic.append(slice(None) if _uses_axis(part) else None)
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
        if isinstance(array, _Mask) and array.size_of not in (size, 0):
            raise errors.OutOfRangeError(
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
