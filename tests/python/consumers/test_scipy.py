# SPDX-License-Identifier: Apache-2.0
"""SciPy functions that support the array API (SCIPY_ARRAY_API=1), unchanged, on every device."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.cluster
import scipy.fft
import scipy.integrate
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.special
import scipy.stats
from scipy.spatial.transform import Rotation

import device_api as xp

assert os.environ["SCIPY_ARRAY_API"] == "1"  # set by tests/python/conftest.py

X = np.random.default_rng(5).normal(1.0, 0.3, (12, 4))
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "cluster.whiten": lambda n, x: scipy.cluster.vq.whiten(x),
    "fft.fft": lambda n, x: scipy.fft.fft(x, axis=0),
    "fft.irfft": lambda n, x: scipy.fft.irfft(scipy.fft.rfft(x, axis=0), axis=0),
    "fft.fht": lambda n, x: scipy.fft.fht(x, 0.1, 0.0),
    "integrate.cubature": lambda n, x: (
        scipy.integrate.cubature(
            lambda z: n.sum(z**2, axis=-1), n.asarray([0.0, 0.0]), x[0, :2]
        ).estimate
    ),
    "integrate.tanhsinh": lambda n, x: (
        scipy.integrate.tanhsinh(lambda z: z**2, 0 * x[:, 0], x[:, 0]).integral
    ),
    "ndimage.gaussian_filter": lambda n, x: scipy.ndimage.gaussian_filter(x, 1.0),
    "optimize.rosen": lambda n, x: scipy.optimize.rosen(x),
    "signal.detrend": lambda n, x: scipy.signal.detrend(x, axis=0),
    "signal.hilbert": lambda n, x: n.abs(scipy.signal.hilbert(x, axis=0)),
    "spatial.Rotation": lambda n, x: Rotation.from_quat(x).as_matrix(),
    "special.expit": lambda n, x: scipy.special.expit(x),
    "special.logsumexp": lambda n, x: scipy.special.logsumexp(x, axis=1),
    "special.softmax": lambda n, x: scipy.special.softmax(x, axis=1),
    "special.log_softmax": lambda n, x: scipy.special.log_softmax(x, axis=1),
    "special.xlogy": lambda n, x: scipy.special.xlogy(x, x),
    "stats.entropy": lambda n, x: scipy.stats.entropy(x),
    "stats.gmean": lambda n, x: scipy.stats.gmean(x),
    "stats.kurtosis": lambda n, x: scipy.stats.kurtosis(x),
    "stats.moment": lambda n, x: scipy.stats.moment(x, 3),
    "stats.pearsonr": lambda n, x: scipy.stats.pearsonr(x[:, 0], x[:, 1]).statistic,
    "stats.skew": lambda n, x: scipy.stats.skew(x),
    "stats.ttest_ind": lambda n, x: scipy.stats.ttest_ind(x, x[::-1] * 1.1).pvalue,
    "stats.zscore": lambda n, x: scipy.stats.zscore(x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_scipy(device: str, same: Any, name: str) -> None:
    same(FUNCTIONS[name](xp, xp.asarray(X)), FUNCTIONS[name](np, X), rtol=1e-9, atol=1e-12)
