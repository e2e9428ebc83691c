# SPDX-License-Identifier: Apache-2.0
"""Indexing with arrays, lists and masks agrees with NumPy's, for reading and for writing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import device_api as xp

HOST = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
MASK = np.random.default_rng(1).integers(0, 2, (2, 3, 4)).astype(bool)
ROWS = np.array([1, 0, -1])

KEYS: dict[str, Any] = {
    "list": ([1, 0, 1],),
    "array": (ROWS,),
    "grid": (np.array([[0, 1], [1, 1]]),),
    "negative": ([-1],),
    "empty list": ([],),
    "second axis": (slice(None), [2, 0]),
    "last axis": (Ellipsis, [3, -4, 0]),
    "two side by side": (slice(None), [0, 2], [1, 3]),
    "two apart": ([0, 1], slice(None), [1, 3]),
    "broadcast": (np.array([[0], [1]]), [0, 2]),
    "with an integer": ([0, 1], 2),
    "integer apart": (0, slice(None), [1, 2]),
    "with a slice": ([1], slice(None, None, 2)),
    "with newaxis": (None, [1, 0]),
    "newaxis between": ([1, 0], None, [2, 1]),
    "uint8": (np.array([1, 0], np.uint8),),
    "mask": (MASK,),
    "mask of two axes": (MASK[..., 0],),
    "mask of one axis": (np.array([True, False]),),
    "mask after slice": (slice(None), np.array([True, False, True])),
    "mask and integer": (np.array([True, False]), 1),
    "mask of nothing": (np.zeros((2, 3, 4), bool),),
}


def key_of(name: str) -> Any:
    key = KEYS[name]
    return key[0] if len(key) == 1 else key


@pytest.mark.parametrize("name", list(KEYS))
def test_reading(device: str, name: str) -> None:
    key = key_of(name)
    result = xp.asarray(HOST)[key]
    assert result.shape == HOST[key].shape
    np.testing.assert_array_equal(result.numpy(), HOST[key])


@pytest.mark.parametrize("name", list(KEYS))
def test_reading_a_view(device: str, name: str) -> None:
    key = key_of(name)
    wide = np.zeros((2, 3, 8), np.float32)
    wide[..., ::2] = HOST
    np.testing.assert_array_equal(xp.asarray(wide)[..., ::2][key].numpy(), HOST[key])


@pytest.mark.parametrize("name", list(KEYS))
def test_writing_a_scalar_and_an_array(device: str, name: str) -> None:
    key = key_of(name)
    expected, x = HOST.copy(), xp.asarray(HOST)
    expected[key] = -1.5
    x[key] = -1.5
    np.testing.assert_array_equal(x.numpy(), expected)
    values = np.random.default_rng(2).normal(size=HOST[key].shape).astype(np.float32)
    expected[key] = values
    x[key] = xp.asarray(values)
    np.testing.assert_array_equal(x.numpy(), expected)


def random_part(generator: np.random.Generator, size: int) -> Any:
    """Return an index of some kind for an axis of this size."""
    choices: list[Any] = [
        int(generator.integers(-size, size)),
        slice(None),
        slice(int(generator.integers(-size, size)), None, int(generator.choice([1, 2, -1]))),
        generator.integers(-size, size, 3),
        generator.integers(-size, size, (2, 1)).tolist(),
        generator.integers(0, 2, size).astype(bool),
        np.asarray(generator.integers(-size, size)),
    ]
    return choices[generator.integers(len(choices))]


def random_key(generator: np.random.Generator, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return a key of random parts, perhaps with an ellipsis and a new axis among them."""
    used = int(generator.integers(0, len(shape) + 1))
    cut = int(generator.integers(0, used + 1))
    head = [random_part(generator, n) for n in shape[:cut]]
    tail = [random_part(generator, n) for n in shape[len(shape) - (used - cut) :]]
    key = [*head, Ellipsis, *tail]
    if generator.integers(2):
        key.insert(int(generator.integers(len(key) + 1)), None)
    return tuple(key)


def test_random_keys(device: str) -> None:
    generator = np.random.default_rng(9)
    for _ in range(300):
        shape = tuple(int(n) for n in generator.integers(1, 5, generator.integers(1, 5)))
        host = generator.integers(0, 100, shape).astype(np.int32)
        key = random_key(generator, shape)
        try:
            expected = host[key]
        except IndexError:
            with pytest.raises(xp.DeviceApiError):
                xp.asarray(host)[key]
            continue
        x = xp.asarray(host)
        result = x[key]
        assert result.shape == np.shape(expected), key
        np.testing.assert_array_equal(result.numpy(), expected, str(key))
        values = generator.integers(100, 200, np.shape(expected)).astype(np.int32)
        host[key] = values
        x[key] = xp.asarray(values)
        np.testing.assert_array_equal(x.numpy(), host, str(key))


