# SPDX-License-Identifier: Apache-2.0
"""Every planted fault is killed by the right chapter, and the clean device has no finding."""

from __future__ import annotations

import pytest
from fake_device import FakeDevice
from runtime_faults import FAULTS

from device_api_conformance.cases import generate, select
from device_api_conformance.judge import judge
from device_api_conformance.worker import observe_case, policy_for, repeated


def verdicts(device: FakeDevice, patterns: tuple[str, ...], seed: int = 0):
    """Verdicts of the chosen cases, judged in this process."""
    policy = policy_for(device.identity())
    for case in select([c for c in generate() if c.check != "exit"], patterns):
        found = observe_case(device, case, seed)
        verdict = judge(case, found, policy)
        if verdict.failed:
            verdict = judge(case, repeated(device, case, seed, found), policy)
        yield case, verdict


@pytest.mark.parametrize("seed", [0, 1])
def test_the_clean_device_has_no_finding(seed):
    failed = [(c.id, v.reason) for c, v in verdicts(FakeDevice(), (), seed) if v.failed]
    assert not failed


def test_the_clean_device_is_judged_and_not_skipped():
    counted: dict[str, int] = {}
    for _, verdict in verdicts(FakeDevice(), ("S", "M", "F", "R", "N/tanh")):
        counted[verdict.verdict] = counted.get(verdict.verdict, 0) + 1
    assert counted == {"PASS": 48, "UNSUPPORTED": 1}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_planted_fault_is_killed(name):
    kind, patterns, chapters = FAULTS[name]
    for case, verdict in verdicts(kind(), patterns):
        if verdict.failed and case.chapter in chapters:
            assert verdict.reason
            return
    pytest.fail(f"{name}: survived {patterns}")


def test_flakiness_has_its_own_verdict():
    kind, patterns, _ = FAULTS["results differ from run to run"]
    found = {v.verdict for _, v in verdicts(kind(), patterns) if v.failed}
    assert found == {"FLAKY"}


def test_what_is_undeclared_but_native_is_flagged():
    class Modest(FakeDevice):
        def capabilities(self):
            declared = dict(super().capabilities())
            del declared["floor"]
            return declared

        def _check(self, op, dtypes, operands, attributes):
            self.counts[op] += 1

    found = {(v.verdict, v.code) for _, v in verdicts(Modest(), ("N/floor",))}
    assert found == {("UNSUPPORTED", "C305")}
