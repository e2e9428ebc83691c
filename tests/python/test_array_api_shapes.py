# SPDX-License-Identifier: Apache-2.0
"""Changing shapes and products by the array API standard 2025.12, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

CUBE = np.arange(24).reshape(2, 3, 4)
TYPES = ["bool", "int8", "uint64", "float32", "complex128"]


def same(found: xp.Tensor, expected: Any) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_repeat(device: str, dtype: str) -> None:
    host = (CUBE % 5).astype(dtype)
    x = xp.asarray(host)
    for axis in (None, 0, 1, -1):
        same(xp.repeat(x, 3, axis=axis), np.repeat(host, 3, axis=axis))
        same(xp.repeat(x, 0, axis=axis), np.repeat(host, 0, axis=axis))
    same(xp.repeat(x, xp.asarray([2, 0, 1]), axis=1), np.repeat(host, [2, 0, 1], axis=1))
    same(xp.repeat(x, xp.asarray([2]), axis=1), np.repeat(host, 2, axis=1))
    counts = np.arange(24) % 3
    same(xp.repeat(x, xp.asarray(counts)), np.repeat(host, counts))
    same(xp.repeat(xp.asarray(True), 2), [True, True])


def test_repeat_refuses(device: str) -> None:
    x = xp.arange(3)
    with pytest.raises(xp.InvalidArgumentError):
        xp.repeat(x, -1)
    with pytest.raises(xp.InvalidArgumentError):
        xp.repeat(x, xp.asarray([1, -1, 1]))
    with pytest.raises(xp.ShapeError):
        xp.repeat(x, xp.asarray([1, 2]))
    with pytest.raises(xp.DTypeError):
        xp.repeat(x, xp.asarray([1.0, 2.0, 1.0]))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "times", [(), (2,), (1, 2), (2, 1, 3), (0, 1, 1), (2, 1, 1, 1), (3, 0, 2, 2)]
)
def test_tile(device: str, dtype: str, times: tuple[int, ...]) -> None:
    host = (CUBE % 5).astype(dtype)
    same(xp.tile(xp.asarray(host), times), np.tile(host, times))


def test_tile_and_repeat_of_many_dimensions(device: str) -> None:
    host = np.arange(4).reshape((2,) + (1,) * 13 + (2,))
    same(xp.tile(xp.asarray(host), (2,) * 15)[(0,) * 13], np.tile(host, (2,) * 15)[(0,) * 13])
    same(xp.repeat(xp.asarray(host), 2, axis=14), np.repeat(host, 2, axis=14))


@pytest.mark.parametrize("dtype", TYPES)
def test_roll(device: str, dtype: str) -> None:
    host = (CUBE % 5).astype(dtype)
    x = xp.asarray(host)
    cases: list[tuple[Any, Any]] = [
        (1, None), (-30, None), (0, None), (5, 1), ((1, -2), (0, 2)), (2, (0, 1)),
        ((1, 1), (-1, -1)),
    ]  # fmt: skip
    for shift, axis in cases:
        same(xp.roll(x, shift, axis=axis), np.roll(host, shift, axis))
    same(xp.roll(xp.asarray(1), 3), 1)
    same(xp.roll(xp.zeros((0, 2)), 1, axis=0), np.zeros((0, 2)))


def test_moving_and_adding_axes(device: str) -> None:
    x = xp.asarray(CUBE)
    axes: list[tuple[Any, Any]] = [(0, 2), (-1, 0), ((0, 1), (2, 0)), ((), ())]
    for source, destination in axes:
        same(xp.moveaxis(x, source, destination), np.moveaxis(CUBE, source, destination))
    same(xp.permute_dims(x, (-1, 0, -2)), np.transpose(CUBE, (2, 0, 1)))
    new: list[Any] = [0, -1, 3, (0, 2), (-1, 0), (4, 1), ()]
    for axis in new:
        same(xp.expand_dims(x, axis), np.expand_dims(CUBE, axis))
    wrong: list[Any] = [4, -5, (0, 0), (5, 0)]
    for axis in wrong:
        with pytest.raises((IndexError, ValueError)):
            xp.expand_dims(x, axis)
    with pytest.raises(ValueError, match="1"):
        xp.squeeze(x, 0)


def test_stacking(device: str) -> None:
    x, y = xp.asarray(CUBE), xp.asarray(CUBE.astype(np.int32))
    for axis in (0, 1, 3, -1, -4):
        found = xp.stack((x, y), axis=axis)
        same(found, np.stack([CUBE, CUBE], axis=axis))
        assert found.dtype == xp.int64
    parts = xp.unstack(x, axis=1)
    assert isinstance(parts, tuple)
    for part, expected in zip(parts, np.moveaxis(CUBE, 1, 0), strict=True):
        same(part, expected)
    same(xp.concat((x, x), axis=None), np.concatenate([CUBE, CUBE], axis=None))
    with pytest.raises(xp.ShapeError):
        xp.stack([xp.ones(2), xp.ones(3)])


def test_broadcasting(device: str) -> None:
    assert xp.broadcast_shapes() == ()
    assert xp.broadcast_shapes((3, 1), (), (1, 4)) == (3, 4)
    assert xp.broadcast_shapes((0,), (1,)) == (0,)
    with pytest.raises(ValueError, match="broadcast"):
        xp.broadcast_shapes((2,), (3,))
    found = xp.broadcast_arrays(xp.ones((2, 1)), xp.zeros(3), xp.asarray(1))
    assert isinstance(found, tuple)
    assert [x.shape for x in found] == [(2, 3)] * 3


def test_meshgrid(device: str) -> None:
    hosts = [np.arange(3), np.arange(2), np.arange(4)]
    for count in range(4):
        for indexing in ("xy", "ij"):
            arrays = [xp.asarray(host) for host in hosts[:count]]
            found = xp.meshgrid(*arrays, indexing=indexing)
            assert isinstance(found, tuple)
            wanted = np.meshgrid(*hosts[:count], indexing=indexing)  # type: ignore[call-overload]
            for x, expected in zip(found, wanted, strict=True):
                same(x, expected)


# ---- products ----------------------------------------------------------------------------------

NUMBERS = ["int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]


def numbers(shape: tuple[int, ...], dtype: str) -> Any:
    generator = np.random.default_rng(len(shape))
    host = generator.integers(0, 4, shape)
    if dtype.startswith("complex"):
        return (host + 1j * generator.integers(0, 4, shape)).astype(dtype)
    return host.astype(dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize(
    "shapes",
    [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)),
     ((2, 3), (5, 3, 4)), ((5, 1, 2, 3), (4, 3, 2)), ((2, 0), (0, 3)), ((0, 3), (3, 2)),
     ((0,), (0,))],
    ids=str,
)  # fmt: skip
def test_matmul(device: str, dtype: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    a, b = (numbers(shape, dtype) for shape in shapes)
    found = xp.matmul(xp.asarray(a), xp.asarray(b))
    same(found, np.matmul(a, b))
    assert found.dtype.name == dtype
    same(xp.asarray(a) @ xp.asarray(b), np.matmul(a, b))


def test_matmul_refuses(device: str) -> None:
    for left, right in [((), (2,)), ((2,), ()), ((2,), (3,)), ((2, 3), (2, 3)), ((2, 3), (2,))]:
        with pytest.raises(xp.ShapeError):
            xp.matmul(xp.ones(left), xp.ones(right))


@pytest.mark.parametrize("dtype", NUMBERS)
def test_tensordot(device: str, dtype: str) -> None:
    a, b = numbers((2, 3, 4), dtype), numbers((3, 4, 2), dtype)
    x, y = xp.asarray(a), xp.asarray(b)
    cases: list[Any] = [0, ((), ()), ((1, 2), (0, 1)), ((0,), (-1,)), ((-1, 0), (1, 2)), 2]
    for axes in cases:
        same(xp.tensordot(x, y, axes=axes), np.tensordot(a, b, axes=axes))
    same(xp.tensordot(x, xp.asarray(a[0, 0]), axes=1), np.tensordot(a, a[0, 0], axes=1))
    with pytest.raises(xp.ShapeError):
        xp.tensordot(x, y, axes=1)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_vecdot(device: str, dtype: str) -> None:
    a, b = numbers((5, 1, 3), dtype), numbers((2, 3), dtype)
    found = xp.vecdot(xp.asarray(a), xp.asarray(b))
    same(found, np.vecdot(a, b))
    assert found.dtype.name == dtype
    across = np.moveaxis(a, -1, -2)
    same(xp.vecdot(xp.asarray(across), xp.asarray(b.T), axis=-2), np.vecdot(across, b.T, axis=-2))


REFUSED: list[Callable[[], Any]] = [
    lambda: xp.vecdot(xp.ones(2), xp.ones(3)),
    lambda: xp.vecdot(xp.ones((2, 3)), xp.ones(3), axis=-2),
    lambda: xp.vecdot(xp.ones(2), xp.ones(2), axis=0),
    lambda: xp.matrix_transpose(xp.ones(2)),
    lambda: xp.tensordot(xp.ones(2), xp.ones(2), axes=-1),
    lambda: xp.tensordot(xp.ones(2), xp.ones(2), axes=2),
    lambda: xp.tensordot(xp.ones((2, 2)), xp.ones((2, 2)), axes=((0, 0), (0, 1))),
    lambda: xp.tensordot(xp.ones((2, 2)), xp.ones((2, 2)), axes=((0,), (0, 1))),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_products_refuse(device: str, number: int) -> None:
    with pytest.raises((ValueError, IndexError)):
        REFUSED[number]()
