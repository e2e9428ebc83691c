# SPDX-License-Identifier: Apache-2.0
"""The ops of the table in NumPy, as a device would run them: what the fake device computes."""

from __future__ import annotations

from typing import Any

import fake_math
import fake_structured
import numpy as np

from device_api_abi import optable
from device_api_conformance import philox
from device_api_conformance.formats import (
    FLOATS,
    PARTS,
    Host,
    decode,
    rounded,
    storage,
)
from device_api_conformance.truth_move import converted

Array = np.ndarray
KINDS = {op.name: op.kind for op in optable.load()}


def widen(dtype: str, data: Array) -> Array:
    """bfloat16 is computed in float32, float16 in float32, all else as it is."""
    if dtype == "bfloat16":
        return decode(dtype, data).astype(np.float32)
    return data.astype(np.float32) if dtype == "float16" else data


def narrow(dtype: str, data: Array) -> Array:
    """A computed result in the storage of its type."""
    if dtype in ("bfloat16", "float16"):
        return rounded(dtype, np.asarray(data, dtype=np.float64))
    return np.asarray(data).astype(storage(dtype))


def compute(op: str, dtypes: list[str], views: list[Array], a: dict[str, Any]) -> tuple[str, Array]:
    """Type and values of the result of one op."""
    with np.errstate(all="ignore"):
        if op in _SPECIAL:
            return _SPECIAL[op](dtypes, views, a)
        key = dtypes[0]
        if op in _INTEGER and key not in FLOATS and key not in PARTS:
            return key, _INTEGER[op](*views)
        if key in PARTS:
            return _complex(op, key, views)
        if op in fake_math.ACTIVATIONS:
            return key, narrow(key, fake_math.ACTIVATIONS[op](decode(key, views[0]), a))
        if op in fake_math.FUNCTIONS:
            return key, narrow(key, fake_math.FUNCTIONS[op](*(decode(key, v) for v in views)))
        if op in ("floor_divide", "remainder"):
            return key, narrow(key, fake_math.float_divided(op, *(decode(key, v) for v in views)))
        result = fake_math.EXACT[op](*(widen(key, v) for v in views))
        return ("bool", result) if result.dtype == np.bool_ else (key, narrow(key, result))


def form(op: str, dtypes: list[str], shapes: list[tuple[int, ...]], a: dict[str, Any]):
    """Type and shape of the result, before anything runs."""
    row = optable.by_name()[op]
    if row.result in ("key", "bool") and row.kind in _LIKE_FIRST:
        return ("bool" if row.result == "bool" else dtypes[0]), shapes[0]
    zeros = [np.zeros(s, storage(d)) for s, d in zip(shapes, dtypes, strict=True)]
    dtype, values = compute(op, dtypes, zeros, a)
    return dtype, values.shape


_LIKE_FIRST = ("unary", "binary", "compare", "logical", "activation", "scan", "scatter",
               "normalize", "sort")  # fmt: skip


WRONG = {
    "add": lambda s, a: s[0] != s[1],
    "matmul": lambda s, a: s[0][-1] != s[1][-2],
    "topk": lambda s, a: a["k"] > s[0][a["axis"]],
    "rms_norm": lambda s, a: s[1] != s[0][-1:],
    "convolution": lambda s, a: s[0][1] != s[1][1] * a["groups"],
    "put_along_axis": lambda s, a: s[1] != s[2],
}  # fmt: skip
"""Shapes that an op does not take."""


def _complex(op: str, key: str, views: list[Array]) -> tuple[str, Array]:
    if op in ("real", "imag"):
        return PARTS[key], (views[0].real if op == "real" else views[0].imag).copy()
    if op == "magnitude":
        return PARTS[key], np.abs(views[0].astype(np.complex128)).astype(PARTS[key])
    if op in ("conj", "round", "neg", "add", "sub"):
        function = np.conj if op == "conj" else np.round if op == "round" else fake_math.EXACT[op]
        return key, function(*views)
    if op == "isfinite" or KINDS[op] == "compare" or op in ("isnan", "isinf"):
        return "bool", fake_math.EXACT[op](*views)
    wide = fake_math.complex_function(op, *(v.astype(np.complex128) for v in views))
    return key, np.asarray(wide).astype(storage(key))


_INTEGER = {
    "pow": fake_math.power,
    **{op: lambda x, y, op=op: fake_math.divided(op, x, y) for op in ("floor_divide", "remainder")},
    **{op: lambda x, y, op=op: fake_math.shift(op, x, y) for op in ("shift_left", "shift_right")},
}


# ---- ops that are not elementwise, or whose types differ ----


def _where(dtypes, views, a):
    return dtypes[1], np.where(*views)


def _cast(dtypes, views, a):
    source, target = dtypes[0], a["dtype"]
    if target in PARTS and source not in PARTS:
        real = Host(source, views[0])
        part = views[0] if source == PARTS[target] else converted(real, PARTS[target])
        return target, part.astype(storage(target))
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
    if dtype in FLOATS:
        return dtype, rounded(dtype, a["start"] + np.arange(n) * float(a["step"]))
    values = [(a["start"] + i * a["step"]) % 2**64 for i in range(n)]
    return dtype, np.array(values, dtype=np.uint64).astype(storage(dtype))


