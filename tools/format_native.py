# SPDX-License-Identifier: Apache-2.0
"""Format the C and C++ sources with clang-format; with --check only say which differ.

python tools/format_native.py [--check] [PATH ...]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("device_api", "backends", "conformance", "bridges", "benchmarks", "tests")
SUFFIXES = {".h", ".hpp", ".inc", ".c", ".cc", ".cpp"}
SKIPPED = {"build", ".tox", ".dev", "wheelhouse"}


def sources(roots: list[Path]) -> list[Path]:
    """Return the native sources below some folders, in a fixed order."""
    found = [r for r in roots if r.is_file()]
    found += [p for r in roots for p in r.rglob("*") if p.suffix in SUFFIXES and p.is_file()]
    return sorted(p for p in found if not SKIPPED & set(p.relative_to(ROOT).parts))


def main() -> int:
    """Run clang-format on everything and return its exit status."""
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    check = "--check" in sys.argv[1:]
    files = sources([Path(a).resolve() for a in arguments] or [ROOT / f for f in FOLDERS])
    mode = ["--dry-run", "-Werror", "--ferror-limit=3"] if check else ["-i"]
    status = subprocess.run(["clang-format", "--style=file", *mode, *files], check=False).returncode
    print(f"clang-format: {len(files)} files {'checked' if check else 'formatted'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
