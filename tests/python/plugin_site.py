# SPDX-License-Identifier: Apache-2.0
"""A folder of made-up plugins, as if pip had installed them, and programs that run beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

CRASH = """
#include <stdlib.h>
#include <string.h>
const void *dab_backend_table(unsigned int v) { (void)v; abort(); }
__attribute__((constructor)) static void on_load(void) { HOW; }
"""


@dataclass
class Site:
    """A folder on the module search path in which plugins are made."""

    folder: Path

    def distribution(self, name: str, points: str, version: str = "1.0") -> None:
        """Add a distribution with entry points."""
        info = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(textwrap.dedent(points))

    def plugin(self, device_type: str, body: str, name: str = "", version: str = "1.0") -> None:
        """Add a plugin for a type whose module has this text."""
        name = name or f"maker-{device_type}"
        module = name.replace("-", "_")
        self.distribution(name, f"[device_api]\n{device_type} = {module}\n", version)
        (self.folder / f"{module}.py").write_text(textwrap.dedent(body))

    def backend(self, device_type: str, library: str, name: str = "") -> None:
        """Add a plugin whose hook names a library."""
        self.plugin(
            device_type,
            f"""
            import pluggy
            @pluggy.HookimplMarker("device_api")
            def device_api_backend():
                return {{"library": {library!r}, "options": {{}}, "simulator": None}}
            """,
            name,
        )

    def library(self, name: str, how: str) -> Path:
        """Compile a shared library that does something, in C, as it is loaded."""
        compiler = shutil.which("cc")
        assert compiler, "the tests need a C compiler named cc"
        source, target = self.folder / f"{name}.c", self.folder / f"lib{name}.so"
        source.write_text(CRASH.replace("HOW", how))
        subprocess.run([compiler, "-shared", "-fPIC", "-o", target, source], check=True)
        return target

    def environment(self, **more: str) -> dict[str, str]:
        """Return an environment in which child processes see the plugins of this folder."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("DEVICE_API_")}
        path = os.pathsep.join(filter(None, (str(self.folder), kept.get("PYTHONPATH"))))
        return kept | {"PYTHONPATH": path, "COLUMNS": "200"} | more

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this Python in a neutral folder."""
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def python(self, text: str, **more: str) -> str:
        """Run a program text, which must succeed, and return what it printed."""
        ended = self.run("-c", textwrap.dedent(text), **more)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def command(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run the command line of device_api."""
        return self.run("-m", "device_api.cli", *arguments, **more)
