# SPDX-License-Identifier: Apache-2.0
"""From observations to a verdict, by a policy. Pure: needs no device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from device_api_abi import optable
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, PARTS

VERDICTS = (
    "PASS", "FAIL", "CRASH", "HANG", "FLAKY", "WAIVED", "XPASS", "UNSUPPORTED", "SKIPPED", "NOTRUN",
)  # fmt: skip
FAILING = frozenset({"FAIL", "CRASH", "HANG", "FLAKY"})

CODES = {
    "C000": "as it should be",
    "C101": "wrong type or shape of the result",
    "C102": "wrong value where there is one right value",
    "C103": "error in units in the last place above the limit",
    "C104": "zero of the wrong sign",
    "C105": "error of a sum above its bound",
    "C106": "different results for the same input",
    "C201": "an input was changed",
    "C202": "memory outside the view was changed",
    "C301": "a declared capability is refused",
    "C302": "a declared capability raises another error",
    "C303": "a declared op did not run natively",
    "C304": "an undeclared op raises the wrong kind of error",
    "C305": "an undeclared op runs natively",
    "C306": "not declared",
    "C307": "a declared op refuses this combination",
    "C308": "not declared; composed from other ops of the device",
    "C309": "not declared; composed from other ops, and not as it should be",
    "C401": "an expectation on the runtime is not met",
    "C402": "an unexpected error",
    "C403": "does not apply to this device",
    "C501": "the process died",
    "C502": "no answer in time",
    "C503": "not reached",
}
"""Codes of findings; append-only."""


@dataclass(frozen=True)
class Policy:
    """The tolerances that are not in the op table.

    A sum passes when its error beyond the last rounding is at most `sum_factor * (terms + 2)`
    roundoffs of the accumulator times the sum of magnitudes: any order of addition keeps that.
    """

    name: str = "default"
    sum_factor: float = 1.0
    slack: float = 1e-6
    flushes_subnormals: bool = False

    def describe(self) -> dict[str, Any]:
        """The policy as plain data for the report."""
        return asdict(self)


@dataclass(frozen=True)
class Verdict:
    """A verdict with its code and one sentence."""

    verdict: str
    code: str = "C000"
    reason: str = ""

    @property
    def failed(self) -> bool:
        """Whether it counts as a failure."""
        return self.verdict in FAILING


COMPLEX_LIMITS = {"mul": 4.0, "sign": 4.0}
"""Limits of complex ops that are exact or rounded for real numbers, in units of the larger part."""


def limit(case: Case) -> float:
    """Largest allowed error in units in the last place of a function in class `ulp`.

    Complex results: each part may be off by twice that, in units of the larger part.
    """
    op = optable.by_name()[case.op]
    if case.dtype in PARTS:
        twice = 1.0 if op.result == "real" else 2.0
        return COMPLEX_LIMITS.get(op.name, twice * op.ulp[0])
    return op.ulp[1] if FORMATS[case.dtype].precision <= 11 else op.ulp[0]


def judge(case: Case, observed: dict[str, Any], policy: Policy | None = None) -> Verdict:
    """Verdict of one case. The first finding that applies decides."""
    rules = policy or Policy()
    for stage in _STAGES:
        verdict = stage(case, observed, rules)
        if verdict is not None:
            return verdict
    return Verdict("PASS")


# ---- stages: each returns a verdict or None ---------------------------------------------------


def _ended(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    ended = {"crash": ("CRASH", "C501"), "hang": ("HANG", "C502"), "notrun": ("NOTRUN", "C503"),
             "skipped": ("SKIPPED", "C403")}  # fmt: skip
    if o.get("ended") in ended:
        verdict, code = ended[o["ended"]]
        return Verdict(verdict, code, o.get("detail", CODES[code]))
    return None


def _undeclared(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    if o.get("declared", True):
        return None
    what = o.get("undeclared", "")
    error = o.get("error")
    if error and not error["documented"]:
        return Verdict("FAIL", "C304", f"{what}; raised {error['type']}: {error['message']}")
    if error:
        return Verdict("UNSUPPORTED", "C306", what)
    if o.get("native", 0) > 0:
        return Verdict("UNSUPPORTED", "C305", f"{what}, yet it runs natively: declare it")
    if not _composed(case, o):
        return Verdict("UNSUPPORTED", "C306", what)
    for stage in (_form, _memory, _values):
        found = stage(case, o, policy)
        if found is not None:
            text = f"{what}; composed from other ops, with {found.code}: {found.reason}"
            return Verdict("UNSUPPORTED", "C309", text)
    return Verdict("UNSUPPORTED", "C308", f"{what}; composed from other ops of the device")


def _composed(case: Case, o: dict[str, Any]) -> bool:
    """Whether other ops gave the result; views and plain copies are no composition."""
    return bool(o.get("composed")) and case.op not in VIEWS_AND_COPIES


def _refused(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    """A declared op did not run: its host composed the result, as it may for a combination."""
    if case.op and _composed(case, o) and _may_refuse(case, o):
        return Verdict("UNSUPPORTED", "C307", "refused, and composed from other ops")
    return None


def _raised(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    error = o.get("error")
    if not error:
        return None
    text = f"{error['type']}: {error['message']}"
    if case.op and error["documented"]:
        if _may_refuse(case, o):
            return Verdict("UNSUPPORTED", "C307", f"refused: {text}")
        return Verdict("FAIL", "C301", f"declared but refused: {text}")
    return Verdict("FAIL", "C302" if case.op else "C402", text)


BASIC = frozenset({"ordinary", "count", "zero", "small_seed"})
"""Values that whoever declares an op and a type has to take."""


def _may_refuse(case: Case, o: dict[str, Any]) -> bool:
    """The contract lets an op refuse single combinations (several axes are one, but for core ops),
    but neither the plain case nor a layout where the op declares that it takes strides."""
    if len(case.axes or ()) > 1 and not optable.by_name()[case.op].core:
        return True
    if case.layout not in ("", "contiguous"):
        return "strided" not in o.get("flags", ())
    return case.values not in BASIC


def _form(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    return Verdict("FAIL", "C101", o["form"]) if o.get("form") else None


def _memory(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    if o.get("inputs_changed"):
        return Verdict("FAIL", "C201", f"{o['inputs_changed']} elements of inputs changed")
    if o.get("outside_changed"):
        return Verdict("FAIL", "C202", f"{o['outside_changed']} elements outside the view changed")
    return None


def _values(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    check = {"exact": _exact, "ulp": _ulp, "bound": _bound}.get(o.get("kind", ""))
    if check is None:
        return None
    found = check(case, o, policy)
    if found is None:
        return None
    if o.get("repeatable") is False:
        return Verdict("FLAKY", "C106", f"differs from run to run; first: {found.reason}")
    return found


def _exact(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    bad = o.get("mismatches", 0)
    if not policy.flushes_subnormals:
        bad += o.get("mismatches_subnormal", 0)
    if not bad:
        return None
    return Verdict("FAIL", "C102", f"{bad} of {o['count']} elements are wrong; {_worst(o)}")


def _ulp(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    largest, allowed = o.get("ulp_max", 0.0), limit(case)
    if not policy.flushes_subnormals:
        largest = max(largest, o.get("ulp_max_subnormal", 0.0))
    if largest > allowed + policy.slack:
        text = f"error of {largest:.4g} units, allowed {allowed:g}; {_worst(o)}"
        return Verdict("FAIL", "C103", text)
    if o.get("zero_signs"):
        return Verdict("FAIL", "C104", f"{o['zero_signs']} zeros have the wrong sign")
    return None


def _bound(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    if case.values == "subnormal" and policy.flushes_subnormals:
        return None
    allowed = policy.sum_factor * (o.get("terms", 1) + 2)
    if o.get("excess", 0.0) <= allowed + policy.slack:
        return None
    text = f"error of {o['excess']:.4g} roundoffs, allowed {allowed:g}; {_worst(o)}"
    return Verdict("FAIL", "C105", text)


def _worst(o: dict[str, Any]) -> str:
    w = o.get("worst")
    if not w:
        return "no element recorded"
    inputs = f" for {', '.join(w['inputs'])}" if w["inputs"] else ""
    return f"at {w['index']}: got {w['got']}, want {w['want']}{inputs}"


VIEWS_AND_COPIES = frozenset({"copy", "fill", "cast"})
"""Ops that a host may serve by a plain copy or by the device's own fill."""


def _repeats(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    if o.get("repeats", True):
        return None
    return Verdict("FAIL", "C106", "an equal call gave other bits after a call with other values")


def _native(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    if not case.op or not o.get("elements", o.get("count")) or case.op in VIEWS_AND_COPIES:
        return None
    if o.get("native", 1) < 1:
        return Verdict("FAIL", "C303", f"{case.op} is declared, but no native run was counted")
    return None


def _expectations(case: Case, o: dict[str, Any], policy: Policy) -> Verdict | None:
    for row in o.get("expect", ()):
        if not _RELATIONS[row["relation"]](row["got"], row["want"]):
            text = f"{row['what']}: got {row['got']}, want {row['relation']} {row['want']}"
            return Verdict("FAIL", "C401", text)
    return None


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": lambda a, b: bool(a == b),
    "at most": lambda a, b: bool(a <= b),
    "at least": lambda a, b: bool(a >= b),
    "one of": lambda a, b: a in b,
}

_STAGES = (
    _ended, _undeclared, _raised, _refused, _form, _memory, _values, _repeats, _native,
    _expectations,
)  # fmt: skip
