# SPDX-License-Identifier: Apache-2.0
"""What the functions share: checks of types, 16-bit types made wide, layouts, results in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.creation import as_shape
from device_api.dtypes import DType

LARGEST = 2**31 - 1  # of sizes of windows, strides, paddings: Paddle's are 32-bit integers


def check_floating(function: str, *arrays: Tensor | None) -> None:
    """Raise DTypeError unless the arrays that are there are arrays, and floating."""
    for x in arrays:
        if x is not None and not isinstance(x, Tensor):
            raise errors.not_an_array(x, function)
        if x is not None and x.dtype.kind != "f":
            raise errors.DTypeError(
                f"{function}: {x.dtype.name} is not a floating type",
                "convert with astype, for example to float32",
                op=function,
            )


def wide_type(*arrays: Tensor | None) -> DType:
    """Return the type to compute in: float64 where one array has it, else float32."""
    there = [x for x in arrays if x is not None]
    return dtypes.float64 if any(x.dtype == dtypes.float64 for x in there) else dtypes.float32


def common_type(*arrays: Tensor | None) -> DType:
    """Return the one type of the arrays, or the type to compute in where they differ."""
    kinds = {x.dtype for x in arrays if x is not None}
    return kinds.pop() if len(kinds) == 1 else wide_type(*arrays)


def cast(x: Tensor, dtype: DType) -> Tensor:
    """Return x in a type; x itself where it has it."""
    return x if x.dtype == dtype else _core.astype(x, dtype, False)


def wide(x: Tensor) -> Tensor:
    """Return 16-bit floats as float32, other types as they are."""
    return cast(x, dtypes.float32) if x.dtype.itemsize == 2 else x


def apply(
    op: str,
    inputs: Sequence[Tensor],
    attributes: Sequence[int | float] = (),
    shape: Sequence[int] | None = None,
) -> Tensor:
    """Run a primitive of the op table; the output has the shape of the first input by default.

    Raises ShapeError for a shape that no array can have.
    """
    sizes = None if shape is None else as_shape(shape)
    return _core.apply(op, list(inputs), sizes, None, attributes)


def stored(y: Tensor, out: Tensor | None) -> Tensor:
    """Return y, or ``out`` with y written into it."""
    if out is None:
        return y
    _core.copyto(out, cast(y, out.dtype))
    return out


def numbers(value: Any, count: int, what: str, function: str, low: int = 1) -> tuple[int, ...]:
    """Return one integer per spatial dimension, of one for all or a list or tuple of them."""
    given: tuple[Any, ...] = tuple(value) if isinstance(value, list | tuple) else (value,) * count
    if len(given) != count or not all(is_whole(n) and low <= n <= LARGEST for n in given):
        raise errors.InvalidArgumentError(
            f"{function}: {what} is {value!r}",
            f"give an integer from {low} to {LARGEST}, or {count} of them",
        )
    return tuple(int(n) for n in given)


def is_whole(n: object) -> bool:
    """Tell whether something is an integer, of Python or NumPy, and no truth value."""
    return isinstance(n, int | np.integer) and not isinstance(n, bool)


def real(value: Any, what: str, function: str) -> float:
    """Return a number as a float; raise InvalidArgumentError for what is none or too large."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise errors.InvalidArgumentError(
            f"{function}: {what} is {value!r}"[:200], "give a number that a float can be"
        ) from error


def is_channel_last(data_format: str, first: str, last: str, function: str) -> bool:
    """Tell whether channels are the last axis; raise InvalidArgumentError for other formats."""
    if data_format not in (first, last):
        raise errors.InvalidArgumentError(
            f"{function}: data_format is {data_format!r}", f"give {first!r} or {last!r}"
        )
    return data_format == last


def check_rank(x: Tensor, rank: int, function: str, what: str = "x") -> None:
    """Raise ShapeError unless an array has so many dimensions."""
    if x.ndim != rank:
        raise errors.ShapeError(
            f"{function}: {what} has shape {x.shape}", f"give {rank} dimensions", op=function
        )


def channels_first(x: Tensor) -> Tensor:
    """Return a view with the last axis moved to place 1."""
    return _core.permute_dims(x, (0, x.ndim - 1, *range(1, x.ndim - 1)))


def channels_last(x: Tensor) -> Tensor:
    """Return a view with axis 1 moved to the end."""
    return _core.permute_dims(x, (0, *range(2, x.ndim), 1))


def per_channel(parameter: Tensor, ndim: int, axis: int) -> Tensor:
    """Return a rank 1 array so shaped that it broadcasts along an axis."""
    shape = [1] * ndim
    shape[axis] = parameter.size
    return _core.reshape(parameter, shape)


def host_array(values: Any, like: Tensor, dtype: DType) -> Tensor:
    """Return numbers that were made on the host as an array beside another one.

    The type is one of NumPy's, and given on the host: the device need not have another one.
    """
    return _core.from_numpy(np.asarray(values, dtype.name), None, like.device)
