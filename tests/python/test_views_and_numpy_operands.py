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


@pytest.mark.parametrize("dtype", [d.name for d in xp.dtypes.ALL if d.name != "bool"])
@pytest.mark.parametrize("sides", [(0, 1), (1, 0), (0, 0), (1, 1)])
def test_products_of_matrices_that_repeat(device: str, dtype: str, sides: tuple[int, int]) -> None:
    """A row or column broadcast to a matrix has stride 0, which no product routine takes."""
    m, k, n = 70, 65, 67
    rng = np.random.default_rng(3)

    def repeated(shape: tuple[int, int], axis: int) -> xp.Tensor:
        one = tuple(1 if i == axis else size for i, size in enumerate(shape))
        line = xp.astype(xp.asarray(rng.integers(0, 3, one).astype("float32")), dtype)
        return xp.broadcast_to(line, shape)

    a, b = repeated((m, k), sides[0]), repeated((k, n), sides[1])
    full_a, full_b = (xp.asarray(x, copy=True) for x in (a, b))
    expected = xp.matmul(full_a, full_b)
    for x, y in ((a, b), (a, full_b), (full_a, b)):
        assert bool(xp.all(xp.equal(xp.matmul(x, y), expected)))


def test_views_outside_the_memory_are_refused(cpu: str) -> None:
    from device_api import _core

    x = xp.ones((4, 4))
    for shape, strides, offset in (
        ((3, 2), (0, 2), 2**63 - 1),
        ((4, 3, 4), (2**60, 2**60, -(2**62)), 2),
        ((2**62, 2), (4, 1), 0),
        ((2,), (-1,), 0),
        ((17,), (1,), 0),
        ((1,), (1,), -1),
    ):
        with pytest.raises(IndexError, match="outside"):
            _core.as_strided(x, shape, strides, offset)


def test_assignment_does_not_move_between_devices() -> None:
    target = xp.zeros((3,), device="npu:0")
    source = xp.ones((3,), device="cpu")
    for key in (slice(None), xp.asarray([0, 1, 2], device="npu:0"), ...):
        with pytest.raises(xp.DeviceMismatchError, match="different devices"):
            target[key] = source
    assert target.tolist() == [0, 0, 0]
