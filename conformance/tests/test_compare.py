# SPDX-License-Identifier: Apache-2.0
"""Comparing reports: what got worse is found, what did not is not; exit codes."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from device_api_conformance import cli as commands
from device_api_conformance.cli import certify

HERE = Path(__file__).parent
CLEAN = f"{HERE / 'fake_device.py'}:clean"


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("base")
    only = ["--only", "N/exp/float32", "--only", "N/add/int32", "--only", "S/order"]
    assert certify.main(["fake:0", "--handle", CLEAN, *only, "--report", str(folder)]) == 0
    report = json.loads((folder / "report.json").read_text())
    for row in report["cases"]:
        if row["id"].startswith("S/"):
            times = [1.0, 1.01, 1.02, 1.03, 1.0, 1.01, 1.0]
            row["observations"]["performance"] = {
                "unit": "ms", "better": "less", "samples": times,
            }  # fmt: skip
    return report


@pytest.fixture
def run(tmp_path, base):
    """Compare the base with a changed copy of it."""

    def compare(change, *arguments):
        other = copy.deepcopy(base)
        change(other)
        for name, report in (("a", base), ("b", other)):
            (tmp_path / f"{name}.json").write_text(json.dumps(report))
        names = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
        return commands.run("compare", [*names, *arguments])

    return compare


def row(report, start):
    return next(c for c in report["cases"] if c["id"].startswith(start))


def timed(factor, better="less"):
    def change(report):
        told = row(report, "S/order")["observations"]["performance"]
        told["samples"] = [s * factor for s in told["samples"]]
        told["better"] = better

    return change


def test_the_same_report_has_no_regression(run, capsys):
    assert run(lambda r: None) == 0
    told = capsys.readouterr().out
    assert "no regression" in told
    assert "times compared: 1" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda r: row(r, "N/add").update(verdict="FAIL", reason="off"), "PASS before, FAIL now"),
        (lambda r: row(r, "N/add").update(verdict="UNSUPPORTED"), "UNSUPPORTED now"),
        (lambda r: row(r, "N/add").update(verdict="WAIVED"), "WAIVED now"),
        (lambda r: r["capabilities"]["add"]["dtypes"].remove("int8"), "no longer declared: add"),
        (lambda r: r["capabilities"].pop("exp"), "no longer declared: exp"),
        (lambda r: row(r, "N/exp")["observations"]["ulp"].update(max=3.5), "max error"),
        (lambda r: row(r, "N/exp")["observations"]["ulp"].update(p999=3.5), "p999 error"),
        (timed(1.3), "1.3 times as before"),
        (timed(1 / 1.3, "more"), "0.769 times as before"),
    ],
)
def test_what_got_worse(run, capsys, change, told):
    assert run(change) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (timed(1 / 1.3), "better"),
        (timed(1.02), "no regression"),
        (lambda r: r["device"]["facts"].update(driver="9"), "facts.driver"),
        (lambda r: r["environment"]["packages"].update(numpy="9.9"), "packages.numpy"),
        (lambda r: r["cases"].pop(), "cases no longer there"),
        (lambda r: r["capabilities"]["exp"]["dtypes"].append("int8"), "newly declared: exp int8"),
    ],
)
def test_changes_that_are_no_regression(run, capsys, change, told):
    assert run(change) == 0
    assert told in capsys.readouterr().out


def test_a_failure_that_goes_away(run, base, tmp_path, capsys):
    worse = copy.deepcopy(base)
    row(worse, "N/add").update(verdict="CRASH")
    (tmp_path / "w.json").write_text(json.dumps(worse))
    (tmp_path / "g.json").write_text(json.dumps(base))
    assert commands.run("compare", [str(tmp_path / "w.json"), str(tmp_path / "g.json")]) == 0
    assert "1 CRASH to PASS" in capsys.readouterr().out


def test_limits_are_arguments(run):
    assert run(timed(1.3), "--slower", "0.5") == 0
    change = lambda r: row(r, "N/exp")["observations"]["ulp"].update(max=3.5)  # noqa: E731
    assert run(change, "--ulp", "4") == 0
    assert run(lambda r: None, "--ulp", "-1") == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda r: r.update(level="full"), "level smoke against full"),
        (lambda r: r.update(seed=1), "seed 0 against 1"),
        (lambda r: r["suite"].update(version="0.2.0"), "suite 0.1.0 against 0.2.0"),
        (lambda r: r.update(kind="conformance report"), "against a conformance report"),
        (lambda r: r["selection"].update(only=[]), "selections"),
        (lambda r: r.update(schema_version=1), "version 1 of the report"),
    ],
)
def test_reports_that_cannot_be_compared(run, capsys, change, told):
    assert run(change) == 2
    assert told in capsys.readouterr().err


def test_json(run, capsys):
    assert run(timed(1.3), "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["speed"]["changed"][0]["direction"] == -1
    assert len(found["regressions"]) == 1
