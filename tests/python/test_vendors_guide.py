# SPDX-License-Identifier: Apache-2.0
"""docs/vendors_guide.md: its files are written, its lines are typed, and each ends as it says.

What `pip install .` does is done by hand, for no index is needed then. Whole levels take minutes:
of these lines the options are checked only.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from plugin_site import Site

certify = pytest.importorskip(
    "device_api_conformance.cli.certify", reason="the conformance suite is not installed"
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "vendors_guide.md"
FILE = re.compile(r"^File `([^`]+)`:\n\n```\w+\n(.*?)^```$", re.S | re.M)
LINES = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
WHOLE_LEVEL = re.compile(r"--level (smoke|standard|full)(?!.*--only)")
COMMANDS = """#!/bin/sh
exec '{python}' {module} "$@"
"""


@dataclass
class Line:
    """A command of the page, and the exit code that it says."""

    text: str
    code: int


def lines() -> list[Line]:
    found = []
    for block in LINES.findall(PAGE.read_text(encoding="utf-8")):
        for text in block.strip().splitlines():
            command, _, told = text.partition("# exit code ")
            found.append(Line(command.strip(), int(told or 0)))
    return found


@pytest.fixture
def shell(site: Site, tmp_path: Path):
    """Run a line in the vendor's folder; `pip install .` puts the package beside the others."""
    folder, programs = tmp_path / "vendor", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    for name, module in (("python", ""), ("device-api", "-m device_api.cli")):
        script = programs / name
        script.write_text(COMMANDS.format(python=sys.executable, module=module))
        script.chmod(0o755)
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def run(line: Line) -> subprocess.CompletedProcess[str]:
        if line.text == "pip install .":
            package = "device_api_mychip"
            shutil.copytree(folder / package, site.folder / package, dirs_exist_ok=True)
            if not list(site.folder.glob("device_api_mychip-*")):
                points = "[device_api]\nmychip = device_api_mychip.plugin\n"
                site.distribution("device-api-mychip", points, "0.1.0")
            return subprocess.CompletedProcess("", 0, "", "")
        environment = site.environment()
        environment["PATH"] = f"{programs}:{environment['PATH']}"
        return subprocess.run(
            ["bash", "-c", line.text], cwd=folder, env=environment, capture_output=True,
            text=True, timeout=240, check=False,
        )  # fmt: skip

    return run


def test_the_page_has_files_and_lines() -> None:
    names = [name for name, _ in FILE.findall(PAGE.read_text(encoding="utf-8"))]
    assert {"mychip.c", "pyproject.toml", "model.py", "waivers.toml"} <= set(names)
    assert {line.code for line in lines()} == {0, 1, 2}
    assert len(lines()) > 15


def test_every_line_ends_as_the_page_says(shell) -> None:
    told = {}
    for line in lines():
        if line.text.startswith("pip install '"):
            continue  # the suite is installed: see above
        if WHOLE_LEVEL.search(line.text):
            certify.parser().parse_args(shlex.split(line.text)[2:])
            continue
        done = shell(line)
        told[line.text] = done.stdout + done.stderr
        assert done.returncode == line.code, f"{line.text}\n{told[line.text]}"
    failure = next(text for text in told.values() if "FAIL E/abs" in text)
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    (words,) = re.findall(r"FAIL E/abs.*?\n", failure)
    assert " ".join(words.split()) in page
    judged = [text for line, text in told.items() if "waivers.toml" in line]
    assert "1 WAIVED" in judged[0]
    assert "1 XPASS" in judged[1]
