# SPDX-License-Identifier: Apache-2.0
"""Products of a simulated chip: through the BLAS library, and without it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
import device_api as da
x = np.random.default_rng(3).integers(-8, 9, (70, 90)).astype(np.float32)
y = np.random.default_rng(4).integers(-8, 9, (80, 90)).astype(np.float32)
mapped = lambda: "libscipy_openblas." in open("/proc/self/maps").read()
before = mapped()
a, b = da.asarray(x, device="npu"), da.asarray(y, device="npu")
right = np.array_equal(da.matmul(a, b.T).numpy(), x @ y.T)
print(before, mapped(), right)
"""


def library() -> Path:
    """The shared library of the package that the CPU backend needs."""
    spec = importlib.util.find_spec("scipy_openblas32")
    assert spec and spec.submodule_search_locations, "device-api-cpu needs scipy-openblas32"
    return next(Path(spec.submodule_search_locations[0], "lib").glob("libscipy_openblas.so"))


def run(blas: str) -> subprocess.CompletedProcess[str]:
    """The program, with what DEVICE_API_SIM_BLAS is to be."""
    environment = os.environ | {"DEVICE_API_SIMULATE": "npu", "DEVICE_API_SIM_BLAS": blas}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )


def test_the_named_library_is_used() -> None:
    assert run(str(library())).stdout.split() == ["False", "True", "True"]


def test_products_without_a_library() -> None:
    done = run("none")
    assert done.stdout.split() == ["False", "False", "True"]
    assert done.stderr == ""


@pytest.mark.parametrize("path", ["/nowhere/libblas.so", "libc.so.6"])
def test_a_library_that_cannot_be_used_is_told(path: str) -> None:
    done = run(path)
    assert done.stdout.split() == ["False", "False", "True"]
    assert f"DEVICE_API_SIM_BLAS={path} cannot be used" in done.stderr
    assert "scipy-openblas32" in done.stderr
