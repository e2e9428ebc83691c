# SPDX-License-Identifier: Apache-2.0
"""New virtual environments that install from the wheelhouse and from nowhere else."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WHEELHOUSE = Path(os.environ.get("DEVICE_API_WHEELHOUSE", ROOT / "wheelhouse"))
THIRD_PARTY = WHEELHOUSE / "third_party"


@dataclass(frozen=True)
class Environment:
    """A virtual environment and how to run its programs outside the checkout."""

    folder: Path
    variables: dict[str, str] = field(default_factory=lambda: {"DEVICE_API_SIMULATE": "npu"})

    def run(self, *command: str, ok: bool = True, cwd: Path | None = None) -> str:
        """Run a program of the environment; return what it printed, both streams together."""
        kept = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("PIP_", "PYTHON", "DEVICE_API_"))
        }
        programs = self.folder / "bin"
        environment = kept | {
            "PATH": os.pathsep.join((str(programs), kept["PATH"])),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            **self.variables,
        }
        finished = subprocess.run(
            [str(programs / command[0]), *command[1:]],
            cwd=cwd or self.folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert (finished.returncode == 0) == ok, (
            f"{command}: {finished.returncode}\n{finished.stdout}"
        )
        return finished.stdout

    def install(self, *requirements: str) -> None:
        """Install from the wheelhouse and from nowhere else."""
        folders = ("--find-links", str(WHEELHOUSE), "--find-links", str(THIRD_PARTY))
        self.run("python", "-m", "pip", "install", "--quiet", "--no-index", *folders, *requirements)
