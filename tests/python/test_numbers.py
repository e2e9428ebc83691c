# SPDX-License-Identifier: Apache-2.0
"""Arrays where Python expects numbers and containers: formats, ``in``, lists."""

from __future__ import annotations

import array
import math
from typing import Any

import pytest

import device_api as xp


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element_is_formatted_as_the_number(shape: tuple[int, ...], device: str) -> None:
    x = xp.reshape(xp.asarray(2.71875), shape)
    assert f"{x:.2f}" == f"{2.71875:.2f}" == "2.72"
    assert f"{x:>8.1e}" == " 2.7e+00"
    assert f"{xp.astype(x, xp.bfloat16):.2f}" == "2.72"
    assert f"{xp.astype(x, xp.int32):04d}" == "0002"


def test_formats_that_do_not_fit(device: str) -> None:
    x = xp.asarray([1.5, 2.5])
    assert f"{x}" == str(x)
    assert f"{x!r}" == repr(x)
    with pytest.raises(xp.ShapeError, match="one element"):
        f"{x:.2f}"
    with pytest.raises(ValueError, match="format"):
        f"{xp.asarray(1.5):d}"


def test_membership(device: str) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, float("nan")]])
    assert 1.0 in x
    assert 3 in x
    assert xp.asarray(2.0) in x
    assert 4.0 not in x
    assert float("nan") not in x
    assert "text" not in x  # type: ignore[comparison-overlap]
    assert 1 in xp.asarray(1)
    assert 1 not in xp.zeros((0,))
    assert True in xp.asarray([False, True])
    with pytest.raises(xp.ShapeError):
        xp.zeros(3) in x  # noqa: B015


def test_bfloat16_lists(device: str) -> None:
    x = xp.asarray([[1.0, 2.5], [-3.0, 0.1]], dtype=xp.bfloat16)
    assert x.tolist() == [[1.0, 2.5], [-3.0, 0.10009765625]]
    assert x[1, 1].tolist() == x[1, 1].item() == 0.10009765625
    assert xp.zeros((2, 0), dtype=xp.bfloat16).tolist() == [[], []]
    assert x[:, ::-1].tolist() == [[2.5, 1.0], [0.10009765625, -3.0]]


def test_versions_of_the_standard(cpu: str) -> None:
    x = xp.zeros(1)
    for year in range(2021, 2026):
        assert x.__array_namespace__(api_version=f"{year}.12") is xp
    assert x.__array_namespace__() is x.__array_namespace__(api_version=None) is xp
    for version in ("1999", "2026.12", "", "2025.12.1"):
        with pytest.raises(xp.InvalidArgumentError, match="not supported") as caught:
            x.__array_namespace__(api_version=version)
        assert repr(version) in caught.value.cause
        assert "2025.12" in caught.value.remedy
    with pytest.raises(TypeError):
        x.__array_namespace__(api_version=2025)  # type: ignore[arg-type]


@pytest.mark.parametrize("index", [2**70, -(2**70), 2**63, 3, -4])
def test_indices_out_of_range(index: int, cpu: str) -> None:
    x = xp.zeros((3, 3))
    with pytest.raises(xp.OutOfRangeError, match="axis 0 of size 3"):
        x[index]
    with pytest.raises(xp.OutOfRangeError, match="axis 1 of size 3"):
        x[0, index]
    with pytest.raises(xp.OutOfRangeError):
        x[index] = 1.0
    assert x[: 2**70].shape == (3, 3)


@pytest.mark.parametrize(("code", "name"), [("d", "float64"), ("H", "uint16"), ("f", "float32")])
def test_buffers_keep_their_type(code: str, name: str, device: str) -> None:
    made = xp.asarray(array.array(code, [1, 2]))
    assert made.dtype.name == name
    assert made.tolist() == [1, 2]
    assert xp.asarray(array.array(code)).dtype.name == name


def test_whole_numbers_above_int64(device: str) -> None:
    numbers = [2**64 - 1, 0, 2**63 + 1]
    for dtype in (None, xp.uint64):
        made = xp.asarray(numbers, dtype=dtype)
        assert made.dtype == xp.uint64
        assert made.tolist() == numbers
    assert xp.asarray([[2**63 + 1], [-1]], dtype=xp.float64).tolist() == [[2.0**63], [-1.0]]
    with pytest.raises(xp.DTypeError):
        xp.asarray([2**63, -1])


@pytest.mark.parametrize("value", [[300], -1, [255.5, 256], math.nan, [[math.inf]]])
def test_asarray_of_numbers_that_do_not_fit(value: Any, device: str) -> None:
    with pytest.raises(xp.DTypeError, match="does not fit into uint8"):
        xp.asarray(value, dtype=xp.uint8)
    assert xp.asarray([255.9, 1, False], dtype=xp.uint8).tolist() == [255, 1, 0]


def test_differences_end_where_nothing_is_left(device: str) -> None:
    assert xp.diff(xp.ones((2, 5)), n=10**15).shape == (2, 0)


def test_indices_beyond_int64_are_out_of_range(device: str) -> None:
    index = xp.asarray([2**64 - 1], dtype=xp.uint64)
    x = xp.arange(3)
    with pytest.raises(xp.OutOfRangeError, match="18446744073709551615"):
        x[index]
    with pytest.raises(xp.OutOfRangeError):
        x[index] = 5
    assert x.tolist() == [0, 1, 2]


def test_rolls_name_an_axis_for_each_shift(cpu: str) -> None:
    for axis in (None, 0):
        with pytest.raises(xp.InvalidArgumentError) as caught:
            xp.roll(xp.ones((2, 3)), (1, 2), axis=axis)
        assert caught.value.remedy
