# SPDX-License-Identifier: Apache-2.0
"""What a device runs natively, composed or on the CPU is told truthfully."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import device_api as xp
from device_api import _core

WAYS = {"native", "composed", "fallback", "none"}


def elementwise_ops() -> Iterator[tuple[str, str, int]]:
    for op, facts in _core.op_info().items():
        if facts["kind"] in ("unary", "binary", "compare", "logical"):
            yield from ((op, dtype, facts["inputs"]) for dtype in facts["dtypes"])


def test_every_op_and_type_has_a_way(device: str) -> None:
    support = xp.op_support(device)
    assert set(support) == set(_core.op_info())
    ways = {way for by_type in support.values() for way in by_type.values()}
    assert ways <= WAYS
    assert "none" not in ways
    if device == "cpu":
        assert "fallback" not in ways


def test_native_ops_are_the_native_ones(device: str) -> None:
    native = xp.native_ops(device)
    info = xp.__array_namespace_info__()
    for op, by_type in xp.op_support(device).items():
        for dtype, way in by_type.items():
            found = dtype in native.get(op, {"dtypes": []})["dtypes"]
            assert (way == "native") == found, (op, dtype)
            assert info.native(op, dtype, device=device) == found


def test_what_is_told_is_what_happens(device: str) -> None:
    support = xp.op_support(device)
    for op, dtype, count in elementwise_ops():
        x = xp.ones((2,), dtype=dtype)
        xp.reset_op_counts()
        with xp.fallback_policy("error"):
            try:
                _core.apply(op, [x] * count)
                happened = "native" if op in xp.native_op_counts() else "composed"
            except xp.FallbackError:
                happened = "fallback"
        assert support[op][dtype] == happened, (op, dtype)


def test_capabilities_tell_the_ops_of_a_device(device: str) -> None:
    info = xp.__array_namespace_info__()
    assert info.capabilities()["ops"] == xp.op_support()
    assert info.capabilities(device="cpu")["ops"] == xp.op_support("cpu")


def test_an_unknown_op_is_an_error(cpu: str) -> None:
    with pytest.raises(xp.InvalidArgumentError, match="op_support"):
        xp.__array_namespace_info__().native("frobnicate", xp.float32)


def test_what_names_no_device_is_an_error(cpu: str) -> None:
    info = xp.__array_namespace_info__()
    for ask in (info.dtypes, info.default_dtypes, info.capabilities):
        with pytest.raises(xp.UnknownDeviceError):
            ask(device="no such device")
