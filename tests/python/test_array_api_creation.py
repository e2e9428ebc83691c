# SPDX-License-Identifier: Apache-2.0
"""Making arrays, data types and scalars by the array API standard 2025.12."""

from __future__ import annotations

import array
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

NAMES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
]  # fmt: skip
INTEGERS = [name for name in NAMES if "int" in name]
FLOATS, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]


def same(found: xp.Tensor, expected: Any, dtype: str) -> None:
    assert found.shape == np.shape(expected)
    assert found.dtype.name == dtype
    np.testing.assert_array_equal(found.numpy(), expected)


def test_asarray_of_python_numbers(device: str) -> None:
    same(xp.asarray(True), True, "bool")
    same(xp.asarray([1, True]), [1, 1], "int64")
    same(xp.asarray([1, 2.5]), [1, 2.5], "float32")
    same(xp.asarray([[1, 2j], [True, 0.5]]), [[1, 2j], [1, 0.5]], "complex64")
    same(xp.asarray(1 + 2j, dtype=xp.complex128), 1 + 2j, "complex128")
    same(xp.asarray([1.5, 2.0], dtype=xp.complex64), [1.5, 2], "complex64")
    same(xp.asarray([1 + 1j], dtype=complex), [1 + 1j], "complex64")
    same(xp.asarray([]), [], "float32")
    same(xp.asarray(np.array([1j])), [1j], "complex128")
    with pytest.raises(xp.DeviceApiError):
        xp.asarray([1j], dtype=xp.float32)


def test_asarray_shares_memory_where_it_can() -> None:
    host = np.arange(3.0)
    for source in (host, memoryview(host), array.array("d", [0.0, 1.0, 2.0])):
        x = xp.asarray(source, copy=False, device="cpu")
        x[0] = 7.0
        assert source[0] == 7.0
        y = xp.asarray(source, copy=True, device="cpu")
        y[0] = 0.0
        assert source[0] == 7.0
    for refused in ([1.0], 1.0, b"abc"):
        with pytest.raises(ValueError, match="copy"):
            xp.asarray(refused, copy=False, device="cpu", dtype=xp.float64)
    x = xp.ones(2, device="cpu")
    assert xp.asarray(x) is x
    with pytest.raises(ValueError, match="copy"):
        xp.asarray(x, dtype=xp.float64, copy=False)


def test_interchange_says_what_is_wrong(device: str) -> None:
    with pytest.raises(AttributeError, match="DLPack"):
        xp.from_dlpack(object())
    host = np.arange(3.0)
    wrong: list[tuple[Any, str]] = [(host, "npu:0"), (xp.ones(2, device="npu:0"), "cpu")]
    for source, target in wrong:
        for kind in (ValueError, BufferError):  # the standard names both
            with pytest.raises(kind, match="copy"):
                xp.from_dlpack(source, device=target, copy=False)
        assert xp.from_dlpack(source, device=target).device == xp.Device(*target.split(":")[:1])
    with pytest.raises(BufferError):
        xp.ones(2, device="npu:0").__dlpack__(dl_device=(1, 0), copy=False)


@pytest.mark.parametrize("name", NAMES)
def test_filled_arrays(device: str, name: str) -> None:
    dtype = getattr(xp, name)
    for shape in ((), 3, (2, 0), (2, 3)):
        expected = np.ones(shape, name)
        same(xp.ones(shape, dtype=dtype), expected, name)
        same(xp.zeros(shape, dtype=dtype), expected * 0, name)
        same(xp.full(shape, True, dtype=dtype), expected, name)
        x = xp.ones(shape, dtype=dtype)
        same(xp.zeros_like(x), expected * 0, name)
        same(xp.full_like(x, 1), expected, name)
        same(xp.ones_like(x, dtype=xp.complex64), expected.astype("c8"), "complex64")
        assert xp.empty(shape, dtype=dtype).shape == xp.empty_like(x).shape


def test_full_takes_the_kind_of_its_value(device: str) -> None:
    values: list[tuple[Any, str]] = [
        (True, "bool"), (1, "int64"), (1.5, "float32"), (1j, "complex64"), (math.inf, "float32"),
    ]  # fmt: skip
    for value, name in values:
        same(xp.full((2,), value), [value, value], name)
    assert str(xp.full((), complex(-0.0, math.nan)).item()) == "(-0+nanj)"


