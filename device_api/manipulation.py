# SPDX-License-Identifier: Apache-2.0
"""Changing the layout of arrays (Python array API standard 2025.12).

reshape, permute_dims, broadcast_to, expand_dims, squeeze and flip return views where that is
possible; the others copy. Bad axes raise OutOfRangeError, bad shapes ShapeError.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from device_api import _core, errors
from device_api._core import Tensor
from device_api._host_memory import host_memory
from device_api.creation import as_shape
from device_api.reductions import Axis, as_axes

reshape, permute_dims, broadcast_to = _core.reshape, _core.permute_dims, _core.broadcast_to
expand_dims, squeeze, flip = _core.expand_dims, _core.squeeze, _core.flip


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Join arrays along an existing axis; ``axis=None`` joins them flattened; types promote."""
    return _core.concat(list(arrays), axis)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Join arrays of one shape along a new axis."""
    arrays = list(arrays)
    shapes = {x.shape for x in arrays}
    if len(shapes) > 1:
        raise errors.ShapeError(
            f"stack: arrays of different shapes: {', '.join(map(str, sorted(shapes)))}",
            "make the shapes equal, for example with broadcast_arrays",
        )
    return _core.concat([_core.expand_dims(x, axis) for x in arrays], axis)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Split an array along an axis into views without that axis."""
    (along,) = as_axes(axis, x.ndim)
    before: tuple[Any, ...] = (slice(None),) * along
    return tuple(x[(*before, i)] for i in range(x.shape[along]))


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast together; raise ShapeError if they do not."""
    rank = max(map(len, shapes), default=0)
    joint = [1] * rank
    for shape in shapes:
        for axis, n in enumerate(shape, rank - len(shape)):
            if not isinstance(n, int) or n < 0:
                raise errors.ShapeError(f"not a shape: {shape!r}", "sizes are integers from 0 on")
            if n != 1 and joint[axis] not in (1, n):
                raise errors.ShapeError(
                    f"shapes do not broadcast: {', '.join(map(str, shapes))}",
                    "sizes must be equal or 1, counted from the last axis",
                )
            joint[axis] = n if n != 1 else joint[axis]
    return tuple(joint)


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Return views of arrays with their common shape; ShapeError where no array can have that."""
    shape = as_shape(broadcast_shapes(*(x.shape for x in arrays)))
    return tuple(_core.broadcast_to(x, shape) for x in arrays)


