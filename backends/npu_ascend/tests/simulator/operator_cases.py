# SPDX-License-Identifier: Apache-2.0
"""One row per operator: operands, arguments of phase 1, and what NumPy makes of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from cann_client import DTYPES

RNG = np.random.default_rng(11)
X = RNG.uniform(-2, 2, (3, 4)).astype(np.float32)
UNIT = RNG.uniform(-0.9, 0.9, (3, 4)).astype(np.float32)
ABOVE = RNG.uniform(1.1, 3, (3, 4)).astype(np.float32)
SPECIAL = np.array([[1, -np.inf, np.nan], [-0.0, np.inf, -3]], np.float32)
K = RNG.integers(-9, 9, (3, 4)).astype(np.int32)
J = RNG.integers(1, 5, (3, 4)).astype(np.int32)
TIES = np.array([[3, 1, 3, 2], [0, 0, 1, 1], [5, 4, 4, 5]], np.float32)
SORTED = np.array([-2, 0, 0, 1.5], np.float32)
IMAGE = RNG.standard_normal((2, 4, 5, 6)).astype(np.float32)
KERNEL = RNG.standard_normal((6, 2, 3, 2)).astype(np.float32)
FORMATS = {3: 47, 4: 0, 5: 30}  # NCL, NCHW, NCDHW
F32 = DTYPES["float32"]


@dataclass
class Case:
    """``arguments(client, inputs, outputs)`` are those of phase 1."""

    inputs: list[np.ndarray]
    expected: Callable[..., np.ndarray | tuple[np.ndarray, ...]]
    arguments: Callable[..., tuple] = lambda c, x, y: (*x, *y)
    spatial: bool = False


def each(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    """An elementwise function of floats for arrays."""
    return lambda x: np.vectorize(function)(x.astype(np.float64)).astype(x.dtype)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def sort(x):
    order = np.argsort(-x, axis=1, kind="stable")
    return np.take_along_axis(x, order, 1), order


def put(x, index, updates):
    y = x.copy()
    np.put_along_axis(y, index, updates, 1)
    return y


def layer_norm(x, weight, bias):
    mean, rstd = x.mean(-1, keepdims=True), 1 / np.sqrt(x.var(-1, keepdims=True) + 0.5)
    return (x - mean) * rstd * weight + bias, mean, rstd


def rms_norm(x, weight):
    rstd = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 0.5)
    return x * rstd * weight, rstd


def windows(x, size, stride, pads, fill):
    """Windows of the last two axes as two more axes; pads: top, bottom, left, right."""
    x = np.pad(x, ((0, 0), (0, 0), pads[:2], pads[2:]), constant_values=fill)
    seen = np.lib.stride_tricks.sliding_window_view(x, size, (2, 3))
    return seen[:, :, :: stride[0], :: stride[1]]


def convolution(x, w):
    """Stride (2, 1), dilation (1, 2), 2 groups, 1 row above, 2 columns on the right."""
    seen = windows(x, (3, 3), (2, 1), (1, 0, 0, 2), 0)[..., ::2]
    halves = [
        np.einsum("ncpqhw,ochw->nopq", seen[:, 2 * g : 2 * g + 2], w[3 * g : 3 * g + 3])
        for g in (0, 1)
    ]
    return np.concatenate(halves, 1).astype(np.float32)


def largest(x):
    return windows(x, (3, 2), (2, 1), (1, 0, 0, 1), -np.inf).max((-1, -2))


def average(x):
    inside = windows(np.ones_like(x), (3, 2), (2, 2), (1, 1, 0, 0), 0).sum((-1, -2))
    return (windows(x, (3, 2), (2, 2), (1, 1, 0, 0), 0).sum((-1, -2)) / inside).astype(x.dtype)


CASES = {
    **{name: Case([X], function) for name, function in {
        "Expm1": np.expm1, "Sin": np.sin, "Cos": np.cos, "Tan": np.tan, "Atan": np.arctan,
        "Sinh": np.sinh, "Cosh": np.cosh, "Asinh": np.arcsinh, "Ceil": np.ceil, "Trunc": np.trunc,
        "Erf": each(math.erf), "Silu": lambda x: x * sigmoid(x),
        "Hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
        "Mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    }.items()},
    **{name: Case([UNIT], f) for name, f in
       {"Asin": np.arcsin, "Acos": np.arccos, "Atanh": np.arctanh}.items()},
    **{name: Case([ABOVE], f) for name, f in
       {"Acosh": np.arccosh, "Log1p": np.log1p, "Log2": np.log2, "Log10": np.log10}.items()},
    **{name: Case([SPECIAL], f) for name, f in
       {"IsFinite": np.isfinite, "IsInf": np.isinf, "Signbit": np.signbit}.items()},
    "BitwiseNot": Case([K], np.bitwise_not),
    "GeluV2": Case([X], each(gelu), lambda c, x, y: (*x, 0, *y)),
    "LeakyRelu": Case([X], lambda x: np.where(x > 0, x, x * np.float32(0.1)),
                      lambda c, x, y: (*x, c.scalar(0.1), *y)),
    "Elu": Case([X], lambda x: np.where(x > 0, 3 * x, 6 * np.expm1(x / 2)),
                lambda c, x, y: (*x, *map(c.scalar, (2, 3, 0.5)), *y)),
    "Softplus": Case([X], lambda x: np.where(2 * x > 3, x, np.log1p(np.exp(2 * x)) / 2),
                     lambda c, x, y: (*x, c.scalar(2), c.scalar(3), *y)),
    # By the vendor's formula: the quotient is rounded before it is rounded down.
    "FloorDivide": Case([np.array([7, -7, 1], np.float32), np.array([2, 2, 0.1], np.float32)],
                        lambda a, b: np.array([3, -4, 10], np.float32)),
    "Atan2": Case([X, UNIT], np.arctan2),
    **{name: Case([K, J], f) for name, f in {
        "BitwiseAndTensor": np.bitwise_and, "BitwiseOrTensor": np.bitwise_or,
        "BitwiseXorTensor": np.bitwise_xor, "LeftShift": np.left_shift,
        "RightShift": np.right_shift}.items()},
    "Prod": Case([X], lambda x: np.prod(x).reshape(()), lambda c, x, y: (*x, F32, *y)),
    "ProdDim": Case([X], lambda x: np.prod(x, 1, keepdims=True),
                    lambda c, x, y: (*x, -1, True, F32, *y)),
    "All": Case([SPECIAL], lambda x: np.all(x, 1), lambda c, x, y: (*x, c.ints(1), False, *y)),
    "Any": Case([SPECIAL], lambda x: np.any(x, 0), lambda c, x, y: (*x, c.ints(0), False, *y)),
    "Cumsum": Case([X], lambda x: np.cumsum(x, 0), lambda c, x, y: (*x, 0, F32, *y)),
    "Cumprod": Case([X], lambda x: np.cumprod(x, 1),
                    lambda c, x, y: (*x, c.scalar(1, "int32"), F32, *y)),
    "Sort": Case([TIES], sort, lambda c, x, y: (*x, True, 1, True, *y)),
    "Topk": Case([TIES], lambda x: tuple(part[:, :2] for part in sort(x)),
                 lambda c, x, y: (*x, 2, -1, True, True, *y)),
    "SearchSorted": Case([SORTED, X], lambda s, x: np.searchsorted(s, x, "right"),
                         lambda c, x, y: (*x, False, True, None, *y)),
    "Scatter": Case([X, np.array([[0, 0], [2, 1], [3, 3]]), X[:, :2].copy()], put,
                    lambda c, x, y: (x[0], 1, *x[1:], 0, *y)),
    "Softmax": Case([X], lambda x: softmax(x, 0), lambda c, x, y: (*x, 0, *y)),
    "LogSoftmax": Case([X], lambda x: np.log(softmax(x, 1)), lambda c, x, y: (*x, -1, *y)),
    "LayerNorm": Case([X, UNIT[0], X[1]], layer_norm,
                      lambda c, x, y: (x[0], c.ints(4), *x[1:], 0.5, *y)),
    "RmsNorm": Case([X, UNIT[0]], rms_norm, lambda c, x, y: (*x, 0.5, *y)),
    "Convolution": Case([IMAGE, KERNEL], convolution, lambda c, x, y: (
        *x, None, c.ints(2, 1), c.ints(1, 0, 0, 2), c.ints(1, 2), False, c.ints(0, 0), 2, *y, 0),
        spatial=True),
    "MaxPool": Case([IMAGE], largest, lambda c, x, y: (
        *x, c.ints(3, 2), c.ints(2, 1), 0, c.ints(1, 0, 0, 1), c.ints(1, 1), 0, *y), spatial=True),
    "AvgPool2d": Case([IMAGE], average, lambda c, x, y: (
        *x, c.ints(3, 2), c.ints(2, 2), c.ints(1, 0), False, False, 0, 0, *y), spatial=True),
}  # fmt: skip
