# SPDX-License-Identifier: Apache-2.0
"""What changed from one report to another: identity, capabilities, verdicts, accuracy, speed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from device_api_conformance import significance
from device_api_conformance.judge import FAILING
from device_api_conformance.load import Loaded

ORDER = {"PASS": 0, "XPASS": 0, "WAIVED": 1, "UNSUPPORTED": 1, "SKIPPED": 1, "NOTRUN": 2}
"""How bad a verdict is; failures are 3. A step up is a regression."""
SAME = ("level", "seed")


class NotComparable(ValueError):
    """Two reports that say nothing about each other: why."""


@dataclass(frozen=True)
class Limits:
    """What counts as a change: units in the last place, and a part of the time."""

    ulp: float = 1.0
    slower: float = 0.05


@dataclass
class Changes:
    """All that differs; `regressions` names what got worse, in words."""

    identity: list[tuple[str, Any, Any]] = field(default_factory=list)
    environment: list[tuple[str, Any, Any]] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    verdicts: list[tuple[str, str, str, str]] = field(default_factory=list)
    accuracy: list[tuple[str, str, float, float]] = field(default_factory=list)
    speed: list[tuple[str, significance.Change, int]] = field(default_factory=list)
    timed: int = 0
    regressions: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for machines."""
        rows = [
            {"case": i, "ratio": c.ratio, "low": c.low, "high": c.high, "p": c.p, "direction": d}
            for i, c, d in self.speed
        ]
        return {
            "identity": [list(row) for row in self.identity],
            "environment": [list(row) for row in self.environment],
            "capabilities": {"lost": self.lost, "gained": self.gained},
            "cases": {"added": self.added, "removed": self.removed},
            "verdicts": [list(row) for row in self.verdicts],
            "accuracy": [list(row) for row in self.accuracy],
            "speed": {"timed": self.timed, "changed": rows},
            "regressions": self.regressions,
        }


def compare(a: Loaded, b: Loaded, limits: Limits | None = None) -> Changes:
    """What changed from `a` to `b`.

    Raises:
        NotComparable: different levels, seeds or selections, another minor version of the suite, or
            a simulated device on one side only.
    """
    allowed = limits or Limits()
    _comparable(a.report, b.report)
    found = Changes()
    _facts(a.report, b.report, found)
    _capabilities(a.report, b.report, found)
    before = {row["id"]: row for row in a.report["cases"]}
    after = {row["id"]: row for row in b.report["cases"]}
    found.added = [i for i in after if i not in before]
    found.removed = [i for i in before if i not in after]
    for case_id in after:
        if case_id in before:
            _case(case_id, before[case_id], after[case_id], allowed, found)
    return found


def _comparable(a: dict[str, Any], b: dict[str, Any]) -> None:
    names = ("name", "batch", "options")
    models = [{k: r.get("program", {}).get(k) for k in names} for r in (a, b)]
    if models[0] != models[1]:
        raise NotComparable(f"{_model(models[0])} against {_model(models[1])}")
    for key in SAME:
        if a[key] != b[key]:
            raise NotComparable(f"{key} {a[key]} against {b[key]}")
    versions = [r["suite"]["version"].split(".")[:2] for r in (a, b)]
    if versions[0] != versions[1]:
        told = f"{a['suite']['version']} against {b['suite']['version']}"
        raise NotComparable(f"suite {told}: cases and truths may differ")
    if a["kind"] != b["kind"]:
        raise NotComparable(f"a {a['kind']} against a {b['kind']}")
    parts = [(r["selection"]["only"], r["selection"]["fraction"]) for r in (a, b)]
    if parts[0] != parts[1]:
        raise NotComparable(f"selections {parts[0]} against {parts[1]}")


def _model(program: dict[str, Any]) -> str:
    if program["name"] is None:
        return "a level of the suite"
    told = [f"{k}={v}" for k, v in (program["options"] or {}).items()]
    told += [f"batch={program['batch']}"] if program["batch"] is not None else []
    return f"the model {program['name']}({', '.join(told)})"


