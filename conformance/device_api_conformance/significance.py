# SPDX-License-Identifier: Apache-2.0
"""Are two sets of times different? Ratio of medians with a bootstrap interval, and a rank test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from device_api_conformance.formats import Array
from device_api_conformance.seeds import generator

RESAMPLES = 2000
LEAST = 5
"""Fewer samples on one side tell nothing."""
TAIL = 10
"""Samples beyond a quantile that tell something of it."""
TAIL_RESAMPLES = 1000


@dataclass(frozen=True)
class Change:
    """A quantile of the second set by that of the first, its 95 % interval, and a test's p."""

    ratio: float
    low: float
    high: float
    p: float

    def beyond(self, tolerance: float) -> int:
        """1 larger by more than `tolerance` (0.05 is five percent), -1 smaller, 0 neither.

        Both the interval and the test (at 1 %) have to say so.
        """
        if self.p >= 0.01:
            return 0
        return int(self.low > 1 + tolerance) - int(self.high < 1 / (1 + tolerance))


def compare(first: list[float], second: list[float], name: str) -> Change | None:
    """The change from one set of positive samples to another; None when there are too few.

    The bootstrap (percentile method, Efron 1979) draws from a generator keyed by `name`, so the
    answer is always the same. The rank test is the two-sided Mann-Whitney U test with the normal
    approximation and the correction for ties.
    """
    if min(len(first), len(second)) < LEAST:
        return None
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if not (np.isfinite(a).all() and np.isfinite(b).all() and a.min() > 0 and b.min() > 0):
        return None
    rng = generator(name, 0, "bootstrap")
    ratios = _medians(b, rng) / _medians(a, rng)
    low, high = np.quantile(ratios, [0.025, 0.975])
    return Change(float(np.median(b) / np.median(a)), float(low), float(high), _rank_test(a, b))


def compare_tail(first: list[float], second: list[float], q: float, name: str) -> Change | None:
    """The change of the quantile `q`; None when one side has fewer than ten samples beyond it.

    The interval and p are of the same bootstrap: p is twice the smaller share of resampled ratios
    on one side of 1.
    """
    if min(len(first), len(second)) * (1 - q) < TAIL:
        return None
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if not (np.isfinite(a).all() and np.isfinite(b).all() and a.min() > 0 and b.min() > 0):
        return None
    rng = generator(name, 0, "bootstrap")
    ratios = _resampled(b, rng, q) / _resampled(a, rng, q)
    low, high = np.quantile(ratios, [0.025, 0.975])
    p = 2 * min(float(np.mean(ratios <= 1)), float(np.mean(ratios >= 1)))
    ratio = float(np.quantile(b, q) / np.quantile(a, q))
    return Change(ratio, float(low), float(high), min(p, 1.0))


def _resampled(samples: Array, rng: np.random.Generator, q: float) -> Array:
    found: Array = np.array([
        np.quantile(rng.choice(samples, len(samples)), q) for _ in range(TAIL_RESAMPLES)
    ])  # fmt: skip
    return found


def _medians(samples: Array, rng: np.random.Generator) -> Array:
    drawn = rng.integers(0, len(samples), size=(RESAMPLES, len(samples)))
    medians: Array = np.median(samples[drawn], axis=1)
    return medians


def _rank_test(a: Array, b: Array) -> float:
    both = np.concatenate([a, b])
    values, inverse, counts = np.unique(both, return_inverse=True, return_counts=True)
    if len(values) == 1:
        return 1.0
    upper = np.cumsum(counts)
    ranks = (upper - (counts - 1) / 2)[inverse]
    n, m = len(a), len(b)
    u = ranks[:n].sum() - n * (n + 1) / 2
    total = n + m
    ties = float((counts.astype(float) ** 3 - counts).sum()) / (total * (total - 1))
    spread = math.sqrt(n * m / 12 * (total + 1 - ties))
    distance = max(abs(u - n * m / 2) - 0.5, 0.0)
    return math.erfc(distance / spread / math.sqrt(2))
