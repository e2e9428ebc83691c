# SPDX-License-Identifier: Apache-2.0
"""One report from the fractions of a run (``--fraction 1/3``, ``2/3``, ``3/3``)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from device_api_conformance import report as reports
from device_api_conformance.judge import FAILING, VERDICTS
from device_api_conformance.load import Loaded
from device_api_conformance.selection import Fraction, Selection

SAME = ("schema_version", "kind", "suite", "level", "seed", "device", "capabilities", "policy",
        "waivers")  # fmt: skip
"""What the fractions of one run must agree on."""
SAME_ENVIRONMENT = ("platform", "machine", "python", "packages", "variables")


class MergeError(ValueError):
    """Reports that are not the fractions of one run: why."""


def merge(parts: list[Loaded]) -> dict[str, Any]:
    """The report of the whole run.

    Raises:
        MergeError: the reports differ in identity, a fraction is missing or there twice, or one of
            them is no fraction.
    """
    first = parts[0]
    for other in parts[1:]:
        _agree(first, other)
    _complete(parts)
    rows = [row for part in parts for row in part.report["cases"]]
    twice = [i for i, n in Counter(row["id"] for row in rows).items() if n > 1]
    if twice:
        raise MergeError(f"{twice[0]} is in two of the reports")
    counts = Counter(row["verdict"] for row in rows)
    broken = [f"{p.path}: {p.report['interrupted']}" for p in parts if p.report["interrupted"]]
    interrupted = "; ".join(broken)
    passed = not interrupted and not any(counts[v] for v in FAILING | {"NOTRUN"})
    selection = Selection.of(
        (row["id"] for row in rows), first.report["selection"]["only"], Fraction()
    )
    worth = reports.worth(
        first.report["kind"] == "simulation report", first.report["level"], selection, passed
    )
    return first.report | {
        "cases": rows,
        "counts": {v: counts.get(v, 0) for v in VERDICTS},
        "passed": passed,
        "selection": selection.as_dict(),
        "interrupted": interrupted,
        "certifies": worth == "certifies",
        "notice": reports.NOTICES[worth],
        "started": min(p.report["started"] for p in parts),
        "ended": max(p.report["ended"] for p in parts),
    }


def _agree(a: Loaded, b: Loaded) -> None:
    pairs = [(key, a.report[key], b.report[key]) for key in SAME]
    pairs += [(f"environment {key}", a.report["environment"].get(key),
               b.report["environment"].get(key)) for key in SAME_ENVIRONMENT]  # fmt: skip
    pairs.append(("--only", a.report["selection"]["only"], b.report["selection"]["only"]))
    for key, one, two in pairs:
        if one != two:
            raise MergeError(
                f"{a.path} and {b.path} are not of one run: {key} differs "
                f"({_short(one)} against {_short(two)})"
            )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 120 else text[:117] + "..."


def _complete(parts: list[Loaded]) -> None:
    told = [p.report["selection"]["fraction"] for p in parts]
    fractions = [Fraction.parse(text) for text in told]
    total = fractions[0].parts
    if any(f.parts != total for f in fractions):
        raise MergeError(f"fractions of different runs: {', '.join(told)}")
    missing = sorted(set(range(1, total + 1)) - {f.part for f in fractions})
    if missing:
        raise MergeError(f"missing: {', '.join(f'{n}/{total}' for n in missing)}")
    if len(fractions) != total:
        raise MergeError(f"a fraction is there twice: {', '.join(sorted(told))}")
