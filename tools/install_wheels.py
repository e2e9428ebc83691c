# SPDX-License-Identifier: Apache-2.0
"""Install our wheels from wheelhouse/ into this environment, with no index.

    python tools/install_wheels.py 'device-api[npu]' ...

What is named is resolved by the wheels' own metadata. Wheels whose content is installed already
are left alone; third-party requirements must be installed beforehand, by name.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELHOUSE = Path(os.environ.get("DEVICE_API_WHEELHOUSE", ROOT / "wheelhouse"))
OURS = "device_api"


def pip(*arguments: str) -> None:
    """Run pip without any index or configuration; stop the program when it fails."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment |= {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
    }
    finished = subprocess.run(
        [sys.executable, "-m", "pip", *arguments], env=environment, check=False
    )
    if finished.returncode:
        sys.exit(f"install_wheels: failed: pip {' '.join(arguments)}")


def record(wheel: Path) -> set[str]:
    """Return the lines of a wheel's RECORD that carry a hash."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/RECORD"))
        lines = archive.read(name).decode().splitlines()
    return {line for line in lines if ",sha256=" in line}


def is_outdated(wheel: Path) -> bool:
    """Return whether something else than this wheel's files is installed under its name."""
    name = wheel.name.split("-")[0]
    installed = list(Path(sysconfig.get_path("purelib")).glob(f"{name}-*.dist-info/RECORD"))
    return any(not record(wheel) <= set(r.read_text().splitlines()) for r in installed)


def main() -> None:
    """Drop outdated copies of our wheels, then let pip resolve what was asked for."""
    requirements = sys.argv[1:]
    if not requirements:
        sys.exit(__doc__)
    wheels = sorted(WHEELHOUSE.glob(f"{OURS}*.whl"))
    if not wheels:
        sys.exit(f"install_wheels: no wheels in {WHEELHOUSE}; build them: ./dev tox run -e wheels")
    outdated = [w.name.split("-")[0] for w in wheels if is_outdated(w)]
    if outdated:
        pip("uninstall", "--yes", "--quiet", *outdated)
    pip("install", "--quiet", "--no-index", "--find-links", str(WHEELHOUSE), *requirements)
    print(f"installed from {WHEELHOUSE.name}/: {', '.join(requirements)}")


if __name__ == "__main__":
    main()
