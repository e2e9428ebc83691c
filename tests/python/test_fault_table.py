# SPDX-License-Identifier: Apache-2.0
"""The table of docs/faults.md: every fault is put in once, in a process of its own, and seen.

DEVICE_API_WRITE_DOCS=1 writes the table instead of comparing it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fault_experiments import FAULTS

from device_api import _faults

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "faults.md"
BEGIN, END = "<!-- faults: begin -->\n", "<!-- faults: end -->\n"
HEADING = (
    "| fault | the call sees | when | its result | other arrays of the device | later work "
    "| other devices | what helps |\n|---|---|---|---|---|---|---|---|\n"
)
WORDS = {"works": "right", "wrong": "wrong", "waits": "waits", "none": "none"}

Seen = dict[str, Any]


def observe(number: int) -> Seen:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("DEVICE_API_")
    }
    ran = subprocess.run(
        [sys.executable, str(HERE / "fault_experiments.py"), str(number)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = re.search(r"^OBSERVED (.*)$", ran.stdout, re.M)
    assert found and ran.returncode == 0, ran.stdout + ran.stderr
    return dict(json.loads(found[1]))


@pytest.fixture(scope="module")
def observed() -> list[Seen]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(observe, range(len(FAULTS))))


def how(number: int) -> str:
    kind, given, _ = FAULTS[number]
    words = "".join(f", {key}={json.dumps(value)}" for key, value in given.items())
    return f'`inject("npu", "{kind}"{words})`'


def sight(seen: Seen) -> str:
    """What the user sees, in words; figures of a run become bounds."""
    if "error" in seen:
        return f"`{seen['error']}`: {seen['cause']}"
    value, healthy = seen["value"], seen["healthy"]
    if isinstance(value, float):
        assert value > 10 * healthy
        return "nothing but the time: more than ten times as long (events, simulated clock)"
    if isinstance(value, dict):
        lost = [name for name in value if value[name] is None and healthy[name] is not None]
        assert lost
        text = f"; `health_text` begins: {value['health_text'].split(',')[0]}"
        return f"{', '.join(lost)} are None" + (text if value["health_text"] else "")
    if value is False:
        assert healthy is True
        return "the figures of the reading before, again"
    return "nothing"


def when(seen: Seen) -> str:
    late = "; the error says that it may be late" if seen.get("may_be_late") else ""
    return seen["when"] + late if "error" in seen else "never"


def outcome(word: str) -> str:
    return WORDS.get(word, f"`{word}`")


def remedy(number: int, seen: Seen) -> str:
    if seen["retry"] != "works":
        assert seen["reset"] == "works"
        assert seen["after_reset"] == "DeviceLostError"
        return "`reset_device`; arrays of before are dead"
    if FAULTS[number][2] == "all_reduce":
        return "a new group"
    if "error" in seen:
        return "doing it again" + ("" if FAULTS[number][1].get("count", 1) else ", after its end")
    return (
        "doing it again, if a comparison finds it" if seen.get("output") == "wrong" else "its end"
    )


def row(number: int, seen: Seen) -> str:
    cells = [
        how(number),
        sight(seen),
        when(seen),
        outcome(seen["output"]) if "output" in seen else "",
        outcome(seen["others"]),
        outcome(seen["later"]),
        outcome(seen["neighbour"]),
        remedy(number, seen),
    ]
    return f"| {' | '.join(cells)} |\n"


def test_every_fault_strikes_in_the_experiment_and_nothing_else_does(observed: list[Seen]) -> None:
    assert {kind for kind, _, _ in FAULTS} == set(_faults.KINDS)
    assert all(seen["strikes"] > 0 for seen in observed)
    for seen in observed:
        assert seen["neighbour"] == "works"


def test_the_table_of_the_docs(observed: list[Seen]) -> None:
    made = HEADING + "".join(row(number, seen) for number, seen in enumerate(observed))
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    table, after = rest.split(END)
    if os.environ.get("DEVICE_API_WRITE_DOCS") == "1":
        PAGE.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    else:
        assert table == made
