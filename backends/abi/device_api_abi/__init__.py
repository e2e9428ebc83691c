# SPDX-License-Identifier: Apache-2.0
"""What is needed to build a backend: C headers, the simulated-chip engine, a CMake package."""

from __future__ import annotations

from pathlib import Path

__all__ = ["__version__", "cmake_dir", "get_include", "get_lib"]
__version__ = "0.1.0"

_HERE = Path(__file__).resolve().parent


def _existing(folder: Path, what: str) -> str:
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{what} not found in {folder}: this is a source tree or a damaged installation; "
            "install the device-api-abi wheel"
        )
    return str(folder)


def get_include() -> str:
    """Folder to put on a compiler's include path (``#include "device_api/backend.h"``).

    In a source tree this is the tree's own ``include`` folder.
    """
    installed = _HERE / "include"
    return _existing(installed if installed.is_dir() else _HERE.parent / "include", "headers")


def get_lib() -> str:
    """Folder with the static library of the simulated-chip engine."""
    return _existing(_HERE / "lib", "the engine library")


def cmake_dir() -> str:
    """Folder of the CMake package: the value of ``device_api_abi_DIR`` for ``find_package``."""
    return _existing(_HERE / "cmake", "the CMake package")
