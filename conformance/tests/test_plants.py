# SPDX-License-Identifier: Apache-2.0
"""The planted backend, and the command that tests the suite with it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

device_api = pytest.importorskip("device_api", reason="the package device_api is not installed")

from device_api_conformance import campaign, mutation, planted  # noqa: E402
from device_api_conformance import cli as commands  # noqa: E402
from device_api_conformance.case import CHAPTERS  # noqa: E402
from device_api_conformance.cases import generate, select  # noqa: E402
from device_api_conformance.runner import CouldNotRun, Runner  # noqa: E402


def test_plants_are_described():
    found = planted.plants()
    assert len({p.id for p in found}) == len(found)
    for plant in found:
        assert re.fullmatch(r"[A-Z]-[a-z0-9]+(-[a-z0-9]+)*", plant.id), plant
        assert plant.id[0] == plant.chapter in CHAPTERS
        first = plant.words.split()[0]
        assert first != first.capitalize() or first[0].isdigit(), plant


PUBLIC_DEFECTS = (
    "L02 L04 L06 L08 L10 L15 L16 L19 L20 L23 X01 X02 X05 X07 X09 X10 X15 X16 X17 X20 X21 N07 "
    "N08 N10 N15 N16 N17 N18 N19 N20 N21 N22 N24 N26 N27 E03 E06 E07 E09 E12 E13 E15 E16 E20 "
    "E21 E22 S01 S06 S10 S11 S12 S13 S14 S17 F01 F03 F04 F05 F06 F07 F08 F09 F13 F15 G02 U02 "
    "A01 A03 A04 A05 P01 P02"
)
"""Ids of public reports of defects, by kind; all of them are planted, or listed with a reason."""


def test_every_public_defect_is_planted_or_listed():
    found = planted.plants()
    assert len(found) >= 150
    assert len({p.chapter for p in found}) >= 12
    sources = {source for plant in found for source in plant.source.split()}
    page = (Path(__file__).parents[1] / "PLANTS.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| ([A-Z]\d\d) \|", page, re.M))
    assert len(listed) <= 5
    assert not listed & sources
    assert sources | listed == set(PUBLIC_DEFECTS.split())


SAMPLE = [
    "N-exp-10ulp", "N-add-1ulp", "N-sort-direction", "E-complex-abs-real", "L-softmax-view",
    "X-add-large", "G-tail-repeats", "M-alloc-misaligned", "S-record-first-only",
    "S-event-query-never", "N-conv-other-batch",
]  # fmt: skip


@pytest.mark.parametrize("plant", SAMPLE)
def test_a_plant_is_found_by_its_chapter(plant):
    (row,) = [p for p in planted.plants() if p.id == plant]
    found = mutation.trial(row, mutation.Settings("cpu", "smoke"))
    assert (found.outcome, found.right, found.replay) == (mutation.KILLED, True, True), found


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_enough_plants_are_found(tmp_path):
    """Of all plants, as many as the level has to find."""
    assert commands.run("plants", ["cpu", "--level", "smoke", "--jobs", "2", "--limit", "20",
                                   "--report", str(tmp_path)]) == 0  # fmt: skip


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
    arguments = ["cpu", "--level", "smoke", "--only", "N-exp-*p", "--report", str(tmp_path),
                 "--sample", "1", "--thin", "9000"]  # fmt: skip
    assert commands.run("plants", arguments) == 0
    report = json.loads((tmp_path / "plants.json").read_text())
    assert report["summary"]["all"]["score"] == 1.0
    assert "N-exp-10ulp" in (tmp_path / "plants.md").read_text()
    before = (tmp_path / "plants.jsonl").read_text()
    assert commands.run("plants", arguments) == 0  # nothing is tried again
    assert (tmp_path / "plants.jsonl").read_text() == before


def outcome(how, device="cpu"):
    return mutation.Outcome("N-x", "N", "words", "", how, device)


def test_a_plant_counts_where_it_applies():
    idle, killed = outcome(mutation.IDLE), outcome(mutation.KILLED, "npu:0")
    assert campaign.combined([idle, killed]) is killed
    assert campaign.combined([outcome(mutation.SURVIVED), killed]) is killed
    assert campaign.combined([idle, idle]) is idle
    alarm = outcome(mutation.FALSE_ALARM)
    assert campaign.combined([killed, alarm]) is alarm
    rows = [idle, killed, alarm, outcome(mutation.SURVIVED)]
    told = campaign.summary(rows, "standard")["all"]
    assert (told["planted"], told["apply"], told["killed"]) == (4, 3, 1)


def test_what_a_device_lacks_is_told():
    (plant,) = [p for p in planted.plants() if p.id == "N-mul-1ulp"]
    assert plant.dtypes == ("float64",)
    declared = {"mul": {"dtypes": ["float32"]}}
    assert mutation.lacking(plant, declared) == "not declared on float64: mul"
    assert mutation.lacking(plant, {}) == "not declared: mul"
    assert mutation.lacking(plant, {"mul": {"dtypes": ["float64"]}}) == ""


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
