# SPDX-License-Identifier: Apache-2.0
"""Devices of the first day: built from plugin.cpp, loaded once in a process."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import device_api_abi
import device_api_cpu
from device_api import _core
from device_api_abi import optable

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Loaded:
    """A device type and the library behind it."""

    type: str
    library: ctypes.CDLL

    def used(self) -> set[tuple[str, str]]:
        """Return the ops and types that ran since the last call."""
        self.library.bringup_used.restype = ctypes.c_uint64
        found = set()
        for op in optable.load():
            mask = self.library.bringup_used(ctypes.c_uint16(op.id))
            found |= {(op.name, t) for k, t in enumerate(optable.DTYPES) if mask >> k & 1}
        return found

    def calls(self, op: str) -> int:
        """Return how often an own kernel was called."""
        self.library.tuned_calls.restype = ctypes.c_uint64
        return int(self.library.tuned_calls(ctypes.c_uint16(optable.by_name()[op].id)))


@functools.cache
def loaded(kind: str, *defines: str) -> Loaded:
    """Compile plugin.cpp into a backend for devices of a type, and load it."""
    compiler = os.environ.get("CXX") or shutil.which("c++")
    assert compiler, "no C++ compiler found; install one or set CXX"
    cpu = Path(device_api_cpu.__file__).parent / "lib" / "libdevice_api_cpu.so"
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    command = [compiler, *flags, f"-I{device_api_abi.get_include()}", *defines]
    command += [f'-DTYPE="{kind}"', f'-DCPU_LIBRARY="{cpu}"']
    with tempfile.TemporaryDirectory() as folder:
        library = str(Path(folder) / f"lib{kind}.so")
        subprocess.run([*command, str(HERE / "plugin.cpp"), "-o", library, "-ldl"], check=True)
        _core.load_backend(kind, library, {})
        return Loaded(kind, ctypes.CDLL(library))


def bare() -> str:
    """Return the type of devices that have the core ops only."""
    return loaded("bringup").type


def tuned() -> Loaded:
    """Return devices with three own kernels besides the core ops."""
    return loaded("tuned", "-DTUNED")


def without_where() -> str:
    """Return the type of devices that lack one core op, where."""
    return loaded("poor", "-DWITHOUT=DA_OP_WHERE").type
