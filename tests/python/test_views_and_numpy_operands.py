# SPDX-License-Identifier: Apache-2.0
"""Shapes given in unusual ways, and operators between our arrays and NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import device_api as xp


def test_an_unknown_size_of_nothing(device: str) -> None:
    assert xp.reshape(xp.zeros((0, 3)), (-1,)).shape == (0,)
    assert xp.reshape(xp.zeros((0, 3)), (3, -1)).shape == (3, 0)
    with pytest.raises(xp.ShapeError):
        xp.reshape(xp.zeros((0, 3)), (-1, 0))


def test_expand_dims_by_a_list(device: str) -> None:
    x = xp.zeros((2, 3))
    assert xp.expand_dims(x, axis=[0, 1]).shape == (1, 1, 2, 3)
    with pytest.raises(TypeError):
        xp.expand_dims(x, axis=None)


def test_an_axis_number_beyond_32_bits_does_not_wrap(device: str) -> None:
    with pytest.raises(xp.OutOfRangeError):
        xp.permute_dims(xp.zeros((2, 3)), (2**32, 1))


def test_a_number_of_numpy_leaves_the_result_on_the_device(device: str) -> None:
    result = np.float32(0.5) * xp.ones((2,))
    assert isinstance(result, xp.Tensor)
    assert result.tolist() == [0.5, 0.5]


def test_arrays_of_numpy_are_no_silent_operands(device: str) -> None:
    with pytest.raises(TypeError):
        xp.ones((2,)) + np.ones((2,))


def test_a_malformed_dlpack_device(device: str) -> None:
    with pytest.raises(TypeError, match="pair"):
        xp.ones((2,)).__dlpack__(dl_device=1)
