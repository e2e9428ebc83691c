# SPDX-License-Identifier: Apache-2.0
"""The command new-backend: write the project of a plugin for a new chip."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from device_api import _metadata
from device_api_abi import scaffold

DONE, UNUSABLE = 0, 2

_NEXT = (
    "python -m pip install scikit-build-core cmake ninja pytest",
    "python -m pip install . --no-build-isolation --no-index",
    "export DEVICE_API_SIMULATE={name}",
    "device-api certify {name} --level smoke --report report",
)


def run(name: str, into: Path | None, out: Console, err: Console) -> int:
    """Write the project and say how to go on; returns the command's exit code."""
    folder = into or Path(f"device-api-{name}")
    taken = set(_metadata.known_types()) | set(_metadata.aliases())
    try:
        if name in taken:
            raise ValueError(f"{name!r} names a device type already; `device-api devices` has all")
        files = scaffold.new_backend(name, folder)
    except (ValueError, OSError) as error:
        err.print(f"no project was written: {error}", markup=False)
        return UNUSABLE
    out.print(f"{len(files)} files written. Next:", markup=False)
    for line in (f"cd {folder}", *_NEXT):
        out.print("    " + line.format(name=name), markup=False)
    return DONE
