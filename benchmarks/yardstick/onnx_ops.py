# SPDX-License-Identifier: Apache-2.0
"""Nodes of ONNX in device_api: (inputs, attributes) -> outputs, by type of node.

A function raises `Unmapped` for what it does not serve; such test cases are not run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import device_api as da
import device_api.nn.functional as F

Inputs = list[Any]
Attributes = dict[str, Any]
Node = Callable[[Inputs, Attributes], Any]


class Unmapped(Exception):
    """Nothing of device_api answers this node."""


def need(condition: bool) -> None:
    """Leave out what a function does not serve."""
    if not condition:
        raise Unmapped


def _ints(x: Any) -> list[int]:
    return [int(v) for v in np.asarray(x.numpy()).reshape(-1)]


def _plain(function: Callable[..., Any]) -> Node:
    return lambda x, a: function(*x)


def _binary(function: Callable[..., Any]) -> Node:
    def node(x: Inputs, a: Attributes) -> Any:
        need(x[0].dtype == x[1].dtype and not a.get("fmod"))
        return function(*x)

    return node


def _divide(x: Inputs, a: Attributes) -> Any:
    need(x[0].dtype == x[1].dtype and da.isdtype(x[0].dtype, "real floating"))
    return da.divide(*x)


def _shift(x: Inputs, a: Attributes) -> Any:
    left = a["direction"] == "LEFT"
    return (da.bitwise_left_shift if left else da.bitwise_right_shift)(*x)


def _is_infinite(x: Inputs, a: Attributes) -> Any:
    need(a.get("detect_negative", 1) and a.get("detect_positive", 1))
    return da.isinf(x[0])


def _selu(x: Inputs, a: Attributes) -> Any:
    return F.selu(x[0], a.get("gamma", 1.0507009873554805), a.get("alpha", 1.6732632423543772))


def _many(function: Callable[..., Any]) -> Node:
    return lambda x, a: functools.reduce(function, x)


def _mean(x: Inputs, a: Attributes) -> Any:
    return functools.reduce(da.add, x) / float(len(x))


def _reduction(function: Callable[..., Any]) -> Node:
    def node(x: Inputs, a: Attributes) -> Any:
        axes = _ints(x[1]) if len(x) > 1 and x[1] is not None else a.get("axes")
        if not axes and a.get("noop_with_empty_axes"):
            raise Unmapped
        return function(
            x[0], axis=tuple(axes) if axes else None, keepdims=bool(a.get("keepdims", 1))
        )

    return node


def _log_sum_exp(x: Any, **how: Any) -> Any:
    return da.log(da.sum(da.exp(x), **how))


def _l2(x: Any, **how: Any) -> Any:
    return da.sqrt(da.sum(x * x, **how))


def _typed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Sums and products of ONNX keep the type."""
    return lambda x, **how: function(x, dtype=x.dtype, **how)


def _extreme(function: Callable[..., Any]) -> Node:
    def node(x: Inputs, a: Attributes) -> Any:
        need(not a.get("select_last_index"))
        return function(x[0], axis=a.get("axis", 0), keepdims=bool(a.get("keepdims", 1)))

    return node


def _scan(function: Callable[..., Any]) -> Node:
    def node(x: Inputs, a: Attributes) -> Any:
        need(not a.get("exclusive") and not a.get("reverse"))
        return function(x[0], axis=_ints(x[1])[0], dtype=x[0].dtype)

    return node


def _gemm(x: Inputs, a: Attributes) -> Any:
    left = x[0].T if a.get("transA") else x[0]
    right = x[1].T if a.get("transB") else x[1]
    found = da.matmul(left, right) * a.get("alpha", 1.0)
    return found + x[2] * a.get("beta", 1.0) if len(x) > 2 else found


def _symmetric(a: Attributes, n: int) -> list[int]:
    """Padding that is the same before and after."""
    pads = a.get("pads", [0] * (2 * n))
    need(a.get("auto_pad", "NOTSET") in ("NOTSET", "VALID") and pads[:n] == pads[n:])
    return list(pads[:n])


def _conv(x: Inputs, a: Attributes) -> Any:
    n = x[0].ndim - 2
    call = (F.conv1d, F.conv2d, F.conv3d)[n - 1]
    return call(*x, stride=a.get("strides", [1] * n), padding=_symmetric(a, n),
                dilation=a.get("dilations", [1] * n), groups=a.get("group", 1))  # fmt: skip