def _random(dtypes, views, a):
    return "uint32", philox.words(a["shape"][0], a["seed"], a["offset"])


def _make_complex(dtypes, views, a):
    target = "complex64" if dtypes[0] == "float32" else "complex128"
    found = np.empty(views[0].shape, dtype=target)
    found.real, found.imag = views
    return target, found


def _next_after(dtypes, views, a):
    if dtypes[0] != "bfloat16":
        return dtypes[0], np.where(views[0] == views[1], views[1], np.nextafter(*views))
    x, y = (decode("bfloat16", v) for v in views)
    bits = views[0].astype(np.int64)
    moved = np.where((x > 0) == (y > x), bits + 1, bits - 1)
    moved = np.where(x == 0, np.where(y > 0, 1, 0x8001), moved)
    moved = np.where(x == y, views[1], moved)
    return dtypes[0], np.where(np.isnan(x) | np.isnan(y), 0x7FC0, moved).astype(np.uint16)


def _folded(function):
    def fold(dtypes, views, a):
        wide = widen(dtypes[0], views[0])
        axes = {"axis": a["axes"]} if "axes" in a else {"axis": a["axis"]}
        return dtypes[0], narrow(dtypes[0], np.asarray(function(wide, dtype=wide.dtype, **axes)))

    return fold


def _extreme(function):
    def fold(dtypes, views, a):
        wide = widen(dtypes[0], views[0])
        if 0 in wide.shape:
            return dtypes[0], narrow(dtypes[0], np.zeros_like(wide).sum(axis=a["axes"]))
        return dtypes[0], narrow(dtypes[0], np.asarray(function(wide, axis=a["axes"])))

    return fold


def _tested(function):
    def fold(dtypes, views, a):
        return "bool", np.asarray(function(widen(dtypes[0], views[0]) != 0, axis=a["axes"]))

    return fold


def _first(largest):
    def find(dtypes, views, a):
        wide = widen(dtypes[0], views[0])
        return "int64", np.asarray(fake_structured.first(wide, a["axes"][0], largest))

    return find


def _order(op):
    def find(dtypes, views, a):
        down = a["descending"] if op != "topk" else not a["smallest"]
        index = fake_structured.argsort(widen(dtypes[0], views[0]), a["axis"], bool(down))
        if op == "sort":
            return dtypes[0], np.take_along_axis(views[0], index, axis=a["axis"])
        kept = index.shape[a["axis"]] if op == "argsort" else a["k"]
        return "int64", np.take(index, range(kept), axis=a["axis"])

    return find


def _search(dtypes, views, a):
    x, values = (widen(dtypes[0], v) for v in views)
    return "int64", np.searchsorted(x, values, side="right" if a["right"] else "left")


def _matmul(dtypes, views, a):
    wide = [widen(dtypes[0], v) for v in views]
    return dtypes[0], narrow(dtypes[0], np.matmul(*wide))


def _take(dtypes, views, a):
    return dtypes[0], np.take_along_axis(views[0], views[1].astype(np.int64), axis=a["axis"])


def _put(dtypes, views, a):
    return dtypes[0], fake_structured.put(*views, a["axis"])


def _accumulate(dtypes, views, a):
    total, axis = widen(dtypes[0], views[0]).copy(), a["axis"]
    updates = widen(dtypes[0], views[2])
    for at in np.ndindex(views[1].shape):
        total[(*at[:axis], int(views[1][at]), *at[axis + 1 :])] += updates[at]
    return dtypes[0], narrow(dtypes[0], total)


def _widened(function):
    """An op whose operands all have the key type, computed in the wider type."""

    def run(dtypes, views, a):
        return dtypes[0], narrow(dtypes[0], function(*(widen(dtypes[0], v) for v in views), a))

    return run


_SPECIAL = {
    "where": _where, "cast": _cast, "copy": _copy, "fill": _fill, "iota": _iota,
    "random_bits": _random, "make_complex": _make_complex, "nextafter": _next_after,
    "sum": _folded(np.sum), "prod": _folded(np.prod), "cumsum": _folded(np.cumsum),
    "cumprod": _folded(np.cumprod), "max": _extreme(np.max), "min": _extreme(np.min),
    "any": _tested(np.any), "all": _tested(np.all), "argmax": _first(True),
    "argmin": _first(False), "sort": _order("sort"), "argsort": _order("argsort"),
    "topk": _order("topk"), "searchsorted": _search, "matmul": _matmul, "take_along_axis": _take,
    "put_along_axis": _put, "index_accumulate": _accumulate,
    "convolution": _widened(fake_structured.convolution),
    "max_pool": _widened(fake_structured.max_pool), "avg_pool": _widened(fake_structured.avg_pool),
    "softmax": _widened(lambda x, a: fake_structured.softmax(x, a["axis"], False)),
    "log_softmax": _widened(lambda x, a: fake_structured.softmax(x, a["axis"], True)),
    "layer_norm": _widened(lambda x, w, b, a: fake_structured.norm(x, w, b, a["epsilon"])),
    "rms_norm": _widened(lambda x, w, a: fake_structured.norm(x, w, None, a["epsilon"])),
    "attention": _widened(fake_structured.attention),
}  # fmt: skip
