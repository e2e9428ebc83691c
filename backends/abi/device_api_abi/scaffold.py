# SPDX-License-Identifier: Apache-2.0
"""The project of a new backend, written from the templates beside this file."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import device_api_abi

TEMPLATES = Path(__file__).resolve().parent / "template"
_WORD = re.compile(r"@([A-Za-z]+)@")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}[a-z0-9]")
_TAKEN = {"api", "device", "engine", "linkage", "host", "sim", "abi", "core", "conformance"}


def check_name(name: str) -> None:
    """Raise ValueError unless a device type, a Python module and a C prefix can be named so."""
    if not _NAME.fullmatch(name) or "__" in name:
        raise ValueError(
            f"{name!r} cannot name a device type: use 2 to 32 lower-case letters, digits and "
            "underscores, a letter first and no underscore last, as in 'npu'"
        )
    if name in _TAKEN or keyword.iskeyword(name):
        raise ValueError(f"{name!r} has a meaning already; use the name of the chip's family")


def new_backend(name: str, folder: Path) -> list[Path]:
    """Write the project of device type `name` into `folder`, which must be new or empty.

    Returns the files, relative to the folder.

    Raises:
        ValueError: the name cannot be used.
        FileExistsError: the folder has something in it, or is a file.
    """
    check_name(name)
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise FileExistsError(f"{folder} exists and is not an empty folder; nothing was written")
    words = {
        "name": name,
        "NAME": name.upper(),
        "Name": name.replace("_", " ").title().replace(" ", ""),
        "abi": ".".join(device_api_abi.__version__.split(".")[:2]),
    }
    written = []
    for template in sorted(TEMPLATES.rglob("*.in")):
        relative = Path(str(template.relative_to(TEMPLATES))[:-3].replace("NAME", name))
        text = _WORD.sub(lambda m: words[m[1]], template.read_text(encoding="utf-8"))
        target = folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(relative)
    return written
