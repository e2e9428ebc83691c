# SPDX-License-Identifier: Apache-2.0
"""Chapter D: each planted dependence on earlier work is seen, and the clean device has none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from fake_device import FakeDevice

from device_api_conformance.cases import generate, select
from device_api_conformance.judge import judge
from device_api_conformance.worker import observe_case, policy_for

CASES = select(generate("standard"), ["D"])


def failures(device: FakeDevice, *patterns: str) -> list[tuple[str, str]]:
    """Ids and reasons of the cases that fail."""
    policy, found = policy_for(device.identity()), []
    for case in select(CASES, patterns):
        verdict = judge(case, observe_case(device, case, 0), policy)
        if verdict.failed:
            found.append((case.id, verdict.reason))
    return found


class Remembering(FakeDevice):
    """A device that keeps something of each op's last run."""

    op = ""

    def __init__(self):
        super().__init__()
        self.last, self.calls = {}, Counter()

    def compute(self, op, dtypes, views, attributes):
        if op != self.op:
            return super().compute(op, dtypes, views, attributes)
        self.calls[op] += 1
        return self.kept(op, dtypes, views, attributes)


class CachedScalar(Remembering):
    op = "fill"

    def kept(self, op, dtypes, views, attributes):
        key = (attributes["dtype"], tuple(attributes["shape"]))
        value = self.last.setdefault(key, attributes["value"])
        return super(Remembering, self).compute(op, dtypes, views, attributes | {"value": value})


class CachedAxis(Remembering):
    op = "softmax"

    def kept(self, op, dtypes, views, attributes):
        axis = self.last.setdefault(views[0].shape, attributes["axis"])
        return super(Remembering, self).compute(op, dtypes, views, attributes | {"axis": axis})


class EveryThird(Remembering):
    op = "add"

    def kept(self, op, dtypes, views, attributes):
        dtype, values = super(Remembering, self).compute(op, dtypes, views, attributes)
        return dtype, values if self.calls[op] % 3 else np.roll(values, 1)


class AfterAnotherShape(Remembering):
    op = "mul"

    def kept(self, op, dtypes, views, attributes):
        dtype, values = super(Remembering, self).compute(op, dtypes, views, attributes)
        changed = self.last.get("shape", values.shape) != values.shape
        self.last["shape"] = values.shape
        return dtype, np.roll(values, 1) if changed else values


class AfterEmptyCache(Remembering):
    op = "sub"

    def empty_cache(self):
        super().empty_cache()
        self.last["emptied"] = True

    def kept(self, op, dtypes, views, attributes):
        dtype, values = super(Remembering, self).compute(op, dtypes, views, attributes)
        return dtype, np.roll(values, 1) if self.last.pop("emptied", False) else values


class HeldMemory(Remembering):
    op = "exp"

    def alloc(self, size):
        self.last["held"] = True
        return super().alloc(size)

    def free(self, address):
        self.last["held"] = False
        super().free(address)

    def kept(self, op, dtypes, views, attributes):
        dtype, values = super(Remembering, self).compute(op, dtypes, views, attributes)
        return dtype, np.roll(values, 1) if self.last.get("held") else values


def test_the_clean_device_has_no_finding():
    assert len(CASES) > 300
    assert not failures(FakeDevice())


@pytest.mark.parametrize(
    "kind",
    [CachedScalar, CachedAxis, EveryThird, AfterAnotherShape, AfterEmptyCache, HeldMemory],
)
def test_a_dependence_on_earlier_work_is_seen(kind):
    assert failures(kind(), f"D/{kind.op}")
    assert not failures(kind(), "D/div")
