# SPDX-License-Identifier: Apache-2.0
"""Functions agree with NumPy's on every device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

Host = np.ndarray[Any, Any]
FLOATS = ("float16", "float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
NUMERIC = SIGNED + UNSIGNED + FLOATS


def values(name: str, shape: tuple[int, ...] = (4, 5), seed: int = 0) -> Host:
    generator = np.random.default_rng(seed)
    if name == "bool":
        return generator.integers(0, 2, shape).astype(bool)
    if name in FLOATS:
        return generator.normal(0, 3, shape).astype(name)
    low = 0 if name in UNSIGNED else -50
    return generator.integers(low, 60, shape).astype(name)


def same(result: xp.Tensor, expected: Any, rtol: float = 0.0) -> None:
    expected = np.asarray(expected)
    assert result.shape == expected.shape
    assert result.dtype.name == expected.dtype.name
    np.testing.assert_allclose(result.numpy(), expected, rtol=rtol, atol=rtol)


SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.49999997, -0.2, 7.0, np.inf, -np.inf, np.nan,
           8388609.0, -1e-10, 1e30]  # fmt: skip


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "isnan", "isinf", "isfinite",
                                  "square", "positive", "abs", "negative"])  # fmt: skip
def test_special_values_keep_their_bits(device: str, name: str) -> None:
    host = np.array(SPECIAL, np.float32)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(host)
    result = getattr(xp, name)(xp.asarray(host)).numpy()
    np.testing.assert_array_equal(result, expected)
    if expected.dtype.kind == "f":
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(result)[known], np.signbit(expected)[known])


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "round", "square", "positive"])
@pytest.mark.parametrize("dtype", SIGNED + UNSIGNED)
def test_whole_numbers_stay(device: str, name: str, dtype: str) -> None:
    host = values(dtype)
    expected = host * host if name == "square" else host
    same(getattr(xp, name)(xp.asarray(host)), expected)


@pytest.mark.parametrize("dtype", SIGNED + UNSIGNED)
def test_integer_division_rounds_down_as_numpys(device: str, dtype: str) -> None:
    info = np.iinfo(dtype)
    edge = [info.min, info.min + 1, info.max, info.max - 1, info.max // 2, 0, 1, 2, 3, 7, 10, 0]
    near = [info.max // 3, info.max // 7 + 1, info.max - 5]
    one = np.array(edge + near + ([-1, -2, -3, -7] if info.min else []), dtype)
    a, b = one[:, None], one[None, :]
    with np.errstate(all="ignore"):
        same(xp.floor_divide(xp.asarray(a), xp.asarray(b)), a // b)
        same(xp.remainder(xp.asarray(a), xp.asarray(b)), a % b)
        same(xp.asarray(a) // 7, a // np.array(7, dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_float_division_rounds_down(device: str, dtype: str) -> None:
    a, b = values(dtype), np.abs(values(dtype, seed=1)) + np.array(0.5, dtype)
    same(xp.asarray(a) // xp.asarray(b), a // b)
    same(xp.asarray(a) % xp.asarray(b), a % b, 1e-5)


def test_logical_xor_and_clip(device: str) -> None:
    p, q = values("bool"), values("bool", seed=1)
    same(xp.logical_xor(xp.asarray(p), xp.asarray(q)), p ^ q)
    same(xp.asarray(p) ^ xp.asarray(q), p ^ q)
    same(xp.asarray(p) ^ True, ~p)
    whole = values("int32")
    same(xp.logical_xor(xp.asarray(whole), xp.asarray(p)), np.logical_xor(whole, p))
    same(~xp.asarray(whole), ~whole)
    same(xp.asarray(whole) ^ 1, whole ^ 1)
    with pytest.raises(xp.DTypeError):
        xp.ones(2) ^ xp.ones(2)
    for dtype in NUMERIC:
        host = values(dtype)
        same(xp.clip(xp.asarray(host), 1, 20), np.clip(host, 1, 20))
        same(xp.clip(xp.asarray(host), max=3), np.minimum(host, np.array(3, dtype)))
        same(xp.clip(xp.asarray(host)), host)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), ()])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64", "float32", "float64"])
def test_reductions(device: str, dtype: str, axis: Any, keepdims: bool) -> None:
    host = values(dtype)
    if dtype == "int8":
        host[0, 0] = -128
    x = xp.asarray(host)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    how = {"axis": axis, "keepdims": keepdims}
    same(xp.sum(x, **how), wide(np.sum, host, how), tolerance)
    same(xp.prod(x, **how), wide(np.prod, host, how), 1e-4 if dtype == "float32" else 1e-10)
    same(xp.max(x, **how), np.max(host, **how))
    same(xp.min(x, **how), np.min(host, **how))
    same(xp.any(x, **how), np.any(host, **how))
    same(xp.all(x, **how), np.all(host, **how))
    real = host.astype(np.float32) if host.dtype.kind != "f" else host
    loose = 1e-5 if real.dtype == np.float32 else 1e-12
    same(xp.mean(x, **how), np.asarray(np.mean(real, **how), real.dtype), loose)
    same(xp.var(x, **how), np.asarray(np.var(real, **how), real.dtype), 50 * loose)
    same(xp.std(x, **how), np.asarray(np.std(real, **how), real.dtype), 50 * loose)


def wide(function: Callable[..., Any], host: Host, how: dict[str, Any]) -> Any:
    kinds = {"i": np.int64, "u": np.uint64}
    with np.errstate(all="ignore"):
        return function(host, dtype=kinds.get(host.dtype.kind, host.dtype), **how)


def test_reductions_of_nothing(device: str) -> None:
    x = xp.zeros((0, 3))
    same(xp.sum(x), np.float32(0))
    same(xp.prod(x, axis=0), np.ones(3, np.float32))
    same(xp.any(x, axis=0), np.zeros(3, bool))
    same(xp.all(x, axis=0), np.ones(3, bool))
    assert np.isnan(xp.mean(x).numpy())
    with pytest.raises(xp.InvalidArgumentError):
        xp.max(x)


def test_nan_wins_in_extremes(device: str) -> None:
    host = np.array([[1.0, np.nan, 0.0], [3.0, -2.0, 5.0]], np.float32)
    x = xp.asarray(host)
    for name in ("max", "min"):
        same(getattr(xp, name)(x, axis=1), getattr(np, name)(host, axis=1))
    for name in ("argmax", "argmin"):
        same(getattr(xp, name)(x, axis=1), getattr(np, name)(host, axis=1))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64", "float32"])
def test_arg_extremes_and_running_sums(device: str, dtype: str) -> None:
    host = values(dtype)
    x = xp.asarray(host)
    same(xp.argmin(x, axis=0), np.argmin(host, axis=0))
    same(xp.argmax(x), np.argmax(host))
    same(xp.cumulative_sum(x, axis=1), wide(np.cumsum, host, {"axis": 1}), 1e-5)
    longer = xp.cumulative_sum(x, axis=0, include_initial=True).numpy()
    assert longer.shape == (5, 5)
    assert not longer[0].any()


def test_half_means_do_not_overflow(device: str) -> None:
    host = np.full(4096, 1000.0, np.float16)
    same(xp.mean(xp.asarray(host)), np.float16(1000.0))


def test_count_nonzero_and_nonzero(device: str) -> None:
    host = values("int32") * values("bool", seed=3)
    same(xp.count_nonzero(xp.asarray(host), axis=1), np.count_nonzero(host, axis=1))
    for ours, theirs in zip(xp.nonzero(xp.asarray(host)), np.nonzero(host), strict=True):
        same(ours, theirs)


LAYOUT: dict[str, Callable[[Any, Any], Any]] = {
    "reshape": lambda m, x: m.reshape(x, (2, 10)),
    "reshape -1": lambda m, x: m.reshape(x, (-1,)),
    "permute_dims": lambda m, x: m.permute_dims(x, (1, 0)),
    "broadcast_to": lambda m, x: m.broadcast_to(x, (3, 4, 5)),
    "concat": lambda m, x: m.concat([x, x], axis=1),
    "concat flat": lambda m, x: m.concat([x, x], axis=None),
    "stack": lambda m, x: m.stack([x, x], axis=1),
    "stack last": lambda m, x: m.stack([x, x], axis=-1),
    "expand_dims": lambda m, x: m.expand_dims(x, axis=1),
    "squeeze": lambda m, x: m.squeeze(m.expand_dims(x, axis=0), axis=0),
    "flip": lambda m, x: m.flip(x),
    "flip one": lambda m, x: m.flip(x, axis=1),
    "roll": lambda m, x: m.roll(x, 3),
    "roll axis": lambda m, x: m.roll(x, -2, axis=1),
    "roll axes": lambda m, x: m.roll(x, (1, 7), axis=(0, 1)),
    "tile": lambda m, x: m.tile(x, (2, 1, 3)),
    "tile short": lambda m, x: m.tile(x, (2,)),
    "repeat": lambda m, x: m.repeat(x, 3, axis=0),
    "repeat flat": lambda m, x: m.repeat(x, 2),
    "moveaxis": lambda m, x: m.moveaxis(m.expand_dims(x, axis=0), 0, -1),
    "moveaxis two": lambda m, x: m.moveaxis(m.expand_dims(x, axis=0), (0, 1), (2, 0)),
    "tril": lambda m, x: m.tril(x),
    "triu": lambda m, x: m.triu(x, k=-1),
    "matrix_transpose": lambda m, x: m.matrix_transpose(x),
    "slice": lambda m, x: x[1:3, ::2],
    "negative step": lambda m, x: x[::-1, 3:0:-2],
    "newaxis": lambda m, x: x[:, None, ..., 2],
    "integer": lambda m, x: x[-1],
    "meshgrid": lambda m, x: m.meshgrid(x[0], x[:, 0])[0],
    "meshgrid ij": lambda m, x: m.meshgrid(x[0], x[:, 0], indexing="ij")[1],
}


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32"])
@pytest.mark.parametrize("case", list(LAYOUT))
def test_layout(device: str, case: str, dtype: str) -> None:
    host = values(dtype)
    same(LAYOUT[case](xp, xp.asarray(host)), LAYOUT[case](np, host))


def test_unstack_and_broadcast_arrays(device: str) -> None:
    host = values("int32")
    for ours, theirs in zip(xp.unstack(xp.asarray(host), axis=1), host.T, strict=True):
        same(ours, theirs)
    a, b = xp.broadcast_arrays(xp.asarray(host[:, :1]), xp.asarray(host[:1]))
    same(a, np.broadcast_to(host[:, :1], (4, 5)))
    same(b, np.broadcast_to(host[:1], (4, 5)))


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_products(device: str, dtype: str) -> None:
    a, b = values(dtype, (2, 3, 4)), values(dtype, (4, 3, 5), 1)
    x, y = xp.asarray(a), xp.asarray(b)
    same(xp.tensordot(x, y, axes=1), np.tensordot(a, b, axes=1), 1e-4)
    named: Any = ([1, 2], [1, 0])
    same(xp.tensordot(x, y, axes=named), np.tensordot(a, b, axes=named), 1e-4)
    same(xp.vecdot(x, x), (a * a).sum(-1, dtype=dtype), 1e-4)
    same(xp.matmul(x, x.mT), a @ np.swapaxes(a, -1, -2), 1e-4)
    same(x @ xp.asarray(a[0, 0]), a @ a[0, 0], 1e-4)


def test_creation(device: str) -> None:
    same(xp.arange(5), np.arange(5))
    same(xp.arange(2, 11, 3), np.arange(2, 11, 3))
    same(xp.arange(10, 0, -4), np.arange(10, 0, -4))
    same(xp.arange(3, 1), np.arange(3, 1))
    same(xp.arange(0.0, 1.0, 0.25), np.arange(0.0, 1.0, 0.25, np.float32))
    same(xp.arange(5, dtype="float64"), np.arange(5.0))
    same(xp.linspace(0, 1, 7), np.linspace(0, 1, 7, dtype=np.float32), 1e-7)
    same(xp.linspace(1, 2, 4, endpoint=False), np.linspace(1, 2, 4, False, dtype=np.float32))
    same(xp.linspace(3, 4, 1), np.array([3.0], np.float32))
    same(xp.eye(3, 4, k=1), np.eye(3, 4, k=1, dtype=np.float32))
    same(xp.zeros(3), np.zeros(3, np.float32))
    same(xp.full((2,), 7), np.full(2, 7))
    same(xp.full((2,), True), np.full(2, True))
    same(xp.full((2,), np.float64(1.5)), np.full(2, 1.5))
    same(xp.full((2,), xp.asarray(3)), np.full(2, 3))
    same(xp.ones_like(xp.arange(3)), np.ones(3, np.int64))
    same(xp.full_like(xp.zeros((2, 2)), 2.5), np.full((2, 2), 2.5, np.float32))
    assert xp.empty((2, 0, 3)).shape == (2, 0, 3)


@pytest.mark.parametrize("dtype", ["bool", *NUMERIC])
def test_asarray_keeps_numpys_types(device: str, dtype: str) -> None:
    host = values(dtype)
    same(xp.asarray(host), host)
    same(xp.asarray(host.T[::2]), host.T[::2])
    same(xp.asarray(host[0, 0]), host[0, 0])


def test_asarray_of_python_data(device: str) -> None:
    same(xp.asarray([1, 2]), np.array([1, 2]))
    same(xp.asarray([[1.5], [2]]), np.array([[1.5], [2]], np.float32))
    same(xp.asarray([True]), np.array([True]))
    same(xp.asarray(3), np.array(3))
    same(xp.asarray([]), np.array([], np.float32))
    same(xp.asarray([xp.asarray(1.0), xp.asarray(2.0)]), np.array([1, 2], np.float32))
    same(xp.asarray([1, 2], dtype=xp.uint8), np.array([1, 2], np.uint8))


def test_asarray_copies_only_when_it_must(device: str) -> None:
    x = xp.zeros(3)
    assert xp.asarray(x) is x
    y = xp.asarray(x, copy=True)
    y[0] = 1.0
    assert float(x[0]) == 0.0
    with pytest.raises(xp.InvalidArgumentError, match="copy"):
        xp.asarray(x, dtype=xp.float64, copy=False)
    with pytest.raises(xp.InvalidArgumentError, match="copy"):
        xp.asarray([1, 2], copy=False)


def test_types_and_limits() -> None:
    assert xp.finfo(xp.float32).eps == np.finfo(np.float32).eps
    assert xp.finfo(xp.bfloat16).max == 3.3895313892515355e38
    assert xp.iinfo(xp.uint64).max == 2**64 - 1
    assert xp.isdtype(xp.int8, "signed integer")
    assert xp.isdtype(xp.bool, ("numeric", "bool"))
    assert xp.can_cast(xp.uint8, xp.int16)
    assert not xp.can_cast(xp.float32, xp.int64)
    assert xp.result_type(xp.int64, xp.float32) == xp.float32
    assert xp.result_type(xp.int8, 1) == xp.int8
    assert xp.result_type(xp.int64, 1.5) == xp.float32
    with pytest.raises(xp.DTypeError):
        xp.finfo(xp.int8)
    with pytest.raises(xp.DTypeError):
        xp.result_type(xp.int64, xp.uint64)
    pairs = [(a, b) for a in NUMERIC for b in NUMERIC]
    for a, b in pairs:
        mixed = (a in FLOATS) != (b in FLOATS) or (
            {a[:1], b[:1]} >= {"u", "i"} and "uint64" in (a, b)
        )
        if not mixed:
            expected = np.result_type(a, b).name
            assert xp.result_type(getattr(xp, a), getattr(xp, b)).name == expected


def test_namespace_information() -> None:
    info = xp.zeros(1, device="cpu").__array_namespace__().__array_namespace_info__()
    assert set(info.dtypes(kind="real floating")) == {"float32", "float64"}
    assert info.default_dtypes()["integral"] == xp.int64
    assert info.capabilities()["boolean indexing"] is True
    assert xp.Device("cpu", 0) in info.devices()
