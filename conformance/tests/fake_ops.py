# SPDX-License-Identifier: Apache-2.0
"""The ops of the table in NumPy, as a device would run them: what the fake device computes."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_conformance import philox
from device_api_conformance.formats import decode, rounded, storage
from device_api_conformance.truth import converted

Array = np.ndarray

_UNARY = {
    "neg": np.negative, "abs": np.abs, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "tanh": np.tanh, "floor": np.floor, "sign": np.sign, "isnan": np.isnan,
    "logical_not": np.logical_not,
}  # fmt: skip
_BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power,
    "maximum": np.maximum, "minimum": np.minimum, "equal": np.equal, "less": np.less,
    "logical_and": np.logical_and, "logical_or": np.logical_or,
}  # fmt: skip


def widen(dtype: str, data: Array) -> Array:
    """bfloat16 is computed in float32, float16 in float32, all else as it is."""
    if dtype == "bfloat16":
        return decode(dtype, data).astype(np.float32)
    return data.astype(np.float32) if dtype == "float16" else data


def narrow(dtype: str, data: Array) -> Array:
    """A computed result in the storage of its type."""
    if dtype == "bfloat16":
        return rounded(dtype, data.astype(np.float64))
    return np.asarray(data).astype(storage(dtype))


def compute(op: str, dtypes: list[str], views: list[Array], a: dict[str, Any]) -> tuple[str, Array]:
    """Type and values of the result of one op."""
    with np.errstate(all="ignore"):
        if op in _SPECIAL:
            return _SPECIAL[op](dtypes, views, a)
        key = dtypes[0]
        wide = [widen(key, v) for v in views]
        if op == "pow" and key not in ("float16", "bfloat16", "float32", "float64"):
            return key, _integer_power(*views)
        result = _UNARY[op](*wide) if op in _UNARY else _BINARY[op](*wide)
        if result.dtype == np.bool_:
            return "bool", result
        return key, narrow(key, result)


def _integer_power(x: Array, y: Array) -> Array:
    result, base, power = np.ones_like(x), x.copy(), np.where(y < 0, 0, y)
    while power.any():
        result = np.where(power & 1, result * base, result)
        base, power = base * base, power >> 1
    odd = np.where(y & 1, x, 1).astype(x.dtype)
    negative = np.where(x == 1, 1, np.where(x + 1 == 0, odd, 0))
    return np.where(y < 0, negative, result).astype(x.dtype)


def _where(dtypes, views, a):
    return dtypes[1], np.where(*views)


def _cast(dtypes, views, a):
    from device_api_conformance.formats import Host

    source, target = dtypes[0], a["dtype"]
    if "bfloat16" in (source, target):
        return target, converted(Host(source, views[0]), target)
    return target, views[0].astype(storage(target))


def _copy(dtypes, views, a):
    return dtypes[0], views[0].copy()


def _fill(dtypes, views, a):
    if a["dtype"] == "bfloat16":
        return a["dtype"], rounded("bfloat16", np.full(a["shape"], float(a["value"])))
    return a["dtype"], np.full(a["shape"], a["value"], dtype=storage(a["dtype"]))


def _iota(dtypes, views, a):
    (n,) = a["shape"]
    dtype = a["dtype"]
    if dtype in ("float16", "bfloat16", "float32", "float64"):
        return dtype, rounded(dtype, a["start"] + np.arange(n) * float(a["step"]))
    values = [(a["start"] + i * a["step"]) % 2**64 for i in range(n)]
    return dtype, np.array(values, dtype=np.uint64).astype(storage(dtype))


def _sum(dtypes, views, a):
    wide = widen(dtypes[0], views[0])
    return dtypes[0], narrow(dtypes[0], np.asarray(np.sum(wide, axis=a["axes"], dtype=wide.dtype)))


def _max(dtypes, views, a):
    wide = widen(dtypes[0], views[0])
    if 0 in wide.shape:
        return dtypes[0], narrow(dtypes[0], np.zeros_like(wide).sum(axis=a["axes"]))
    return dtypes[0], narrow(dtypes[0], np.asarray(np.max(wide, axis=a["axes"])))


def _argmax(dtypes, views, a):
    return "int64", np.asarray(np.argmax(widen(dtypes[0], views[0]), axis=a["axes"][0]))


def _matmul(dtypes, views, a):
    wide = [widen(dtypes[0], v) for v in views]
    return dtypes[0], narrow(dtypes[0], np.matmul(*wide))


def _take(dtypes, views, a):
    return dtypes[0], np.take_along_axis(views[0], views[1].astype(np.int64), axis=a["axis"])


def _accumulate(dtypes, views, a):
    total, axis = widen(dtypes[0], views[0]).copy(), a["axis"]
    updates = widen(dtypes[0], views[2])
    for at in np.ndindex(views[1].shape):
        total[(*at[:axis], int(views[1][at]), *at[axis + 1 :])] += updates[at]
    return dtypes[0], narrow(dtypes[0], total)


def _random(dtypes, views, a):
    return "uint32", philox.words(a["shape"][0], a["seed"], a["offset"])


_SPECIAL = {
    "where": _where, "cast": _cast, "copy": _copy, "fill": _fill, "iota": _iota, "sum": _sum,
    "max": _max, "argmax": _argmax, "matmul": _matmul, "take_along_axis": _take,
    "index_accumulate": _accumulate, "random_bits": _random,
}  # fmt: skip
