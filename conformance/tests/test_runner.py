# SPDX-License-Identifier: Apache-2.0
"""The watchdog: crashes and hangs are verdicts of one case, and the run goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from device_api_conformance.cases import generate, select
from device_api_conformance.runner import CouldNotRun, Runner

HERE = Path(__file__).parent
PATTERNS = [f"N/{op}/float32/contiguous/257/ordinary" for op in ("abs", "floor", "sqrt")]
CHOSEN = select(generate(), [*PATTERNS, "R/exit"])


def handle(factory: str, file: str = "faults.py") -> str:
    return f"{HERE / file}:{factory}"


def run(runner, cases=CHOSEN):
    return {r.case.id.split("/")[1]: r for r in runner.run(cases)}


def test_a_clean_device():
    found = run(Runner("fake:0", handle=handle("clean", "fake_device.py")))
    assert {r.verdict.verdict for r in found.values()} == {"PASS"}
    assert len(found) == len(CHOSEN)


def test_a_crash_is_the_verdict_of_one_case():
    found = run(Runner("fake:0", handle=handle("crashing")))
    assert found["floor"].verdict.verdict == "CRASH"
    assert "SIGABRT" in found["floor"].verdict.reason
    assert found["abs"].verdict.verdict == found["sqrt"].verdict.verdict == "PASS"


def test_a_hang_is_the_verdict_of_one_case():
    found = run(Runner("fake:0", handle=handle("hanging"), timeout=1.5))
    assert found["floor"].verdict.verdict == "HANG"
    assert found["abs"].verdict.verdict == found["sqrt"].verdict.verdict == "PASS"


def test_a_device_that_always_crashes_ends_the_run_in_time():
    cases = select(generate(), ["N/floor/float32", "E/floor/float32", "L/floor/float32"])
    runner = Runner("fake:0", handle=handle("crashing"), losses=2)
    found = [r.verdict.verdict for r in runner.run(cases)]
    assert len(found) == len(cases)
    assert found.count("CRASH") == 3
    assert found.count("NOTRUN") == len(cases) - 3


@pytest.mark.parametrize(("told", "verdict"), [("host", "PASS"), ("", "HANG")])
def test_the_time_of_the_truth_is_not_that_of_the_device(told, verdict):
    """A worker that says so before the slow part of a case is waited for."""
    here = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    runner = Runner("fake:0", timeout=1.0, worker="slow_worker", losses=0,
                    environment={"PYTHONPATH": here, "SLOW_WORKER": told})  # fmt: skip
    (result,) = runner.run(select(generate(), ["N/add/float32/contiguous/257/ordinary"]))
    assert result.verdict.verdict == verdict


def test_a_lost_device_gets_a_new_process():
    found = run(Runner("fake:0", handle=handle("losing", "watchdog_devices.py")))
    assert found["abs"].verdict.verdict == "FAIL"
    assert found["floor"].verdict.verdict == found["sqrt"].verdict.verdict == "PASS"


def test_noise_of_a_vendor_library_does_not_disturb_the_protocol():
    found = run(Runner("fake:0", handle=handle("noisy", "watchdog_devices.py")))
    assert {r.verdict.verdict for r in found.values()} == {"PASS"}


def test_a_process_that_ends_badly_fails_the_exit_case():
    found = run(Runner("fake:0", handle=handle("bad_exit", "watchdog_devices.py")))
    assert found["exit"].verdict.verdict == "FAIL"
    assert found["abs"].verdict.verdict == "PASS"


@pytest.mark.parametrize(
    ("factory", "told"),
    [
        ("refusing", "no such device"),
        ("dying", "SIGKILL"),
        ("leaving", "exit status 0"),
        ("nothing", "not a Handle"),
    ],
)
def test_a_device_that_cannot_be_opened(factory, told):
    runner = Runner("fake:9", handle=handle(factory, "watchdog_devices.py"))
    with pytest.raises(CouldNotRun, match=told):
        run(runner)
