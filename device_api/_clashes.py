# SPDX-License-Identifier: Apache-2.0
"""Vendor stacks that clash in one environment, told before anything of them is loaded.

Only names of files and folders are looked at: nothing is opened, so nothing can crash.
"""

from __future__ import annotations

import importlib.util
import os
import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

RULES = "compatibility.toml"
"""A plugin's file beside its module, with its vendor's known-bad combinations."""


def mapped_libraries() -> dict[str, set[str]]:
    """Return the shared libraries mapped into this process: file name without version -> paths.

    Extension modules of Python, which may have any name twice, are none.
    """
    found: dict[str, set[str]] = {}
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            path = line.split(maxsplit=5)[5].strip() if line.count("/") else ""
            stem, dot, _ = os.path.basename(path).partition(".so")
            if dot and path.startswith("/") and stem.startswith("lib"):
                found.setdefault(stem, set()).add(os.path.realpath(path))
    return found


def conflicts() -> list[str]:
    """Return the libraries of which this process has mapped several files of one name."""
    several = {stem: paths for stem, paths in mapped_libraries().items() if len(paths) > 1}
    return [f"{stem}: {', '.join(sorted(paths))}" for stem, paths in sorted(several.items())]


def twice_on_path(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the libraries that several folders of LD_LIBRARY_PATH have, if they differ.

    Links to one file are one file. Reported are folders that share three names or more: those are
    two installations of one stack, of which the first wins library by library.
    """
    told: list[str] = []
    folders = _folders((environment or os.environ).get("LD_LIBRARY_PATH", ""))
    for k, first in enumerate(folders):
        for second in folders[k + 1 :]:
            same = sorted(
                name for name, file in first[1].items() if second[1].get(name, file) != file
            )
            if len(same) >= 3:
                told.append(
                    f"LD_LIBRARY_PATH has two installations of one stack: {first[0]} and "
                    f"{second[0]} both have {', '.join(same[:3])}"
                    f"{' and more' if len(same) > 3 else ''}; keep one of the folders (start a new "
                    "shell and source one installation's script only)"
                )
    return told


def _folders(path: str) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    seen: set[str] = set()
    for folder in path.split(":"):
        real = os.path.realpath(folder) if folder else ""
        if real and real not in seen and os.path.isdir(real):
            seen.add(real)
            found.append((folder, _libraries(real)))
    return found


def _libraries(folder: str) -> dict[str, str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    libraries = (n for n in names if n.startswith("lib") and n.endswith(".so"))
    return {n: os.path.realpath(os.path.join(folder, n)) for n in libraries}


def rules(module: str) -> list[dict[str, Any]]:
    """Return the known-bad combinations of a plugin; none where it has no such file.

    Raises ValueError when the file is there and cannot be read as a list of rules.
    """
    spec = importlib.util.find_spec(module.partition(".")[0])
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        file = Path(folder) / RULES
        if file.is_file():
            return _checked(file)
    return []


def _checked(file: Path) -> list[dict[str, Any]]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("bad", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from error
    for n, rule in enumerate(found):
        lacking = [k for k in ("when", "problem", "remedy", "source") if not rule.get(k)]
        if lacking or not isinstance(rule["when"], dict):
            raise ValueError(f"{file}: rule {n + 1} lacks {', '.join(lacking) or 'a table `when`'}")
    return list(found)


def known_bad(rules: Iterable[Mapping[str, Any]], facts: Mapping[str, Any]) -> list[str]:
    """Return what is known against the versions in `facts` (name, arch, driver, runtime, ...).

    Every pattern of a rule's ``when`` must match the fact of its name (``*`` and ``?``).
    """
    return [
        f"{rule['problem']} Remedy: {rule['remedy']} (source: {rule['source']})"
        for rule in rules
        if all(fnmatchcase(str(facts.get(k, "")), str(p)) for k, p in rule["when"].items())
    ]


def bad_versions(device_type: str, facts: dict[str, Any]) -> list[str]:
    """Return what the plugin's list of known-bad combinations says of a device's versions."""
    from device_api import _metadata

    try:
        return known_bad(rules(_metadata.find(device_type).module), facts)
    except ValueError as error:
        return [f"the list of known-bad combinations is broken: {error}"]
