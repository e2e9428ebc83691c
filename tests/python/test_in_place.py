# SPDX-License-Identifier: Apache-2.0
"""Operators in place: overlapping views, types that are kept, products, memory that is shared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import device_api as xp


def slices(rng: np.random.Generator, count: int) -> slice:
    """Return a slice of `count` of 40 elements, in steps of either sign."""
    step = int(rng.choice([1, 2, 3, -1, -2]))
    low = int(rng.integers(0, 40 - (count - 1) * abs(step)))
    places = low + np.arange(count) * abs(step)
    if step < 0:
        places = places[::-1]
    stop = int(places[-1]) + (1 if step > 0 else -1)
    return slice(int(places[0]), None if stop < 0 else stop, step)


def test_overlapping_views(device: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        count = int(rng.integers(1, 12))
        target, source = slices(rng, count), slices(rng, count)
        wanted = np.arange(40, dtype=np.float32)
        x = xp.asarray(wanted)
        wanted[target] = wanted[target] + wanted[source].copy()
        view = x[target]
        view += x[source]
        assert np.array_equal(x.numpy(), wanted), (target, source)
        wanted[target] = wanted[source].copy()
        x[target] = x[source]
        assert np.array_equal(x.numpy(), wanted), (target, source)


def test_a_row_of_itself(device: str) -> None:
    x = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4))
    x += x[1]
    assert np.array_equal(x.numpy(), np.arange(12).reshape(3, 4) + np.arange(4, 8))


def test_memory_that_two_imports_share() -> None:
    data = np.arange(8, dtype=np.float32)
    one, two = xp.from_dlpack(data), xp.from_dlpack(data)
    view = one[1:]
    view += two[:-1]
    assert np.array_equal(data, [0, 1, 3, 5, 7, 9, 11, 13])


OPERATORS = {
    "+=": np.add, "-=": np.subtract, "*=": np.multiply, "//=": np.floor_divide,
    "%=": np.remainder, "**=": np.power, "&=": np.bitwise_and, "|=": np.bitwise_or,
    "^=": np.bitwise_xor, "<<=": np.left_shift, ">>=": np.right_shift,
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8"])
@pytest.mark.parametrize("operator", list(OPERATORS))
def test_integer_operators(device: str, operator: str, dtype: str) -> None:
    left = np.array([7, 0, 100, 3, 5], dtype)
    for right in (np.array([3, 1, 2, 1, 4], dtype), 2):
        wanted = OPERATORS[operator](left, right)
        names: dict[str, Any] = {"x": xp.asarray(left)}
        names["y"] = right if isinstance(right, int) else xp.asarray(right)
        names["before"] = names["x"]
        exec(f"x {operator} y", names)
        assert names["x"] is names["before"]
        assert names["x"].dtype == dtype
        assert np.array_equal(names["x"].numpy(), wanted)


def test_the_type_on_the_left_is_kept(device: str) -> None:
    x = xp.asarray([100], dtype="int8")
    x += xp.asarray([100], dtype="int32")
    assert (x.dtype, x.item()) == (xp.int8, -56)
    y = xp.ones(3)
    y += xp.full(3, 2.0, dtype=xp.float64)
    assert (y.dtype, y.tolist()) == (xp.float32, [3, 3, 3])
    flags = xp.asarray([True, False, True])
    flags &= xp.asarray([True, True, False])
    flags ^= True
    assert flags.tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("x += 1.5", "int32"),
        ("x /= 2", "int32"),
        ("x += 1j", "float32"),
        ("x += 1", "bool"),
        ("x += xp.ones(3)", "int64"),
        ("x += xp.asarray([1, 2, 3], dtype='int8')", "uint8"),
        ("x &= 1", "float32"),
        ("x <<= 1", "float32"),
        ("x %= 2", "complex64"),
    ],
)
def test_another_kind_is_refused(device: str, statement: str, left: str) -> None:
    x = xp.full(3, 1, dtype=left)
    with pytest.raises(xp.DTypeError):
        exec(statement, {"x": x, "xp": xp})
    assert x.dtype == left
    assert x.tolist() == [1, 1, 1]


def test_products(device: str) -> None:
    x = before = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    x @= xp.asarray([[0.0, 1.0], [1.0, 0.0]])
    assert x is before
    assert x.tolist() == [[2, 1], [4, 3]]
    with pytest.raises(xp.ShapeError):
        x @= xp.ones((2, 3))
