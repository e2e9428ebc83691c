# SPDX-License-Identifier: Apache-2.0
"""repr and str equal NumPy's but for the device; on arrays of all types, ranks and sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import device_api as xp

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "float32", "float64",
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = (
    (), (1,), (5,), (40,), (2, 3), (1, 1, 1), (2, 3, 4), (0,), (0, 3), (2, 0, 2), (1200,), (70, 30),
)  # fmt: skip


def sample(name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(len(shape))
    if name == "bool":
        return generator.integers(0, 2, shape).astype(bool)
    if name.startswith("float"):
        values = np.asarray(generator.normal(0, 10.0 ** generator.integers(-3, 4), shape))
        if values.size > 3:
            values.flat[:3] = [np.nan, np.inf, -0.0]
        return values.astype(name)
    info = np.iinfo(name)
    return generator.integers(info.min, info.max, shape, dtype=name, endpoint=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_text_equals_numpys_on_the_cpu(name: str, shape: tuple[int, ...], cpu: str) -> None:
    host = sample(name, shape)
    array = xp.asarray(host, device=cpu)
    assert repr(array) == repr(host)
    assert str(array) == str(host)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_device_is_the_only_difference_elsewhere(name: str, shape: tuple[int, ...]) -> None:
    host = sample(name, shape)
    with xp.fallback_policy("allow"):
        text = repr(xp.asarray(host, device="npu:0"))
    head = repr(host).removesuffix(")")
    assert text in (f"{head}, device='npu:0')", f"{head},\n      device='npu:0')")
    assert max(map(len, text.split("\n"))) <= max(75, *map(len, repr(host).split("\n")))


def test_device_suffix_of_the_simplest_array() -> None:
    array = xp.asarray([1.0, 2.0], device="npu:0")
    assert repr(array) == "array([1., 2.], dtype=float32, device='npu:0')"
    assert str(array) == "[1. 2.]"


@pytest.mark.parametrize("length", range(1, 45))
def test_suffix_wraps_as_a_dtype_would(length: int) -> None:
    """NumPy wraps `dtype=...`; a suffix as long as one must wrap at the same length."""
    host = np.ones(length, np.float32)
    head = repr(np.ones(length, np.float64)).removesuffix(")")
    device = repr(xp.asarray(np.ones(length, np.float64), device="npu:0"))
    width = len(head.split("\n")[-1]) + len(", device='npu:0')")
    assert ("\n      device=" in device) == (width > np.get_printoptions()["linewidth"])
    assert repr(host).split("dtype")[0].rstrip(" \n") == head + ","


@pytest.mark.parametrize("shape", [(), (3,), (2, 2), (0,), (0, 2), (1500,), (24,), (9,)])
def test_bfloat16_is_shown_as_its_float32_host_copy(shape: tuple[int, ...], cpu: str) -> None:
    host = np.full(shape, 1.5, np.float32)
    text = repr(xp.asarray(host, dtype=xp.bfloat16, device=cpu))
    expected = repr(host).replace("dtype=float32", "dtype=bfloat16")
    assert text.replace("\n      dtype", " dtype") == expected.replace("\n      dtype", " dtype")
    assert max(map(len, text.split("\n"))) <= 75


def test_print_options_of_numpy_apply(cpu: str) -> None:
    with np.printoptions(precision=2, linewidth=30):
        host = np.linspace(0, 1, 12)
        assert repr(xp.asarray(host)) == repr(host)
