# SPDX-License-Identifier: Apache-2.0
"""Sorting by a network of comparisons, search, and writing at indices.

The network sorts pairs of a key and a rank that no two elements share: the position, so that equal
keys keep their order, plus a tier. Missing elements, which fill up the length to a power of two,
are of the last tier; NaN counts as the largest number, and has the tier next to infinity.
"""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

_SORT = (
    "less:number equal:number where:number logical_and logical_not where:bool less:int64 "
    "equal:int64 where:int64 add:int64 neg:int64 iota:int64 copy:int64"
)
_TAKE = "take_along_axis"


def _comparable(x: Tensor) -> Tensor:
    return _core.astype(x, w.INT32) if x.dtype == w.BOOL else x


def _last(keys: Tensor, descending: bool) -> float:
    """Return a key behind which none comes."""
    name = keys.dtype.name
    if w.is_float(keys):
        return -w.INF if descending else w.INF
    bits = keys.dtype.itemsize * 8
    if name.startswith("u"):
        return 0 if descending else (1 << bits) - 1
    top = 1 << (bits - 1)
    return -top if descending else top - 1


def _pairs(x: Tensor, descending: bool) -> tuple[Tensor, Tensor]:
    """Return keys and ranks of rank 2, (rows, power of two), sorted along the last axis."""
    keys, n = _comparable(x), x.shape[-1]
    size = 1 << (n - 1).bit_length()
    ranks = _core.broadcast_to(w.steps(n, x), keys.shape)
    if w.is_float(keys):
        wrong = w.is_nan(keys)
        of_nan, of_others = (0, size) if descending else (size, 0)
        tier = w.where(wrong, w.like(ranks, of_nan), w.like(ranks, of_others))
        keys = w.where(wrong, w.like(keys, w.INF), keys)
        ranks = w.add(ranks, tier)
    if size > n:
        rows = keys.shape[0]
        fill = _core.full((rows, size - n), _last(keys, descending), keys.dtype, x.device)
        rest = _core.iota(size - n, 2 * size + n, 1, w.INT64, x.device)
        keys = _core.concat([keys, fill], 1)
        ranks = _core.concat([ranks, _core.broadcast_to(rest, (rows, size - n))], 1)
    return keys, ranks


def _before(a: Tensor, b: Tensor, ranks: tuple[Tensor, Tensor], descending: bool) -> Tensor:
    """Return whether the pair of b comes before that of a."""
    smaller = w.less(a, b) if descending else w.less(b, a)
    tie = w.both(w.equal(a, b), w.less(ranks[1], ranks[0]))
    return w.either(smaller, tie)


