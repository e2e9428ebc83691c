# SPDX-License-Identifier: Apache-2.0
"""Structured ops of the fake device in NumPy: sorting, windows, normalisation, attention."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def argsort(x: Array, axis: int, down: bool) -> Array:
    """A stable order, NaN largest."""
    if not down:
        return np.argsort(x, axis=axis, kind="stable")
    back = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - back, axis)


def first(x: Array, axis: int, largest: bool) -> Array:
    """Index of the first extreme element; the first NaN wins."""
    return np.argmax(x, axis=axis) if largest else np.argmin(x, axis=axis)


def put(x: Array, index: Array, updates: Array, axis: int) -> Array:
    """One after the other."""
    found = x.copy()
    for at in np.ndindex(index.shape):
        found[(*at[:axis], int(index[at]), *at[axis + 1 :])] = updates[at]
    return found


def _triple(a: dict, name: str, n: int) -> tuple[int, ...]:
    return tuple(a.get(f"{name}_{axis}", 1) for axis in "dhw")[3 - n :]


def _windows(x: Array, a: dict, window: tuple[int, ...], value: float):
    """For each element of the window: its place and the elements of x at all positions."""
    n = len(window)
    stride, pad, dilation = (_triple(a, k, n) for k in ("stride", "pad", "dilation"))
    out = a["shape"][2:]
    after = [max((o - 1) * s + (w - 1) * d + 1 - size - p, 0) for o, s, w, d, size, p in
             zip(out, stride, window, dilation, x.shape[2:], pad, strict=True)]  # fmt: skip
    padded = np.pad(x, [(0, 0), (0, 0), *zip(pad, after, strict=True)], constant_values=value)
    for place in np.ndindex(window):
        keys = [slice(k * d, k * d + (o - 1) * s + 1, s) for k, d, o, s in
                zip(place, dilation, out, stride, strict=True)]  # fmt: skip
        yield place, padded[(slice(None), slice(None), *keys)]


def convolution(x: Array, weight: Array, a: dict) -> Array:
    """Sum over the window of products over the channels of each group."""
    found = np.zeros(a["shape"], dtype=x.dtype)
    if not found.size:
        return found
    groups, per = a["groups"], weight.shape[0] // a["groups"]
    channels = weight.shape[1]
    for place, seen in _windows(x, a, weight.shape[2:], 0.0):
        for g in range(groups):
            w = weight[(slice(g * per, (g + 1) * per), slice(None), *place)]
            part = np.moveaxis(seen[:, g * channels : (g + 1) * channels], 1, -1) @ w.T
            found[:, g * per : (g + 1) * per] += np.moveaxis(part, -1, 1)
    return found


def _window(x: Array, a: dict) -> tuple[int, ...]:
    return _triple(a, "window", x.ndim - 2)


def max_pool(x: Array, a: dict) -> Array:
    """Maximum over the window."""
    found = np.full(a["shape"], -np.inf, dtype=x.dtype)
    if found.size:
        for _, seen in _windows(x, a, _window(x, a), -np.inf):
            found = np.maximum(found, seen)
    return found


def avg_pool(x: Array, a: dict) -> Array:
    """Sum over the window over what counts."""
    found = np.zeros(a["shape"], dtype=x.dtype)
    if not found.size:
        return found
    count = np.zeros_like(found)
    pad = _triple(a, "pad", x.ndim - 2)
    inside = np.ones_like(x)
    shifted = dict(a)
    if a["count_pad"]:
        inside = np.pad(inside, [(0, 0), (0, 0), *((p, p) for p in pad)], constant_values=1)
        shifted |= {f"pad_{axis}": 0 for axis in "dhw"}
    for _, seen in _windows(x, a, _window(x, a), 0.0):
        found = found + seen
    for _, seen in _windows(inside, shifted, _window(x, a), 0.0):
        count = count + seen
    return found / count


def softmax(x: Array, axis: int, logarithm: bool) -> Array:
    """Exponentials over their sum, or the logarithm of that."""
    if not x.size:
        return x
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    total = np.sum(e, axis=axis, keepdims=True)
    return shifted - np.log(total) if logarithm else e / total


def norm(x: Array, weight: Array, bias: Array | None, epsilon: float) -> Array:
    """layer_norm with a bias, rms_norm without."""
    if not x.size:
        return x
    centred = x - np.mean(x, axis=-1, keepdims=True) if bias is not None else x
    scale = np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + x.dtype.type(epsilon))
    return centred / scale * weight + (0 if bias is None else bias)


def attention(query: Array, key: Array, value: Array, a: dict) -> Array:
    """Softmax of scaled scores, times the values."""
    scores = query @ np.swapaxes(key, -1, -2) * query.dtype.type(a["scale"])
    if a["causal"]:
        above = np.arange(scores.shape[-1]) > np.arange(scores.shape[-2])[:, None]
        scores = np.where(above, -np.inf, scores)
    return softmax(scores, -1, False) @ value