def _facts(a: dict[str, Any], b: dict[str, Any], found: Changes) -> None:
    found.identity = _differences(_flat(a["device"] or {}), _flat(b["device"] or {}))
    found.identity += _differences({"suite": a["suite"]["version"]},
                                   {"suite": b["suite"]["version"]})  # fmt: skip
    found.identity += _differences(_flat({"program": a.get("program", {})}),
                                   _flat({"program": b.get("program", {})}))  # fmt: skip
    found.environment = _differences(_flat(_environment(a)), _flat(_environment(b)))


def _environment(report: dict[str, Any]) -> dict[str, Any]:
    """What is installed is told in one line for each distribution."""
    rows = report["environment"].get("installed", [])
    told = {
        row["name"]: f"{row['version']} {row['digest'][:12]}{' changed' if row['changed'] else ''}"
        for row in rows
    }
    return {**report["environment"], "installed": told}


def _flat(data: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, dict):
            rows |= _flat(value, f"{prefix}{key}.")
        else:
            rows[prefix + key] = value
    return rows


def _differences(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    names = sorted(set(a) | set(b))
    return [(n, a.get(n), b.get(n)) for n in names if a.get(n) != b.get(n)]


def _capabilities(a: dict[str, Any], b: dict[str, Any], found: Changes) -> None:
    before, after = (_declared(r["capabilities"]) for r in (a, b))
    found.lost, found.gained = sorted(before - after), sorted(after - before)
    found.regressions += [f"no longer declared: {name}" for name in found.lost]


def _declared(capabilities: dict[str, Any]) -> set[str]:
    return {f"{op} {dtype}" for op, row in capabilities.items() for dtype in row["dtypes"]}


def _badness(verdict: str) -> int:
    return 3 if verdict in FAILING else ORDER[verdict]


def _case(
    case_id: str, a: dict[str, Any], b: dict[str, Any], limits: Limits, found: Changes
) -> None:
    if a["verdict"] != b["verdict"]:
        found.verdicts.append((case_id, a["verdict"], b["verdict"], b["reason"]))
        if _badness(b["verdict"]) > _badness(a["verdict"]):
            found.regressions.append(f"{case_id}: {a['verdict']} before, {b['verdict']} now")
    one, two = a["observations"], b["observations"]
    if "ulp" in one and "ulp" in two:
        _accuracy(case_id, one["ulp"], two["ulp"], limits, found)
    if "performance" in one and "performance" in two:
        _speed(case_id, one["performance"], two["performance"], limits, found)


def _accuracy(
    case_id: str, a: dict[str, float], b: dict[str, float], limits: Limits, found: Changes
) -> None:
    for name in ("max", "p999"):
        if abs(b[name] - a[name]) > limits.ulp:
            found.accuracy.append((case_id, name, a[name], b[name]))
            if b[name] > a[name]:
                found.regressions.append(
                    f"{case_id}: {name} error {a[name]:.3g} units before, {b[name]:.3g} now"
                )


def _speed(
    case_id: str, a: dict[str, Any], b: dict[str, Any], limits: Limits, found: Changes
) -> None:
    """Samples are times or rates; `better` says which way is good."""
    change = significance.compare(a["samples"], b["samples"], case_id)
    if change is not None:
        found.timed += 1
        _changed(case_id, change, b["better"], limits, found)
    for q in a.get("quantiles", ()):
        tail = None
        if q > 0.5:
            tail = significance.compare_tail(a["samples"], b["samples"], q, case_id)
        if tail is not None:
            _changed(f"{case_id} P{round(q * 100)}", tail, b["better"], limits, found)


def _changed(
    name: str, change: significance.Change, better: str, limits: Limits, found: Changes
) -> None:
    direction = change.beyond(limits.slower)
    if direction == 0:
        return
    worse = direction == (1 if better == "less" else -1)
    found.speed.append((name, change, -1 if worse else 1))
    if worse:
        found.regressions.append(
            f"{name}: {change.ratio:.3g} times as before, 95 % interval {change.low:.3g} to "
            f"{change.high:.3g}"
        )


def tally(changes: Changes) -> str:
    """The changes of verdicts in one line: how many went from what to what."""
    steps = Counter((a, b) for _, a, b, _ in changes.verdicts)
    return ", ".join(f"{n} {a} to {b}" for (a, b), n in sorted(steps.items())) or "none"
