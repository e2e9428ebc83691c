# SPDX-License-Identifier: Apache-2.0
"""Planted faults of sorting, searching, extremes, running sums, products and indexed writes."""

from __future__ import annotations

import fake_structured
import numpy as np
from faults import changed

F16 = ("float16",)
F32 = ("float32",)


def _down(a):
    return bool(a.get("descending", 0))


def _take(views, index, a):
    return np.take_along_axis(views[0], index, axis=a["axis"])


@changed("argsort is not stable", "E/{}/float32/*ties", "E", "argsort", F32)
def _unstable(dtype, values, views, a):
    x, axis = views[0], a["axis"]
    back = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - back if not _down(a) else values


@changed("a descending order is an ascending one turned round", "E/{}/*/ties_down", "E", "argsort")
def _turned(dtype, values, views, a):
    if not _down(a):
        return values
    return np.flip(np.argsort(views[0], axis=a["axis"], kind="stable"), a["axis"])


@changed("-0 is sorted below +0", "E/{}/float32", "E", "sort argsort", F32)
def _by_bits(dtype, values, views, a):
    bits = views[0].view(np.int32)
    keys = np.where(bits < 0, np.int64(-(2**31)) - bits.astype(np.int64) - 1, bits)
    keys = np.where(np.isnan(views[0]), 2**40, keys)
    index = fake_structured.argsort(keys, a["axis"], _down(a))
    return index if dtype == "int64" or values.dtype == np.int64 else _take(views, index, a)


@changed("NaN is sorted below everything", "E/{}/float32", "E", "sort", F32)
def _nan_first(dtype, values, views, a):
    keys = np.where(np.isnan(views[0]), -np.inf, views[0])
    return _take(views, fake_structured.argsort(keys, a["axis"], _down(a)), a)


@changed("a NaN stops the sorting", "E/{}/float32", "E", "sort", F32)
def _nan_stops(dtype, values, views, a):
    broken = np.isnan(views[0]).any(axis=a["axis"], keepdims=True)
    return np.where(broken, views[0], values)


@changed("uint64 is sorted as signed", "N/{}/uint64 E/{}/uint64", "NE", "sort", ("uint64",))
def _signed(dtype, values, views, a):
    return _take(views, fake_structured.argsort(views[0].view(np.int64), a["axis"], _down(a)), a)


@changed("int64 is sorted as float64", "E/{}/int64", "E", "argsort", ("int64",))
def _as_float(dtype, values, views, a):
    return fake_structured.argsort(views[0].astype(np.float64), a["axis"], _down(a))


@changed("blocks of 1024 are sorted apart", "X/{}", "X", "sort", F32)
def _blocks(dtype, values, views, a):
    x = views[0]
    if x.ndim != 1 or x.size <= 1024:
        return values
    return np.concatenate([np.sort(x[i : i + 1024]) for i in range(0, x.size, 1024)])


@changed("topk takes the last of equal elements", "E/{}/*/ties*", "E", "topk")
def _topk_last(dtype, values, views, a):
    x, axis = views[0], a["axis"]
    back = fake_structured.argsort(np.flip(x, axis), axis, not a["smallest"])
    return np.take(x.shape[axis] - 1 - back, range(a["k"]), axis=axis)


@changed("topk always takes the largest", "N/{}", "N", "topk")
def _topk_largest(dtype, values, views, a):
    index = fake_structured.argsort(views[0], a["axis"], True)
    return np.take(index, range(a["k"]), axis=a["axis"])


@changed("topk passes over NaN", "E/{}/float32", "E", "topk", F32)
def _topk_nan(dtype, values, views, a):
    keys = np.where(np.isnan(views[0]), np.inf if a["smallest"] else -np.inf, views[0])
    index = fake_structured.argsort(keys, a["axis"], not a["smallest"])
    return np.take(index, range(a["k"]), axis=a["axis"])


@changed("the sides of searchsorted are exchanged", "N/{} E/{}", "NE", "searchsorted", F32)
def _sides(dtype, values, views, a):
    return np.searchsorted(*views, side="left" if a["right"] else "right")


@changed("searchsorted finds NaN at the front", "E/{}/float32", "E", "searchsorted", F32)
def _search_nan(dtype, values, views, a):
    return np.where(np.isnan(views[1]), 0, values)


@changed("searchsorted never reaches the end", "N/{} E/{} X/{}", "NEX", "searchsorted")
def _search_end(dtype, values, views, a):
    return np.minimum(values, max(views[0].size - 1, 0))


