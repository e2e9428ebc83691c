# SPDX-License-Identifier: Apache-2.0
"""Waivers: exact, of one device, of one finding, with an end; bad files are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from device_api_conformance import report_files, waivers
from device_api_conformance.case import Case
from device_api_conformance.cli import certify as cli
from device_api_conformance.handle import Identity
from device_api_conformance.judge import Verdict

HERE = Path(__file__).parent
CRASHING = f"{HERE / 'faults.py'}:crashing"
TODAY = date(2030, 1, 10)
CASE = Case("N", "numeric", "exp", "float32", layout="contiguous", shape=(257,), values="ordinary")
DEVICE = Identity("x:0", "chip", "maker", False, facts={"driver": "1.2"})
WRONG = Verdict("FAIL", "C103", "off")
GOOD = {
    "id": '"exp-of-large"', "cases": '["N/exp/float32/*"]', "devices": '["chip"]',
    "versions": '{ driver = ["1.1", "1.2"] }', "kind": '"driver-bug"',
    "issue": '"https://example.org/1"', "reason": '"a table too short"', "owner": '"maker"',
    "expires": "2030-03-01", "expect": '"C103"',
}  # fmt: skip


def write(path: Path, **changed: str | None) -> Path:
    rows = {k: v for k, v in (GOOD | changed).items() if v is not None}
    path.write_text("[[waiver]]\n" + "\n".join(f"{k} = {v}" for k, v in rows.items()))
    return path


@pytest.fixture
def known(tmp_path):
    return waivers.load(write(tmp_path / "w.toml"), TODAY)


def test_the_failure_it_names_is_waived(known):
    found = known.apply(CASE, WRONG, DEVICE)
    assert (found.verdict, found.code) == ("WAIVED", "C103")
    assert "exp-of-large" in found.reason
    assert not found.failed


def test_another_failure_is_not_hidden(known):
    assert known.apply(CASE, Verdict("CRASH", "C501", "died"), DEVICE).verdict == "CRASH"
    assert known.apply(CASE, Verdict("FAIL", "C202", "outside"), DEVICE).verdict == "FAIL"


def test_a_pass_is_told(known):
    found = known.apply(CASE, Verdict("PASS"), DEVICE)
    assert found.verdict == "XPASS"
    assert "take waiver exp-of-large away" in found.reason


@pytest.mark.parametrize(
    ("case", "device"),
    [
        (replace(CASE, dtype="float64"), DEVICE),
        (CASE, replace(DEVICE, name="chip 2")),
        (CASE, replace(DEVICE, facts={"driver": "1.20"})),
        (CASE, replace(DEVICE, facts={})),
        (CASE, None),
    ],
)
def test_it_covers_nothing_else(known, case, device):
    assert known.apply(case, WRONG, device) == WRONG


def test_after_its_end_it_does_nothing(known):
    late = waivers.Waivers(known.rows, date(2030, 3, 2))
    found = late.apply(CASE, WRONG, DEVICE)
    assert found.failed
    assert "expired on 2030-03-01" in found.reason
    assert late.apply(CASE, Verdict("PASS"), DEVICE).verdict == "PASS"
    assert late.as_list()[0]["expired"] is True


def test_a_pattern_must_match_a_whole_id(known):
    known.check([CASE])
    part = waivers.Waivers((replace(known.rows[0], cases=("N/exp",)),), TODAY)
    with pytest.raises(waivers.WaiverError, match="matches no case"):
        part.check([CASE])


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"owner": None}, "lacks owner"),
        ({"severity": '"low"'}, "not known: severity"),
        ({"cases": '"N/exp/*"'}, "cases is to be a list of texts"),
        ({"cases": "[]"}, "with one at least"),
        ({"kind": '"laziness"'}, "none of driver-bug"),
        ({"expect": '"C999"'}, "no code of a finding"),
        ({"expect": '"C000"'}, "no code of a finding"),
        ({"expires": '"2030-03-01"'}, "is to be a date"),
        ({"expires": "2030-03-01T00:00:00"}, "is to be a date"),
        ({"expires": "2031-01-01"}, "at most 180 days"),
        ({"reason": '" "'}, "reason is to be a text"),
        ({"versions": '"1.2"'}, "versions is to be a table"),
        ({"versions": "{ driver = 1.2 }"}, "versions.driver is to be a list of texts"),
    ],
)
def test_bad_waivers(tmp_path, changed, told):
    path = write(tmp_path / "w.toml", **changed)
    with pytest.raises(waivers.WaiverError, match=told) as error:
        waivers.load(path, TODAY)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("text", ["[[waiver]", "waiver = 3", "[waiver]\nid = 1", "x = 1", "\xff"])
def test_bad_files(tmp_path, text):
    path = tmp_path / "w.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(waivers.WaiverError, match=r"w\.toml"):
        waivers.load(path, TODAY)
    with pytest.raises(waivers.WaiverError):
        waivers.load(tmp_path / "none.toml", TODAY)


def test_two_waivers_with_one_id(tmp_path):
    path = write(tmp_path / "w.toml")
    path.write_text(path.read_text() + "\n" + path.read_text())
    with pytest.raises(waivers.WaiverError, match="two waivers"):
        waivers.load(path, TODAY)


# ---- through the command ---------------------------------------------------------------------


def certify(folder: Path, *arguments: str) -> int:
    command = ["fake:0", "--handle", CRASHING, "--only", "N/floor/float32/contiguous/257/ordinary"]
    return cli.main([*command, "--report", str(folder), *arguments])


@pytest.fixture
def file(tmp_path):
    """A waiver of the crash of the device that crashes."""
    certify(tmp_path / "first")
    report = json.loads((tmp_path / "first" / "report.json").read_text())
    end = date.fromordinal(date.today().toordinal() + 30).isoformat()
    name = json.dumps([report["device"]["name"]])
    return write(tmp_path / "w.toml", cases='["N/floor/float32/contiguous/257/ordinary"]',
                 devices=name, versions=None, expect='"C501"', expires=end)  # fmt: skip


def test_a_waived_run_passes_and_says_so(tmp_path, file, capsys):
    assert certify(tmp_path / "r", "--waivers", str(file)) == cli.PASSED
    told = capsys.readouterr().err
    assert "Waivers: 1 driver-bug; 0 expired; 1 cases waived, 0 pass although waived." in told
    report = json.loads((tmp_path / "r" / "report.json").read_text())
    assert report["counts"]["WAIVED"] == 1
    assert report["waivers"][0]["id"] == "exp-of-large"
    assert "1 cases waived" in report_files.markdown(report)


def test_a_waiver_that_matches_no_case_is_refused(tmp_path, file, capsys):
    file.write_text(file.read_text().replace("N/floor", "N/nonsense"))
    assert certify(tmp_path / "r", "--waivers", str(file)) == cli.COULD_NOT_RUN
    assert "matches no case of this run" in capsys.readouterr().err
