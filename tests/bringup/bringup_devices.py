# SPDX-License-Identifier: Apache-2.0
"""Devices of the first day: built from plugin.cpp, loaded once in a process."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import device_api_abi
import device_api_cpu
from device_api import _core

HERE = Path(__file__).parent


def _build(folder: Path, kind: str, *defines: str) -> Path:
    """Compile plugin.cpp into a library for devices of a type."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    assert compiler, "no C++ compiler found; install one or set CXX"
    cpu = Path(device_api_cpu.__file__).parent / "lib" / "libdevice_api_cpu.so"
    library = folder / f"lib{kind}.so"
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    command = [compiler, *flags, f"-I{device_api_abi.get_include()}"]
    command += [f'-DTYPE="{kind}"', f'-DCPU_LIBRARY="{cpu}"', *defines]
    subprocess.run([*command, str(HERE / "plugin.cpp"), "-o", str(library), "-ldl"], check=True)
    return library


@functools.cache
def bare() -> str:
    """Load devices of type "bringup", with the core ops only, and return the type."""
    with tempfile.TemporaryDirectory() as folder:
        _core.load_backend("bringup", str(_build(Path(folder), "bringup")), {})
    return "bringup"


@functools.cache
def tuned() -> tuple[str, ctypes.CDLL]:
    """Load devices of type "tuned", with three kernels more; return the type and the library."""
    with tempfile.TemporaryDirectory() as folder:
        library = _build(Path(folder), "tuned", "-DTUNED")
        _core.load_backend("tuned", str(library), {})
        return "tuned", ctypes.CDLL(str(library))
