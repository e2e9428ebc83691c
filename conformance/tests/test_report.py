# SPDX-License-Identifier: Apache-2.0
"""Reports and the command: schema, JUnit, summary, exit codes, bad input, replay."""

from __future__ import annotations

import copy
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from device_api_conformance import report, report_files
from device_api_conformance.case import Case
from device_api_conformance.cli import certify as cli
from device_api_conformance.judge import judge
from device_api_conformance.runner import Runner

HERE = Path(__file__).parent
CLEAN = f"{HERE / 'fake_device.py'}:clean"
CRASHING = f"{HERE / 'faults.py'}:crashing"
FLAKY = f"{HERE / 'faults.py'}:flaky"


def certify(*arguments: str, handle: str = CLEAN) -> int:
    return cli.main(["fake:0", "--handle", handle, *arguments])


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """A report with passes, a crash, what is unsupported and what is flaky."""
    folder = tmp_path_factory.mktemp("report")
    code = certify("--only", "N/floor", "--only", "N/tanh", "--only", "S/order", "--seed", "3",
                   "--report", str(folder), handle=CRASHING)  # fmt: skip
    assert code == cli.FAILED
    return folder


def load(folder):
    return json.loads((folder / "report.json").read_text())


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(report.schema())


def test_a_report_keeps_the_schema(failing):
    found = load(failing)
    jsonschema.validate(found, report.schema())
    assert found["counts"]["CRASH"] >= 1
    assert found["counts"]["UNSUPPORTED"] >= 1
    assert not found["passed"]
    assert found["seed"] == 3


@pytest.mark.parametrize(
    "spoil",
    [
        lambda r: r.pop("suite"),
        lambda r: r.update(schema_version=1),
        lambda r: r.update(kind="certificate"),
        lambda r: r["cases"][0].update(verdict="GOOD"),
        lambda r: r["cases"][0].pop("replay"),
        lambda r: r.update(counts={"PASS": -1}),
    ],
)
def test_the_schema_refuses_a_spoilt_report(failing, spoil):
    found = copy.deepcopy(load(failing))
    spoil(found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, report.schema())


def test_a_report_of_a_simulated_device_is_no_certificate(failing):
    found = load(failing)
    assert found["kind"] == "simulation report"
    assert found["certifies"] is False
    assert "no certificate" in found["notice"]
    assert "no certificate" in (failing / "summary.md").read_text()
    assert "simulation report" in (failing / "junit.xml").read_text()


def test_canonical_text_is_stable_and_strict(failing):
    found = load(failing)
    text = (failing / "report.json").read_text()
    assert report_files.canonical(found) == text
    spoilt = copy.deepcopy(found)
    spoilt["cases"][0]["observations"] = {"x": float("nan")}
    with pytest.raises(ValueError, match="JSON compliant"):
        report_files.canonical(spoilt)


