# SPDX-License-Identifier: Apache-2.0
"""Judging the observations of a report again, by another policy or other waivers: no device."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from device_api_conformance import report as reports
from device_api_conformance.case import Case
from device_api_conformance.handle import Identity
from device_api_conformance.judge import CODES, FAILING, VERDICTS, Policy, judge
from device_api_conformance.load import Loaded
from device_api_conformance.selection import Selection
from device_api_conformance.waivers import Waivers


class PolicyError(ValueError):
    """A policy file that cannot be used: why."""


def read_policy(path: Path, base: Policy) -> Policy:
    """The policy of a TOML file; keys that it leaves out are those of `base`.

    Keys: name, sum_factor (1 or more), slack (units in the last place, 0 or more),
    flushes_subnormals. Raises PolicyError for any other key, type or number.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PolicyError(f"{path}: {error}") from error
    known = {f.name: f.type for f in fields(Policy)}
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise PolicyError(f"{path}: not known: {', '.join(unknown)}; there are {', '.join(known)}")
    for key, value in data.items():
        wanted = type(getattr(base, key))
        number = wanted is float and isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number and not (wanted is not float and isinstance(value, wanted)):
            raise PolicyError(f"{path}: {key} is to be of type {wanted.__name__}, not {value!r}")
        if number and not 0 <= value <= 1e6:
            raise PolicyError(f"{path}: {key} = {value} is out of range")
    given: dict[str, Any] = {k: float(v) if known[k] == "float" else v for k, v in data.items()}
    return replace(base, **({"name": path.stem} | given))


def policy_of(report: dict[str, Any]) -> Policy:
    """The policy that a report was judged by."""
    known = {f.name for f in fields(Policy)}
    return Policy(**{k: v for k, v in report["policy"].items() if k in known})


def rejudge(loaded: Loaded, policy: Policy, waivers: Waivers) -> dict[str, Any]:
    """A new report from the observations of an old one; it says what it was made from."""
    old = loaded.report
    identity = Identity(**old["device"]) if old["device"] else None
    rows = [_row(row, policy, waivers, identity) for row in old["cases"]]
    counts = Counter(row["verdict"] for row in rows)
    passed = not old["interrupted"] and not any(counts[v] for v in FAILING | {"NOTRUN"})
    selection = Selection.from_dict(old["selection"])
    simulated = old["kind"] == "simulation report"
    worth = reports.worth(simulated, old["level"], selection, passed)
    return old | {
        "cases": rows,
        "counts": {v: counts.get(v, 0) for v in VERDICTS},
        "passed": passed,
        "policy": policy.describe(),
        "waivers": waivers.as_list(),
        "certifies": False,
        "notice": reports.NOTICES["judged" if worth == "certifies" else worth],
        "judged": {"from": loaded.digest, "at": reports.now()},
    }


def _row(
    row: dict[str, Any], policy: Policy, waivers: Waivers, identity: Identity | None
) -> dict[str, Any]:
    case = Case.of(row["chapter"], row["check"], row["params"])
    verdict = waivers.apply(case, judge(case, row["observations"], policy), identity)
    return row | {"verdict": verdict.verdict, "code": verdict.code,
                  "code_text": CODES[verdict.code], "reason": verdict.reason}  # fmt: skip