@changed("argmin gives the last of equal ones", "E/{}/*/ties", "E", "argmin")
def _argmin_last(dtype, values, views, a):
    (axis,) = a["axes"]
    return views[0].shape[axis] - 1 - np.argmin(np.flip(views[0], axis), axis=axis)


@changed("argmin passes over NaN", "E/{}/float32", "E", "argmin", F32)
def _argmin_nan(dtype, values, views, a):
    return np.argmin(np.where(np.isnan(views[0]), np.inf, views[0]), axis=a["axes"][0])


@changed("NaN is lost in min", "E/{}/float32", "E", "min", F32)
def _min_nan(dtype, values, views, a):
    return np.fmin.reduce(views[0], axis=a["axes"]) if views[0].size else values


@changed("min begins at 0", "N/{}/float32", "N", "min", F32)
def _min_zero(dtype, values, views, a):
    return np.minimum(values, 0) * (views[0].shape != (257,)) if views[0].size else values


@changed("any passes over NaN", "E/{}/float32", "E", "any", F32)
def _any_nan(dtype, values, views, a):
    return np.any(np.nan_to_num(views[0], nan=0.0) != 0, axis=a["axes"])


@changed("all looks at the lowest byte", "E/{}/int32 N/{}/int32", "NE", "any all", ("int32",))
def _low_byte(dtype, values, views, a):
    test = np.any if np.array_equal(values, np.any(views[0] != 0, axis=a["axes"])) else np.all
    return test(views[0].astype(np.uint8) != 0, axis=a["axes"])


@changed("cumsum accumulates float16 in float16", "N/{}/float16", "N", "cumsum", F16)
def _half_sum(dtype, values, views, a):
    return np.cumsum(views[0], axis=a["axis"], dtype=np.float16)


@changed("cumsum begins anew every 512 elements", "N/{} X/{}", "NX", "cumsum", F32)
def _restart(dtype, values, views, a):
    axis, n = a["axis"], views[0].shape[a["axis"]]
    cuts = [np.cumsum(c, axis=axis) for c in np.split(views[0], range(512, n, 512), axis=axis)]
    return np.concatenate(cuts, axis=axis) if n else values


@changed("cumsum leaves out the element itself", "N/{}/float32", "N", "cumsum", F32)
def _exclusive(dtype, values, views, a):
    return values - views[0]


@changed("cumsum runs along the last axis", "N/{}/float32", "N", "cumsum cumprod", F32)
def _last_axis(dtype, values, views, a):
    fold = np.cumsum if np.array_equal(values, np.cumsum(views[0], axis=a["axis"])) else np.cumprod
    return fold(views[0], axis=-1)


@changed("cumprod of integers goes through float64", "N/{}/int64", "N", "cumprod prod", ("int64",))
def _float_product(dtype, values, views, a):
    fold = np.cumprod if "axis" in a else np.prod
    wide = fold(views[0].astype(np.float64), axis=a.get("axis", a.get("axes")))
    return np.clip(wide, -(2.0**63), 2.0**63 - 1024).astype(np.int64)


@changed("prod multiplies float16 in float16", "N/{}/float16", "N", "prod cumprod", F16)
def _half_product(dtype, values, views, a):
    if "axis" not in a and len(a["axes"]) > 1:
        return values
    running = np.cumprod(views[0], axis=a.get("axis", a.get("axes", (0,))[0]), dtype=np.float16)
    return running if "axis" in a else running.take(-1, axis=a["axes"][0])


@changed("the product of a 0 and an infinity is 0", "E/{}/float32", "E", "prod cumprod", F32)
def _zero_wins(dtype, values, views, a):
    return np.where(np.isnan(values), np.float32(0), values)


@changed("the first of equal indices wins", "N/{}/float32-*", "N", "put_along_axis", F32)
def _put_first(dtype, values, views, a):
    back = [np.flip(v, a["axis"]) for v in views[1:]]
    return fake_structured.put(views[0], *back, a["axis"])


@changed("values are added where they are to be put", "N/{}/float32-*", "N", "put_along_axis", F32)
def _put_adds(dtype, values, views, a):
    return np.where(values != views[0], values + views[0], values)


@changed("what no index names is 0", "N/{}", "N", "put_along_axis")
def _put_zero(dtype, values, views, a):
    return np.where(values == views[0], 0, values).astype(values.dtype)
