# SPDX-License-Identifier: Apache-2.0
"""The public namespace on a device that has the core ops only: every function once, no fallback."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import bringup_devices
import numpy as np
import pytest

import device_api as xp
from device_api_abi import optable

RNG = np.random.default_rng(7)
# a, b: float32; u: float32 from 0 to 1; i, j: int32, j above 0; p, q: bool; v: rank 1, in order.
ARRAYS: dict[str, Any] = {
    "a": RNG.normal(size=(3, 4)).astype(np.float32),
    "b": RNG.normal(size=(3, 4)).astype(np.float32),
    "u": RNG.uniform(0.1, 0.9, (3, 4)).astype(np.float32),
    "i": RNG.integers(-9, 9, (3, 4)).astype(np.int32),
    "j": RNG.integers(1, 5, (3, 4)).astype(np.int32),
    "p": RNG.integers(0, 2, (3, 4)) > 0,
    "q": RNG.integers(0, 2, (3, 4)) > 0,
    "v": np.array([-1.0, 0.5, 0.5, 2.0], dtype=np.float32),
    "c": (RNG.normal(size=(3, 4)) + 1j * RNG.normal(size=(3, 4))).astype(np.complex64),
    "e": np.zeros((0, 4), dtype=np.float32),
    "s": np.array(0.75, dtype=np.float32),
}

# How functions are called; those not named here take one or two arrays by their group.
ONE = "abs acos asin atan atanh cos ceil cosh exp expm1 floor isfinite isinf isnan log log10 log1p"
ONE += " log2 negative positive reciprocal round sign signbit sin sinh sqrt square tan tanh trunc"
ONE += " asinh"
TWO = "add atan2 copysign divide equal greater greater_equal hypot less less_equal logaddexp"
TWO += " maximum minimum multiply nextafter not_equal pow subtract floor_divide remainder"
BITS = "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
COMPLEX = "abs acos acosh asin asinh atan atanh cos cosh exp expm1 isfinite isinf isnan log log10"
COMPLEX += " log1p log2 negative reciprocal round sign sin sinh sqrt square sum prod tan tanh mean"
COMPLEX += " any all count_nonzero"
LOGIC = "logical_and logical_or logical_xor"
REDUCE = "all any max mean min prod std sum var count_nonzero"

Call = Callable[[SimpleNamespace], Any]


def _calls() -> dict[str, list[Call]]:
    """Return the calls of each function."""
    found: dict[str, list[Call]] = {
        "acosh": [lambda d: xp.acosh(d.u + 1)],
        "logical_not": [lambda d: xp.logical_not(d.p)],
        "bitwise_invert": [lambda d: xp.bitwise_invert(d.i), lambda d: xp.bitwise_invert(d.p)],
        "conj": [lambda d: xp.conj(d.c)],
        "imag": [lambda d: xp.imag(d.c)],
        "real": [lambda d: xp.real(d.c)],
        "where": [lambda d: xp.where(d.p, d.a, d.b), lambda d: xp.where(d.p, d.a, 0)],
        "clip": [lambda d: xp.clip(d.a, -0.5, 0.5), lambda d: xp.clip(d.i, 0, 3)],
        "asarray": [lambda d: xp.asarray(d.a, copy=True)],
        "astype": [lambda d: xp.astype(d.a, xp.int16), lambda d: xp.astype(d.i, xp.complex64)],
        "arange": [lambda d: xp.arange(7, device=d.device)],
        "linspace": [lambda d: xp.linspace(0, 1, 5, device=d.device)],
        "eye": [lambda d: xp.eye(3, 4, k=1, device=d.device)],
        "full": [lambda d: xp.full((2, 2), 3, device=d.device)],
        "full_like": [lambda d: xp.full_like(d.a, 2)],
        "ones": [lambda d: xp.ones(3, device=d.device)],
        "ones_like": [lambda d: xp.ones_like(d.p)],
        "zeros": [lambda d: xp.zeros(3, device=d.device)],
        "zeros_like": [lambda d: xp.zeros_like(d.c)],
        "empty": [lambda d: xp.empty((0, 3), device=d.device)],
        "empty_like": [lambda d: xp.empty_like(d.e)],
        "tril": [lambda d: xp.tril(d.a)],
        "triu": [lambda d: xp.triu(d.a, k=1)],
        "nonzero": [lambda d: xp.nonzero(d.i)],
        "take": [lambda d: xp.take(d.a, d.j[0, :2] - 1, axis=1)],
        "take_along_axis": [lambda d: xp.take_along_axis(d.a, xp.argsort(d.b, axis=0), axis=0)],
        "broadcast_arrays": [lambda d: xp.broadcast_arrays(d.a, d.v)],
        "broadcast_to": [lambda d: xp.broadcast_to(d.v, (3, 4))],
        "concat": [lambda d: xp.concat([d.a, d.b]), lambda d: xp.concat([d.e, d.a])],
        "expand_dims": [lambda d: xp.expand_dims(d.a, axis=1)],
        "flip": [lambda d: xp.flip(d.a)],
        "meshgrid": [lambda d: xp.meshgrid(d.v, d.v)],
        "moveaxis": [lambda d: xp.moveaxis(d.a, 0, 1)],
        "permute_dims": [lambda d: xp.permute_dims(d.a, (1, 0))],
        "repeat": [lambda d: xp.repeat(d.v, 3)],
        "reshape": [lambda d: xp.reshape(d.a.T, (2, 6))],
        "roll": [lambda d: xp.roll(d.a, 2)],
        "squeeze": [lambda d: xp.squeeze(d.a[:1], axis=0)],
        "stack": [lambda d: xp.stack([d.a, d.b])],
        "tile": [lambda d: xp.tile(d.v, (2, 2))],
        "unstack": [lambda d: xp.unstack(d.a)],
        "matmul": [lambda d: xp.matmul(d.a, d.b.T), lambda d: xp.matmul(d.i, d.j.T)],
        "matrix_transpose": [lambda d: xp.matrix_transpose(d.a)],
        "tensordot": [lambda d: xp.tensordot(d.a, d.b, axes=2)],
        "vecdot": [lambda d: xp.vecdot(d.a, d.b)],
        "argmax": [lambda d: xp.argmax(d.a), lambda d: xp.argmax(d.i, axis=1)],
        "argmin": [lambda d: xp.argmin(d.a), lambda d: xp.argmin(d.i, axis=0, keepdims=True)],
        "cumulative_sum": [lambda d: xp.cumulative_sum(d.v, include_initial=True)],
        "cumulative_prod": [lambda d: xp.cumulative_prod(d.a, axis=1)],
        "diff": [lambda d: xp.diff(d.a)],
        "isin": [lambda d: xp.isin(d.i, d.j)],
        "unique_all": [lambda d: xp.unique_all(d.i)],
        "unique_counts": [lambda d: xp.unique_counts(d.i)],
        "unique_inverse": [lambda d: xp.unique_inverse(d.i)],
        "unique_values": [lambda d: xp.unique_values(d.v)],
        "argsort": [lambda d: xp.argsort(d.a, descending=True), lambda d: xp.argsort(d.i)],
        "sort": [lambda d: xp.sort(d.a, axis=0), lambda d: xp.sort(d.e)],
        "searchsorted": [lambda d: xp.searchsorted(d.v, d.a)],
    }
    groups: dict[str, list[Callable[[Any], Call]]] = {
        ONE: [lambda f: lambda d: f(d.u), lambda f: lambda d: f(d.e), lambda f: lambda d: f(d.s),
              lambda f: lambda d: f(d.u.T[::2])],
        TWO: [lambda f: lambda d: f(d.a, d.b), lambda f: lambda d: f(d.u, 0.5),
              lambda f: lambda d: f(d.e, d.e), lambda f: lambda d: f(d.a.T, d.s)],
        BITS: [lambda f: lambda d: f(d.i, d.j), lambda f: lambda d: f(d.i[::-1], 3)],
        LOGIC: [lambda f: lambda d: f(d.p, d.q), lambda f: lambda d: f(d.p.T, True)],
        REDUCE: [lambda f: lambda d: f(d.u), lambda f: lambda d: f(d.a.T, axis=1, keepdims=True)],
    }  # fmt: skip
    for names, makers in groups.items():
        for name in names.split():
            found[name] = [make(getattr(xp, name)) for make in makers]
    for name in COMPLEX.split():
        function = getattr(xp, name)
        found[name].append(lambda d, function=function: function(d.c))
    return found


CALLS = _calls()
# Functions of devices, types and files, which compute nothing.
_NO_ARRAYS = """
copy_from_host copy_to_host empty_pinned memory_snapshot memory_snapshot_html pin_memory
set_memory_fraction
broadcast_shapes can_cast current_device current_stream device_count device_guard
empty_cache fallback_policy fallback_report finfo from_dlpack get_all_device_type
get_available_device get_device get_device_properties iinfo isdtype load
max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats
native_op_counts native_ops op_support reset_op_counts reset_peak_memory_stats result_type
reset_device run_check save set_device set_stream stream_guard synchronize telemetry
"""
NO_ARRAYS = set(_NO_ARRAYS.split())


def _functions() -> set[str]:
    kinds = (types.FunctionType, types.BuiltinFunctionType)
    return {
        name
        for name in dir(xp)
        if isinstance(getattr(xp, name), kinds) and not name.startswith("_")
    }


def test_every_function_of_the_namespace_is_called() -> None:
    assert not _functions() - set(CALLS) - NO_ARRAYS, "add calls of them to CALLS"
    assert not set(CALLS) - _functions()


def test_nothing_is_left_to_the_cpu() -> None:
    support = xp.op_support(bringup_devices.bare())
    ways = {(op, way) for op, by_type in support.items() for way in by_type.values()}
    assert ways == {(op.name, "native" if op.core else "composed") for op in optable.load()}


def _arrays(device: str) -> SimpleNamespace:
    made = {name: xp.asarray(value, device=device) for name, value in ARRAYS.items()}
    return SimpleNamespace(device=device, **made)


def _flat(result: Any) -> Iterator[xp.Tensor]:
    if isinstance(result, xp.Tensor):
        yield result
    else:
        for part in result:
            yield from _flat(part)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_function_works_with_core_ops_only(name: str) -> None:
    device = bringup_devices.bare()
    for call in CALLS[name]:
        with xp.device_guard(device), xp.fallback_policy("error"):
            got = list(_flat(call(_arrays(device))))
        with xp.device_guard("cpu"):
            wanted = list(_flat(call(_arrays("cpu"))))
        assert len(got) == len(wanted)
        for ours, theirs in zip(got, wanted, strict=True):
            assert ours.device.type == device and ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=2e-6, atol=1e-7)
