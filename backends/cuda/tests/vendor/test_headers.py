# SPDX-License-Identifier: Apache-2.0
"""Our declarations of CUDA's C interface against NVIDIA's own headers, by a compiler."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import nvidia_wheels as wheels
import pytest

OURS = Path(__file__).parents[2] / "include"
NEEDED = os.environ.get("DEVICE_API_TESTS_NEED_CUDA_WHEELS") == "1"

# Our header, theirs, and the tables of enumerators that it holds.
PAIRS = (
    ("cuda_driver.h", ("cuda.h",)),
    ("cuda_memory.h", ("cuda.h",)),
    ("cuda_graph.h", ("cuda.h",)),
    ("cuda_nvrtc.h", ("cuda.h", "nvrtc.h")),
    ("cuda_blas.h", ("cublas_v2.h",)),
    ("cuda_blaslt.h", ("cublasLt.h",)),
    ("cuda_nccl.h", ("nccl.h",)),
    ("cuda_nvml.h", ("nvml.h",)),
)
ROW = re.compile(r"X\((\w+), (0x[0-9a-fA-F]+u?|-?\d+), CONFIRMED\)")
SYMBOL = re.compile(r"X\((?:[\w ]|\*)+?\*?, (\w+), \(")

pytestmark = pytest.mark.skipif(
    not NEEDED and wheels.header(13, "cuda.h") is None,
    reason="NVIDIA's wheels are not installed here; tox -e cuda_vendor has them",
)


def compile_c(text: str, includes: list[Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Check a C file with the compiler."""
    source = folder / "check.c"
    source.write_text(text)
    options = [f"-I{i}" for i in includes]
    command = ["cc", "-std=c11", "-fsyntax-only", "-Wno-deprecated-declarations", *options]
    return subprocess.run([*command, str(source)], text=True, capture_output=True, check=False)


def vendor_includes(names: tuple[str, ...], major: int) -> list[Path] | None:
    """Folders in which the vendor's headers of these names lie; None when one is not there."""
    found = [wheels.header(major, name) for name in names]
    if any(f is None for f in found):
        return None
    return wheels.folders(major, "include")


def our_text(name: str) -> str:
    """A header of ours with those of ours that it includes."""
    text = (OURS / "device_api_cuda" / name).read_text()
    for inner in re.findall(r'#include "(\w+\.h)"', text):
        text += our_text(inner)
    return text


def program(name: str, theirs: tuple[str, ...], extra: str = "") -> str:
    """Their declarations, then ours on top of their types: what differs does not compile."""
    symbols = sorted(set(SYMBOL.findall(our_text(name))))
    lines = [f"#include <{h}>" for h in theirs]
    lines += [f"#undef {s}" for s in symbols]  # their macros rename
    lines += ["#define DEVICE_API_CUDA_VENDOR_TYPES", "#define CUDA_DECLARE_PROTOTYPES"]
    lines += [f'#include "device_api_cuda/{name}"', extra]
    return "\n".join(lines) + "\n"


CASES = [(major, *pair) for major in wheels.MAJORS for pair in PAIRS]


@pytest.mark.parametrize(("major", "name", "theirs"), CASES, ids=lambda v: str(v))
def test_prototypes_are_the_vendors(
    major: int, name: str, theirs: tuple[str, ...], tmp_path: Path
) -> None:
    includes = vendor_includes(theirs, major)
    if includes is None:
        pytest.skip(f"no wheel with {', '.join(theirs)} of CUDA {major} is installed")
    run = compile_c(program(name, theirs), [OURS, *includes], tmp_path)
    assert run.returncode == 0, run.stderr[:4000]


def test_a_wrong_prototype_is_found(tmp_path: Path) -> None:
    includes = vendor_includes(("cuda.h",), 13)
    assert includes is not None
    wrong = "CUresult cuMemAlloc_v2(CUdeviceptr* dptr, int bytesize);"
    run = compile_c(program("cuda_memory.h", ("cuda.h",), wrong), [OURS, *includes], tmp_path)
    assert "conflicting types" in run.stderr


@pytest.mark.parametrize(("major", "name", "theirs"), CASES, ids=lambda v: str(v))
def test_numbers_are_the_vendors(
    major: int, name: str, theirs: tuple[str, ...], tmp_path: Path
) -> None:
    includes = vendor_includes(theirs, major)
    if includes is None:
        pytest.skip(f"no wheel with {', '.join(theirs)} of CUDA {major} is installed")
    rows = sorted(set(ROW.findall(our_text(name))))
    lines = [f"#include <{h}>" for h in theirs]
    lines += [f'_Static_assert((int){n} == (int){v}, "{n} is not {v}");' for n, v in rows]
    run = compile_c("\n".join(lines) + "\n", includes, tmp_path)
    # An enumerator that only the newer release has is no contradiction.
    wrong = [e for e in run.stderr.splitlines() if "static assertion failed" in e]
    assert rows
    assert not wrong, "\n".join(wrong[:20])