@pytest.mark.parametrize("name", NAMES)
def test_triangles_and_diagonals(device: str, name: str) -> None:
    host = (np.arange(24).reshape(2, 3, 4) % 3 + 1).astype(name)
    x = xp.asarray(host)
    for k in (-9, -1, 0, 2, 10**12):
        near = max(-9, min(k, 9))
        same(xp.tril(x, k=k), np.tril(host, k=near), name)
        same(xp.triu(x, k=k), np.triu(host, k=near), name)
        same(xp.eye(3, 4, k=k, dtype=getattr(xp, name)), np.eye(3, 4, k=near, dtype=name), name)
    same(xp.eye(0), np.eye(0), "float32")
    same(xp.eye(2, 0), np.eye(2, 0), "float32")


def test_linspace(device: str) -> None:
    for start, stop, num in [(0, 1, 5), (3, -2, 7), (0.1, 0.7, 1), (2, 3, 0), (1, 1, 4)]:
        for endpoint in (True, False):
            expected = np.linspace(start, stop, num, endpoint=endpoint)
            found = xp.linspace(start, stop, num, endpoint=endpoint, dtype=xp.float64)
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-15)
            if num and endpoint and num > 1:
                assert found[-1] == stop
    z = xp.linspace(1 - 2j, 3, 5)
    assert z.dtype == xp.complex64
    np.testing.assert_allclose(z.numpy(), np.linspace(1 - 2j, 3, 5))
    assert xp.linspace(0, 1, 3, dtype=xp.complex128).tolist() == [0, 0.5, 1]
    big = float(np.finfo("f8").max)
    assert xp.linspace(-big, big, 3, dtype=xp.float64).tolist() == [-big, 0, big]
    assert (
        xp.linspace(-1, 1, 4, dtype=xp.int64).tolist() == np.linspace(-1, 1, 4, dtype=int).tolist()
    )
    with pytest.raises(xp.DTypeError):
        xp.linspace(0, 1j, 3, dtype=xp.float32)


@pytest.mark.parametrize("name", NAMES)
def test_astype(device: str, name: str) -> None:
    host = np.array([0, 1, 2, 100]).astype(name)
    x = xp.asarray(host)
    for target in NAMES:
        if name in COMPLEX and target not in [*COMPLEX, "bool"]:
            with pytest.raises(xp.DTypeError, match="imag"):
                xp.astype(x, getattr(xp, target))
            continue
        same(xp.astype(x, getattr(xp, target)), host.astype(target), target)
    assert xp.astype(x, x.dtype, copy=False) is x
    assert xp.astype(x, x.dtype) is not x
    assert xp.astype(x, x.dtype, device="cpu").device.type == "cpu"


def test_promotion(device: str) -> None:
    kinds = [["bool"], INTEGERS, [*FLOATS, *COMPLEX]]
    for names in kinds:
        for a, b in itertools.product(names, names):
            x, y = (getattr(xp, name) for name in (a, b))
            signs = {name[0] for name in (a, b) if "int" in name}
            if "uint64" in (a, b) and signs == {"i", "u"}:
                with pytest.raises(xp.DTypeError):
                    xp.result_type(x, y)
                continue
            expected = np.result_type(a, b).name
            assert xp.result_type(x, y).name == expected
            assert xp.can_cast(x, y) == np.can_cast(a, b)
            if a != "bool":
                assert (xp.ones(1, dtype=x) + xp.ones(1, dtype=y)).dtype.name == expected


def test_promotion_with_scalars(device: str) -> None:
    table = {
        "bool": {True: "bool"},
        "int8": {1: "int8"},
        "uint64": {1: "uint64"},
        "float32": {1: "float32", 1.5: "float32", 1j: "complex64"},
        "float64": {1: "float64", 1.5: "float64", 1j: "complex128"},
        "complex64": {1: "complex64", 1.5: "complex64", 1j: "complex64"},
        "complex128": {1: "complex128", 1.5: "complex128", 1j: "complex128"},
    }
    for name, row in table.items():
        x = xp.ones(1, dtype=getattr(xp, name))
        for scalar, expected in row.items():
            assert xp.result_type(x, scalar).name == expected
            assert xp.result_type(scalar, x.dtype, x).name == expected
            if name != "bool":
                assert (x * scalar).dtype.name == expected
                assert (scalar * x).dtype.name == expected
                assert xp.where(xp.asarray([True]), x, scalar).dtype.name == expected