def _exchange(
    keys: Tensor, ranks: Tensor, block: int, mirrored: bool, descending: bool
) -> tuple[Tensor, Tensor]:
    """Compare each element of a block's first half with one of its second, and order both."""
    rows, size = keys.shape
    parted = (rows, size // block, 2, block // 2)
    sides = []
    for x in (keys, ranks):
        view = _core.reshape(x, parted)
        second = view[:, :, 1]
        sides.append((view[:, :, 0], _core.flip(second, -1) if mirrored else second))
    (key1, key2), (rank1, rank2) = sides
    swap = _before(key1, key2, (rank1, rank2), descending)
    ordered = []
    for a, b in sides:
        low, high = w.where(swap, b, a), w.where(swap, a, b)
        high = _core.flip(high, -1) if mirrored else high
        pair = [_core.expand_dims(low, 2), _core.expand_dims(high, 2)]
        ordered.append(_core.reshape(_core.concat(pair, 2), (rows, size)))
    return ordered[0], ordered[1]


def order(x: Tensor, axis: int, descending: bool) -> Tensor:
    """Return the indices that sort x along an axis, stably."""
    axes = [k for k in range(x.ndim) if k != axis] + [axis]
    moved = _core.permute_dims(x, axes)
    n = x.shape[axis]
    keys, ranks = _pairs(_core.reshape(moved, (x.size // n, n)), descending)
    size = keys.shape[1]
    run = 2
    while run <= size:
        keys, ranks = _exchange(keys, ranks, run, True, descending)
        block = run // 2
        while block > 1:
            keys, ranks = _exchange(keys, ranks, block, False, descending)
            block //= 2
        run *= 2
    ranks = ranks[:, :n]
    tiered = w.less(w.like(ranks, size - 1), ranks)
    ranks = w.where(tiered, w.add(ranks, -size), ranks)
    back = [0] * x.ndim
    for k, source in enumerate(axes):
        back[source] = k
    return _core.permute_dims(_core.reshape(ranks, moved.shape), back)


@composes("argsort", uses=_SORT)
def argsort(x: Tensor, axis: int, descending: int) -> Tensor:
    """Return the indices in order."""
    return order(x, axis, bool(descending))


@composes("sort", uses=f"{_SORT} {_TAKE}")
def sort(x: Tensor, axis: int, descending: int) -> Tensor:
    """Return the elements in order."""
    return _core.take_along_axis(x, order(x, axis, bool(descending)), axis)


@composes("topk", uses=_SORT, shaped=True)
def topk(x: Tensor, axis: int, smallest: int, *, shape: tuple[int, ...]) -> Tensor:
    """Return the first indices in order."""
    best = order(x, axis, not smallest)
    return best[(slice(None),) * axis + (slice(None, shape[axis]),)]


def _below(a: Tensor, b: Tensor) -> Tensor:
    """Return whether a is less than b, NaN being the largest."""
    if not w.is_float(a):
        return w.less(a, b)
    return w.either(w.less(a, b), w.both(w.equal(a, a), w.is_nan(b)))


@composes("searchsorted", uses=f"{_SORT} {_TAKE}:number")
def searchsorted(x: Tensor, values: Tensor, right: int) -> Tensor:
    """Return the insertion points, by steps of halving length."""
    keys = _comparable(x)
    wanted = _core.reshape(_comparable(values), (values.size,))
    n = x.shape[0]
    found = _core.full(wanted.shape, 0, w.INT64, x.device)
    step = 1 << (n.bit_length() - 1)
    while step:
        next_ = w.add(found, step)
        inside = w.less(next_, n + 1)
        at = w.where(inside, w.add(next_, -1), w.like(next_, 0))
        key = _core.take_along_axis(keys, at, 0)
        further = w.no(_below(wanted, key)) if right else _below(key, wanted)
        found = w.where(w.both(inside, further), next_, found)
        step //= 2
    return _core.reshape(found, values.shape)


@composes(
    "put_along_axis",
    uses=f"where {_TAKE} argsort:int64 {_TAKE}:int64 index_accumulate:int64 equal:int64 add:int64 "
    "where:int64 logical_not less:int64 cast:int64",
    complex_uses=f"where {_TAKE} argsort:int64 {_TAKE}:int64 index_accumulate:int64 equal:int64 "
    "add:int64 where:int64 logical_not less:int64 cast:int64",
)
def put_along_axis(x: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Find for each place the last update, by sorting the indices, and take that."""
    where = _core.astype(indices, w.INT64, False)
    turn = _core.apply("argsort", [where], dtype=w.INT64, attributes=(axis, 0))
    ordered = _core.take_along_axis(where, turn, axis)
    before = (slice(None),) * axis
    n = where.shape[axis]
    ends = w.no(w.equal(ordered[(*before, slice(None, n - 1))], ordered[(*before, slice(1, None))]))
    last_shape = [*where.shape]
    last_shape[axis] = 1
    ends = _core.concat([ends, _core.full(last_shape, True, w.BOOL, x.device)], axis)
    numbers = w.where(ends, w.add(turn, 1), w.like(turn, 0))
    place = _core.full(x.shape, 0, w.INT64, x.device)
    place = _core.index_accumulate(place, ordered, numbers, axis)
    written = w.less(w.like(place, 0), place)
    source = w.where(written, w.add(place, -1), w.like(place, 0))
    return w.where(written, _core.take_along_axis(updates, source, axis), x)
