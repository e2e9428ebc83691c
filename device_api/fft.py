# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms, computed by NumPy on the host (Python array API standard 2025.12, "fft").

``n`` (``s`` for several axes) cuts or pads with zeros before the transform; ``norm`` is
``"backward"`` (the inverse is scaled by 1/n), ``"ortho"`` (both by the root of that) or
``"forward"``. float32 gives complex64, float64 complex128. See :mod:`device_api._host` for what
happens on devices other than the CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api._host import call
from device_api._host_memory import host_memory
from device_api.creation import as_shape
from device_api.devices import DeviceLike, optional_device
from device_api.dtypes import DTypeLike
from device_api.manipulation import roll
from device_api.reductions import as_axes

Norm: TypeAlias = Literal["backward", "ortho", "forward"]


def _check(x: Tensor, name: str, kinds: str) -> Tensor:
    if x.dtype.kind not in kinds:
        wanted = {"f": "real", "c": "complex", "fc": "floating"}[kinds]
        raise errors.DTypeError(f"{name} of {x.dtype.name}", f"convert to a {wanted} type first")
    return x


def _one(function: Callable[..., Any], kinds: str, result: str, what: str) -> Callable[..., Tensor]:
    name = function.__name__

    def transform(
        x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Tensor:
        _check(x, f"fft.{name}", kinds)
        if not -x.ndim <= axis < x.ndim:
            raise errors.InvalidArgumentError(
                f"fft.{name}: axis {axis} of an array of shape {x.shape}",
                f"use an axis from {-x.ndim} to {x.ndim - 1}" if x.ndim else "reshape it to (1,)",
            )
        return call(f"fft.{name}", lambda a: function(a, n=n, axis=axis, norm=norm), x)[0]

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""Return {what} along an axis; the result is {result}.

    Raises DTypeError for other types, InvalidArgumentError for a size below 1 or a wrong axis.
    """
    return transform


def _several(
    function: Callable[..., Any], kinds: str, result: str, what: str
) -> Callable[..., Tensor]:
    name = function.__name__

    def transform(
        x: Tensor,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Tensor:
        _check(x, f"fft.{name}", kinds)
        over = axes
        if s is not None and axes is None:
            over = tuple(range(x.ndim - len(s), x.ndim))
        return call(f"fft.{name}", lambda a: function(a, s=s, axes=over, norm=norm), x)[0]

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = f"""Return {what} over axes (default: all, or the last ones that s sizes).

    The result is {result}. Raises DTypeError for other types, InvalidArgumentError for sizes
    below 1 or wrong axes.
    """
    return transform


fft = _one(np.fft.fft, "fc", "complex", "the transform of complex (or real) numbers")
ifft = _one(np.fft.ifft, "fc", "complex", "the inverse transform of complex (or real) numbers")
rfft = _one(np.fft.rfft, "f", "complex", "the first n // 2 + 1 terms of real numbers' transform")
irfft = _one(np.fft.irfft, "c", "real", "the inverse of rfft (n: 2 * (size - 1) by default)")
hfft = _one(np.fft.hfft, "c", "real", "the transform of a Hermitian-symmetric sequence's half")
ihfft = _one(np.fft.ihfft, "f", "complex", "the inverse of hfft")
fftn = _several(np.fft.fftn, "fc", "complex", "the transform of complex (or real) numbers")
ifftn = _several(np.fft.ifftn, "fc", "complex", "the inverse transform of complex numbers")
rfftn = _several(np.fft.rfftn, "f", "complex", "the transform of real numbers, half the last axis")
irfftn = _several(np.fft.irfftn, "c", "real", "the inverse of rfftn")


def _frequencies(
    numbers: np.ndarray[Any, Any], n: int, d: float, dtype: Any, device: Any
) -> Tensor:
    wanted = dtypes.default_float if dtype is None else dtypes.as_dtype(dtype)
    if wanted.kind != "f":
        raise errors.DTypeError(f"frequencies of type {wanted.name}", "use a real floating type")
    return _core.from_numpy(numbers / (n * d), wanted, optional_device(device))


def fftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return the n frequencies of ``fft``, in cycles per unit of the sample spacing ``d``."""
    _positive(n, "fftfreq")
    with host_memory("fft.fftfreq"):
        whole = np.concatenate([np.arange((n + 1) // 2), np.arange(-(n // 2), 0)])
        return _frequencies(whole, n, d, dtype, device)


def rfftfreq(
    n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: DeviceLike | None = None
) -> Tensor:
    """Return the n // 2 + 1 frequencies of ``rfft``, none of them negative."""
    _positive(n, "rfftfreq")
    with host_memory("fft.rfftfreq"):
        return _frequencies(np.arange(n // 2 + 1), n, d, dtype, device)


def _positive(n: int, name: str) -> None:
    if n < 1:
        raise errors.InvalidArgumentError(f"{name}: n is {n}", "give 1 or more")
    as_shape(n)  # raises ShapeError for more than an array can have


def _shifted(x: Tensor, axes: int | Sequence[int] | None, inverse: bool) -> Tensor:
    if axes is None:
        over: tuple[int, ...] = tuple(range(x.ndim))
    else:
        given = (axes,) if isinstance(axes, int) else tuple(axes)
        over = tuple(as_axes(axis, x.ndim)[0] for axis in given)
    steps = tuple(-(x.shape[i] // 2) if inverse else x.shape[i] // 2 for i in over)
    return roll(x, steps, axis=over) if over else _core.copy(x)


def fftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return x with the zero frequency moved to the middle of axes (default: all)."""
    return _shifted(x, axes, inverse=False)


def ifftshift(x: Tensor, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return x with the zero frequency moved back to the start of axes (default: all)."""
    return _shifted(x, axes, inverse=True)
