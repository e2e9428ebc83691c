# SPDX-License-Identifier: Apache-2.0
"""Comparing a device with the CPU op by op, and ``device-api bisect``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from plugin_site import Site

import device_api as xp
from device_api import compare, simulation
from device_api.nn import functional

SIMULATED = {"DEVICE_API_SIMULATE": "npu"}
FLOATS = ("float16", "bfloat16", "float32", "float64")


@pytest.fixture
def npu() -> Iterator[simulation.Control]:
    """The simulated NPU as the current device; faults are mended after the test."""
    with xp.device_guard("npu:0"), xp.fallback_policy("allow"):
        control = simulation.control("npu")
        yield control
        control.mend()


def values(shape: tuple[int, ...], dtype: str = "float32") -> xp.Tensor:
    rng = np.random.default_rng(7)
    return xp.astype(xp.asarray(rng.standard_normal(shape)), getattr(xp, dtype))


def model(x: xp.Tensor) -> xp.Tensor:
    """A program of many kinds of ops."""
    y = xp.tanh(x @ x) + xp.exp(-xp.abs(x)) / 3
    z = xp.where(y > 0, y, xp.sin(y)) * xp.sum(y, axis=0)
    return xp.mean(xp.sort(z, axis=1)) + xp.max(xp.cumulative_sum(z, axis=1))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_healthy_device_differs_nowhere(npu: simulation.Control, dtype: str) -> None:
    with compare.with_cpu() as found:
        model(values((33, 33), dtype))
    assert found.first is None
    assert found.compared.total() > 10
    assert "matmul" in found.compared or dtype == "float64"


def test_integers_complex_numbers_and_indices(npu: simulation.Control) -> None:
    with compare.with_cpu() as found:
        i = xp.arange(100, dtype=xp.int32)
        xp.take((i * i - 7) // 3 + i % 5, xp.flip(i))
        c = xp.astype(i, xp.complex64) * (1 + 2j)
        xp.real(c * c) + xp.abs(c)
        xp.argsort(xp.astype(-i, xp.float32))
        i += 1
    assert found.first is None
    assert found.compared.total() > 5


def test_broadcast_operands_and_cancellation(npu: simulation.Control) -> None:
    x = values((5, 4, 6))
    with compare.with_cpu() as found:
        x @ xp.broadcast_to(values((6, 3)), (5, 6, 3))
        functional.hardsigmoid(xp.linspace(-3.1, -2.9, 999, dtype=xp.float32))
        functional.layer_norm(x, 6)
        functional.softmax(x)
    assert found.first is None
    assert {"matmul"} <= set(found.compared)


def test_the_wrong_op_is_named(npu: simulation.Control) -> None:
    x = values((33, 33))
    with (
        simulation.inject("npu", "wrong_result", op="*Tanh*", value=1e-3, count=0),
        pytest.raises(compare.ResultDiffersError) as caught,
        compare.with_cpu() as found,
    ):
        model(x)
    error = caught.value
    difference = error.difference
    assert difference is found.first
    assert error.op == difference.op == "tanh"
    assert error.device == "npu:0"
    assert difference.ulp > difference.allowed > 0
    assert difference.got != difference.expected
    assert __file__ in difference.where
    assert "in model" in difference.where
    text = str(error)
    assert "tanh(float32" in text
    assert "units in the last place apart" in text


def test_all_differences_without_stopping(npu: simulation.Control) -> None:
    x = values((16, 16))
    with (
        simulation.inject("npu", "wrong_result", op="*Exp*", value=0.5, count=0),
        compare.with_cpu(stop=False) as found,
    ):
        xp.exp(x)
        xp.sqrt(xp.abs(x))
        xp.exp(x)
    assert [d.op for d in found.differences] == ["exp", "exp"]


def test_a_tolerance_of_ones_own(npu: simulation.Control) -> None:
    x = values((16, 16))
    with simulation.inject("npu", "wrong_result", op="*Exp*", value=1e-4, count=0):
        with compare.with_cpu(rtol=1e-2) as found:
            xp.exp(x)
        assert found.first is None
        with pytest.raises(compare.ResultDiffersError), compare.with_cpu(rtol=1e-6):
            xp.exp(x)
    with pytest.raises(xp.InvalidArgumentError, match="rtol"):
        compare.with_cpu(rtol=-1)


def test_ops_of_the_cpu_and_of_other_devices_are_left_alone(npu: simulation.Control) -> None:
    with compare.with_cpu(device="npu:1") as found:
        xp.exp(values((4, 4)))
        xp.exp(xp.ones(3, device="cpu"))
    assert not found.compared


PROGRAM = """
import sys
import device_api as xp
from device_api import simulation

if "broken" in sys.argv:
    simulation.inject("npu", "wrong_result", op="*Exp*", value=1e-3, count=0)
x = xp.arange(64, dtype=xp.float32) / 64
print("sum:", float(xp.sum(xp.exp(xp.sqrt(x)) * 2)))
if "fail" in sys.argv:
    raise RuntimeError("the program's own mistake")
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 0, "none differs"),
        (("broken",), 1, "exp(float32"),
        (("fail",), 2, "the program failed"),
    ],
)
def test_bisect(
    site: Site, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ended = site.command("bisect", "--device", "npu:0", str(program), *arguments, **SIMULATED)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert said in ended.stdout
    if code == 1:
        assert f"{program}:9" in ended.stdout
    if code == 2:
        assert "the program's own mistake" in ended.stderr


def test_bisect_wants_a_device_and_a_program(site: Site, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ended = site.command("bisect", str(program))
    assert ended.returncode == 2
    assert "compared with itself" in ended.stderr
    ended = site.command("bisect", "--device", "npu:0", str(tmp_path / "none.py"), **SIMULATED)
    assert ended.returncode == 2
    assert "no file" in ended.stderr
