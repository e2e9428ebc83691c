# SPDX-License-Identifier: Apache-2.0
"""Programs that mpiexec starts: collectives of host memory, and of simulated chips."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rank_processes import PROGRAM, environment

pytest.importorskip("mpi4py", reason="mpi4py is not installed (extra: distributed)")
BESIDE = Path(sys.executable).with_name("mpiexec")
MPIEXEC = str(BESIDE) if BESIDE.exists() else shutil.which("mpiexec")
pytestmark = pytest.mark.skipif(MPIEXEC is None, reason="no mpiexec is installed")


def run(n: int, *arguments: str, **more: str) -> str:
    found = environment(**more)
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        found.pop(name, None)
    found["OMPI_ALLOW_RUN_AS_ROOT"] = found["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    ended = subprocess.run(
        [str(MPIEXEC), "-n", str(n), sys.executable, *arguments], env=found, text=True,
        capture_output=True, timeout=240, check=False, cwd=os.path.expanduser("~"),
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("n", [1, 2, 3])
def test_host_memory(n: int) -> None:
    assert run(n, str(PROGRAM), "process", "all", BACKEND="cpu") == "good\n" * n


def test_chips_whose_ranks_mpi_started() -> None:
    assert run(2, str(PROGRAM), "process", "passes", BACKEND="npu") == "good\n" * 2