def _pool(largest: bool) -> Node:
    def node(x: Inputs, a: Attributes) -> Any:
        n = x[0].ndim - 2
        need(n in (1, 2) and set(a.get("dilations", [1])) == {1} and a["outputs"] == 1)
        kernel = a["kernel_shape"]
        how = {"stride": a.get("strides", [1] * n), "padding": _symmetric(a, n),
               "ceil_mode": bool(a.get("ceil_mode"))}  # fmt: skip
        if largest:
            return (F.max_pool1d, F.max_pool2d)[n - 1](x[0], kernel, **how)
        how["exclusive"] = not a.get("count_include_pad", 0)
        return (F.avg_pool1d, F.avg_pool2d)[n - 1](x[0], kernel, **how)

    return node


def _global(function: Callable[..., Any]) -> Node:
    return lambda x, a: function(x[0], axis=tuple(range(2, x[0].ndim)), keepdims=True)


def _layer_norm(x: Inputs, a: Attributes) -> Any:
    shape = x[0].shape[a.get("axis", -1) :]
    bias = x[2] if len(x) > 2 else None
    return F.layer_norm(x[0], list(shape), x[1], bias, a.get("epsilon", 1e-5))


def _rms_norm(x: Inputs, a: Attributes) -> Any:
    shape = x[0].shape[a.get("axis", -1) :]
    return F.rms_norm(x[0], list(shape), x[1], a.get("epsilon", 1e-5))[0]


def _batch_norm(x: Inputs, a: Attributes) -> Any:
    need(not a.get("training_mode"))
    return F.batch_norm(x[0], x[3], x[4], x[1], x[2], epsilon=a.get("epsilon", 1e-5))


def _attention(x: Inputs, a: Attributes) -> Any:
    known = {"scale", "is_causal", "outputs"}
    need(len(x) == 3 and x[0].ndim == 4 and set(a) <= known and a["outputs"] == 1)
    q, k, v = (da.permute_dims(t, (0, 2, 1, 3)) for t in x)
    found = F.scaled_dot_product_attention(q, k, v, is_causal=bool(a.get("is_causal")),
                                           scale=a.get("scale"))  # fmt: skip
    return da.permute_dims(found, (0, 2, 1, 3))


def _clip(x: Inputs, a: Attributes) -> Any:
    low, high = ([*x[1:], None, None])[:2]
    return da.clip(x[0], low, high)


def _cast(x: Inputs, a: Attributes) -> Any:
    need("to_name" in a)
    return da.astype(x[0], getattr(da, a["to_name"]))


def _gather(x: Inputs, a: Attributes) -> Any:
    need(x[1].ndim == 1)
    return da.take(x[0], x[1], axis=a.get("axis", 0))


def _slice(x: Inputs, a: Attributes) -> Any:
    need(len(x) > 2)
    starts, ends = _ints(x[1]), _ints(x[2])
    axes = _ints(x[3]) if len(x) > 3 else list(range(len(starts)))
    steps = _ints(x[4]) if len(x) > 4 else [1] * len(starts)
    key = [slice(None)] * x[0].ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        key[axis] = slice(start, end, step)
    return x[0][tuple(key)]


def _reshape(x: Inputs, a: Attributes) -> Any:
    asked = _ints(x[1])
    need(not a.get("allowzero"))
    return da.reshape(x[0], tuple(n or x[0].shape[i] for i, n in enumerate(asked)))


def _expand(x: Inputs, a: Attributes) -> Any:
    return da.broadcast_to(x[0], da.broadcast_shapes(x[0].shape, tuple(_ints(x[1])))) + 0


def _top_k(x: Inputs, a: Attributes) -> Any:
    axis, (k,) = a.get("axis", -1), _ints(x[1])
    index = da.argsort(x[0], axis=axis, descending=bool(a.get("largest", 1)), stable=True)
    key = [slice(None)] * x[0].ndim
    key[axis] = slice(0, k)
    index = index[tuple(key)]
    return [da.take_along_axis(x[0], index, axis=axis), index]


def _softplus(x: Inputs, a: Attributes) -> Any:
    return F.softplus(x[0])