def test_writing_host_values_by_basic_keys(device: str) -> None:
    x, expected = xp.asarray(HOST, copy=True), HOST.copy()
    rows, row = np.ones((3, 4), np.float32), [1.0, 2.0, 3.0, 4.0]
    for key, value in (
        (1, rows),
        ((0, slice(1, 3)), row),
        (..., rows * 3),
        ((0, 0, 0), rows[0, 0]),
    ):
        x[key] = value
        expected[key] = value
        np.testing.assert_array_equal(x.numpy(), expected)


def test_writing_a_value_that_does_not_fit_nowhere(device: str) -> None:
    x = xp.zeros((3, 2))
    with pytest.raises(ValueError):
        x[[]] = np.ones((2, 7))


def test_writing_through_a_view(device: str) -> None:
    x, expected = xp.asarray(HOST), HOST.copy()
    x[:, 1:][:, [0, 1], 1] = xp.asarray([[7.0, 8.0], [9.0, 10.0]])
    expected[:, 1:][:, [0, 1], 1] = [[7, 8], [9, 10]]
    np.testing.assert_array_equal(x.numpy(), expected)


def test_of_equal_indices_the_last_counts(device: str) -> None:
    x = xp.zeros(4, dtype=xp.int64)
    x[[1, 1, 3, 1]] = xp.asarray([5, 6, 7, 8])
    assert x.tolist() == [0, 8, 0, 7]


def test_indices_and_masks_on_the_device(device: str) -> None:
    x = xp.asarray(HOST)
    index, mask = xp.asarray([1, -2]), xp.asarray(MASK)
    np.testing.assert_array_equal(x[index].numpy(), HOST[[1, -2]])
    np.testing.assert_array_equal(x[mask].numpy(), HOST[MASK])
    x[mask] = 0.0
    np.testing.assert_array_equal(x.numpy(), np.where(MASK, 0, HOST))


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_take(device: str, axis: int) -> None:
    x = xp.asarray(HOST)
    expected = np.take(HOST, [1, -1, 0], axis=axis)
    np.testing.assert_array_equal(xp.take(x, [1, -1, 0], axis=axis).numpy(), expected)
    there = xp.take(x, xp.asarray([1, -1, 0]), axis=axis)
    np.testing.assert_array_equal(there.numpy(), expected)


def test_take_along_axis(device: str) -> None:
    order = np.argsort(-HOST, axis=1)
    for indices in (order, order - 3):
        result = xp.take_along_axis(xp.asarray(HOST), xp.asarray(indices), axis=1)
        np.testing.assert_array_equal(result.numpy(), np.take_along_axis(HOST, indices, 1))
    narrow = np.array([[[2]]])
    result = xp.take_along_axis(xp.asarray(HOST), narrow, axis=1)
    np.testing.assert_array_equal(result.numpy(), HOST[:, 2:])


def test_host_indices_out_of_range(device: str) -> None:
    x = xp.asarray(HOST)
    for key in ([2], [-3], (slice(None), [0, 3]), np.array([5])):
        with pytest.raises(xp.OutOfRangeError, match="out of range for axis"):
            x[key]
        with pytest.raises(IndexError, match="Remedy"):
            x[key] = 1.0
    with pytest.raises(xp.OutOfRangeError, match="size 4"):
        xp.take(x, [4], axis=2)
    with pytest.raises(xp.OutOfRangeError):
        x[2]
    with pytest.raises(xp.OutOfRangeError):
        x[0, 0, 0, 0]
    with pytest.raises(xp.OutOfRangeError):
        x[[0], 0, 0, 0]


def test_indices_on_the_cpu_are_checked(cpu: str) -> None:
    with pytest.raises(xp.OutOfRangeError):
        xp.take(xp.arange(3), xp.asarray([3]))


def test_indices_on_an_accelerator_take_the_nearest() -> None:
    with xp.device_guard("npu:0"), xp.fallback_policy("allow"):
        taken = xp.take(xp.arange(3), xp.asarray([3, 100, -4, -100]))
    assert taken.tolist() == [2, 2, 0, 0]