def test_limits() -> None:
    for name in FLOATS:
        limits, expected = xp.finfo(getattr(xp, name)), np.finfo(name)
        for field in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(limits, field) == getattr(expected, field)
            assert type(getattr(limits, field)) is (int if field == "bits" else float)
    assert xp.finfo(xp.complex64) == xp.finfo(xp.float32)
    assert xp.finfo(xp.ones(1, dtype=xp.complex128)).dtype == xp.float64
    for name in INTEGERS:
        whole, wanted = xp.iinfo(getattr(xp, name)), np.iinfo(name)
        assert (whole.bits, whole.max, whole.min) == (wanted.bits, wanted.max, wanted.min)


# ---- scalars of arrays ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_python_numbers_of_arrays(device: str, name: str) -> None:
    x = xp.asarray(1, dtype=getattr(xp, name))
    assert bool(x) is True
    assert complex(x) == 1 + 0j
    functions: list[Callable[[Any], Any]] = [float, int]
    for function in functions:
        if name in COMPLEX:
            with pytest.raises(TypeError):
                function(x)
        else:
            assert function(x) == 1
    if name in INTEGERS:
        assert x.__index__() == 1
    else:
        with pytest.raises(TypeError):
            x.__index__()


def test_python_complex_numbers(device: str) -> None:
    assert complex(xp.asarray(math.inf)) == complex(math.inf, 0)
    found = complex(xp.asarray(math.nan))
    assert math.isnan(found.real)
    assert bool(xp.asarray(math.nan)) is True
    assert bool(xp.asarray(0j)) is False
    assert bool(xp.asarray(complex(0, -math.inf))) is True
    with pytest.raises((TypeError, ValueError)):
        complex(xp.ones(2))


@pytest.mark.parametrize("name", INTEGERS)
def test_operators_of_integers(device: str, name: str) -> None:
    a = np.array([5, 7, 0, 100], name)
    b = np.array([3, 2, 4, 1], name)
    x, y = xp.asarray(a), xp.asarray(b)
    pairs: list[tuple[xp.Tensor, Any]] = [
        (x & y, a & b), (x | y, a | b), (x ^ y, a ^ b), (x << y, a << b), (x >> y, a >> b),
        (x // y, a // b), (x % y, a % b), (x**y, a**b), (~x, ~a), (x & 6, a & 6), (6 | x, 6 | a),
        (x << 1, a << 1), (1 << y, (1 << b).astype(name)), (x >> 1, a >> 1), (9 % y, 9 % b),
    ]  # fmt: skip
    for found, expected in pairs:
        same(found, expected, name)
    x <<= y
    x &= 0x7F
    x //= 2
    x %= 50
    a <<= b
    a &= 0x7F
    a //= 2
    a %= 50
    same(x, a, name)


def test_signed_division_and_shifts(device: str) -> None:
    a, b = np.array([-7, 7, -7, 7, -128, -1], "i1"), np.array([2, -2, -2, 0, -1, 7], "i1")
    x, y = xp.asarray(a), xp.asarray(b)
    same(x // y, [-4, -4, 3, 0, -128, -1], "int8")
    same(x % y, [1, -1, -1, 0, 0, 6], "int8")
    same(xp.bitwise_right_shift(x, xp.asarray(9, dtype=xp.int8)), [-1, 0, -1, 0, -1, -1], "int8")
    same(xp.bitwise_left_shift(x, xp.asarray(8, dtype=xp.int8)), [0] * 6, "int8")


@pytest.mark.parametrize("name", COMPLEX)
def test_operators_of_complex_numbers(device: str, name: str) -> None:
    a, b = np.array([1 + 2j, -3j, 2], name), np.array([2 - 1j, 1, 1j], name)
    x, y = xp.asarray(a), xp.asarray(b)
    pairs = [
        (x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b), (-x, -a), (x * 2j, a * 2j),
        (1 - x, 1 - a), (2.0 * x, 2 * a),
    ]  # fmt: skip
    for found, expected in pairs:
        assert found.dtype.name == name
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose((x**2).numpy(), a**2, rtol=1e-5)
    np.testing.assert_allclose(xp.pow(x, y).numpy(), a**b, rtol=1e-4)
    x *= y
    x += 1
    np.testing.assert_allclose(x.numpy(), a * b + 1, rtol=1e-6)
    same(x == x, [True] * 3, "bool")
    functions: list[Callable[[], Any]] = [
        lambda: x < y, lambda: x // y, lambda: x % y, lambda: x & y, lambda: xp.maximum(x, y),
        lambda: xp.clip(x, 0, 1), lambda: xp.max(x), lambda: xp.floor(x), lambda: xp.argmin(x),
    ]  # fmt: skip
    for function in functions:
        with pytest.raises(TypeError):
            function()
