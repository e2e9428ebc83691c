# SPDX-License-Identifier: Apache-2.0
"""Resizing of images and volumes, as ``interpolate`` of paddle.nn.functional 3.3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from device_api import _core, errors, indexing
from device_api._core import Tensor
from device_api._host_memory import host_memory
from device_api.creation import as_shape
from device_api.nn.functional._arrays import cast, check_floating, host_array, numbers, wide
from device_api.nn.functional.adaptive import adaptive_avg_pool1d, adaptive_avg_pool2d

_FORMATS = {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}
_RANKS = {"nearest": (4, 5), "linear": (3,), "bilinear": (4,), "trilinear": (5,), "area": (3, 4)}

Reals: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Positions: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


def interpolate(
    x: Tensor,
    size: Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x with other spatial sizes: ``size``, or ``floor(size of x * scale_factor)``.

    ``mode``: "nearest" (4 or 5 dimensions), "linear" (3), "bilinear" (4), "trilinear" (5), "area"
    (3 or 4: adaptive means). An element i of the result stands, in the linear modes, at
    ``ratio * (i + 0.5) - 0.5`` of x; with ``align_mode=1`` at ``ratio * i``; with
    ``align_corners`` likewise, where the ratio lets first and last elements fall together.
    "nearest" takes ``floor(ratio * i)``. The ratio is that of the sizes, or 1 / scale_factor
    where that is given and ``recompute_scale_factor`` is not.
    ``data_format``: NCW, NCHW, NCDHW or NWC, NHWC, NDHWC. NotSupportedError for "bicubic" and
    ``antialias``; InvalidArgumentError for arguments that do not fit.
    """
    check_floating("interpolate", x)
    mode = mode.lower()
    last = _checked(x, mode, align_corners, align_mode, data_format, antialias)
    axes = range(1, x.ndim - 1) if last else range(2, x.ndim)
    sides = [x.shape[axis] for axis in axes]
    wanted, scales = _wanted(sides, size, scale_factor, recompute_scale_factor)
    if mode == "area":
        return _area(x, wanted, size, last)
    _check_result(x, axes, wanted)
    y = wide(x)
    for axis, n, scale in zip(axes, wanted, scales, strict=True):
        if x.shape[axis] == 0:
            raise errors.ShapeError(
                f"interpolate: x has shape {x.shape}", "give sides of 1 or more"
            )
        with host_memory("interpolate"):
            if mode == "nearest":
                y = indexing.take(y, _nearest(x.shape[axis], n, scale), axis=axis)
            else:
                ratio = _ratio(x.shape[axis], n, scale, align_corners)
                half = not align_corners and align_mode == 0
                y = _linear(y, axis, _places(n, ratio, half))
    return cast(y, x.dtype)


def _check_result(x: Tensor, axes: range, wanted: tuple[int, ...]) -> None:
    """Raise ShapeError where the result would have more elements than an array can have."""
    sizes = list(x.shape)
    for axis, n in zip(axes, wanted, strict=True):
        sizes[axis] = n
    as_shape(sizes)


def _checked(
    x: Tensor, mode: str, align_corners: bool, align_mode: int, data_format: str | None,
    antialias: bool,
) -> bool:  # fmt: skip
    """Check what does not depend on sizes; tell whether channels are the last axis."""
    if mode == "bicubic" or antialias:
        raise errors.NotSupportedError(
            f"interpolate: {'antialias' if antialias else 'bicubic'} is not there",
            "use 'bilinear' without antialias",
        )
    if x.ndim not in _RANKS.get(mode, ()):
        raise errors.InvalidArgumentError(
            f"interpolate: mode {mode!r} for shape {x.shape}",
            "nearest takes 4 or 5 dimensions, linear 3, bilinear 4, trilinear 5, area 3 or 4",
        )
    if align_mode not in (0, 1) or (align_corners and mode in ("nearest", "area")):
        raise errors.InvalidArgumentError(
            f"interpolate: align_mode {align_mode}, align_corners {align_corners} in {mode}",
            "align_mode is 0 or 1, and align_corners is for the linear modes",
        )
    formats = _FORMATS[x.ndim]
    chosen = formats[0] if data_format is None else data_format.upper()
    if chosen not in formats:
        raise errors.InvalidArgumentError(
            f"interpolate: data_format {data_format!r} for {x.ndim} dimensions",
            f"give one of {formats}",
        )
    return chosen == formats[1]


