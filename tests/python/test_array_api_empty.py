# SPDX-License-Identifier: Apache-2.0
"""Arrays without elements and without dimensions go through every function, as through NumPy's."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import device_api as xp

SHAPES = [(), (0,), (3, 0), (0, 2, 3), (1,), (1, 1)]
UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor
    imag isfinite isinf isnan log log1p log2 log10 logical_not negative positive real reciprocal
    round sign signbit sin sinh square sqrt tan tanh trunc"""
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
    copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp
    logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal pow remainder
    subtract"""
TYPES = ["bool", "int32", "uint8", "float32", "complex64"]


def call(name: str, *arrays: Any) -> Any:
    """The result of NumPy's function, or None where the type is not for it."""
    with np.errstate(all="ignore"):
        try:
            return getattr(np, name)(*arrays)
        except TypeError:
            return None


def check(name: str, hosts: tuple[Any, ...]) -> None:
    try:
        found = getattr(xp, name)(*map(xp.asarray, hosts))
    except xp.DTypeError:
        return  # which types a function takes is for other tests
    expected = call(name, *hosts)
    assert expected is not None
    assert found.shape == expected.shape
    kind = {"float64": "float32", "float16": "float32", "complex128": "complex64"}
    if hosts[0].dtype.kind in "fc":
        assert found.dtype.name == kind.get(expected.dtype.name, expected.dtype.name)
    if found.dtype == xp.bool or hosts[0].dtype.kind == "i":
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", UNARY.split())
def test_one_operand(device: str, name: str, dtype: str) -> None:
    for shape in SHAPES:
        check(name, (np.ones(shape, dtype),))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", BINARY.split())
def test_two_operands(device: str, name: str, dtype: str) -> None:
    for shape, other in [((), ()), ((0,), ()), ((), (2, 0)), ((3, 1), (0,)), ((0,), (1,))]:
        check(name, (np.ones(shape, dtype), np.ones(other, dtype)))


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32", "complex64"])
@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean", "count_nonzero"])
def test_reductions(device: str, name: str, dtype: str) -> None:
    for shape in SHAPES:
        host = np.ones(shape, dtype)
        axes: list[Any] = [None, *range(len(shape)), tuple(range(len(shape)))]
        for axis in axes:
            for keepdims in (False, True):
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)  # of the mean of nothing
                    expected = getattr(np, name)(host, axis=axis, keepdims=keepdims)
                found = getattr(xp, name)(xp.asarray(host), axis=axis, keepdims=keepdims)
                assert found.shape == np.shape(expected)
                np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_the_largest_of_nothing(device: str, name: str) -> None:
    function = getattr(xp, name)
    with pytest.raises(ValueError, match="no elements"):
        function(xp.zeros((0,)))
    with pytest.raises(ValueError, match="no elements"):
        function(xp.zeros((2, 0)), axis=1)
    assert function(xp.zeros((2, 0)), axis=0).shape == (0,)
    assert function(xp.asarray(3.0)).shape == ()


def test_layouts(device: str) -> None:
    for shape in SHAPES:
        host = np.ones(shape, np.float32)
        x = xp.asarray(host)
        assert xp.reshape(x, (-1,) if host.size else (0,)).shape == (host.size,)
        assert xp.flip(x).shape == shape
        assert xp.roll(x, 2).shape == shape
        assert xp.repeat(x, 3).shape == (3 * host.size,)
        assert xp.tile(x, (2, 2)).shape == np.tile(host, (2, 2)).shape
        assert xp.stack([x, x]).shape == (2, *shape)
        assert xp.concat([x, x], axis=None).shape == (2 * host.size,)
        assert xp.expand_dims(x, axis=0).shape == (1, *shape)
        assert xp.astype(x, xp.complex64).shape == shape
        assert xp.where(x > 0, x, 0.0).shape == shape
        assert xp.clip(x, 0, 1).shape == shape
        assert xp.unique_values(x).shape == (min(1, host.size),)
        assert xp.zeros_like(x)[...].shape == shape
        assert [y.shape for y in xp.broadcast_arrays(x, xp.ones(()))] == [shape] * 2
        if shape:
            assert len(xp.nonzero(x)) == len(shape)
            assert xp.cumulative_sum(x, axis=-1).shape == shape
            longer = (*shape[:-1], shape[-1] + 1)
            assert xp.cumulative_prod(x, axis=-1, include_initial=True).shape == longer
            assert xp.diff(x, n=0).shape == shape
            assert len(xp.unstack(x)) == shape[0]
        if len(shape) > 1:
            assert xp.matrix_transpose(x).shape == np.matrix_transpose(host).shape
            assert xp.tril(x).shape == shape
