# SPDX-License-Identifier: Apache-2.0
"""What a correct device returns: the expected result of every op of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_abi.optable import Op
from device_api_conformance import philox, truth_float, truth_sum
from device_api_conformance.formats import FORMATS, Array, Host, rounded, storage, wrapped
from device_api_conformance.ulp import Reference


@dataclass
class Expected:
    """Either exact values, or a reference with a limit in units, or a bounded sum.

    `payload`: NaNs must keep their bits. `zero_either`: where a zero may have either sign.
    """

    dtype: str
    shape: tuple[int, ...]
    exact: Host | None = None
    payload: bool = False
    zero_either: Array | None = None
    reference: Reference | None = None
    bounded: truth_sum.Bounded | None = None


def expected(
    op_name: str, operands: list[Host], attributes: dict[str, Any], exact: bool
) -> Expected:
    """Truth of one call.

    Args:
        op_name: name in the op table.
        operands: dense inputs.
        attributes: of the call; `dtype` and `shape` where the op leaves them free.
        exact: the inputs are such that sums have one correct result in any order.
    """
    op = optable.by_name()[op_name]
    key = operands[0 if op.kind != "select" else 1].dtype if operands else attributes["dtype"]
    if op.kind in _FAMILIES:
        return _FAMILIES[op.kind](op, key, operands, attributes)
    if op.kind in ("reduce", "matmul", "scatter"):
        return _summed(op, key, operands, attributes, exact)
    if key in FORMATS:
        return _float_elementwise(op, key, operands)
    return _integer_elementwise(op, key, operands)


def _of(dtype: str, data: Array, **kwargs: Any) -> Expected:
    return Expected(dtype, np.shape(data), Host(dtype, np.asarray(data)), **kwargs)


def _truths(data: Any) -> Expected:
    return _of("bool", np.asarray(data).astype(np.bool_))


# ---- elementwise -----------------------------------------------------------------------------


def _float_elementwise(op: Op, dtype: str, operands: list[Host]) -> Expected:
    values = [h.exact() for h in operands]
    if op.name in ("equal", "less", "isnan"):
        return _truths(_COMPARE[op.name](*values))
    if op.error == "ulp":
        found = truth_float.reference(op.name, dtype, *values)
        return Expected(dtype, found.high.shape, reference=found)
    if op.error == "rounded":
        return _of(dtype, truth_float.rounded_result(op.name, dtype, *values))
    data = rounded(dtype, _FLOAT_EXACT[op.name](*values))
    either = None
    if op.name in ("maximum", "minimum"):
        either = (
            (values[0] == 0) & (values[1] == 0) & (np.signbit(values[0]) != np.signbit(values[1]))
        )
    if op.name == "sign":
        either = values[0] == 0
    return _of(dtype, data, zero_either=either)


_COMPARE: dict[str, Callable[..., Any]] = {
    "equal": lambda a, b: a == b, "less": lambda a, b: a < b, "isnan": np.isnan,
}  # fmt: skip

_FLOAT_EXACT: dict[str, Callable[..., Array]] = {
    "neg": lambda a: -a,
    "abs": np.abs,
    "floor": np.floor,
    "sign": np.sign,
    "maximum": np.maximum,
    "minimum": np.minimum,
}


def _integer_elementwise(op: Op, dtype: str, operands: list[Host]) -> Expected:
    shape = operands[0].shape
    values = [h.exact().reshape(-1).tolist() for h in operands]
    function = _INTEGER[op.name]
    found = np.empty(len(values[0]), dtype=object)
    found[:] = [function(*row) for row in zip(*values, strict=True)]
    found = found.reshape(shape)
    if op.result == "bool":
        return _truths(found)
    return _of(dtype, wrapped(dtype, found))


def _integer_pow(a: int, b: int) -> int:
    if b >= 0:
        return pow(a, b, 1 << 64)
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


_INTEGER: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "logical_not": lambda a: not a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "pow": _integer_pow,
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "logical_and": lambda a, b: a and b,
    "logical_or": lambda a, b: a or b,
}


# ---- moving and making -----------------------------------------------------------------------


def _select(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    condition, first, second = (h.data for h in operands)
    return _of(dtype, np.where(condition, first, second), payload=True)


def _copy(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    return _of(dtype, operands[0].data, payload=True)


def _cast(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    target, source = attributes["dtype"], operands[0]
    if target == dtype:
        return _of(target, source.data)
    return _of(target, converted(source, target))


def converted(source: Host, target: str) -> Array:
    """Values of `source` in the storage of `target`, by the rules of the op `cast`."""
    values = source.exact()
    if target == "bool":
        return np.asarray(values != 0).astype(np.bool_)
    if source.dtype in FORMATS:
        if target in FORMATS:
            return rounded(target, values)
        return wrapped(
            target, np.vectorize(int, otypes=[object])(values) if values.size else values
        )
    if target not in FORMATS:
        return wrapped(target, values)
    high = values.astype(np.float64)  # Python's conversion: correctly rounded
    rest = (
        np.vectorize(lambda v, h: float(v - int(h)), otypes=[np.float64])(values, high)
        if values.size
        else high
    )
    return rounded(target, high, rest)


def _fill(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    value, shape = attributes["value"], attributes["shape"]
    if dtype in FORMATS:
        return _of(dtype, rounded(dtype, np.full(shape, value, dtype=np.float64)))
    return _of(dtype, np.full(shape, value, dtype=storage(dtype)))


def _iota(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    start, step, (n,) = attributes["start"], attributes["step"], attributes["shape"]
    if dtype in FORMATS:  # the cases choose start and step so that float64 is exact
        return _of(dtype, rounded(dtype, start + np.arange(n) * float(step)))
    return _of(dtype, wrapped(dtype, np.array([start + i * step for i in range(n)], dtype=object)))


def _random(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    (n,) = attributes["shape"]
    return _of(dtype, philox.words(n, attributes["seed"], attributes["offset"]))


def _gather(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    x, index = operands
    found = np.take_along_axis(x.data, index.data.astype(np.int64), axis=attributes["axis"])
    return _of(dtype, found, payload=True)


def _arg_reduce(op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any]) -> Expected:
    """Index of the first largest; the first NaN wins."""
    (axis,) = attributes["axes"]
    lines = np.moveaxis(operands[0].exact(), axis, -1)
    found = np.empty(lines.shape[:-1], dtype=np.int64)
    for at in np.ndindex(found.shape):
        found[at] = _first_largest(lines[at].tolist())
    return _of("int64", found)


def _first_largest(line: list[Any]) -> int:
    best = 0
    for i, value in enumerate(line):
        if value != value:
            return i
        if value > line[best]:
            best = i
    return best


_FAMILIES: dict[str, Callable[..., Expected]] = {
    "select": _select, "copy": _copy, "cast": _cast, "fill": _fill, "iota": _iota,
    "random": _random, "gather": _gather, "arg_reduce": _arg_reduce,
}  # fmt: skip


# ---- sums and contractions -------------------------------------------------------------------


def _summed(
    op: Op, dtype: str, operands: list[Host], attributes: dict[str, Any], exact: bool
) -> Expected:
    values = [h.exact() for h in operands]
    axes = tuple(attributes.get("axes") or ())
    if op.name == "max":
        return _largest(dtype, values[0], axes)
    if dtype not in FORMATS:
        return _of(dtype, wrapped(dtype, _integer_sum(op, dtype, values, axes, attributes)))
    if op.name == "sum":
        bounded = truth_sum.reduced(dtype, values[0], axes)
    elif op.name == "matmul":
        bounded = truth_sum.product(dtype, *values)
    else:
        index = operands[1].data
        bounded = truth_sum.accumulated(dtype, values[0], index, values[2], attributes["axis"])
    if exact:
        high = bounded.reference.high
        return _of(dtype, rounded(dtype, high), zero_either=high == 0)
    return Expected(
        dtype, bounded.reference.high.shape, reference=bounded.reference, bounded=bounded
    )


def _largest(dtype: str, x: Array, axes: tuple[int, ...]) -> Expected:
    if dtype not in FORMATS:
        return _of(
            dtype, wrapped(dtype, np.max(x, axis=axes) if x.size else np.empty(_kept(x, axes)))
        )
    if not x.size:
        return _of(dtype, rounded(dtype, np.empty(_kept(x, axes))))
    found = np.max(x, axis=axes)
    negative = np.all((x == 0) <= np.signbit(x), axis=axes)  # every zero is -0
    data = np.where((found == 0) & negative, -0.0, found)
    mixed = (found == 0) & ~negative & ~np.all((x == 0) <= ~np.signbit(x), axis=axes)
    return _of(dtype, rounded(dtype, data), zero_either=np.asarray(mixed))


def _kept(x: Array, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for a, n in enumerate(x.shape) if a not in axes)


def _integer_sum(
    op: Op, dtype: str, values: list[Array], axes: tuple[int, ...], attributes: dict[str, Any]
) -> Array:
    if op.name == "sum":
        return np.asarray(np.sum(values[0], axis=axes, initial=0), dtype=object)
    if op.name == "matmul":
        if 0 in (*values[0].shape, *values[1].shape):
            return np.zeros((*values[0].shape[:-1], values[1].shape[-1]), dtype=object)
        return np.asarray(np.matmul(values[0], values[1]), dtype=object)
    total, axis = values[0].copy(), attributes["axis"]
    index = values[1].astype(np.int64)
    for at in np.ndindex(index.shape):
        target = (*at[:axis], int(index[at]), *at[axis + 1 :])
        total[target] += values[2][at]
    return total
