# SPDX-License-Identifier: Apache-2.0
"""The judge: pure, by policy, one verdict for each kind of observation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.judge import CODES, VERDICTS, Policy, judge, limit
from device_api_conformance.observe import observe
from device_api_conformance.record import Record
from device_api_conformance.truth import expected

EXP = Case("N", "numeric", "exp", "float32", layout="contiguous", shape=(4,), values="ordinary")
ADD = Case("N", "numeric", "add", "float32", layout="contiguous", shape=(4,), values="ordinary")
SUM = Case("N", "numeric", "sum", "float32", layout="contiguous", shape=(4,), axes=(0,), values="x")
EDGE = Case("E", "numeric", "add", "float32", layout="contiguous", values="edges")
VIEW = Case("L", "numeric", "add", "float32", layout="negative", shape=(4,), values="ordinary")
RUN = Case("S", "order")
COPY = replace(EDGE, op="copy")
PROD = replace(SUM, op="prod", axes=(0, 2), values="ordinary")
WIDE = replace(PROD, op="sum")


REFUSED = {"type": "E", "message": "m", "documented": True}
BROKEN = {"type": "E", "message": "m", "documented": False}
UNDECLARED = {"declared": False, "undeclared": "x"}
EXACT = {"kind": "exact", "count": 4}
COMPOSED = {"composed": True, "native": 0}
BOUND = {"kind": "bound", "count": 1, "terms": 4, "native": 1}


@pytest.mark.parametrize(
    ("case", "observed", "want"),
    [
        (EXP, {"kind": "ulp", "count": 4, "ulp_max": 3.0, "native": 1}, ("PASS", "C000")),
        (EXP, {"kind": "ulp", "count": 4, "ulp_max": 3.01, "native": 1}, ("FAIL", "C103")),
        (EXP, {"kind": "ulp", "count": 4, "ulp_max_subnormal": 9.0, "native": 1}, ("FAIL", "C103")),
        (EXP, {"kind": "ulp", "count": 4, "zero_signs": 1, "native": 1}, ("FAIL", "C104")),
        (EXP, {"kind": "ulp", "count": 4, "native": 0}, ("FAIL", "C303")),
        (EXP, {"kind": "ulp", "count": 0, "native": 0}, ("PASS", "C000")),
        (ADD, EXACT | {"mismatches": 0, "native": 1}, ("PASS", "C000")),
        (ADD, EXACT | {"mismatches": 1, "native": 1}, ("FAIL", "C102")),
        (ADD, EXACT | {"mismatches": 1, "repeatable": False}, ("FLAKY", "C106")),
        (ADD, {"form": "got float64[4], want float32[4]"}, ("FAIL", "C101")),
        (ADD, EXACT | {"inputs_changed": 2}, ("FAIL", "C201")),
        (ADD, EXACT | {"outside_changed": 2}, ("FAIL", "C202")),
        (SUM, BOUND | {"excess": 6.0}, ("PASS", "C000")),
        (SUM, BOUND | {"excess": 6.1}, ("FAIL", "C105")),
        (ADD, {"error": REFUSED}, ("FAIL", "C301")),
        (ADD, {"error": BROKEN}, ("FAIL", "C302")),
        (EDGE, {"error": REFUSED, "flags": ["strided"]}, ("UNSUPPORTED", "C307")),
        (VIEW, {"error": REFUSED, "flags": []}, ("UNSUPPORTED", "C307")),
        (VIEW, {"error": REFUSED, "flags": ["strided"]}, ("FAIL", "C301")),
        (RUN, {"error": REFUSED}, ("FAIL", "C402")),
        (RUN, {"ended": "crash", "detail": "signal"}, ("CRASH", "C501")),
        (RUN, {"ended": "hang"}, ("HANG", "C502")),
        (RUN, {"ended": "notrun"}, ("NOTRUN", "C503")),
        (RUN, {"ended": "skipped", "detail": "why"}, ("SKIPPED", "C403")),
        (ADD, UNDECLARED | {"error": REFUSED}, ("UNSUPPORTED", "C306")),
        (ADD, UNDECLARED | {"error": BROKEN}, ("FAIL", "C304")),
        (ADD, UNDECLARED | EXACT | {"native": 1}, ("UNSUPPORTED", "C305")),
        (ADD, UNDECLARED | EXACT | {"native": 0}, ("UNSUPPORTED", "C306")),
        (ADD, UNDECLARED | EXACT | COMPOSED, ("UNSUPPORTED", "C308")),
        (ADD, UNDECLARED | EXACT | COMPOSED | {"mismatches": 1}, ("UNSUPPORTED", "C309")),
        (COPY, UNDECLARED | EXACT | COMPOSED, ("UNSUPPORTED", "C306")),
        (EDGE, EXACT | COMPOSED | {"flags": ["strided"]}, ("UNSUPPORTED", "C307")),
        (ADD, EXACT | COMPOSED, ("FAIL", "C303")),
        (COPY, EXACT | COMPOSED, ("PASS", "C000")),
        (VIEW, EXACT | COMPOSED | {"flags": ["strided"]}, ("FAIL", "C303")),
        (PROD, EXACT | COMPOSED, ("UNSUPPORTED", "C307")),
        (replace(PROD, chapter="X", layout="stepped"), EXACT | COMPOSED | {"flags": ["strided"]},
         ("UNSUPPORTED", "C307")),
        (WIDE, EXACT | COMPOSED, ("FAIL", "C303")),
    ],
)  # fmt: skip
def test_verdicts(case, observed, want):
    found = judge(case, observed)
    assert (found.verdict, found.code) == want
    assert found.verdict in VERDICTS
    assert found.code in CODES


def test_flushing_is_accepted_where_it_is_declared_only():
    observed = {
        "kind": "exact",
        "count": 4,
        "mismatches": 0,
        "mismatches_subnormal": 1,
        "native": 1,
    }
    assert judge(ADD, observed).verdict == "FAIL"
    assert judge(ADD, observed, Policy(flushes_subnormals=True)).verdict == "PASS"


def test_a_subnormal_product_that_rounds_to_a_normal_one_may_be_flushed():
    x = [Host("float32", np.array([v, 3.0], dtype=np.float32)) for v in (2.0**-126, 1 - 2.0**-24)]
    x[1].data[1] = 1.0
    case = replace(ADD, op="mul")
    want = expected("mul", x, {}, False)
    flushed = Host("float32", np.array([0.0, 3.0], dtype=np.float32))
    found = observe(want, flushed, x) | {"native": 1}
    assert judge(case, found).verdict == "FAIL"
    assert judge(case, found, Policy(flushes_subnormals=True)).verdict == "PASS"
    wrong = Host("float32", np.array([0.0, 4.0], dtype=np.float32))
    found = observe(want, wrong, x) | {"native": 1}
    told = judge(case, found, Policy(flushes_subnormals=True))
    assert told.verdict == "FAIL"
    assert "at [1]" in told.reason, "the element that counts is told, not the one before it"


def test_another_policy_judges_the_same_observations_anew():
    observed = {"kind": "bound", "count": 1, "terms": 4, "excess": 5.0, "native": 1}
    assert judge(SUM, observed).verdict == "PASS"
    assert judge(SUM, observed, Policy(name="tight", sum_factor=0.5)).verdict == "FAIL"


def test_expectations():
    record = Record()
    record.equal("a", 1, 1)
    record.at_most("b", 1.5, 2)
    record.raises("c", ValueError, lambda: int("x"))
    assert judge(RUN, record.observations()).verdict == "PASS"
    record.at_least("d", 1, 2)
    found = judge(RUN, record.observations())
    assert (found.verdict, found.code) == ("FAIL", "C401")
    assert "d: got 1, want at least 2" in found.reason


def test_raising_nothing_or_the_wrong_kind_is_a_failure():
    for call in (lambda: None, lambda: {}["x"]):
        record = Record()
        record.raises("c", ValueError, call)
        assert judge(RUN, record.observations()).verdict == "FAIL"


def host(*values):
    return Host("float32", np.array(values, dtype=np.float32))


def test_limits_of_complex_functions():
    assert limit(EXP) == 3.0
    assert limit(replace(EXP, dtype="complex64")) == 6.0
    assert limit(replace(EXP, dtype="bfloat16")) == 2.0
    assert limit(replace(EXP, op="mul", dtype="complex128")) == 4.0
    assert limit(replace(EXP, op="magnitude", dtype="complex64")) == 4.0


def test_observing_exact_results():
    operands = [host(1, 2, 3), host(1, 1, 1e-40)]
    want = expected("add", operands, {}, False)
    assert observe(want, host(2, 3, 3), operands)["mismatches"] == 0
    found = observe(want, host(2, 4, 3), operands)
    assert (found["mismatches"], found["worst"]["index"]) == (1, [1])
    assert "0x40800000" in found["worst"]["got"]
    found = observe(want, host(2, 3, 4), operands)
    assert (found["mismatches"], found["mismatches_subnormal"]) == (0, 1)


def test_observing_the_sign_of_zero():
    operands = [host(-0.0)]
    want = expected("tanh", operands, {}, False)
    assert observe(want, host(-0.0), operands)["zero_signs"] == 0
    assert observe(want, host(0.0), operands)["zero_signs"] == 1


def test_observing_form():
    operands = [host(1, 2)]
    want = expected("exp", operands, {}, False)
    assert "want float32[2]" in observe(want, host(1, 2, 3), operands)["form"]
    assert "got float64" in observe(want, Host("float64", np.ones(2)), operands)["form"]


def test_observing_sums_in_roundoffs_of_the_accumulator():
    x = [host(*np.linspace(0.1, 1, 64))]
    want = expected("sum", x, {"axes": (0,)}, False)
    exact = float(want.reference.high)
    near = Host("float32", np.array(exact, dtype=np.float32))
    assert observe(want, near, x)["excess"] == 0.0
    off = Host("float32", np.array(exact * (1 + 100 * 2.0**-24), dtype=np.float32))
    assert 95 < observe(want, off, x)["excess"] < 105
