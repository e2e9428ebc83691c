# SPDX-License-Identifier: Apache-2.0
"""The adapter on the simulated CUDA: an example, other vendors beside it, a part of the suite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]

BESIDE = """
import numpy as np
import device_api as xp

places = ["cpu", "npu:0", "npu:1", "cuda:0", "cuda:1"]
data = np.arange(1000, dtype=np.float32).reshape(20, 50)
for source in places:
    x = xp.asarray(data, device=source)
    for target in places:
        y = x.to_device(target)
        assert y.device == xp.asarray(0, device=target).device
        with xp.fallback_policy("error"):
            z = xp.matmul(y, xp.permute_dims(y, (1, 0))) + y[0, 0]
        np.testing.assert_allclose(np.asarray(z.to_device("cpu")), data @ data.T, rtol=1e-5)
print("side by side")
"""

BROKEN = """
import device_api as xp
from device_api import errors

try:
    xp.ones(3, device="npu")
except errors.DeviceApiError as error:
    print("told:", str(error).splitlines()[0])
x = xp.ones(3, device="cuda")
assert xp.sum(x + x).item() == 6.0
print("goes on")
"""


def run(*command: str, **environment: str) -> str:
    """Run Python in a process of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("DEVICE_API_SIM")}
    done = subprocess.run(
        [sys.executable, *command], env=kept | environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_digits_are_learnt_without_the_host() -> None:
    pytest.importorskip("sklearn", reason="scikit-learn has the digits")
    told = run(str(ROOT / "examples" / "digits.py"), "--device", "cuda")
    assert "the chip's launch log equals the native ops" in told
    assert "nothing fell back" in told and "  no " not in told


def test_three_vendors_side_by_side() -> None:
    assert "side by side" in run("-c", BESIDE, DEVICE_API_SIMULATE="cuda=2,npu=2")


def test_a_vendor_that_fails_leaves_the_others_alone(tmp_path: Path) -> None:
    absent = str(tmp_path / "no_chip.toml")
    told = run("-c", BROKEN, DEVICE_API_SIMULATE="cuda,npu", DEVICE_API_SIM_NPU_CHIP=absent)
    assert "told:" in told and "goes on" in told


@pytest.mark.parametrize("only", [("R", "M", "S", "F/*"), ("N/add", "N/exp", "N/sum", "N/matmul")])
def test_the_suite_has_no_finding(tmp_path: Path, only: tuple[str, ...]) -> None:
    chosen = [word for pattern in only for word in ("--only", pattern)]
    run("-m", "device_api", "certify", "cuda", "--level", "smoke", "--report", str(tmp_path),
        *chosen, DEVICE_API_SIMULATE="cuda")  # fmt: skip
    cases = json.loads((tmp_path / "report.json").read_text())["cases"]
    assert sum(case["verdict"] == "PASS" for case in cases) > 20
