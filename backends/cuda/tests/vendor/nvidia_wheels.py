# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's wheels in this environment: folders of headers and libraries, by major version."""

from __future__ import annotations

import sysconfig
from pathlib import Path

PACKAGES = Path(sysconfig.get_path("purelib")) / "nvidia"

MAJORS = (12, 13)


def folders(major: int, kind: str) -> list[Path]:
    """The folders "include" or "lib": one tree since version 13, one for each library before."""
    if major >= 13:
        return [PACKAGES / f"cu{major}" / kind]
    return sorted(p for p in PACKAGES.glob(f"*/{kind}") if not p.parent.name.startswith("cu1"))


def header(major: int, name: str) -> Path | None:
    """Where a header of the toolkit lies, if its wheel is installed."""
    return next((f / name for f in folders(major, "include") if (f / name).is_file()), None)


def library(major: int, name: str) -> Path | None:
    """Where a shared library of the toolkit lies, if its wheel is installed."""
    return next((f / name for f in folders(major, "lib") if (f / name).is_file()), None)
