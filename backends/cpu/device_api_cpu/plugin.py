# SPDX-License-Identifier: Apache-2.0
"""Where the CPU backend's library lies, and the options that the host passes to it."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pluggy

hookimpl = pluggy.HookimplMarker("device_api")

_LIBRARY = "libdevice_api_cpu.so"
_BLAS_PACKAGE = "scipy_openblas32"


def _blas_path() -> str | None:
    """The shared library of the BLAS package, found without importing the package."""
    spec = importlib.util.find_spec(_BLAS_PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for path in sorted(Path(folder, "lib").glob("libscipy_openblas.*")):
            if path.suffix in {".so", ".dylib"}:
                return str(path)
    return None


@hookimpl
def device_api_backend() -> dict[str, Any]:
    """Describe the backend: absolute path of its library, its options, its simulator (none).

    Without the BLAS package the backend multiplies large matrices with its own kernels.
    """
    blas = _blas_path()
    return {
        "library": str(Path(__file__).resolve().parent / "lib" / _LIBRARY),
        "options": {"blas": blas} if blas else {},
        "simulator": None,
    }
