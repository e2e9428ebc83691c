# SPDX-License-Identifier: Apache-2.0
"""Attention, as ``scaled_dot_product_attention`` of paddle.nn.functional 3.3."""

from __future__ import annotations

import math

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.nn.functional._arrays import apply, cast, check_floating, common_type, wide
from device_api.nn.functional.common import dropout


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
    name: str | None = None,
) -> Tensor:
    """Return ``softmax(query key^T * scale + mask) value`` per head.

    query: (batch, L, heads, D) or (L, heads, D); key: (batch, S, heads, D); value: (batch, S,
    heads, E); the result: (batch, L, heads, E). Floating, computed in float32 at least.
    ``attn_mask`` broadcasts to (batch, heads, L, S): bool, true where a key takes part, or
    floating, added to the scores. ``is_causal``: query i sees the keys up to i; a mask is then
    ignored, as in Paddle. A query that sees no key at all gives NaN, as in Paddle; without keys
    (S = 0) the result is 0. ``dropout_p`` drops weights in training. ``scale``: 1 / sqrt(D) by
    default. ``enable_gqa``: key and value may have fewer heads, a divisor of query's.
    ShapeError where sizes do not fit; NotSupportedError for a ``backend``.
    """
    if backend is not None:
        raise errors.NotSupportedError(
            f"scaled_dot_product_attention: backend {backend!r} is not there", "give None"
        )
    check_floating("scaled_dot_product_attention", query, key, value)
    batched = query.ndim == 4
    if not batched:
        query, key, value = (_core.expand_dims(x, 0) for x in (query, key, value))
    _check_shapes(query, key, value, enable_gqa)
    kind = query.dtype
    work = common_type(query, key, value)
    q, k, v = (_by_head(cast(x, work), key.shape[2]) for x in (query, key, value))
    factor = 1 / math.sqrt(max(query.shape[3], 1)) if scale is None else float(scale)
    mask = None if is_causal or attn_mask is None else _mask(attn_mask, q, k)
    shape = (*q.shape[:-1], v.shape[-1])
    if math.prod(shape) == 0 or k.shape[-2] == 0:
        y = _core.full(shape, 0, work, query.device)
    elif mask is None and (dropout_p == 0 or not training):
        lead = q.shape[:-2]
        k, v = (_core.broadcast_to(x, (*lead, *x.shape[-2:])) for x in (k, v))
        y = apply("attention", [q, k, v], [factor, int(is_causal)], shape)
    else:
        drop = dropout_p if training else 0.0
        y = cast(_composed(wide(q), wide(k), wide(v), factor, mask, is_causal, drop), work)
    heads = _core.reshape(y, (query.shape[0], query.shape[2], *shape[-2:]))
    result = cast(_core.permute_dims(heads, (0, 2, 1, 3)), kind)
    return result if batched else _core.squeeze(result, 0)


def _check_shapes(query: Tensor, key: Tensor, value: Tensor, enable_gqa: bool) -> None:
    shapes = [x.shape for x in (query, key, value)]
    fits = (
        all(len(s) == 4 for s in shapes)
        and shapes[0][0] == shapes[1][0] == shapes[2][0]
        and shapes[1][1:3] == shapes[2][1:3]
        and shapes[0][3] == shapes[1][3]
    )
    if fits:
        q_heads, k_heads = shapes[0][2], shapes[1][2]
        fits = q_heads == k_heads or (enable_gqa and k_heads > 0 and q_heads % k_heads == 0)
    if not fits:
        raise errors.ShapeError(
            f"scaled_dot_product_attention: query {shapes[0]}, key {shapes[1]}, value {shapes[2]}",
            "give (batch, L, heads, D), (batch, S, heads, D) and (batch, S, heads, E), where key's "
            "heads equal query's or, with enable_gqa, divide them",
        )


def _by_head(x: Tensor, key_heads: int) -> Tensor:
    """Return (batch, length, heads, D) as (batch, key heads, query heads of each, length, D)."""
    batch, length, heads, size = x.shape
    groups = heads // key_heads if key_heads else 1
    split = _core.reshape(x, (batch, length, key_heads, groups, size))
    return _core.permute_dims(split, (0, 2, 3, 1, 4))


def _mask(mask: Tensor, q: Tensor, k: Tensor) -> Tensor:
    """Return the mask broadcast to (batch, key heads, groups, L, S)."""
    batch, key_heads, groups, rows, _ = q.shape
    columns = k.shape[-2]
    if mask.dtype.kind not in "bf":
        raise errors.DTypeError(
            f"scaled_dot_product_attention: a mask of {mask.dtype.name}", "give bool or floating"
        )
    spread = _core.broadcast_to(mask, (batch, key_heads * groups, rows, columns))
    return _core.reshape(spread, (batch, key_heads, groups, rows, columns))


def _composed(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    scale: float,
    mask: Tensor | None,
    is_causal: bool,
    drop: float,
) -> Tensor:
    """Return the attention step by step, for what the fused op has no operand for."""
    scores = _core.multiply(_core.matmul(q, _core.permute_dims(k, (0, 1, 2, 4, 3))), scale)
    if is_causal:
        rows = _core.expand_dims(_core.iota(q.shape[-2], 0, 1, dtypes.int64, q.device), 1)
        columns = _core.iota(k.shape[-2], 0, 1, dtypes.int64, q.device)
        mask = _core.broadcast_to(_core.less_equal(columns, rows), scores.shape)
    if mask is not None and mask.dtype.kind == "b":
        least = _core.full((), -math.inf, scores.dtype, q.device)
        scores = _core.where(mask, scores, least)
    elif mask is not None:
        scores = _core.add(scores, cast(mask, scores.dtype))
    weights = apply("softmax", [scores], [scores.ndim - 1])
    return _core.matmul(dropout(weights, drop) if drop else weights, v)
