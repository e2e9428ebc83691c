# SPDX-License-Identifier: Apache-2.0
"""What composites declare is what they do, and none needs itself."""

from __future__ import annotations

from types import SimpleNamespace

import bringup_devices
import numpy as np
import pytest
import test_elementwise
import test_structured

import device_api as xp
from device_api import _core
from device_api.composites import _registry, composites
from device_api_abi import optable

TABLE = optable.by_name()
CORE = {op.name for op in TABLE.values() if op.core}


def _supported() -> list[tuple[str, str]]:
    """Return the ops and types that composites make."""
    return [
        (name, dtype)
        for name, composite in composites().items()
        for dtype in TABLE[name].dtypes
        if _registry.needs(composite, dtype) is not None
    ]


def _core_needs(op: str, dtype: str) -> set[tuple[str, str]]:
    """Return the core ops and types that an op comes down to."""
    if op in CORE:
        return {(op, dtype)}
    wanted = _registry.needs(composites()[op], dtype)
    assert wanted is not None, f"{op} of {dtype} is used, but no composite makes it"
    return {need for use in wanted for need in _core_needs(*use)}


def test_every_op_that_is_not_core_has_a_composite() -> None:
    assert set(composites()) == set(TABLE) - CORE
    wanted = {(op.name, t) for op in TABLE.values() if not op.core for t in op.dtypes}
    assert wanted == set(_supported())


def test_no_composite_needs_itself() -> None:
    def walk(op: str, dtype: str, above: tuple[tuple[str, str], ...]) -> None:
        assert (op, dtype) not in above, f"a circle: {above}"
        if op not in CORE:
            for use in _registry.needs(composites()[op], dtype) or []:
                walk(*use, (*above, (op, dtype)))

    for op, dtype in _supported():
        walk(op, dtype, ())


def test_needs_are_types_that_the_op_table_has() -> None:
    for op, dtype in _supported():
        for name, kind in _core_needs(op, dtype):
            assert kind in TABLE[name].dtypes, f"{op} of {dtype} needs {name} of {kind}"


_CALLS = [(op.name, dtype, (op, dtype)) for op, dtype in test_elementwise.CASES] + [
    (case.op, dtype, (case, dtype)) for case, dtype in test_structured.CASES
]


def test_every_composite_is_compared() -> None:
    assert {(name, dtype) for name, dtype, _ in _CALLS} | {("random_bits", "uint32")} == set(
        _supported()
    )


@pytest.mark.parametrize("op", sorted({name for name, _, _ in _CALLS}))
def test_composites_use_what_they_declare(op: str) -> None:
    device = bringup_devices.loaded("bringup")
    for name, dtype, call in _CALLS:
        if name != op:
            continue
        device.used()
        if isinstance(call[0], test_structured.Case):
            test_structured.test_composite_agrees(*call)
        else:
            test_elementwise.test_composite_agrees_with_the_kernel(*call)
        # Types of indices and results, which are not those of the key operand.
        beside = {("cast", "int32"), ("cast", "int64"), ("cast", "bool"), ("copy", "bool")}
        beside |= {("copy", "int32"), ("copy", "int64")}
        undeclared = device.used() - _core_needs(name, dtype) - beside
        assert not undeclared, f"{dtype}: {sorted(undeclared)}"


def test_random_bits_use_what_they_declare() -> None:
    device = bringup_devices.loaded("bringup")
    device.used()
    with xp.fallback_policy("error"):
        _core.random_bits(9, 1, 2, _core.as_device(device.type))
    assert device.used() <= _core_needs("random_bits", "uint32")


def test_a_device_that_lacks_a_needed_op_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    device = _core.as_device("cpu")
    missing = ("", "")

    def has_op(_: object, op: str, dtype: str) -> bool:
        return op in CORE and (op, dtype) != missing

    fake = SimpleNamespace(has_op=has_op, dtypes={name: name for name in optable.DTYPES})
    monkeypatch.setattr(_registry, "_core", fake)
    for op, dtype in _supported():
        monkeypatch.setattr(_registry, "_available", {})
        missing = ("", "")
        assert _registry.composable(device, op, dtype)
        for missing in _core_needs(op, dtype):
            monkeypatch.setattr(_registry, "_available", {})
            assert not _registry.composable(device, op, dtype), f"{op} of {dtype}, no {missing}"


def test_what_cannot_be_composed_falls_back() -> None:
    device = bringup_devices.without_where()
    x = _core.from_numpy(
        np.array([-1.0, 0.5, 3.0], dtype=np.float32), None, _core.as_device(device)
    )
    with xp.fallback_policy("error"):
        np.testing.assert_array_equal(_core.subtract(x, 1).numpy(), [-2.0, -0.5, 2.0])
        with pytest.raises(xp.FallbackError, match="gelu"):
            _core.apply("gelu", [x])
    with xp.fallback_policy("allow"):
        got = _core.apply("gelu", [x])
    np.testing.assert_allclose(got.numpy(), [-0.15865526, 0.34573123, 2.9959502], rtol=1e-6)
    reports = [r for r in xp.fallback_report() if str(r["device"]).startswith(device)]
    assert [(r["op"], r["count"]) for r in reports] == [("gelu", 1)]
