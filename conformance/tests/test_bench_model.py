# SPDX-License-Identifier: Apache-2.0
"""`device-api bench-model`: figures of a model on installed devices, and programs that are none."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path

import jsonschema
import pytest

device_api = pytest.importorskip("device_api", reason="the package device_api is not installed")

from device_api_conformance import (  # noqa: E402
    cli,
    figures,
    model_program,
    report,
    requirements,
    significance,
)
from device_api_conformance.cli import bench_model  # noqa: E402
from device_api_conformance.device_handle import DeviceHandle  # noqa: E402
from device_api_conformance.model_program import Program, ProgramError  # noqa: E402
from device_api_conformance.runner import Runner  # noqa: E402

HERE = Path(__file__).parent
PROGRAMS = HERE / "bench_programs.py"
DEVICES = device_api.get_all_device_type()
QUICK = ["--warmup", "1", "--runs", "10", "--starts", "1", "--minutes", "0.005"]


def bench(name: str, folder: Path, *arguments: str, device: str = "cpu") -> tuple[int, dict]:
    handle = [] if device == "cpu" else ["--handle", f"{HERE / 'simulated.py'}:clean"]
    code = cli.run("bench-model", [f"{PROGRAMS}:{name}", f"{device}:0", *QUICK, *handle,
                                   "--report", str(folder), *arguments])  # fmt: skip
    file = folder / "report.json"
    return code, json.loads(file.read_text()) if file.exists() else {}


def verdicts(found: dict) -> dict[str, str]:
    return {c["id"]: c["verdict"] for c in found["cases"]}


# ---- a model ---------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=DEVICES)
def measured(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    code, found = bench("model", folder, "--batch", "3", "--with", "scale=0.5",
                        device=request.param)  # fmt: skip
    assert code == bench_model.PASSED
    return folder, found


def test_a_model_is_measured(measured):
    folder, found = measured
    jsonschema.validate(found, report.schema())
    assert set(verdicts(found).values()) == {"PASS"}
    assert found["level"] == "model"
    assert found["program"]["name"] == "bench_programs.py:model"
    assert found["program"]["batch"] == 3
    rows = {row["name"]: row["value"] for row in figures.of(found)}
    assert rows["latency of a call, P50"] > 0
    assert rows["throughput, P50"] > 0
    assert rows["cold start, P50"] > rows["cold start: first call, median"] > 0
    assert rows["device memory, peak of a call"] > rows["device memory, held between calls"] > 0
    assert rows["host memory, peak of the process"] > 1 << 20
    assert rows["ops of a call on the device"] == 3
    assert rows["soak, calls"] > 1
    for name in ("summary.md", "report.html"):
        assert "cold start, P50" in (folder / name).read_text()


def test_it_is_no_certificate(measured, capsys):
    folder, found = measured
    assert not found["certifies"]
    told = requirements.objections(found, date(2030, 1, 1))
    assert any("reduced run" in text for text in told)
    assert cli.run("certificate", [str(folder), "--out", str(folder / "c.zip")]) == 2
    assert "no certificate" in capsys.readouterr().err


def test_it_can_be_judged_and_compared_again(measured, tmp_path, capsys):
    folder, found = measured
    assert cli.run("judge", [str(folder), "--report", str(tmp_path)]) == 0
    assert cli.run("compare", [str(folder), str(tmp_path)]) == 0
    slower = json.loads(json.dumps(found))
    for case in slower["cases"]:
        if case["id"] == "B/latency":
            timed = case["observations"]["performance"]
            timed["samples"] = [1000 * s for s in timed["samples"]]  # beyond a loaded machine's
    (tmp_path / "report.json").write_text(json.dumps(slower))
    capsys.readouterr()
    assert cli.run("compare", [str(folder), str(tmp_path)]) == 1
    assert "B/latency: 1e+03 times as before" in capsys.readouterr().out
    slower["program"]["batch"] = 4
    (tmp_path / "report.json").write_text(json.dumps(slower))
    assert cli.run("compare", [str(folder), str(tmp_path)]) == 2
    assert "batch=3) against the model" in capsys.readouterr().err.replace("\n", " ")


# ---- what is wrong with a model ------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "case", "text"),
    [
        ("changing", "B/output", "output has other bits than the first"),
        ("by_process", "B/cold_start", "new processes whose first output has other bits"),
        ("idle", "B/native", "ops that one call runs on the device"),
        ("leaking", "B/device_memory", "bytes of the device in use after the calls"),
        ("late", "B/latency", "the sixth call"),
    ],
)
def test_a_finding(name, case, text, tmp_path):
    code, found = bench(name, tmp_path, "--only", case)
    assert code == bench_model.FAILED
    (row,) = found["cases"]
    assert row["verdict"] == "FAIL"
    assert text in row["reason"]
    assert row["replay"].endswith(f"--only '{case}'")


def test_a_leak_shows_in_the_soak(tmp_path):
    code, found = bench("leaking", tmp_path, "--only", "B/soak")
    assert code == bench_model.FAILED
    assert "every mark exceeds the one before" in found["cases"][0]["reason"]


def test_outputs_that_may_vary(tmp_path):
    code, found = bench("changing", tmp_path, "--varies", "--only", "B/output", "--only", "B/soak")
    assert code == bench_model.PASSED
    assert verdicts(found) == {"B/output": "SKIPPED", "B/soak": "PASS"}


def test_a_model_that_dies_is_a_verdict_of_one_part(tmp_path):
    code, found = bench("dying", tmp_path, "--only", "B/latency", "--only", "B/native")
    assert code == bench_model.FAILED
    assert verdicts(found) == {"B/native": "PASS", "B/latency": "CRASH"}


def test_stopped_by_the_user(tmp_path, monkeypatch):
    def stopped(self, cases):
        yield self.ended(cases[0], "skipped", "as a test")
        raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "run", stopped)
    code, found = bench("model", tmp_path)
    jsonschema.validate(found, report.schema())
    assert code == bench_model.FAILED
    assert found["interrupted"] == "stopped by the user"
    assert verdicts(found)["B/soak"] == "NOTRUN"


# ---- no model ------------------------------------------------------------------------------


@pytest.fixture
def handle():
    path, modules = list(sys.path), set(sys.modules)
    policy = device_api._core.fallback_policy()
    yield DeviceHandle("cpu")
    device_api._core.set_fallback_policy(policy)
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name in ("bench_programs", "broken"):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("program", "text", "remedy"),
    [
        (Program("nowhere.py"), "there is no file nowhere.py", "path"),
        (Program("no.such.module:f"), "there is no module no.such.module", "install it"),
        (Program(f"{PROGRAMS}:nothing"), "has no function nothing", "name the function"),
        (Program(f"{PROGRAMS}:STATE"), "STATE there is a dict", "name the function"),
        (Program(f"{PROGRAMS}:raising"), "raised an error (line 28 of", "correct the program"),
        (Program(f"{PROGRAMS}:number"), "gave an int, not a callable", "return network"),
        (Program(f"{PROGRAMS}:no_inputs"), "gave a Tensor for the inputs", "return network"),
        (Program(f"{PROGRAMS}:host_result"), "gives a float", "arrays of the current device"),
        (Program(f"{PROGRAMS}:no_result"), "gives no array", "arrays of the current device"),
        (Program(f"{PROGRAMS}:too_large"), "the device is out of memory", "smaller --batch"),
        (Program(f"{PROGRAMS}:raising", 4), "takes no batch; it takes nothing", "leave --batch"),
        (Program(f"{PROGRAMS}:needy"), "missing a required argument: 'weights'", "--with NAME"),
    ],
)
def test_no_model(program, text, remedy, handle):
    with pytest.raises(ProgramError) as told:
        model_program.first(program, model_program.load(program, handle), handle)
    assert text in told.value.cause
    assert remedy in told.value.remedy


def test_a_file_that_cannot_be_loaded(handle, tmp_path):
    (tmp_path / "broken.py").write_text("import device_api\n\nx = 1 +\n")
    with pytest.raises(ProgramError, match=r"broken.py cannot be loaded.*SyntaxError"):
        model_program.find(Program(f"{tmp_path / 'broken.py'}"))
    (tmp_path / "broken.py").write_text("import device_api\nx = {}['key']\n")
    with pytest.raises(ProgramError, match=r"cannot be loaded \(line 2 of .*KeyError"):
        model_program.find(Program(f"{tmp_path / 'broken.py'}"))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nowhere.py", "cpu"], "there is no file nowhere.py"),
        ([str(PROGRAMS), "nothing:0"], "nothing:0 could not be opened"),
        ([f"{PROGRAMS}:number", "cpu"], "gave an int, not a callable"),
        ([str(PROGRAMS), "cpu", "--only", "B/nothing"], "there are B/native"),
        ([str(PROGRAMS), "cpu", "--with", "x"], "no NAME=VALUE"),
        ([str(PROGRAMS), "cpu", "--runs", "3"], "give 10 to 5000"),
        ([str(PROGRAMS), "cpu", "--minutes", "-1"], "0 or more minutes"),
    ],
)
def test_the_command_refuses(arguments, text, capsys):
    assert cli.run("bench-model", arguments) == 2
    assert text in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.skipif(len(DEVICES) < 2, reason="only the CPU is installed")
def test_a_model_that_runs_on_another_device(tmp_path, capsys):
    device = next(d for d in DEVICES if d != "cpu")
    assert bench("elsewhere", tmp_path, device=device)[0] == 2
    assert "the model ran elsewhere" in capsys.readouterr().err.replace("\n", " ")


# ---- figures -------------------------------------------------------------------------------


def test_quantiles_and_their_intervals():
    samples = [float(n) for n in range(1, 1001)]
    for q in figures.QUANTILES:
        value, (low, high) = figures.quantile(samples, q)
        assert value == pytest.approx(1000 * q, abs=1)
        assert low < value < high
    assert figures.quantile(samples, 0.5)[1] == (469.0, 532.0)  # binomial table for n = 1000
    assert figures.quantile(samples[:300], 0.99)[1] is None
    assert figures.quantile(samples[:50], 0.99) is None
    assert figures.quantile(samples[:6], 0.5)[1] == (1.0, 6.0)
    assert figures.quantile(samples[:5], 0.5)[1] is None


def test_a_change_of_the_tail_alone_is_found():
    before = [1.0 + 0.001 * (n % 100) for n in range(400)]
    after = [2 * s if n % 12 == 0 else s for n, s in enumerate(before)]
    same = significance.compare(before, after, "x")
    tail = significance.compare_tail(before, after, 0.95, "x")
    assert same.beyond(0.05) == 0
    assert tail.beyond(0.05) == 1
    assert significance.compare_tail(before, before, 0.95, "x").beyond(0.05) == 0
    assert significance.compare_tail(before[:100], after, 0.95, "x") is None
