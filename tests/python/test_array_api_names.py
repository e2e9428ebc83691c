# SPDX-License-Identifier: Apache-2.0
"""The names and signatures of the array API standard 2025.12: functions, constants, methods."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

import device_api as xp

# parameters -> the functions that have them
FUNCTIONS = {
    "start, /, stop=None, step=1, *, dtype=None, device=None": "arange",
    "obj, /, *, dtype=None, device=None, copy=None": "asarray",
    "shape, *, dtype=None, device=None": "empty ones zeros",
    "x, /, *, dtype=None, device=None": "empty_like ones_like zeros_like",
    "n_rows, n_cols=None, /, *, k=0, dtype=None, device=None": "eye",
    "x, /, *, device=None, copy=None": "from_dlpack",
    "shape, fill_value, *, dtype=None, device=None": "full",
    "x, /, fill_value, *, dtype=None, device=None": "full_like",
    "start, stop, /, num, *, dtype=None, device=None, endpoint=True": "linspace",
    "*arrays, indexing='xy'": "meshgrid",
    "x, /, *, k=0": "tril triu",
    "x, dtype, /, *, copy=True, device=None": "astype",
    "from_, to, /": "can_cast",
    "type, /": "finfo iinfo",
    "dtype, kind": "isdtype",
    "*arrays_and_dtypes": "result_type",
    "x, /": """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1
        floor imag isfinite isinf isnan log log1p log2 log10 logical_not negative positive real
        reciprocal round sign signbit sin sinh square sqrt tan tanh trunc matrix_transpose nonzero
        unique_all unique_counts unique_inverse unique_values""",
    "x1, x2, /": """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
        bitwise_xor copysign divide equal floor_divide greater greater_equal hypot less less_equal
        logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter not_equal
        pow remainder subtract matmul""",
    "x, /, min=None, max=None": "clip",
    "x, indices, /, *, axis=None": "take",
    "x, indices, /, *, axis=-1": "take_along_axis",
    "x1, x2, /, *, axes=2": "tensordot",
    "x1, x2, /, *, axis=-1": "vecdot",
    "*arrays": "broadcast_arrays",
    "*shapes": "broadcast_shapes",
    "x, /, shape": "broadcast_to",
    "arrays, /, *, axis=0": "concat stack",
    "x, /, axis": "expand_dims squeeze",
    "x, /, *, axis=None": "flip",
    "x, source, destination, /": "moveaxis",
    "x, /, axes": "permute_dims",
    "x, repeats, /, *, axis=None": "repeat",
    "x, /, shape, *, copy=None": "reshape",
    "x, /, shift, *, axis=None": "roll",
    "x, repetitions, /": "tile",
    "x, /, *, axis=0": "unstack",
    "x, /, *, axis=None, keepdims=False": "argmax argmin count_nonzero max mean min all any",
    "x1, x2, /, *, side='left', sorter=None": "searchsorted",
    "condition, x1, x2, /": "where",
    "x1, x2, /, *, invert=False": "isin",
    "x, /, *, axis=-1, descending=False, stable=True": "argsort sort",
    "x, /, *, axis=None, dtype=None, include_initial=False": "cumulative_prod cumulative_sum",
    "x, /, *, axis=None, dtype=None, keepdims=False": "prod sum",
    "x, /, *, axis=None, correction=0.0, keepdims=False": "std var",
    "x, /, *, axis=-1, n=1, prepend=None, append=None": "diff",
    "": "__array_namespace_info__",
}

METHODS = {
    "": """__abs__ __bool__ __complex__ __dlpack_device__ __float__ __index__ __int__ __invert__
        __neg__ __pos__""",
    "other, /": """__add__ __and__ __eq__ __floordiv__ __ge__ __gt__ __le__ __lshift__ __lt__
        __matmul__ __mod__ __mul__ __ne__ __or__ __pow__ __rshift__ __sub__ __truediv__ __xor__
        __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __ipow__ __imod__ __imatmul__ __iand__
        __ior__ __ixor__ __ilshift__ __irshift__ __radd__ __rsub__ __rmul__ __rtruediv__
        __rfloordiv__ __rpow__ __rmod__ __rmatmul__ __rand__ __ror__ __rxor__ __rlshift__
        __rrshift__""",
    "*, api_version=None": "__array_namespace__",
    "*, stream=None, max_version=None, dl_device=None, copy=None": "__dlpack__",
    "key, /": "__getitem__",
    "key, value, /": "__setitem__",
    "device, /, *, stream=None": "to_device",
}


def rows(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, parameters) for parameters, names in table.items() for name in names.split()]


def wanted_signature(parameters: str) -> inspect.Signature:
    namespace: dict[str, Any] = {}
    exec(f"def wanted({parameters}): ...", namespace)
    return inspect.signature(namespace["wanted"])


def check(function: Callable[..., Any], parameters: str) -> None:
    """Every call by the standard's signature is a call by ours."""
    wanted = wanted_signature(parameters).parameters.values()
    found = list(inspect.signature(function).parameters.values())
    by_name = {p.name: p for p in found}
    for place, parameter in enumerate(p for p in wanted if p.kind != p.KEYWORD_ONLY):
        assert len(found) > place
        if parameter.kind != parameter.POSITIONAL_ONLY:
            assert found[place].name == parameter.name
            assert found[place].kind == parameter.kind
    for parameter in wanted:
        if parameter.kind == parameter.KEYWORD_ONLY:
            assert by_name[parameter.name].kind in (
                parameter.KEYWORD_ONLY,
                parameter.POSITIONAL_OR_KEYWORD,
            )
            assert by_name[parameter.name].default == parameter.default


