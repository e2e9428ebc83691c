# SPDX-License-Identifier: Apache-2.0
"""The example on real data: accuracy, agreement of both devices, no fallback, absent data."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

import device_api as xp

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "digits.py"


@pytest.fixture(scope="module")
def digits() -> ModuleType:
    spec = importlib.util.spec_from_file_location("digits", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["digits"] = module
    spec.loader.exec_module(module)
    return module


def test_both_devices_learn_the_same(digits: ModuleType) -> None:
    path = digits.data_file()
    results = [digits.train(device, 400, 0, path) for device in ("cpu", "npu")]
    assert [text for holds, text in digits.verdicts(results) if not holds] == []
    cpu, npu = results
    assert len(cpu.losses) == len(npu.losses) == 400
    assert npu.simulated
    assert "simulated" in npu.name
    assert npu.fallbacks == {}
    assert npu.launches == npu.native_ops > 400 * 20
    assert cpu.losses[0] > 2 > 0.2 > cpu.losses[-1]
    assert cpu.accuracy >= 0.95
    assert npu.peak_bytes > 1437 * 64 * 4
    digits.show(results)


def test_absent_data(digits: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(xp.DataNotFoundError, match=r"absent.csv") as caught:
        digits.load(Path("absent.csv"), 0, "cpu")
    assert isinstance(caught.value, FileNotFoundError)
    assert digits.main(["--device", "cpu", "--data", "absent.csv"]) == 2
    assert "Remedy" in capsys.readouterr().err


def test_wrong_arguments(digits: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert digits.main(["--device", "abacus"]) == 2
    assert "abacus" in capsys.readouterr().err
    for name in ("npu:x", "cpu:0:1", "cpu:", ":0", ""):
        assert digits.main(["--device", name]) == 2
        told = capsys.readouterr().err
        assert f"digits: not a device name: {name!r}" in told
        assert "Remedy" in told
    with pytest.raises(SystemExit) as caught:
        digits.main(["--steps", "0"])
    assert caught.value.code == 2