def test_wrong_keys(device: str) -> None:
    x = xp.asarray(HOST)
    with pytest.raises(xp.DTypeError, match="integers"):
        x[np.array([0.5])]
    with pytest.raises(xp.OutOfRangeError, match="mask of size 3"):
        x[np.array([True, False, True])]
    with pytest.raises(xp.ShapeError, match="do not broadcast"):
        x[[0, 1], [0, 1, 2]]
    with pytest.raises(xp.ShapeError):
        x[[0, 1]] = xp.zeros(3)


@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_a_mask_of_rank_0_adds_an_axis(device: str, shape: tuple[int, ...]) -> None:
    host = np.ones(shape, np.float32)
    x = xp.asarray(host)
    for truth in (True, False):
        for mask in (xp.asarray(truth), truth, np.bool_(truth)):
            found = x[mask]
            assert found.shape == (int(truth), *shape)
            np.testing.assert_array_equal(found.numpy(), host[np.bool_(truth)])
    x[xp.asarray(False)] = 5.0
    np.testing.assert_array_equal(x.numpy(), host)
    x[xp.asarray(True)] = 5.0
    np.testing.assert_array_equal(x.numpy(), host * 5)


def test_a_mask_of_nothing_selects_nothing(device: str) -> None:
    x = xp.asarray(HOST)
    assert x[xp.zeros((0,), dtype=xp.bool)].shape == (0, 3, 4)
    assert x[xp.zeros((2, 0), dtype=xp.bool)].shape == (0, 4)
    with pytest.raises(IndexError):
        x[xp.zeros((3,), dtype=xp.bool)]
    with pytest.raises(IndexError):
        x[xp.zeros((2, 3, 4, 1), dtype=xp.bool)]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64", "complex128"])
def test_all_types_are_indexed_and_assigned(device: str, dtype: str) -> None:
    host = (np.arange(12).reshape(3, 4) % 5).astype(dtype)
    x = xp.asarray(host)
    index, other = np.array([[2, 0], [-1, 1]]), np.array([1, -4])
    np.testing.assert_array_equal(x[xp.asarray(index)].numpy(), host[index])
    found = x[xp.asarray(index), xp.asarray(other)]
    np.testing.assert_array_equal(found.numpy(), host[index, other])
    np.testing.assert_array_equal(x[1, xp.asarray(other)].numpy(), host[1, other])
    mask = host != 0
    np.testing.assert_array_equal(x[xp.asarray(mask)].numpy(), host[mask])
    values = np.ones((2, 2, 4), dtype)
    x[xp.asarray(index)] = xp.asarray(values)
    host[index] = values
    x[xp.asarray(mask)] = xp.asarray(host[mask][::-1].copy())
    host[mask] = host[mask][::-1]
    np.testing.assert_array_equal(x.numpy(), host)
    x[0, 1], host[0, 1] = 1, 1
    x[:, ::2], host[:, ::2] = xp.asarray(host[:, 1::2].copy()), host[:, 1::2].copy()
    np.testing.assert_array_equal(x.numpy(), host)


def test_complex_values_need_a_complex_array(device: str) -> None:
    x = xp.ones(3)
    for key in (0, slice(None), xp.asarray([0]), xp.asarray([True, False, False])):
        with pytest.raises(xp.DTypeError):
            x[key] = 1j
        with pytest.raises(xp.DTypeError):
            x[key] = xp.asarray(1j)


@pytest.mark.parametrize("dtype", ["int16", "complex64"])
def test_taking(device: str, dtype: str) -> None:
    host = (np.arange(24).reshape(2, 3, 4)).astype(dtype)
    x = xp.asarray(host)
    for axis, size in ((0, 2), (1, 3), (-1, 4)):
        indices = np.array([0, -1, size - 1, 0])
        found = xp.take(x, xp.asarray(indices), axis=axis)
        np.testing.assert_array_equal(found.numpy(), np.take(host, indices, axis=axis))
        empty = xp.take(x, xp.zeros(0, dtype=xp.int64), axis=axis)
        np.testing.assert_array_equal(empty.numpy(), np.take(host, np.zeros(0, int), axis=axis))
    along = np.array([[[1, -1, 0, 2]], [[0, 0, 2, 1]]])
    found = xp.take_along_axis(x, xp.asarray(along), axis=1)
    np.testing.assert_array_equal(found.numpy(), np.take_along_axis(host, along, axis=1))
    rows = np.array([[[0, -1]]])  # the other axes broadcast
    found = xp.take_along_axis(x, xp.asarray(rows))
    expected = np.take_along_axis(host, np.broadcast_to(rows, (2, 3, 2)), axis=-1)
    np.testing.assert_array_equal(found.numpy(), expected)