@pytest.mark.parametrize(("name", "parameters"), rows(FUNCTIONS), ids=lambda text: text)
def test_functions(name: str, parameters: str) -> None:
    check(getattr(xp, name), parameters)
    assert name in dir(xp)


@pytest.mark.parametrize(("name", "parameters"), rows(METHODS), ids=lambda text: text)
def test_methods(cpu: str, name: str, parameters: str) -> None:
    check(getattr(xp.ones((2, 2)), name), parameters)


@pytest.mark.parametrize("name", ["dtype", "device", "mT", "ndim", "shape", "size", "T"])
def test_properties(cpu: str, name: str) -> None:
    assert not callable(getattr(xp.ones((2, 2)), name))


def test_constants() -> None:
    assert (xp.e, xp.pi, xp.inf, xp.newaxis) == (math.e, math.pi, math.inf, None)
    assert math.isnan(xp.nan)
    assert xp.__array_api_version__ == "2025.12"


def test_data_types() -> None:
    names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64"
    for name in [*names.split(), "complex128"]:
        dtype = getattr(xp, name)
        assert dtype == dtype
        assert dtype != xp.float16
        assert dtype.name == name


def test_inspection(device: str) -> None:
    info = xp.__array_namespace_info__()
    check(info.capabilities, "")
    check(info.default_device, "")
    check(info.default_dtypes, "*, device=None")
    check(info.devices, "")
    check(info.dtypes, "*, device=None, kind=None")
    told = info.capabilities()
    assert told["boolean indexing"] is True
    assert told["data-dependent shapes"] is True
    assert told["max dimensions"] == 32
    assert info.default_device() == xp.asarray(0).device
    assert isinstance(info.devices(), tuple)
    assert info.default_device() in info.devices()
    for one in info.devices():
        defaults = info.default_dtypes(device=one)
        assert defaults == {
            "real floating": xp.asarray(1.0, device=one).dtype,
            "complex floating": xp.asarray(1j, device=one).dtype,
            "integral": xp.asarray(1, device=one).dtype,
            "indexing": xp.argmax(xp.ones(1, device=one)).dtype,
        }


def test_types_by_kind(device: str) -> None:
    info = xp.__array_namespace_info__()
    integers = {"int8", "int16", "int32", "int64"}
    floats, complexes = {"float32", "float64"}, {"complex64", "complex128"}
    unsigned = {f"u{name}" for name in integers}
    expected: list[tuple[Any, set[str]]] = [
        ("bool", {"bool"}),
        ("signed integer", integers),
        ("unsigned integer", unsigned),
        ("integral", integers | unsigned),
        ("real floating", floats),
        ("complex floating", complexes),
        ("numeric", integers | unsigned | floats | complexes),
        (("bool", "real floating"), {"bool"} | floats),
        (None, {"bool"} | integers | unsigned | floats | complexes),
    ]
    for kind, names in expected:
        found = info.dtypes(device=device, kind=kind)
        assert set(found) == names
        assert all(dtype == getattr(xp, name) for name, dtype in found.items())
