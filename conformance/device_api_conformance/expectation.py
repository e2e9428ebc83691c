# SPDX-License-Identifier: Apache-2.0
"""What a truth says of one result: exact values, a reference in units, or a bounded sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from device_api_conformance.formats import PARTS, Array, Host
from device_api_conformance.ulp import Reference


@dataclass
class Bounded:
    """Reference of sums, the sum of magnitudes and the number of terms of each."""

    reference: Reference
    magnitude: Array
    terms: int


@dataclass
class Expected:
    """The truth of one result of type `dtype` and shape `shape`.

    Complex results are described by their parts: `exact`, `reference` and masks then have a last
    axis for real and imaginary part.

    `payload`: NaNs must keep their bits. `zero_either`: where a zero may have either sign. `at`:
    numbers at which the unit in the last place is taken, where it is not the reference itself.
    `free`: where nothing is asked. `infinite`: complex elements of which some part must be
    infinite, whatever the other one is.
    """

    dtype: str
    shape: tuple[int, ...]
    exact: Host | None = None
    payload: bool = False
    zero_either: Array | None = None
    reference: Reference | None = None
    bounded: Bounded | None = None
    at: Array | None = None
    free: Array | None = None
    infinite: Array | None = None

    @property
    def real(self) -> str:
        """The type that is compared: that of the parts, where complex."""
        return PARTS.get(self.dtype, self.dtype)

    def resized(self, n: int) -> Expected:
        """The truth of one axis of `n` elements that repeat the ones of this truth."""

        def more(values: Array | None) -> Array | None:
            if values is None:
                return None
            return np.asarray(np.take(values, np.arange(n) % values.shape[0], axis=0))

        exact = None if self.exact is None else Host(self.exact.dtype, _all(more(self.exact.data)))
        reference = self.reference
        if reference is not None:
            reference = Reference(_all(more(reference.high)), _all(more(reference.low)))
        return replace(
            self, shape=(n,), exact=exact, reference=reference, at=more(self.at),
            zero_either=more(self.zero_either), free=more(self.free), infinite=more(self.infinite),
        )  # fmt: skip


def _all(values: Array | None) -> Array:
    assert values is not None
    return values


def exactly(dtype: str, data: Any, **kwargs: Any) -> Expected:
    """These very values, stored (the parts of complex ones on a last axis)."""
    values = np.asarray(data)
    shape = values.shape[:-1] if dtype in PARTS else values.shape
    return Expected(dtype, shape, Host(PARTS.get(dtype, dtype), values), **kwargs)


def within(dtype: str, found: Bounded) -> Expected:
    """A bounded sum."""
    shape = np.shape(found.reference.high)
    shape = shape[:-1] if dtype in PARTS else shape
    return Expected(dtype, shape, reference=found.reference, bounded=found)


def truths(data: Any) -> Expected:
    """Exact truth values."""
    return exactly("bool", np.asarray(data).astype(np.bool_))
