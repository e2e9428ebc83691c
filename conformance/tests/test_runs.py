# SPDX-License-Identifier: Apache-2.0
"""Runs in parts: several workers, fractions and their merging, resuming, judging again."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from device_api_conformance import cli as commands
from device_api_conformance import journal, report
from device_api_conformance.cases import generate
from device_api_conformance.cli import certify as cli
from device_api_conformance.runner import CouldNotRun, Runner
from device_api_conformance.selection import Fraction, choose

HERE = Path(__file__).parent
CLEAN = f"{HERE / 'fake_device.py'}:clean"
CRASHING = f"{HERE / 'faults.py'}:crashing"
SOME = ["--only", "N/floor", "--only", "N/abs", "--only", "R/exit", "--only", "S/order"]


def certify(folder: Path, *arguments: str, handle: str = CRASHING) -> int:
    return cli.main(["fake:0", "--handle", handle, "--report", str(folder), *arguments])


def load(folder: Path) -> dict:
    return json.loads((folder / "report.json").read_text())


def verdicts(found: dict) -> list[tuple[str, str]]:
    return [(c["id"], c["verdict"]) for c in found["cases"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    assert certify(folder, *SOME) == cli.FAILED
    return folder


# ---- several workers -------------------------------------------------------------------------


def test_several_workers_find_the_same(tmp_path, whole):
    assert certify(tmp_path, *SOME, "--jobs", "3") == cli.FAILED
    assert verdicts(load(tmp_path)) == verdicts(load(whole))


def test_a_device_that_does_not_open_ends_all_workers(tmp_path, capsys):
    handle = f"{HERE / 'watchdog_devices.py'}:dying"
    assert certify(tmp_path, "--only", "N/abs", "--jobs", "3", handle=handle) == cli.COULD_NOT_RUN
    assert "SIGKILL" in capsys.readouterr().err


def test_the_device_must_stay_the_same():
    runner = Runner("fake:0", handle=CLEAN)
    cases, _ = choose(generate(), ["S/order"], Fraction())
    list(runner.run(cases))
    runner.handle = f"{HERE / 'watchdog_devices.py'}:renamed"
    with pytest.raises(CouldNotRun, match="another one than before: name was"):
        list(runner.run(cases))


# ---- fractions -------------------------------------------------------------------------------


def test_fractions_are_a_partition():
    cases = generate()
    parts = [choose(cases, [], Fraction(k, 3))[0] for k in (1, 2, 3)]
    assert sorted(c.id for p in parts for c in p) == sorted(c.id for c in cases)
    assert min(map(len, parts)) > len(cases) / 3 * 0.9


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folders = [tmp_path_factory.mktemp(f"part{k}") for k in (1, 2)]
    for k, folder in enumerate(folders, start=1):
        certify(folder, *SOME, "--fraction", f"{k}/2")
    return [str(f) for f in folders]


def merge(*arguments: str) -> int:
    return commands.run("merge", arguments)


def test_merging_gives_the_whole(tmp_path, parts, whole):
    assert merge(*parts, "--report", str(tmp_path)) == cli.FAILED
    found = load(tmp_path)
    jsonschema.validate(found, report.schema())
    assert sorted(verdicts(found)) == sorted(verdicts(load(whole)))
    assert found["selection"]["digest"] == load(whole)["selection"]["digest"]
    assert load(Path(parts[0]))["selection"]["fraction"] == "1/2"


def test_what_does_not_belong_together_is_not_merged(tmp_path, parts, capsys):
    target = ["--report", str(tmp_path / "out")]
    assert merge(parts[0], *target) == cli.COULD_NOT_RUN
    assert "missing: 2/2" in capsys.readouterr().err
    assert merge(parts[0], *parts, *target) == cli.COULD_NOT_RUN
    assert "there twice" in capsys.readouterr().err
    other = load(Path(parts[1]))
    other["device"]["facts"]["driver"] = "other"
    (tmp_path / "other.json").write_text(json.dumps(other))
    assert merge(parts[0], str(tmp_path / "other.json"), *target) == cli.COULD_NOT_RUN
    assert "device differs" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["0/3", "4/3", "x", "1/0", "1/3/5", "-1/2"])
def test_no_fractions(text, capsys):
    assert cli.main(["fake:0", "--fraction", text]) == cli.COULD_NOT_RUN
    assert "fraction" in capsys.readouterr().err


# ---- resuming --------------------------------------------------------------------------------


def cut_off(folder: Path, whole: Path, rows: int, tail: str = "") -> None:
    """Leave in `folder` what a run that was killed after some cases leaves."""
    runner = Runner("fake:0", handle=CRASHING)
    _, selection = choose(generate(), SOME[1::2], Fraction())
    done = load(whole)
    lines = [journal.head(runner, selection, done["started"]),
             {"identity": done["device"], "capabilities": done["capabilities"]}]  # fmt: skip
    lines += [{k: c[k] for k in ("id", "seconds", "observations")} for c in done["cases"][:rows]]
    text = "".join(json.dumps(line) + "\n" for line in lines) + tail
    (folder / journal.NAME).write_text(text)


def test_a_run_goes_on_where_it_was_cut(tmp_path, whole):
    cut_off(tmp_path, whole, 5, tail='{"id": "N/ab')
    kept = load(whole)["cases"][:5]
    assert certify(tmp_path, *SOME, "--resume") == cli.FAILED
    found = load(tmp_path)
    assert verdicts(found) == verdicts(load(whole))
    assert found["cases"][:5] == kept  # not run again: the times are the old ones
    assert not (tmp_path / journal.NAME).exists()


def test_an_interrupted_run_leaves_its_journal(tmp_path, monkeypatch):
    def interrupted(self, cases):
        yield self.ended(cases[0], "skipped", "as a test")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Runner, "run", interrupted)
        assert certify(tmp_path, *SOME) == cli.FAILED
    assert load(tmp_path)["interrupted"] == "stopped by the user"
    assert load(tmp_path)["counts"]["NOTRUN"] > 0
    assert (tmp_path / journal.NAME).exists()
    assert certify(tmp_path, *SOME, "--resume") == cli.FAILED
    assert load(tmp_path)["counts"]["NOTRUN"] == 0
    assert load(tmp_path)["counts"]["SKIPPED"] == 1


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda f: f.unlink(), "nothing to resume"),
        (lambda f: f.write_text("{]\n"), "is damaged"),
        (lambda f: f.write_text("[]\n"), "is no journal"),
        (lambda f: f.write_text(f.read_text().replace('"seed": 0', '"seed": 4')), "another run"),
        (lambda f: f.write_text(f.read_text() + '{"id": 3}\n'), "is damaged"),
    ],
)
def test_journals_that_cannot_be_used(tmp_path, whole, spoil, told, capsys):
    cut_off(tmp_path, whole, 2)
    spoil(tmp_path / journal.NAME)
    assert certify(tmp_path, *SOME, "--resume") == cli.COULD_NOT_RUN
    assert told in capsys.readouterr().err


def test_resuming_needs_a_folder(capsys):
    assert cli.main(["fake:0", "--resume"]) == cli.COULD_NOT_RUN
    assert "--report DIR" in capsys.readouterr().err


# ---- judging again ---------------------------------------------------------------------------


def judge(*arguments: str) -> int:
    return commands.run("judge", arguments)


def test_the_same_policy_gives_the_same_verdicts(tmp_path, whole):
    assert judge(str(whole), "--report", str(tmp_path)) == cli.FAILED
    found = load(tmp_path)
    jsonschema.validate(found, report.schema())
    assert verdicts(found) == verdicts(load(whole))
    assert len(found["judged"]["from"]) == 64


def test_another_policy_changes_verdicts(tmp_path):
    only = ["--only", "N/sum/float32"]
    certify(tmp_path / "run", *only, handle=CLEAN)
    policy = tmp_path / "strict.toml"
    policy.write_text("sum_factor = 0.0\nslack = 0.0\n")
    assert judge(str(tmp_path / "run"), "--policy", str(policy)) in (cli.PASSED, cli.FAILED)
    data = load(tmp_path / "run")
    worst = next(c for c in data["cases"] if "excess" in c["observations"])
    worst["observations"]["excess"] = 1e3
    (tmp_path / "off.json").write_text(json.dumps(data))
    assert judge(str(tmp_path / "off.json")) == cli.FAILED
    policy.write_text("sum_factor = 1000.0\n")
    assert judge(str(tmp_path / "off.json"), "--policy", str(policy)) == cli.PASSED


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("factor = 2", "not known: factor"),
        ("sum_factor = 'x'", "type float"),
        ("flushes_subnormals = 1", "type bool"),
        ("sum_factor = -1.0", "out of range"),
        ("sum_factor = nan", "out of range"),
        ("[", "TOML"),
    ],
)
def test_bad_policies(tmp_path, whole, text, told, capsys):
    policy = tmp_path / "p.toml"
    policy.write_text(text)
    assert judge(str(whole), "--policy", str(policy)) == cli.COULD_NOT_RUN
    err = capsys.readouterr().err
    assert told in err or "p.toml" in err


def test_bad_reports(tmp_path, whole, capsys):
    file = tmp_path / "report.json"
    file.write_text((whole / "report.json").read_text()[:-200])
    assert judge(str(file)) == cli.COULD_NOT_RUN
    assert "was cut" in capsys.readouterr().err
    other = load(whole) | {"schema_version": 1}
    file.write_text(json.dumps(other))
    assert judge(str(file)) == cli.COULD_NOT_RUN
    assert "version 1 of the report" in capsys.readouterr().err
    file.write_text(json.dumps(load(whole) | {"seed": "x"}))
    assert judge(str(file)) == cli.COULD_NOT_RUN
    assert "breaks the report's schema at seed" in capsys.readouterr().err
    file.write_text("[1]")
    assert judge(str(file)) == cli.COULD_NOT_RUN
    assert "no report" in capsys.readouterr().err
    assert judge(str(tmp_path / "none")) == cli.COULD_NOT_RUN
    assert judge(str(whole), "--report", str(whole)) == cli.COULD_NOT_RUN
    assert "would replace" in capsys.readouterr().err
