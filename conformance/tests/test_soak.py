# SPDX-License-Identifier: Apache-2.0
"""Soaks by the clock: rounds with new seeds, golden replays, other chapters under load."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from device_api_conformance import journal, report, report_plots, soak_load, soak_rounds
from device_api_conformance.cli import certify as cli
from device_api_conformance.runner import Runner

HERE = Path(__file__).parent
CLEAN = f"{HERE / 'fake_device.py'}:clean"
FLAKY = f"{HERE / 'faults.py'}:flaky"
BRIEF = ["--level", "soak", "--minutes", "0.001"]


def soak(folder: Path, *arguments: str, handle: str = CLEAN) -> tuple[int, dict]:
    code = cli.main(["fake:0", "--handle", handle, "--report", str(folder), *arguments])
    found = json.loads((folder / "report.json").read_text())
    jsonschema.validate(found, report.schema())
    return code, found


def ids(found: dict) -> list[str]:
    return [case["id"] for case in found["cases"]]


def only(*patterns: str) -> list[str]:
    return [word for pattern in patterns for word in ("--only", pattern)]


def test_every_case_of_a_round_is_found_by_its_id():
    made = soak_rounds.some()
    assert len({case.id for case in made}) == len(made)
    for case in made:
        assert soak_rounds.case_of(case.id) == case
    chapters = {case.values[0] for case in made if case.check == "under_load"}
    assert chapters == {"K", "U", "A"}
    for text in ("O/interleave/x", "O/under_load/K/nothing", "N/add/float32", "O/golden_replay/x"):
        assert soak_rounds.case_of(text) is None


def test_rounds_follow_the_cases_until_the_time_is_over(tmp_path):
    code, found = soak(tmp_path, *BRIEF, *only("O/interleave/4*", "O/golden_replay/*"))
    assert code == cli.PASSED
    assert ids(found)[:3] == ["O/interleave/4", "O/interleave/40", "O/golden_replay/round"]
    assert found["selection"]["planned"] == len(found["cases"])
    assert not found["certifies"]


def test_other_bits_in_a_later_replay_are_found(tmp_path):
    code, found = soak(tmp_path, *BRIEF, *only("O/golden_replay/*"), handle=FLAKY)
    assert code == cli.FAILED
    assert "other bits than the first time" in found["cases"][0]["reason"]


def test_a_case_of_a_round_is_repeated_by_its_line(tmp_path):
    code, found = soak(tmp_path, "--level", "soak", "--only", "O/interleave/57")
    assert code == cli.PASSED
    assert ids(found) == ["O/interleave/57"]
    assert "--level soak --only 'O/interleave/57'" in found["cases"][0]["replay"]


def test_a_case_under_load(tmp_path):
    code, found = soak(tmp_path, "--level", "soak", *only("O/under_load/K/leak_raw_memory~3"))
    assert code == cli.PASSED
    told = found["cases"][0]["observations"]["values"]
    assert told["load"] == "another process keeps the device busy"
    assert "memory_curve" in told


def test_no_load_is_told():
    with soak_load.Load() as load:
        assert load.told == "no device is open"


def test_a_soak_that_the_user_stops_can_go_on(tmp_path, monkeypatch):
    whole = Runner.run

    def stopped(self, cases):
        for n, result in enumerate(whole(self, cases)):
            if n == 2:
                raise KeyboardInterrupt
            yield result

    arguments = ["--level", "soak", "--minutes", "1", *only("O/golden_replay/*")]
    with monkeypatch.context() as patch:
        patch.setattr(Runner, "run", stopped)
        code, found = soak(tmp_path, *arguments)
    assert code == cli.FAILED
    assert found["interrupted"] == "stopped by the user"
    assert ids(found) == ["O/golden_replay/round", "O/golden_replay/round~2"]
    assert (tmp_path / journal.NAME).exists()
    arguments[3] = "0.001"
    code, found = soak(tmp_path, *arguments, "--resume")
    assert code == cli.PASSED
    assert ids(found)[:3] == [f"O/golden_replay/round{n}" for n in ("", "~2", "~3")]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--minutes", "1"], "does not go by the clock"),
        (["--level", "soak", "--minutes", "0"], "more than 0"),
        (["--level", "soak", "--minutes", "1", "--only", "S/order"], "leaves the rounds"),
    ],
)
def test_what_is_refused(arguments, text, capsys):
    assert cli.main(["fake:0", "--handle", CLEAN, *arguments]) == cli.COULD_NOT_RUN
    assert text in capsys.readouterr().err


def test_sensors_of_a_soak_are_drawn():
    read = [{"at": 100.0 + n, "temperature": 40.0 + n, "clock_mhz": None} for n in range(3)]
    cases = [{"id": f"O/x/{n}", "check": "x", "params": {},
              "observations": {"values": {"sensors": sensors}}}
             for n, sensors in enumerate(read)]  # fmt: skip
    (row,) = report_plots.plots({"cases": cases})["soaks"]
    assert row["points"] == [[0.0, 40.0], [1.0, 41.0], [2.0, 42.0]]