_UNARY = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh",
    "Atan": "atan", "Atanh": "atanh", "BitwiseNot": "bitwise_invert", "Ceil": "ceil",
    "Cos": "cos", "Cosh": "cosh", "Exp": "exp", "Floor": "floor", "IsNaN": "isnan", "Log": "log",
    "Neg": "negative", "Not": "logical_not", "Reciprocal": "reciprocal", "Round": "round",
    "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
    "MatMul": "matmul", "Where": "where",
}  # fmt: skip
_BINARY = {
    "Add": "add", "Sub": "subtract", "Mul": "multiply", "Pow": "pow", "And": "logical_and",
    "Or": "logical_or", "Xor": "logical_xor", "Equal": "equal", "Greater": "greater",
    "GreaterOrEqual": "greater_equal", "Less": "less", "LessOrEqual": "less_equal",
    "BitwiseAnd": "bitwise_and", "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor",
    "Mod": "remainder",
}  # fmt: skip

NODES: dict[str, Node] = {
    **{node: _plain(getattr(da, name)) for node, name in _UNARY.items()},
    **{node: _binary(getattr(da, name)) for node, name in _BINARY.items()},
    "Div": _divide, "BitShift": _shift, "Max": _many(da.maximum), "Min": _many(da.minimum),
    "Sum": _many(da.add), "Mean": _mean, "IsInf": _is_infinite,
    "ReduceSum": _reduction(_typed(da.sum)), "ReduceProd": _reduction(_typed(da.prod)),
    "ReduceMax": _reduction(da.max), "ReduceMin": _reduction(da.min),
    "ReduceMean": _reduction(da.mean), "ReduceLogSumExp": _reduction(_log_sum_exp),
    "ReduceL1": _reduction(lambda x, **how: da.sum(da.abs(x), **how)), "ReduceL2": _reduction(_l2),
    "ReduceSumSquare": _reduction(lambda x, **how: da.sum(x * x, **how)),
    "ReduceLogSum": _reduction(lambda x, **how: da.log(da.sum(x, **how))),
    "ArgMax": _extreme(da.argmax), "ArgMin": _extreme(da.argmin),
    "CumSum": _scan(da.cumulative_sum), "CumProd": _scan(da.cumulative_prod),
    "Softmax": lambda x, a: F.softmax(x[0], a.get("axis", -1)),
    "LogSoftmax": lambda x, a: F.log_softmax(x[0], a.get("axis", -1)),
    "Relu": _plain(F.relu), "Sigmoid": _plain(F.sigmoid), "Mish": _plain(F.mish),
    "HardSwish": _plain(F.hardswish), "Softplus": _softplus, "Selu": _selu,
    "LeakyRelu": lambda x, a: F.leaky_relu(x[0], a.get("alpha", 0.01)),
    "Elu": lambda x, a: F.elu(x[0], a.get("alpha", 1.0)),
    "Gelu": lambda x, a: F.gelu(x[0], a.get("approximate", "none") == "tanh"),
    "HardSigmoid": lambda x, a: F.hardsigmoid(x[0], a.get("alpha", 0.2), a.get("beta", 0.5)),
    "Softsign": lambda x, a: x[0] / (da.abs(x[0]) + 1),
    "PRelu": lambda x, a: da.where(x[0] < 0, x[0] * x[1], x[0]),
    "Gemm": _gemm, "Conv": _conv, "MaxPool": _pool(True), "AveragePool": _pool(False),
    "GlobalAveragePool": _global(da.mean), "GlobalMaxPool": _global(da.max),
    "LayerNormalization": _layer_norm, "RMSNormalization": _rms_norm,
    "BatchNormalization": _batch_norm, "Attention": _attention, "Clip": _clip, "Cast": _cast,
    "CastLike": lambda x, a: da.astype(x[0], x[1].dtype), "Gather": _gather,
    "GatherElements": lambda x, a: da.take_along_axis(x[0], x[1], axis=a.get("axis", 0)),
    "Concat": lambda x, a: da.concat(x, axis=a["axis"]), "Slice": _slice, "Reshape": _reshape,
    "Transpose": lambda x, a: da.permute_dims(x[0], a.get("perm", range(x[0].ndim)[::-1])) + 0,
    "Expand": _expand, "Tile": lambda x, a: da.tile(x[0], tuple(_ints(x[1]))), "TopK": _top_k,
    "Range": lambda x, a: da.arange(*(v.item() for v in x), dtype=x[0].dtype),
    "Identity": lambda x, a: da.asarray(x[0], copy=True),
}  # fmt: skip
"""Types of nodes that device_api answers."""
