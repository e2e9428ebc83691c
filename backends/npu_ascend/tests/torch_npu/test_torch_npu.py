# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own adapter for Ascend, torch_npu, on the simulated CANN: a client that we did not
write. Needs torch and torch_npu of one release; the tox environment "torch" has them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "simulator"))

from cann_client import library_folder
from torch_npu_programs import ALL_AGREE, ALL_REFUSED, OPERATORS, REFUSED, STEPS, TABLE

HERE = Path(__file__).parent
FOUND = importlib.util.find_spec("torch_npu")
if not os.environ.get("DEVICE_API_TESTS_NEED_TORCH") and not (FOUND and FOUND.origin):
    pytest.skip("torch_npu is not installed: tox -e torch has it", allow_module_level=True)

TIME = 120  # seconds for one program; PyTorch alone takes some to load


@pytest.fixture(scope="module")
def allocator_keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("keys") / "liballocator_keys.so"
    compiler = os.environ.get("CXX", "c++")
    source = HERE / "allocator_keys.cpp"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", out, source], check=True)
    return out


def run(allocator_keys: Path, program: str, **variables: str) -> None:
    """Run a program after the prelude; it ends by itself, without a misuse of CANN."""
    whole = (
        "from torch_npu_prelude import *\n" + program + "\nassert misuses() == [], misuses()\n"
        "print('reached the end')\n"
    )
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("ASCEND_", "DEVICE_API_SIM"))},
        "PYTHONPATH": str(HERE),
        "LD_LIBRARY_PATH": str(library_folder()),
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
        "ALLOCATOR_KEYS": str(allocator_keys),
        "SIM_CONTROL": str(HERE.parent / "simulator"),
        **variables,
    }
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, "-c", whole], env=environment, capture_output=True, text=True, timeout=TIME
    )
    text = done.stdout + done.stderr
    assert done.returncode == 0, text[-4000:]
    assert "reached the end" in done.stdout, text[-4000:]


VARIABLES = {"blocking launches": {"ASCEND_LAUNCH_BLOCKING": "1"}}


@pytest.mark.parametrize("step", STEPS)
def test_step(allocator_keys: Path, step: str) -> None:
    run(allocator_keys, STEPS[step], **VARIABLES.get(step, {}))


def test_operators_agree_with_the_cpu(allocator_keys: Path) -> None:
    run(allocator_keys, f"rows = {OPERATORS!r}\n" + TABLE + ALL_AGREE)


def test_operators_that_this_cann_lacks_are_refused_with_a_reason(allocator_keys: Path) -> None:
    run(allocator_keys, f"rows = {REFUSED!r}\n" + TABLE + ALL_REFUSED)
