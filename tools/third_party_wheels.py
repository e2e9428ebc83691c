# SPDX-License-Identifier: Apache-2.0
"""Put the third-party wheels that our wheels need into wheelhouse/third_party/.

The clean-install tests, which also build the project of a new backend, then need no index at all.
The names come from dependency groups of pyproject.toml; versions already there are kept while they
satisfy it.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "wheelhouse" / "third_party"
GROUPS = ("build", "runtime", "conformance-runtime", "pytest")


def main() -> None:
    """Download what is missing."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    requirements = [r for name in GROUPS for r in groups[name]]
    FOLDER.mkdir(parents=True, exist_ok=True)
    download = [
        sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:",
        "--dest", str(FOLDER), *requirements,
    ]  # fmt: skip
    offline = [*download, "--no-index", "--find-links", str(FOLDER)]
    if subprocess.run(offline, check=False, capture_output=True).returncode:
        subprocess.run(download, check=True)
    names = sorted(wheel.name.split("-")[0] for wheel in FOLDER.iterdir())
    print(f"third-party wheels: {', '.join(names)}")


if __name__ == "__main__":
    main()