def test_junit(failing):
    suite = ET.parse(failing / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    found = load(failing)
    assert int(suite.get("tests")) == len(found["cases"]) == len(suite.findall("testcase"))
    counts = [found["counts"][v] for v in ("CRASH", "FAIL", "UNSUPPORTED")]
    assert [int(suite.get(name)) for name in ("errors", "failures", "skipped")] == counts
    error = suite.find("testcase/error")
    assert "C501" in error.get("message")
    assert "replay: device-api certify fake:0 --only" in error.text


def test_the_summary_names_failures_with_their_replay_lines(failing):
    text = (failing / "summary.md").read_text()
    assert "NOT PASSED" in text
    assert "`N/floor/float32/contiguous/257/ordinary` CRASH C501" in text
    assert "--seed 3" in text
    assert "| S streams and events |" in text


def test_the_replay_line_alone_repeats_the_failure(failing, tmp_path):
    case = next(c for c in load(failing)["cases"] if c["verdict"] == "CRASH")
    words = shlex.split(case["replay"])[2:]
    assert cli.main([*words, "--handle", CRASHING, "--report", str(tmp_path)]) == cli.FAILED
    (again,) = load(tmp_path)["cases"]
    assert (again["id"], again["verdict"], again["seed"]) == (case["id"], "CRASH", 3)


def test_observations_suffice_to_judge_again(tmp_path):
    certify("--only", "N/add", "--report", str(tmp_path), handle=FLAKY)
    rows = load(tmp_path)["cases"]
    assert {r["verdict"] for r in rows} == {"FLAKY"}
    for row in rows:
        params = row["params"]
        case = Case(row["chapter"], "numeric", params["op"], params["dtype"])
        assert judge(case, row["observations"]).verdict == row["verdict"]


def test_passing_gives_exit_code_0(tmp_path, capsys):
    assert certify("--only", "M/roundtrip/513", "--report", str(tmp_path)) == cli.PASSED
    told = capsys.readouterr().err
    assert "passed" in told
    assert "no certificate" in told
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(report_files.NAMES)


def test_a_reduced_run_on_real_hardware_says_that_it_does_not_certify():
    found = report.build(Runner("x:0"), [], report.now())
    assert found["kind"] == "conformance report"
    assert "does not certify" in found["notice"]
    jsonschema.validate(found, report.schema())


def test_an_interrupted_run_leaves_a_valid_report_that_says_so():
    runner = Runner("x:0")
    rows = [runner.ended(Case("S", "order"), "notrun", "stopped by the user")]
    found = report.build(runner, rows, report.now(), "stopped by the user")
    jsonschema.validate(found, report.schema())
    assert not found["passed"]
    assert "Incomplete: stopped by the user" in report_files.markdown(found)


@pytest.mark.parametrize(
    ("number", "told"),
    [(signal.SIGINT, "stopped by the user"), (signal.SIGTERM, "stopped by SIGTERM")],
)
def test_stopping_a_run_keeps_what_was_found(tmp_path, number, told):
    handle = f"{HERE / 'faults.py'}:hanging"
    command = [
        sys.executable, "-m", "device_api_conformance.cli", "certify", "fake:0", "--handle", handle,
        "--only", "N/abs/float32", "--only", "N/floor/float32", "--only", "N/sign/float32",
        "--report", str(tmp_path),
    ]  # fmt: skip
    marker = tmp_path / "hangs"
    environment = os.environ | {"FAULT_MARKER": str(marker)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, cwd=tmp_path, env=environment
    ) as process:
        end = time.monotonic() + 60
        while not marker.exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == cli.FAILED, said
    assert f"incomplete: {told}; `--resume` goes on" in " ".join(said.decode().split())
    found = load(tmp_path)
    jsonschema.validate(found, report.schema())
    assert found["interrupted"] == told
    verdicts = {c["params"]["op"]: c["verdict"] for c in found["cases"]}
    assert verdicts == {"abs": "PASS", "floor": "NOTRUN", "sign": "NOTRUN"}


def test_no_such_case(capsys):
    assert certify("--only", "N/nonsense") == cli.COULD_NOT_RUN
    assert "no case matches" in capsys.readouterr().err


def test_a_file_in_place_of_the_folder(tmp_path, capsys):
    blocked = tmp_path / "report"
    blocked.write_text("")
    assert certify("--only", "S/order", "--report", str(blocked)) == cli.COULD_NOT_RUN
    told = capsys.readouterr().err
    assert "cannot write the report" in told
    assert "Remedy" in told


def test_an_unknown_device(capsys):
    code = cli.main(["nope:0", "--handle", f"{HERE / 'watchdog_devices.py'}:refusing"])
    assert code == cli.COULD_NOT_RUN
    told = capsys.readouterr().err
    assert "no such device: nope:0" in told
    assert "device-api doctor" in told


@pytest.mark.parametrize("arguments", [["--level", "dense"], ["--seed", "-1"], ["--seed", "x"]])
def test_bad_arguments(arguments, capsys):
    assert certify(*arguments) == cli.COULD_NOT_RUN
    assert "usage" in capsys.readouterr().err


def test_listing(capsys):
    assert certify("--list", "--only", "M/roundtrip") == cli.PASSED
    told = capsys.readouterr().out.split()
    assert {f"M/roundtrip/{n}" for n in (1, 3, 511, 512, 513, 4097, 1048577)} <= set(told)
    assert all(case_id.startswith("M/roundtrip/") for case_id in told)


def test_core_ops_that_are_missing_are_listed():
    runner = Runner("x:0", capabilities={"add": {}, "matmul": {}})
    found = report.build(runner, [], report.now())
    assert "exp" in found["missing_core_ops"]
    assert "add" not in found["missing_core_ops"]
    assert "exp" in report_files.markdown(found)


def test_composed_ops_are_named_in_the_summary(failing):
    found = copy.deepcopy(load(failing))
    assert "Composed" not in report_files.markdown(found)
    found["cases"][1] |= {"verdict": "UNSUPPORTED", "code": "C309", "reason": "composed, but off"}
    told = report_files.markdown(found)
    assert f"(not judged): {found['cases'][1]['params']['op']}." in told
    assert "composed, but off" in told


def test_the_pytest_face_runs_the_same_cases(tmp_path):
    command = [
        sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider",
        "-p", "device_api_conformance.pytest_plugin", "--pyargs", "device_api_conformance",
        "--conformance-device", "fake:0", "--conformance-handle", CRASHING,
        "-k", "floor and 257 and not floor_divide",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 3 passed" in done.stdout
    assert "CRASH C501" in done.stdout


def test_the_pytest_face_asks_for_a_device(tmp_path):
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
        "-p", "device_api_conformance.pytest_plugin", "--pyargs", "device_api_conformance",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "--device npu:0" in done.stdout + done.stderr
