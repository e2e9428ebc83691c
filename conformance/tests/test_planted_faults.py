# SPDX-License-Identifier: Apache-2.0
"""Every planted fault is killed by the right chapter, and the clean device has no finding."""

from __future__ import annotations

import pytest
from fake_device import FakeDevice
from planted import FAULTS

from device_api_conformance import runtime_cases
from device_api_conformance.cases import generate, select
from device_api_conformance.judge import judge
from device_api_conformance.worker import observe_case, policy_for, repeated

CASES = [
    case
    for case in dict.fromkeys([*generate(), *runtime_cases.cases("soak")])
    if case.check != "exit"
]
"""Those of `smoke`, and the chapters of the runtime that `standard` adds."""


def verdicts(device: FakeDevice, patterns: tuple[str, ...], seed: int = 0, cases=None):
    """Verdicts of the chosen cases, judged in this process."""
    policy = policy_for(device.identity())
    for case in select(CASES if cases is None else cases, patterns):
        found = observe_case(device, case, seed)
        verdict = judge(case, found, policy)
        if verdict.failed:
            verdict = judge(case, repeated(device, case, seed, found), policy)
        yield case, verdict


@pytest.mark.parametrize("seed", [0, 1])
def test_the_clean_device_has_no_finding(seed):
    """Each case with one of two seeds."""
    chosen = CASES[seed::2]
    failed = [(c.id, v.reason) for c, v in verdicts(FakeDevice(), (), seed, chosen) if v.failed]
    assert not failed


def test_the_clean_device_is_judged_and_not_skipped():
    counted: dict[str, int] = {}
    for _, verdict in verdicts(FakeDevice(), ("S", "M", "F", "R", "N/tanh")):
        counted[verdict.verdict] = counted.get(verdict.verdict, 0) + 1
    assert counted.pop("PASS") > 70
    assert counted == {"SKIPPED": 1, "UNSUPPORTED": 1}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_planted_fault_is_killed(name):
    kind, patterns, chapters = FAULTS[name]
    device = kind()
    for case, verdict in verdicts(device, patterns):
        assert not device.broken, case.id
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


class Composing(FakeDevice):
    """A device without floor_divide, which its host composes."""

    counted = False

    def capabilities(self):
        return {n: c for n, c in super().capabilities().items() if n != "floor_divide"}

    def _check(self, op, dtypes, operands, attributes):
        if op != "floor_divide":
            super()._check(op, dtypes, operands, attributes)
        elif self.counted:
            self.gone[op, dtypes[0]] += 1


def test_what_is_composed_is_told_apart():
    found = list(verdicts(Composing(), ("N/floor_divide", "X/floor_divide", "F/composed_account")))
    told = {(v.verdict, v.code) for c, v in found if c.op and 0 not in (c.shape or ())}
    assert told == {("UNSUPPORTED", "C308")}
    assert {v.verdict for c, v in found if not c.op} == {"PASS"}


def test_what_is_composed_wrongly_is_told_and_no_failure_of_the_device():
    class Wrong(Composing):
        def compute(self, op, dtypes, views, attributes):
            dtype, values = super().compute(op, dtypes, views, attributes)
            return dtype, values if op != "floor_divide" else values + values.dtype.type(1)

    found = list(verdicts(Wrong(), ("N/floor_divide/int32",)))
    assert {(v.verdict, v.code) for _, v in found} == {("UNSUPPORTED", "C309")}
    assert all("C102" in v.reason for _, v in found)


def test_a_composed_run_that_counts_as_fallback_is_a_finding():
    class Counting(Composing):
        counted = True

    ((_, found),) = verdicts(Counting(), ("F/composed_account",))
    assert (found.verdict, found.code) == ("FAIL", "C401")
