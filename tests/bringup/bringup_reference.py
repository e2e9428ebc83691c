# SPDX-License-Identifier: Apache-2.0
"""Convolution, pooling and attention written down plainly, in float64."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]
Values = list[int]


def _last(attributes: tuple[int, ...], k: int, n: int) -> Values:
    return list(attributes[3 * k : 3 * k + 3])[3 - n :]


def _windows(
    x: Array, shape: tuple[int, ...], window: Values, stride: Values, pad: Values, dilation: Values
) -> Iterator[tuple[tuple[int, ...], list[tuple[tuple[int, ...], tuple[int, ...]]]]]:
    """For each position: the taps inside x, as places in the window and in x."""
    for position in itertools.product(*map(range, shape)):
        inside = []
        for tap in itertools.product(*map(range, window)):
            place = tuple(
                p * s - b + t * d
                for p, s, b, t, d in zip(position, stride, pad, tap, dilation, strict=True)
            )
            if all(0 <= i < n for i, n in zip(place, x.shape[2:], strict=True)):
                inside.append((tap, place))
        yield position, inside


def convolution(x: Array, weight: Array, shape: tuple[int, ...], *attributes: int) -> Array:
    n, groups = x.ndim - 2, attributes[9]
    stride, pad, dilation = (_last(attributes, k, n) for k in range(3))
    out = np.zeros(shape)
    per_in, per_out = weight.shape[1], weight.shape[0] // groups
    for position, taps in _windows(x, shape[2:], list(weight.shape[2:]), stride, pad, dilation):
        for tap, place in taps:
            for g in range(groups):
                seen = x[(slice(None), slice(g * per_in, (g + 1) * per_in), *place)]
                rows = weight[(slice(g * per_out, (g + 1) * per_out), slice(None), *tap)]
                channels = slice(g * per_out, (g + 1) * per_out)
                out[(slice(None), channels, *position)] += seen @ rows.T
    return out


def max_pool(x: Array, shape: tuple[int, ...], *attributes: int) -> Array:
    n = x.ndim - 2
    window, stride, pad, dilation = (_last(attributes, k, n) for k in range(4))
    out = np.full(shape, -np.inf)
    for position, taps in _windows(x, shape[2:], window, stride, pad, dilation):
        for _, place in taps:
            at = (slice(None), slice(None), *position)
            out[at] = np.maximum(out[at], x[(slice(None), slice(None), *place)])
    return out


def avg_pool(x: Array, shape: tuple[int, ...], *attributes: int) -> Array:
    n, count_pad = x.ndim - 2, attributes[9]
    window, stride, pad = (_last(attributes, k, n) for k in range(3))
    out, ones = np.zeros(shape), [1] * n
    whole = np.zeros((1, 1, *(s + 2 * p for s, p in zip(x.shape[2:], pad, strict=True))))
    counts = {
        position: len(taps)
        for position, taps in _windows(whole, shape[2:], window, stride, [0] * n, ones)
    }
    for position, taps in _windows(x, shape[2:], window, stride, pad, ones):
        at = (slice(None), slice(None), *position)
        for _, place in taps:
            out[at] += x[(slice(None), slice(None), *place)]
        out[at] /= counts[position] if count_pad else len(taps)
    return out


def attention(
    query: Array, key: Array, value: Array, shape: tuple[int, ...], scale: float, causal: int
) -> Array:
    scores = query @ np.swapaxes(key, -1, -2) * scale
    if causal:
        rows, columns = np.indices(scores.shape[-2:])
        scores = np.where(columns > rows, -np.inf, scores)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    found = shares / shares.sum(-1, keepdims=True) @ value
    assert found.shape == shape
    return found


REFERENCES: dict[str, Callable[..., Array]] = {
    "convolution": convolution,
    "max_pool": max_pool,
    "avg_pool": avg_pool,
    "attention": attention,
}
