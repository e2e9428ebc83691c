# SPDX-License-Identifier: Apache-2.0
"""The planted backend, and the command that tests the suite with it."""

from __future__ import annotations

import json
import re

import pytest

device_api = pytest.importorskip("device_api", reason="the package device_api is not installed")

from device_api_conformance import cli as commands  # noqa: E402
from device_api_conformance import mutation, planted  # noqa: E402
from device_api_conformance.case import CHAPTERS  # noqa: E402
from device_api_conformance.cases import generate, select  # noqa: E402
from device_api_conformance.runner import CouldNotRun, Runner  # noqa: E402


def test_plants_are_described():
    found = planted.plants()
    assert len({p.id for p in found}) == len(found)
    for plant in found:
        assert re.fullmatch(r"[A-Z]-[a-z0-9]+(-[a-z0-9]+)*", plant.id), plant
        assert plant.id[0] == plant.chapter in CHAPTERS
        assert plant.words[0].islower() or plant.words[0].isdigit() or plant.words[1].isupper()


@pytest.mark.parametrize("plant", ["N-exp-10ulp", "N-matmul-zeros", "N-add-tail", "X-add-large"])
def test_a_plant_is_found_by_its_chapter(plant):
    (row,) = [p for p in planted.plants() if p.id == plant]
    found = mutation.trial(row, mutation.Settings("cpu", "smoke"))
    assert (found.outcome, found.right, found.replay) == (mutation.KILLED, True, True), found


def test_a_plant_leaves_other_ops_alone():
    runner = Runner("cpu", handle=planted.HANDLE, environment={planted.VARIABLE: "N-exp-10ulp"})
    chosen = select(generate(), ["N/log/float32", "N/exp/float64", "M/roundtrip", "S/order"])
    assert {r.verdict.verdict for r in runner.run(chosen)} == {"PASS"}
    assert runner.notes == {"strikes": 0}


@pytest.mark.parametrize(("plant", "told"), [("N-none", "no plant N-none"), ("", "names no plant")])
def test_no_such_plant(plant, told):
    runner = Runner("cpu", handle=planted.HANDLE, environment={planted.VARIABLE: plant})
    with pytest.raises(CouldNotRun, match=told):
        list(runner.run(select(generate(), ["S/order"])))


def test_the_command(tmp_path, capsys):
    arguments = ["cpu", "--level", "smoke", "--only", "N-*p", "--report", str(tmp_path)]
    assert commands.run("plants", arguments) == 0
    report = json.loads((tmp_path / "plants.json").read_text())
    assert report["summary"]["all"]["score"] == 1.0
    assert "N-exp-10ulp" in (tmp_path / "plants.md").read_text()
    before = (tmp_path / "plants.jsonl").read_text()
    assert commands.run("plants", arguments) == 0  # nothing is tried again
    assert (tmp_path / "plants.jsonl").read_text() == before


def test_bad_arguments(tmp_path, capsys):
    assert commands.run("plants", ["cpu", "--only", "Q-*"]) == 2
    assert "no plant matches" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    arguments = ["cpu", "--only", "N-exp-10ulp", "--report", str(tmp_path / "file")]
    assert commands.run("plants", arguments) == 2
    assert commands.run("plants", ["nonsense:0", "--only", "N-exp-10ulp"]) == 2


def test_listing(capsys):
    assert commands.run("plants", ["--list"]) == 0
    assert "N-exp-10ulp\tN\tN17\texp is off by ten units" in capsys.readouterr().out
