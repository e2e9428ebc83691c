# SPDX-License-Identifier: Apache-2.0
"""Operands on the device for tests of operators, and the comparison of results."""

import numpy as np


class Out:
    """An output on the device."""

    def __init__(self, cann, shape, dtype="float32"):
        self.cann, self.shape, self.dtype = cann, shape, np.dtype(dtype)
        self.address = cann.malloc(max(int(np.prod(shape)) * self.dtype.itemsize, 1))
        self.tensor = cann.tensor(self.address, shape, self.dtype)

    def read(self) -> np.ndarray:
        return self.cann.to_host(self.address, self.shape, self.dtype)


def strided(cann, array):
    """An aclTensor on every second element of a larger, transposed buffer."""
    big = np.zeros((*array.shape[::-1][:-1], 2 * array.shape[0]), array.dtype)
    big[..., ::2] = array.T
    p = cann.to_device(big)
    strides = [s // array.itemsize for s in big[..., ::2].T.strides]
    return cann.tensor(p, array.shape, array.dtype, strides, storage=big.size)


def check(actual, expected, tolerance=2e-6):
    np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=tolerance)