def _wanted(
    sides: list[int],
    size: Sequence[int] | None,
    scale_factor: float | Sequence[float] | None,
    recompute: bool | None,
) -> tuple[tuple[int, ...], list[float | None]]:
    """Return the sizes of the result, and the scales to go by where sizes do not tell."""
    if (size is None) == (scale_factor is None):
        raise errors.InvalidArgumentError(
            "interpolate: size and scale_factor are both given or both missing", "give one of them"
        )
    if size is not None:
        if isinstance(size, int) or recompute:
            raise errors.InvalidArgumentError(
                f"interpolate: size {size!r}, recompute_scale_factor {recompute}",
                "give a number per spatial axis, and recompute with scale_factor only",
            )
        return numbers(size, len(sides), "size", "interpolate"), [None] * len(sides)
    scales = [scale_factor] * len(sides) if isinstance(scale_factor, int | float) else scale_factor
    try:
        given = [float(s) for s in scales or ()]
    except (TypeError, ValueError, OverflowError):
        given = []
    with np.errstate(over="ignore"):
        places = [np.float32(n) * np.float32(s) for n, s in zip(sides, given, strict=False)]
    if len(given) != len(sides) or not all(0 < s < np.inf for s in (*given, *map(float, places))):
        raise errors.InvalidArgumentError(
            f"interpolate: scale_factor is {scale_factor!r}",
            f"give a positive number, or {len(sides)} of them, for sizes that float32 can be",
        )
    wanted = tuple(int(n) for n in places)
    if any(n < 1 for n in wanted):
        raise errors.InvalidArgumentError(
            f"interpolate: sizes {sides} by {given} leave nothing", "use a larger scale"
        )
    return wanted, [None if recompute else s for s in given]


def _area(x: Tensor, wanted: tuple[int, ...], size: Sequence[int] | None, last: bool) -> Tensor:
    if size is None or last:
        raise errors.InvalidArgumentError(
            "interpolate: 'area' goes by size, with channels first", "give size; use 'NCHW'"
        )
    return adaptive_avg_pool1d(x, wanted[0]) if x.ndim == 3 else adaptive_avg_pool2d(x, wanted)


def _ratio(size: int, wanted: int, scale: float | None, align_corners: bool) -> float:
    if align_corners:
        return (size - 1) / (wanted - 1) if wanted > 1 else 0.0
    return size / wanted if scale is None else 1 / scale


def _places(wanted: int, ratio: float, half: bool) -> Reals:
    place = np.arange(wanted, dtype=np.float64)
    return np.maximum(ratio * (place + 0.5) - 0.5, 0.0) if half else ratio * place


def _nearest(size: int, wanted: int, scale: float | None) -> Positions:
    """Return the element below each place; in float32, which decides whole numbers as Paddle."""
    one, given = np.float32(1), np.float32(scale or 1)
    ratio = np.float32(size) / np.float32(wanted) if scale is None else one / given
    found = np.floor(ratio * np.arange(wanted, dtype=np.float32)).astype(np.int64)
    return np.asarray(np.minimum(found, size - 1))


def _linear(x: Tensor, axis: int, places: Reals) -> Tensor:
    """Return x at places along an axis, weighed between the two neighbours."""
    size = x.shape[axis]
    low = np.minimum(np.floor(places).astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    part = host_array(places - low, x, x.dtype)
    part = _core.reshape(part, (places.size, *(1,) * (x.ndim - axis - 1)))
    lower = _core.multiply(indexing.take(x, low, axis=axis), _core.subtract(1.0, part))
    return _core.add(lower, _core.multiply(indexing.take(x, high, axis=axis), part))
