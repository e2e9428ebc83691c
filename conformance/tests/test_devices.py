# SPDX-License-Identifier: Apache-2.0
"""The suite on the devices that are installed: clean ones pass, broken simulated ones do not."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

device_api = pytest.importorskip("device_api", reason="the package device_api is not installed")

from device_api_conformance.cases import generate, select  # noqa: E402
from device_api_conformance.cli import certify as cli  # noqa: E402
from device_api_conformance.runner import Runner  # noqa: E402

HERE = Path(__file__).parent
SIMULATED = [name for name in device_api.get_all_device_type() if name != "cpu"]


def handle(factory: str) -> str:
    return f"{HERE / 'simulated.py'}:{factory}"


def certify(device: str, folder: Path, *arguments: str) -> tuple[int, dict]:
    code = cli.main([device, "--report", str(folder), *arguments])
    return code, json.loads((folder / "report.json").read_text())


def failures(report: dict) -> list[tuple[str, str]]:
    return [(c["id"], c["reason"]) for c in report["cases"]
            if c["verdict"] in ("FAIL", "CRASH", "HANG", "FLAKY")]  # fmt: skip


def test_the_cpu_passes(tmp_path):
    start = time.process_time()
    code, report = certify("cpu", tmp_path)
    assert failures(report) == []
    assert code == cli.PASSED
    assert report["kind"] == "conformance report"
    assert report["counts"]["PASS"] > 5500
    assert time.process_time() - start < 60


@pytest.mark.parametrize("kind", SIMULATED)
def test_a_clean_simulated_device_passes(kind, tmp_path):
    code, report = certify(f"{kind}:0", tmp_path, "--handle", handle("clean"))
    assert failures(report) == []
    assert code == cli.PASSED
    assert report["kind"] == "simulation report"
    assert "simulated" in report["device"]["name"]


@pytest.mark.parametrize("kind", SIMULATED)
@pytest.mark.parametrize(
    ("factory", "pattern", "verdicts"),
    [
        ("wrong_add", "N/add/float32/contiguous/257/ordinary", {"FAIL", "FLAKY"}),
        ("slightly_wrong_exp", "N/exp/float32/contiguous/257/ordinary", {"FAIL", "FLAKY"}),
        ("wrong_matmul", "N/matmul/float32/contiguous/16x32x16/integers", {"FAIL", "FLAKY"}),
        ("corrupt_copy", "M/roundtrip/4097", {"FAIL"}),
        ("out_of_memory", "M/cache", {"FAIL"}),
        ("launch", "N/add/float32/contiguous/257/ordinary", {"FAIL"}),
        ("late", "N/add/float32/contiguous/257/ordinary", {"FAIL"}),
        ("hardware_fault", "N/add/float32/contiguous/257/ordinary", {"FAIL"}),
        ("hang", "N/add/float32/contiguous/257/ordinary", {"HANG"}),
        ("lost", "N/add/float32/contiguous/257/ordinary", {"FAIL"}),
        ("slow", "N/add/float32/contiguous/257/ordinary", {"PASS"}),
        ("clean", "N/add/float32/contiguous/257/ordinary", {"PASS"}),
    ],
)
def test_faults_of_simulated_devices(kind, factory, pattern, verdicts):
    runner = Runner(f"{kind}:0", handle=handle(factory), timeout=4.0)
    (result,) = runner.run(select(generate(), [pattern]))
    assert result.verdict.verdict in verdicts, result.verdict.reason


def test_an_index_out_of_range_is_told(capsys):
    assert cli.main(["cpu:99", "--only", "R/identity"]) == cli.COULD_NOT_RUN
    assert "could not be opened" in capsys.readouterr().err


def test_an_unknown_type_is_told(capsys):
    assert cli.main(["nonsense:0", "--only", "R/identity"]) == cli.COULD_NOT_RUN
    assert "could not be opened" in capsys.readouterr().err
