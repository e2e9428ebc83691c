# SPDX-License-Identifier: Apache-2.0
"""Creating arrays (array API standard 2025.12). Default dtypes: float32, complex64, int64, bool.

``device=None`` means this thread's current device. Errors of all: UnknownDeviceError and
PluginError for the device, ShapeError for negative sizes, OutOfMemoryError.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.devices import Device, DeviceLike, as_device, optional_device
from device_api.dtypes import DType, DTypeLike

Shape: TypeAlias = int | Sequence[int]
Number: TypeAlias = int | float | complex


def _dtype(dtype: DTypeLike | None, default: DType) -> DType:
    return default if dtype is None else dtypes.as_dtype(dtype)


def as_shape(shape: Shape) -> tuple[int, ...]:
    """Return a shape as a tuple; raise ShapeError for negative or non-integer sizes."""
    try:
        sizes = (shape,) if isinstance(shape, int) else tuple(map(operator.index, shape))
    except TypeError as error:
        raise errors.ShapeError(f"not a shape: {shape!r}", "give whole numbers") from error
    total, largest = 1, 0
    for n in sizes:
        if n < 0:
            raise errors.ShapeError(f"negative size in shape {sizes}", "sizes are 0 or more")
        total *= n
        if n > largest:
            largest = n
    if total >= 2**60 or largest >= 2**60:  # (2**63, 0) is no shape of an array either
        raise errors.ShapeError(
            f"shape {sizes} has more elements than any device can hold", "use a smaller shape"
        )
    return sizes


def empty(
    shape: Shape, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return an array of a shape with undefined elements (float32 by default)."""
    return _core.empty(as_shape(shape), _dtype(dtype, dtypes.float32), optional_device(device))


