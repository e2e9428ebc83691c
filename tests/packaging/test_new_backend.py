# SPDX-License-Identifier: Apache-2.0
"""A backend for an imaginary chip: from nothing to the suite's `standard`, in few lines by hand."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from environments import Environment

NAME = "marble"
PATCH = Path(__file__).with_name("marble.patch")
"""What the chip's vendor wrote by hand: the other core ops, in driver, adapter and simulator."""
LINES = 300
"""How many lines that may be, at most."""


def verdicts(folder: Path) -> dict[str, int]:
    """How many cases of a report have which verdict."""
    found: dict[str, int] = {}
    for case in json.loads((folder / "report.json").read_text())["cases"]:
        found[case["verdict"]] = found.get(case["verdict"], 0) + 1
    return found


@pytest.mark.parametrize("part", ["1/8", pytest.param("1/1", marks=pytest.mark.long)])
def test_a_new_chip_from_nothing_to_standard(
    environment: Environment, tmp_path: Path, part: str
) -> None:
    environment.install("device-api[conformance]", "scikit-build-core", "cmake", "ninja", "pytest")
    chip = Environment(environment.folder, {"DEVICE_API_SIMULATE": NAME})
    project = tmp_path / "project"

    told = chip.run("device-api", "new-backend", NAME, "--into", str(project))
    build = ("python", "-m", "pip", "install", ".", "--no-build-isolation", "--no-index")
    assert " ".join(build) in told
    again = chip.run("device-api", "new-backend", NAME, "--into", str(project), ok=False)
    assert "not an empty folder" in again
    wrong = chip.run("device-api", "new-backend", "Marble 2", ok=False)
    assert "lower-case" in wrong
    chip.run(*build, cwd=project)
    taken = chip.run("device-api", "new-backend", NAME, "--into", str(tmp_path / "other"), ok=False)
    assert "already" in taken
    assert re.search(rf"│ {NAME} +│ usable", chip.run("device-api", "devices"))
    chip.run("python", "-m", "pytest", "-q", "tests", cwd=project)  # with the suite's smoke level

    lines = [line for line in PATCH.read_text().splitlines() if re.match(r"\+(?!\+\+ )", line)]
    assert 0 < len(lines) <= LINES
    subprocess.run(["git", "apply", str(PATCH)], cwd=project, check=True)
    chip.run(*build, cwd=project)
    report = tmp_path / "report"
    chip.run("device-api", "certify", NAME, "--level", "standard", "--jobs", "2",
             "--fraction", part, "--report", str(report))  # fmt: skip
    found = verdicts(report)
    assert not {"FAIL", "CRASH", "HANG", "FLAKY", "WAIVED", "NOTRUN"} & set(found), found
    assert found["PASS"] > 400, found
