# SPDX-License-Identifier: Apache-2.0
"""Functions of the array API standard that are no plain elementwise ones, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import device_api as xp

RANDOM = np.random.default_rng(7)
REAL_TYPES = ["bool", "int8", "int64", "uint8", "uint64", "float16", "float32", "float64"]
NUMBERS = [*REAL_TYPES[1:], "complex64", "complex128"]


def sample(shape: tuple[int, ...], dtype: str, low: int = 0, high: int = 5) -> Any:
    """Small whole numbers with many ties, complex ones with both parts."""
    host = RANDOM.integers(low, high, shape)
    if dtype.startswith("complex"):
        return (host + 1j * RANDOM.integers(low, high, shape)).astype(dtype)
    return host.astype(dtype)


def same(found: xp.Tensor, expected: Any, dtype: str | None = None) -> None:
    np.testing.assert_array_equal(found.numpy(), expected)
    assert found.shape == np.shape(expected)
    if dtype is not None:
        assert found.dtype.name == dtype


# ---- sorting and searching ---------------------------------------------------------------------


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", REAL_TYPES)
def test_sort_and_argsort(device: str, dtype: str, descending: bool) -> None:
    host = sample((3, 40, 2), dtype)
    for axis in (0, 1, -1, -3):
        order = np.argsort(host, axis=axis, kind="stable")
        if descending:  # equal elements keep their order
            back = np.flip(np.argsort(np.flip(host, axis), axis=axis, kind="stable"), axis)
            order = host.shape[axis] - 1 - back
        expected = np.take_along_axis(host, order, axis)
        x = xp.asarray(host)
        same(xp.argsort(x, axis=axis, descending=descending), order, "int64")
        same(xp.sort(x, axis=axis, descending=descending), expected, dtype)


def test_sort_puts_nan_last(device: str) -> None:
    x = xp.asarray([xp.nan, 1.0, -xp.inf, xp.nan, xp.inf, -0.0, 0.0])
    same(xp.argsort(x), [2, 5, 6, 1, 4, 0, 3])
    same(xp.argsort(x, descending=True), [0, 3, 4, 1, 5, 6, 2])
    found = xp.sort(x).tolist()
    assert str(found) == "[-inf, -0.0, 0.0, 1.0, inf, nan, nan]"


def test_sort_of_nothing_and_of_one(device: str) -> None:
    empty = xp.zeros((0, 3))
    for axis in (0, 1):
        assert xp.sort(empty, axis=axis).shape == (0, 3)
        assert xp.argsort(empty, axis=axis).dtype == xp.int64
    same(xp.argsort(xp.ones((1, 1))), [[0]])
    with pytest.raises(xp.OutOfRangeError):
        xp.sort(xp.asarray(1.0))
    with pytest.raises(xp.OutOfRangeError):
        xp.argsort(xp.ones(3), axis=1)
    with pytest.raises(xp.DTypeError, match="order"):
        xp.sort(xp.ones(3, dtype=xp.complex64))


@pytest.mark.parametrize("dtype", REAL_TYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(device: str, dtype: str, side: Any) -> None:
    host, values = np.sort(sample((30,), dtype)), sample((4, 5), dtype)
    expected = np.searchsorted(host, values, side=side)
    same(xp.searchsorted(xp.asarray(host), xp.asarray(values), side=side), expected, "int64")
    mixed = RANDOM.permutation(30)
    shuffled = np.empty_like(host)
    shuffled[mixed] = host
    sorter = xp.asarray(mixed)
    found = xp.searchsorted(xp.asarray(shuffled), xp.asarray(values), side=side, sorter=sorter)
    same(found, expected, "int64")


def test_searchsorted_with_scalars_and_nothing(device: str) -> None:
    x = xp.asarray([1.0, 2.0, 2.0, 3.0])
    same(xp.searchsorted(x, 2), 1, "int64")
    same(xp.searchsorted(x, 2.0, side="right"), 3)
    same(xp.searchsorted(x, xp.nan), 4)
    same(xp.searchsorted(xp.zeros(0), xp.asarray([1.0, 2.0])), [0, 0])
    same(xp.searchsorted(x, xp.zeros((0, 2))), np.zeros((0, 2)))
    same(xp.searchsorted(xp.asarray([1, 5], dtype=xp.int8), xp.asarray([300], dtype=xp.int64)), [2])
    with pytest.raises(xp.ShapeError):
        xp.searchsorted(xp.ones((2, 2)), 1.0)
    with pytest.raises(xp.ShapeError, match="sorter"):
        xp.searchsorted(x, 1.0, sorter=xp.asarray([0]))
    with pytest.raises(ValueError, match="side"):
        xp.searchsorted(x, 1.0, side="middle")  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [*REAL_TYPES, "complex64", "complex128"])
def test_counting_and_finding(device: str, dtype: str) -> None:
    host = sample((3, 4, 5), dtype, 0, 3)
    x = xp.asarray(host)
    for axis in (None, 0, -1, (0, 2), ()):
        expected = np.count_nonzero(host, axis=axis) if axis != () else (host != 0).astype(int)
        same(xp.count_nonzero(x, axis=axis), expected, "int64")
    kept = xp.count_nonzero(x, axis=1, keepdims=True)
    same(kept, np.count_nonzero(host, axis=1, keepdims=True))
    for found, expected in zip(xp.nonzero(x), np.nonzero(host), strict=True):
        same(found, expected, "int64")


def test_finding_in_bfloat16(device: str) -> None:
    x = xp.asarray([0.0, 1.0, 0.0, 2.0], dtype=xp.bfloat16)
    same(xp.nonzero(x)[0], [1, 3])


# ---- sets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*REAL_TYPES, "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(), (1,), (50,), (6, 7), (0,), (3, 0)])
def test_unique(device: str, dtype: str, shape: tuple[int, ...]) -> None:
    host = sample(shape, dtype, 0, 4)
    values, indices, inverse, counts = np.unique(
        host, return_index=True, return_inverse=True, return_counts=True
    )
    x = xp.asarray(host)
    everything = xp.unique_all(x)
    same(everything.values, values, dtype)
    same(everything.indices, indices, "int64")
    same(everything.inverse_indices, inverse.reshape(shape), "int64")
    same(everything.counts, counts, "int64")
    same(xp.unique_values(x), values, dtype)
    same(xp.unique_counts(x).counts, counts)
    same(xp.unique_counts(x).values, values)
    same(xp.unique_inverse(x).inverse_indices, inverse.reshape(shape))
    same(xp.unique_inverse(x).values, values)


def test_each_nan_is_unique_and_zeros_are_one(device: str) -> None:
    x = xp.asarray([xp.nan, 0.0, xp.nan, -0.0, 1.0])
    values, indices, inverse, counts = xp.unique_all(x)
    np.testing.assert_array_equal(values.numpy(), [0, 1, np.nan, np.nan])
    same(indices, [1, 4, 0, 2])
    same(inverse, [2, 0, 3, 0, 1])
    same(counts, [2, 1, 1, 1])
    z = xp.asarray([complex(0.0, xp.nan), 1j, complex(xp.nan, 0.0), 1j, complex(0.0, xp.nan)])
    same(xp.unique_counts(z).counts, [2, 1, 1, 1])


@pytest.mark.parametrize("dtype", [*REAL_TYPES, "complex64", "complex128"])
@pytest.mark.parametrize("invert", [False, True])
def test_isin(device: str, dtype: str, invert: bool) -> None:
    host, pool = sample((5, 6), dtype, 0, 9), sample((2, 2), dtype, 3, 6)
    expected = np.isin(host, pool, invert=invert)
    same(xp.isin(xp.asarray(host), xp.asarray(pool), invert=invert), expected, "bool")


def test_isin_with_scalars_nan_and_nothing(device: str) -> None:
    x = xp.asarray([[1, 2], [3, 4]])
    same(xp.isin(x, 3), [[False, False], [True, False]])
    same(xp.isin(7, x), False, "bool")
    same(xp.isin(2, x, invert=True), False)
    same(xp.isin(x, xp.zeros(0, dtype=xp.int64)), np.zeros((2, 2), bool))
    same(xp.isin(x, xp.zeros(0, dtype=xp.int64), invert=True), np.ones((2, 2), bool))
    same(xp.isin(xp.asarray([xp.nan, 1.0]), xp.asarray([xp.nan, 1.0])), [False, True])
    same(xp.isin(xp.asarray([2**60 + 1]), xp.asarray([2**60])), [False])
    with pytest.raises(xp.InvalidArgumentError):
        xp.isin(1, 2)


# ---- scans and differences ---------------------------------------------------------------------


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_running_results(device: str, dtype: str, name: str) -> None:
    host = sample((3, 4, 2), dtype, 1, 3)
    function, reference = getattr(xp, name), getattr(np, name)
    wide = {"i": "int64", "u": "uint64"}.get(np.dtype(dtype).kind, dtype)
    for axis in (0, 1, -1):
        expected = reference(host, axis=axis, dtype=wide)
        same(function(xp.asarray(host), axis=axis), expected, wide)
        started = reference(host, axis=axis, dtype=wide, include_initial=True)
        same(function(xp.asarray(host), axis=axis, include_initial=True), started, wide)
    flat = sample((0,), dtype)
    same(function(xp.asarray(flat)), flat, wide)
    same(
        function(xp.asarray(flat), include_initial=True), reference([], include_initial=True), wide
    )
    same(
        function(xp.asarray(host), axis=0, dtype=xp.complex128),
        reference(host, axis=0, dtype=complex),
    )


def test_running_results_need_an_axis(device: str) -> None:
    with pytest.raises(xp.InvalidArgumentError, match="axis"):
        xp.cumulative_sum(xp.ones((2, 2)))
    with pytest.raises(xp.OutOfRangeError):
        xp.cumulative_prod(xp.ones(2), axis=1)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_diff(device: str, dtype: str) -> None:
    host = sample((3, 6), dtype)
    x = xp.asarray(host)
    for n in (0, 1, 2, 6, 7):
        same(xp.diff(x, n=n), np.diff(host, n=n), dtype)
        same(xp.diff(x, axis=0, n=n), np.diff(host, axis=0, n=n), dtype)
    ends = sample((3, 2), dtype)
    found = xp.diff(x, prepend=xp.asarray(ends), append=xp.asarray(ends))
    same(found, np.diff(host, prepend=ends, append=ends), dtype)


# ---- statistics --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), ()])
def test_sums_and_products(device: str, dtype: str, axis: Any) -> None:
    host = sample((2, 3, 4), dtype, 1, 3)
    wide = {"i": "int64", "u": "uint64"}.get(np.dtype(dtype).kind, dtype)
    x = xp.asarray(host)
    for name in ("sum", "prod"):
        expected = getattr(np, name)(host, axis=axis, dtype=wide)
        same(getattr(xp, name)(x, axis=axis), expected, wide)
        found = getattr(xp, name)(x, axis=axis, dtype=xp.complex64, keepdims=True)
        same(found, getattr(np, name)(host, axis=axis, dtype="complex64", keepdims=True))
    mean = xp.mean(x, axis=axis)
    assert mean.dtype.name == (dtype if np.dtype(dtype).kind in "fc" else "float32")
    np.testing.assert_allclose(mean.numpy(), np.mean(host, axis=axis), rtol=2e-3)


@pytest.mark.parametrize("dtype", REAL_TYPES[1:])
@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
@pytest.mark.parametrize("correction", [0, 1, 0.5])
def test_variance(device: str, dtype: str, axis: Any, correction: float) -> None:
    host = sample((3, 4, 5), dtype)
    x = xp.asarray(host)
    for name in ("var", "std"):
        found = getattr(xp, name)(x, axis=axis, correction=correction)
        expected = getattr(np, name)(host.astype(float), axis=axis, ddof=correction)
        assert found.dtype.name == (dtype if dtype.startswith("float") else "float32")
        np.testing.assert_allclose(found.numpy(), expected, rtol=4e-3)


def test_variance_without_freedom_is_nan(device: str) -> None:
    x = xp.asarray([1.0, 5.0])
    for correction in (2, 3, 2.0):
        assert xp.isnan(xp.var(x, correction=correction))
        assert xp.isnan(xp.std(x, correction=correction))
    assert xp.isnan(xp.mean(xp.zeros(0)))
    assert xp.isnan(xp.var(xp.asarray([1.0, xp.nan])))


@pytest.mark.parametrize("dtype", REAL_TYPES[1:])
def test_extremes(device: str, dtype: str) -> None:
    host = sample((3, 4, 5), dtype)
    x = xp.asarray(host)
    for axis in (None, 1, -1):
        for name in ("max", "min"):
            same(getattr(xp, name)(x, axis=axis), getattr(np, name)(host, axis=axis), dtype)
        for name in ("argmax", "argmin"):
            same(getattr(xp, name)(x, axis=axis), getattr(np, name)(host, axis=axis), "int64")
            kept = getattr(np, name)(host, axis=axis, keepdims=True)
            same(getattr(xp, name)(x, axis=axis, keepdims=True), kept)


@pytest.mark.parametrize("dtype", [*REAL_TYPES, "complex64"])
def test_any_and_all(device: str, dtype: str) -> None:
    host = sample((3, 4), dtype, 0, 2)
    for axis in (None, 0, 1, (0, 1), ()):
        same(xp.any(xp.asarray(host), axis=axis), np.any(host, axis=axis), "bool")
        same(xp.all(xp.asarray(host), axis=axis), np.all(host, axis=axis), "bool")
    nothing = xp.zeros((0, 2), dtype=dtype)
    same(xp.any(nothing, axis=0), [False, False])
    same(xp.all(nothing, axis=0), [True, True])
    same(xp.any(nothing, axis=1), np.zeros(0, bool))
    special = xp.asarray([xp.nan, xp.inf, -xp.inf])
    assert xp.all(special)
    assert xp.any(xp.asarray([complex(0, xp.nan)]))