def zeros(
    shape: Shape, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return an array of zeros (float32 by default)."""
    wanted = _dtype(dtype, dtypes.float32)
    return _core.full(as_shape(shape), 0, wanted, optional_device(device))


def ones(
    shape: Shape, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return an array of ones (float32 by default)."""
    wanted = _dtype(dtype, dtypes.float32)
    return _core.full(as_shape(shape), 1, wanted, optional_device(device))


def full(
    shape: Shape,
    fill_value: Number,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> Tensor:
    """Return an array filled with a value; without dtype, the default type of the value's kind."""
    wanted = _dtype(dtype, _default_of(fill_value))
    return _core.full(as_shape(shape), _plain(fill_value), wanted, optional_device(device))


def _plain(value: Any) -> Any:
    """Return the Python scalar of a NumPy scalar or of an array of one element."""
    return value.item() if hasattr(value, "item") else value


def _default_of(value: Any) -> DType:
    if hasattr(value, "dtype"):
        return dtypes.as_dtype(value.dtype)
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.default_int
    if isinstance(value, float):
        return dtypes.default_float
    if isinstance(value, complex):
        return dtypes.default_complex
    raise errors.DTypeError(
        f"not a scalar: {type(value).__name__}", "give a Python number, or name a dtype"
    )


def _like(x: Tensor, dtype: DTypeLike | None, device: DeviceLike | None) -> tuple[DType, Device]:
    return _dtype(dtype, x.dtype), x.device if device is None else as_device(device)


def empty_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return undefined elements with the shape, and by default the type and device, of x."""
    return _core.empty(x.shape, *_like(x, dtype, device))


def zeros_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return zeros with the shape, and by default the type and device, of x."""
    return _core.full(x.shape, 0, *_like(x, dtype, device))


def ones_like(
    x: Tensor, /, *, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return ones with the shape, and by default the type and device, of x."""
    return _core.full(x.shape, 1, *_like(x, dtype, device))


def full_like(
    x: Tensor,
    /,
    fill_value: Number,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> Tensor:
    """Return a filled array with the shape, and by default the type and device, of x."""
    return _core.full(x.shape, _plain(fill_value), *_like(x, dtype, device))


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> Tensor:
    """Return start, start + step, ... below stop (one argument: 0 ... below it), rank 1.

    int64 when all arguments are integers, else float32. Raises InvalidArgumentError for step 0 and
    for ends that are not finite, DTypeError for bool and complex types, ShapeError for more
    elements than an array can have.
    """
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise errors.InvalidArgumentError("arange: step is 0", "use a step other than 0")
    whole = all(isinstance(v, int) for v in (start, stop, step))
    wanted = _dtype(dtype, dtypes.default_int if whole else dtypes.default_float)
    if wanted.kind in "bc":
        raise errors.DTypeError(
            f"arange is not defined for {wanted.name}", "use a real type, then astype"
        )
    length = -((start - stop) // step) if whole else (stop - start) / step
    if not whole and not math.isfinite(length):
        raise errors.InvalidArgumentError(
            f"arange: from {start} to {stop} by {step} is not a number of steps",
            "give finite numbers",
        )
    (n,) = as_shape(max(0, math.ceil(length)))
    return _core.iota(n, start, step, wanted, optional_device(device))


def linspace(
    start: Number,
    stop: Number,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Return num evenly spaced numbers from start to stop (left out when endpoint is false).

    float32 by default, complex64 where an end is complex; the last element is exactly stop.
    Integer types get the numbers rounded down. Raises ShapeError for a negative num.
    """
    (num,) = as_shape(num)
    default = dtypes.default_float
    if isinstance(start, complex) or isinstance(stop, complex):
        default = dtypes.default_complex
    wanted, where = _dtype(dtype, default), optional_device(device)
    if wanted.kind == "c":
        part = dtypes.real_type(wanted)
        ends = [(start.real, stop.real), (start.imag, stop.imag)]
        parts = [_spaced(a, b, num, endpoint, part, where) for a, b in ends]
        return _core.make_complex(parts[0], parts[1])
    if isinstance(start, complex) or isinstance(stop, complex):
        raise errors.DTypeError(f"linspace: complex ends for {wanted.name}", "use a complex dtype")
    if wanted.kind == "f":
        return _spaced(start, stop, num, endpoint, wanted, where)
    numbers = _spaced(start, stop, num, endpoint, dtypes.float64, where)
    return _core.astype(_core.floor(numbers), wanted)


def _spaced(
    start: float, stop: float, num: int, endpoint: bool, dtype: DType, device: Device | None
) -> Tensor:
    try:
        start, stop = float(start), float(stop)
    except OverflowError as error:
        raise errors.InvalidArgumentError(
            f"linspace: an end is too large: {error}", "give ends that a float can be"
        ) from error
    steps = num - 1 if endpoint else num
    step = 0.0
    if steps > 0:
        step = (stop - start) / steps
        if math.isinf(step):  # the difference is too large, a step may not be
            step = stop / steps - start / steps
    if not endpoint or num < 2:
        return _core.iota(num, start, step, dtype, device)
    head = _core.iota(num - 1, start, step, dtype, device)
    return _core.concat([head, _core.full((1,), stop, dtype, device)], 0)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: DeviceLike | None = None,
) -> Tensor:
    """Return a matrix with ones on its k-th diagonal and zeros elsewhere (float32 by default)."""
    rows, columns = as_shape((n_rows, n_rows if n_cols is None else n_cols))
    down, across = _places(rows, columns, k, optional_device(device))
    same = _core.equal(down, across)
    return _core.astype(same, _dtype(dtype, dtypes.float32), False)


def _places(rows: int, columns: int, k: int, device: Device | None) -> tuple[Tensor, Tensor]:
    """Return the row numbers plus k as a column, and the column numbers."""
    k = max(-rows, min(k, columns))  # beyond that nothing changes
    down = _core.iota(rows, k, 1, dtypes.int32, device)
    return _core.expand_dims(down, 1), _core.iota(columns, 0, 1, dtypes.int32, device)


def _triangle(x: Tensor, k: int, lower: bool) -> Tensor:
    if x.ndim < 2:
        raise errors.ShapeError(f"a matrix is needed, not rank {x.ndim}", "reshape it first")
    down, across = _places(x.shape[-2], x.shape[-1], k, x.device)
    keep = _core.less_equal(across, down) if lower else _core.greater_equal(across, down)
    return _core.where(keep, x, zeros_like(x))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return x with zeros above the k-th diagonal of its last two axes."""
    return _triangle(x, k, lower=True)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return x with zeros below the k-th diagonal of its last two axes."""
    return _triangle(x, k, lower=False)
