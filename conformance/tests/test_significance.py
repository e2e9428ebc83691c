# SPDX-License-Identifier: Apache-2.0
"""Differences of times: found where there are some, not found in noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from device_api_conformance import significance


def samples(seed, scale=1.0, n=15):
    return list(scale * (1 + 0.02 * np.random.default_rng(seed).standard_gamma(2, n)))


def test_noise_is_no_change():
    """In 200 pairs from one distribution a rank test at 1 % may speak up a few times; both tests
    with a tolerance of 5 % never do."""
    found = [significance.compare(samples(k), samples(1000 + k), str(k)) for k in range(200)]
    assert sum(c.beyond(0.05) != 0 for c in found) == 0


@pytest.mark.parametrize(("scale", "direction"), [(1.2, 1), (1 / 1.2, -1)])
def test_a_fifth_is_seen(scale, direction):
    found = [significance.compare(samples(k), samples(k + 500, scale), "x") for k in range(50)]
    assert all(c.beyond(0.05) == direction for c in found)
    assert all(c.low <= scale * 1.02 and c.high >= scale * 0.98 for c in found)


def test_the_rank_test_is_that_of_scipy():
    rng = np.random.default_rng(1)
    for n, m, ties in ((7, 9, False), (20, 15, False), (12, 12, True)):
        a, b = rng.random(n) + 1, rng.random(m) + 1.2
        if ties:
            a, b = np.round(a, 1), np.round(b, 1)
        want = stats.mannwhitneyu(a, b, alternative="two-sided", method="asymptotic").pvalue
        assert significance.compare(list(a), list(b), "x").p == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("bad", [[1.0] * 4, [1, 2, 3, 4, 0.0], [1, 2, 3, 4, float("nan")]])
def test_too_little_or_no_times(bad):
    assert significance.compare([1.0, 2, 3, 4, 5], bad, "x") is None


def test_equal_samples():
    found = significance.compare([2.0] * 9, [2.0] * 9, "x")
    assert (found.ratio, found.p, found.beyond(0.0)) == (1.0, 1.0, 0)