def moveaxis(x: Tensor, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """Return a view with some axes moved; the others keep their order."""
    origin = _ordered_axes(source, x.ndim)
    target = _ordered_axes(destination, x.ndim)
    if len(origin) != len(target):
        raise errors.InvalidArgumentError(
            "moveaxis: source and destination differ in length", "name as many as are moved"
        )
    order = [i for i in range(x.ndim) if i not in origin]
    for to, axis in sorted(zip(target, origin, strict=True)):
        order.insert(to, axis)
    return _core.permute_dims(x, tuple(order))


def _ordered_axes(axis: int | Sequence[int], ndim: int) -> list[int]:
    given = [axis] if isinstance(axis, int) else list(axis)
    as_axes(given, ndim)  # checks them
    return [one % ndim for one in given]


def roll(x: Tensor, /, shift: int | Sequence[int], *, axis: Axis = None) -> Tensor:
    """Return a copy with elements moved along axes; those pushed out come in at the other end.

    ``axis=None`` rolls the flattened array and restores its shape.
    """
    if axis is None:
        if not isinstance(shift, int):
            raise errors.InvalidArgumentError(
                "roll: several shifts without axes", "name an axis for each shift"
            )
        return _core.reshape(_rolled(_core.reshape(x, (x.size,)), shift, 0), x.shape)
    axes = [as_axes(one, x.ndim)[0] for one in ([axis] if isinstance(axis, int) else axis)]
    shifts = [shift] * len(axes) if isinstance(shift, int) else list(shift)
    if len(shifts) != len(axes):
        raise errors.InvalidArgumentError(
            f"roll: {len(shifts)} shifts for {len(axes)} axes", "name an axis for each shift"
        )
    result = x
    for amount, along in zip(shifts, axes, strict=True):
        result = _rolled(result, amount, along)
    return _core.copy(x) if result is x else result


def _rolled(x: Tensor, shift: int, axis: int) -> Tensor:
    n = x.shape[axis]
    cut = (-shift) % n if n else 0
    if cut == 0:
        return _core.copy(x)
    before: tuple[Any, ...] = (slice(None),) * axis
    head, tail = x[(*before, slice(None, cut))], x[(*before, slice(cut, None))]
    return _core.concat([tail, head], axis)


def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    """Return an array made of copies of x, repetitions[i] times along axis i."""
    times = (1,) * (x.ndim - len(repetitions)) + tuple(repetitions)
    for count in times:
        _repetitions(count, "tile")
    sizes = list((1,) * (len(times) - x.ndim) + x.shape)
    as_shape([n * m for n, m in zip(sizes, times, strict=True)])  # ShapeError for too many
    if x.size == 0:  # then the others may be large, and their product too
        return _core.empty([n * m for n, m in zip(sizes, times, strict=True)], x.dtype, x.device)
    result = _core.reshape(x, tuple(sizes))
    for axis in reversed(range(len(times))):
        if times[axis] == 1:
            continue
        outer, inner = math.prod(sizes[:axis]), math.prod(sizes[axis:])
        wide = _core.reshape(result, (outer, 1, inner))
        wide = _core.broadcast_to(wide, (outer, times[axis], inner))
        sizes[axis] *= times[axis]
        result = _core.reshape(wide, tuple(sizes))
    return _core.copy(result)


def _repetitions(count: Any, name: str) -> None:
    if not isinstance(count, int) or count < 0:
        raise errors.InvalidArgumentError(
            f"{name}: {count!r} is not a number of repetitions", "give whole numbers, 0 or more"
        )


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Return x with each element repeated along an axis (None: of the flattened array).

    ``repeats`` is a number, or an integer array of rank 1 with a number for each element (or one
    for all), which is read on the host: on an accelerator that waits for the device.
    """
    if axis is None:
        x, axis = _core.reshape(x, (x.size,)), 0
    (along,) = as_axes(axis, x.ndim)
    if isinstance(repeats, Tensor):
        return _repeated_each(x, repeats, along)
    _repetitions(repeats, "repeat")
    final = as_shape((*x.shape[:along], x.shape[along] * repeats, *x.shape[along + 1 :]))
    if math.prod(final) == 0:
        return _core.empty(final, x.dtype, x.device)
    outer, inner = math.prod(x.shape[: along + 1]), math.prod(x.shape[along + 1 :])
    wide = _core.broadcast_to(_core.reshape(x, (outer, 1, inner)), (outer, repeats, inner))
    return _core.copy(_core.reshape(wide, final))


def _repeated_each(x: Tensor, repeats: Tensor, axis: int) -> Tensor:
    from device_api._keys import host_indices
    from device_api.indexing import take

    counts = host_indices(repeats)
    n = x.shape[axis]
    if counts.ndim > 1 or counts.size not in (1, n):
        raise errors.ShapeError(
            f"repeat: repeats of shape {repeats.shape} for {n} elements",
            "give one number for each element, or one for all",
        )
    if (counts < 0).any():
        raise errors.InvalidArgumentError("repeat: a negative number", "give 0 or more")
    each = np.broadcast_to(counts.ravel(), (n,))
    about = int(each.sum(dtype=np.float64))  # which does not wrap
    as_shape((*x.shape[:axis], about, *x.shape[axis + 1 :]))  # ShapeError for too many
    with host_memory("repeat"):
        return take(x, np.repeat(np.arange(n), each), axis=axis)


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Return coordinate arrays of a grid from rank-1 arrays; "xy" (default) or "ij" order."""
    if indexing not in ("xy", "ij"):
        raise errors.InvalidArgumentError(f"meshgrid: indexing {indexing!r}", "use 'xy' or 'ij'")
    for x in arrays:
        if x.ndim > 1:
            raise errors.ShapeError(f"meshgrid: an array of {x.ndim} dimensions", "use rank 1")
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    shaped = [
        _core.reshape(x, tuple(x.size if i == at else 1 for i in range(len(arrays))))
        for x, at in zip(arrays, order, strict=True)
    ]
    return tuple(_core.copy(x) for x in broadcast_arrays(*shaped))
