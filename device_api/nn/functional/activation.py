# SPDX-License-Identifier: Apache-2.0
"""Activations and softmax, as in paddle.nn.functional 3.3.

Every function takes a floating array of any shape, 0-d and empty too, and returns a new one of
its shape and type; NaN stays NaN. Other types raise DTypeError.
"""

from __future__ import annotations

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.dtypes import DTypeLike
from device_api.nn.functional._arrays import apply, cast, check_floating, stored, wide
from device_api.reductions import as_axes


def _activation(op: str, x: Tensor, *attributes: float) -> Tensor:
    check_floating(op, x)
    return apply(op, [x], attributes)


def relu(x: Tensor, name: str | None = None) -> Tensor:
    """Return ``max(x, 0)``."""
    return _activation("relu", x)


def relu6(x: Tensor, name: str | None = None) -> Tensor:
    """Return ``min(max(x, 0), 6)``."""
    check_floating("relu6", x)
    return _core.minimum(_core.maximum(x, 0.0), 6.0)


def leaky_relu(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """Return x where it is positive, else ``negative_slope * x``."""
    return _activation("leaky_relu", x, negative_slope)


def elu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """Return x where it is positive, else ``alpha * (exp(x) - 1)``."""
    return _activation("elu", x, alpha)


def selu(
    x: Tensor,
    scale: float = 1.0507009873554805,
    alpha: float = 1.6732632423543772,
    name: str | None = None,
) -> Tensor:
    """Return ``scale * elu(x, alpha)``. InvalidArgumentError: scale <= 1 or alpha < 0."""
    if scale <= 1 or alpha < 0:
        raise errors.InvalidArgumentError(
            f"selu: scale {scale}, alpha {alpha}", "give a scale above 1 and an alpha from 0 on"
        )
    check_floating("selu", x)
    return cast(_core.multiply(apply("elu", [wide(x)], [alpha]), scale), x.dtype)


def gelu(x: Tensor, approximate: str | bool = False, name: str | None = None) -> Tensor:
    """Return ``x * P(X <= x)`` of the normal distribution.

    ``approximate``: False or ``"none"`` by erf, True or ``"tanh"`` by the formula with tanh;
    others raise InvalidArgumentError. -inf gives 0.
    """
    if approximate not in (False, True, "none", "tanh"):
        raise errors.InvalidArgumentError(
            f"gelu: approximate is {approximate!r}", "give 'none' or 'tanh'"
        )
    return _activation("gelu_tanh" if approximate in (True, "tanh") else "gelu", x)


def silu(x: Tensor, inplace: bool = False, name: str | None = None) -> Tensor:
    """Return ``x / (1 + exp(-x))``; with ``inplace`` in x itself. -inf gives 0."""
    y = _activation("silu", x)
    return stored(y, x) if inplace else y


def mish(x: Tensor, name: str | None = None) -> Tensor:
    """Return ``x * tanh(log(1 + exp(x)))``. -inf gives 0."""
    return _activation("mish", x)


def sigmoid(x: Tensor, name: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return ``1 / (1 + exp(-x))``, in ``out`` where it is given."""
    return stored(_activation("sigmoid", x), out)


def hardswish(x: Tensor, name: str | None = None) -> Tensor:
    """Return ``x * min(max(x + 3, 0), 6) / 6``."""
    return _activation("hardswish", x)


def hardsigmoid(
    x: Tensor, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None
) -> Tensor:
    """Return ``min(max(slope * x + offset, 0), 1)``."""
    return _activation("hardsigmoid", x, slope, offset)


def softplus(x: Tensor, beta: float = 1, threshold: float = 20, name: str | None = None) -> Tensor:
    """Return ``log(1 + exp(beta * x)) / beta``, and x where ``beta * x`` is above threshold.

    InvalidArgumentError: beta is 0.
    """
    if beta == 0:
        raise errors.InvalidArgumentError("softplus: beta is 0", "give a beta other than 0")
    return _activation("softplus", x, float(beta), float(threshold))


def softmax(
    x: Tensor,
    axis: int = -1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``exp(x)`` over its sum along an axis, without overflow.

    ``dtype``: floating, x is converted to it first. -inf gives 0; all -inf, or one +inf, gives
    NaN along its line. A 0-d array gives 1.
    """
    return stored(_normalized("softmax", x, axis, dtype), out)


def log_softmax(
    x: Tensor, axis: int = -1, dtype: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """Return the logarithm of ``softmax``, without overflow; parameters as there."""
    return _normalized("log_softmax", x, axis, dtype)


def _normalized(op: str, x: Tensor, axis: int, dtype: DTypeLike | None) -> Tensor:
    if dtype is not None:
        x = cast(x, dtypes.as_dtype(dtype))
    check_floating(op, x)
    if x.ndim == 0:
        as_axes(axis, 1)
        return _core.reshape(apply(op, [_core.reshape(x, (1,))], [0]), ())
    (along,) = as_axes(axis, x.ndim)
    return apply(op, [x], [along])
