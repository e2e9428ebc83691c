# SPDX-License-Identifier: Apache-2.0
"""Sets of the elements of an array (Python array API standard 2025.12).

Unique elements come in ascending order (complex ones by real, then imaginary part). Each NaN is an
element of its own, at the end; zeros of both signs are one, the first of them. The shapes depend
on the data, so these functions wait for the device.
"""

from __future__ import annotations

from typing import NamedTuple

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.indexing import nonzero
from device_api.sorting import lexical_order, searchsorted, sort


class UniqueAll(NamedTuple):
    """Unique values, the index of each one's first place, indices that rebuild x, and counts."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """Unique values and how often each occurs."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """Unique values and the indices into them that rebuild x."""

    values: Tensor
    inverse_indices: Tensor


class _Groups:
    """The elements of an array in order, with the places where a new value begins.

    ``order``, the indices that put them in order, is left out where only the values count.
    """

    def __init__(self, x: Tensor, *, only_values: bool = False) -> None:
        if not isinstance(x, Tensor):
            raise errors.not_an_array(x, "unique")
        self.shape, self.size = x.shape, x.size
        self.flat = _core.reshape(x, (x.size,))
        if only_values and x.dtype.kind != "c":
            self.sorted = sort(self.flat)
        else:
            self.order = lexical_order(self.flat)
            self.sorted = _core.take_along_axis(self.flat, self.order, 0)
        first = _core.full((min(1, x.size),), True, dtypes.bool_, x.device)
        changes = _core.not_equal(self.sorted[1:], self.sorted[:-1])
        self.begins = _core.concat([first, changes], 0)
        (self.starts,) = nonzero(self.begins)

    def values(self) -> Tensor:
        return _core.take_along_axis(self.sorted, self.starts, 0)

    def indices(self) -> Tensor:
        return _core.take_along_axis(self.order, self.starts, 0)

    def counts(self) -> Tensor:
        end = _core.full((1,), self.size, dtypes.int64, self.flat.device)
        edges = _core.concat([self.starts, end], 0)
        return _core.subtract(edges[1:], edges[:-1])

    def inverse(self) -> Tensor:
        """Return the number of each element's group, at the place where the element stands."""
        if self.size == 0:
            return _core.empty(self.shape, dtypes.int64, self.flat.device)
        number = _core.astype(self.begins, dtypes.int64)
        number = _core.apply("cumsum", [number], attributes=(0,))
        number = _core.subtract(number, 1)
        placed = _core.apply("put_along_axis", [number, self.order, number], attributes=(0,))
        return _core.reshape(placed, self.shape)


def unique_all(x: Tensor, /) -> UniqueAll:
    """Return unique values, first indices, inverse indices and counts of x, flattened."""
    groups = _Groups(x)
    return UniqueAll(groups.values(), groups.indices(), groups.inverse(), groups.counts())


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """Return unique values and their counts of x, flattened."""
    groups = _Groups(x, only_values=True)
    return UniqueCounts(groups.values(), groups.counts())


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """Return unique values of x, flattened, and the indices into them that rebuild x."""
    groups = _Groups(x)
    return UniqueInverse(groups.values(), groups.inverse())


def unique_values(x: Tensor, /) -> Tensor:
    """Return the unique values of x, flattened."""
    return _Groups(x, only_values=True).values()


def isin(x1: Tensor | int, x2: Tensor | int, /, *, invert: bool = False) -> Tensor:
    """Return whether each element of x1 is in x2 (not in it with ``invert``), bool.

    One operand may be a Python scalar. NaN is in nothing. Types are promoted together.
    """
    like = x1 if isinstance(x1, Tensor) else x2
    if not isinstance(like, Tensor):
        raise errors.InvalidArgumentError("isin: one operand must be an array", "use asarray")
    common = dtypes.result_type(x1, x2)
    elements, members = (_array(x, common, like) for x in (x1, x2))
    flat = _core.reshape(elements, (elements.size,))
    pool = _core.reshape(members, (members.size,))
    if flat.size == 0 or pool.size == 0:
        found = _core.full(flat.shape, False, dtypes.bool_, like.device)
    else:
        found = _among(flat, pool)
    found = _core.reshape(found, elements.shape)
    return _core.logical_not(found) if invert else found


def _array(x: Tensor | int, dtype: dtypes.DType, like: Tensor) -> Tensor:
    if isinstance(x, Tensor):
        return _core.astype(x, dtype, False)
    return _core.full((), x, dtype, like.device)


def _among(flat: Tensor, pool: Tensor) -> Tensor:
    """Tell for each element of a rank-1 array whether it is in another."""
    if flat.dtype.kind == "c":
        groups = _Groups(_core.concat([flat, pool], 0))
        number = groups.inverse()
        marks = _core.full(groups.starts.shape, False, dtypes.bool_, flat.device)
        inside = _core.full(pool.shape, True, dtypes.bool_, flat.device)
        marks = _core.apply("put_along_axis", [marks, number[flat.size :], inside], attributes=(0,))
        return _core.take_along_axis(marks, number[: flat.size], 0)
    ordered = sort(pool)
    place = _core.minimum(searchsorted(ordered, flat), pool.size - 1)
    return _core.equal(_core.take_along_axis(ordered, place, 0), flat)
