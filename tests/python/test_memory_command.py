# SPDX-License-Identifier: Apache-2.0
"""``device-api memory``: the peak, who holds what, and what outlives a program."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from plugin_site import Site

SIMULATED = {"DEVICE_API_SIMULATE": "npu"}
PROGRAM = """
import builtins, sys
import device_api as xp

def work():
    big = xp.ones((1000, 1000)) + 1.0
    return xp.sum(big)

kept = work()
x = xp.exp(xp.ones(100_000))
if "leak" in sys.argv:
    builtins.held = x
if "fail" in sys.argv:
    raise ValueError("the program's own mistake")
"""


def rows(text: str) -> dict[str, list[str]]:
    """Return the table's cells by the op in the first."""
    lines = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines()]
    return {cells[0]: cells[1:] for cells in lines if len(cells) == 4}


@pytest.mark.parametrize("device", ["cpu:0", "npu:0"])
@pytest.mark.parametrize(("argument", "code"), [("", 0), ("leak", 1), ("fail", 2)])
def test_the_account_of_a_program(
    site: Site, tmp_path: Path, device: str, argument: str, code: int
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ended = site.command("memory", "--device", device, str(program), argument, **SIMULATED)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert re.search(rf"{device}: peak 7\.6 MiB in live arrays, .*fragmentation \d+%", ended.stdout)
    held = rows(ended.stdout)
    assert held["add"] == ["3.8 MiB", "0 B", "0 B"]
    at_end, after = held["exp"][1:]
    assert at_end.startswith("391")
    assert after == (at_end if argument == "leak" else "0 B")
    assert ("outlive the program's own names" in ended.stdout) == (argument == "leak")
    assert ("the program's own mistake" in ended.stderr) == (argument == "fail")


def test_snapshots_are_written(site: Site, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    for name in ("end.json", "end.html"):
        file = tmp_path / name
        ended = site.command("memory", "--snapshot", str(file), str(program), **SIMULATED)
        assert ended.returncode == 0, ended.stderr
    owners = {
        block["owner"]
        for segment in json.loads((tmp_path / "end.json").read_text())["segments"]
        for block in segment["blocks"]
        if block["state"] == "live"
    }
    assert {"exp", "sum"} <= owners
    assert "<h1>Memory of cpu:0</h1>" in (tmp_path / "end.html").read_text()


def test_wrong_requests_say_what_is_wrong(site: Site, tmp_path: Path) -> None:
    ended = site.command("memory", str(tmp_path / "none.py"))
    assert ended.returncode == 2
    assert "no file" in ended.stderr
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ended = site.command("memory", "--snapshot", str(tmp_path / "end.txt"), str(program))
    assert ended.returncode == 2
    assert ".json or .html" in ended.stderr
