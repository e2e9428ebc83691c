# SPDX-License-Identifier: Apache-2.0
"""What a report must be to certify: every objection in words. Needs no device and no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

from device_api_conformance import __version__, cases
from device_api_conformance import report as reports
from device_api_conformance.case import Case
from device_api_conformance.handle import Identity
from device_api_conformance.judge import FAILING, judge
from device_api_conformance.rejudge import policy_of
from device_api_conformance.waivers import Waiver, Waivers

_SHOWN = 3


def objections(report: dict[str, Any], today: date) -> list[str]:
    """Why a report does not certify; empty when it does."""
    return [text for check in _CHECKS for text in check(report, today)]


def _run(report: dict[str, Any], today: date) -> Iterator[str]:
    if report["kind"] == "simulation report" or (report["device"] or {}).get("simulated"):
        yield "it is a simulation report: it says nothing of a chip"
    if report["level"] != reports.CERTIFYING:
        yield f"level {report['level']} is a reduced run; only {reports.CERTIFYING} certifies"
    if not report["selection"]["whole"] or report["selection"]["fraction"] != "1/1":
        yield "it is a run of a part of the level"
    if report["interrupted"]:
        yield f"the run was interrupted: {report['interrupted']}"
    if "judged" in report:
        yield "it was judged again: send the report that it was made from"
    if report["device"] is None:
        yield "it names no device"


def _outcome(report: dict[str, Any], today: date) -> Iterator[str]:
    counts = Counter(row["verdict"] for row in report["cases"])
    told = {k: n for k, n in report["counts"].items() if n}
    if told != dict(counts):
        yield f"its counts {told} are not those of its cases {dict(counts)}"
    for verdict in sorted(FAILING | {"NOTRUN"}):
        if counts[verdict]:
            first = next(r["id"] for r in report["cases"] if r["verdict"] == verdict)
            yield f"{counts[verdict]} cases are {verdict}, {first} the first"
    if not report["certifies"]:
        yield f"it says itself: {report['notice']}"


def _complete(report: dict[str, Any], today: date) -> Iterator[str]:
    ids = [row["id"] for row in report["cases"]]
    twice = [i for i, n in Counter(ids).items() if n > 1]
    if twice:
        yield f"{len(twice)} cases are there more than once, {twice[0]} the first"
    if report["suite"]["version"] != __version__:
        yield (
            f"it is of suite {report['suite']['version']}: verify it with that version, this is "
            f"{__version__}"
        )
        return
    if report["level"] not in cases.LEVELS:
        return
    wanted = {c.id for c in cases.generate(report["level"])}
    for what, names in (("missing", wanted - set(ids)), ("unknown", set(ids) - wanted)):
        if names:
            yield f"{len(names)} cases are {what}: {', '.join(sorted(names)[:_SHOWN])}"


def _verdicts(report: dict[str, Any], today: date) -> Iterator[str]:
    """The observations must give the verdicts that the report tells."""
    if report["device"] is None:
        return
    policy, identity = policy_of(report), Identity(**report["device"])
    known = _waivers(report)
    wrong = []
    for row in report["cases"]:
        case = Case.of(row["chapter"], row["check"], row["params"])
        verdict = known.apply(case, judge(case, row["observations"], policy), identity)
        if case.id != row["id"] or (verdict.verdict, verdict.code) != (row["verdict"], row["code"]):
            wrong.append(row["id"])
    if wrong:
        told = ", ".join(wrong[:_SHOWN])
        yield f"{len(wrong)} verdicts do not follow from their observations: {told}"
    default = type(policy)(flushes_subnormals=identity.flushes_subnormals)
    if policy.describe() | {"name": ""} != default.describe() | {"name": ""}:
        yield "it was judged by another policy than the suite's own"


def _waivers(report: dict[str, Any]) -> Waivers:
    rows = []
    for row in report["waivers"]:
        plain = {k: v for k, v in row.items() if k != "expired"}
        plain |= {
            "cases": tuple(row["cases"]), "devices": tuple(row["devices"]),
            "versions": {k: tuple(v) for k, v in row["versions"].items()},
            "expires": date.fromisoformat(row["expires"]),
        }  # fmt: skip
        rows.append(Waiver(**plain))
    return Waivers(tuple(rows), date.fromisoformat(report["started"][:10]))


def _in_force(report: dict[str, Any], today: date) -> Iterator[str]:
    for row in report["waivers"]:
        if date.fromisoformat(row["expires"]) < today:
            yield f"waiver {row['id']} expired on {row['expires']}"


def _clean(report: dict[str, Any], today: date) -> Iterator[str]:
    rows = report["environment"].get("installed", [])
    if not rows:
        yield "it does not tell what was installed"
    for row in rows:
        if row["unrecorded"]:
            yield f"{row['name']} was not installed from a wheel: nothing says what it was"
        elif row["changed"]:
            yield f"files of {row['name']} were changed after its installation: {row['changed'][0]}"


_CHECKS = (_run, _outcome, _complete, _verdicts, _in_force, _clean)
