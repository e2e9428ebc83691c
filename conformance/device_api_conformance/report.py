# SPDX-License-Identifier: Apache-2.0
"""The report of a run as one JSON object; report.schema.json describes it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import resources
from typing import Any

from device_api_abi import optable
from device_api_conformance import __version__
from device_api_conformance.case import CHAPTERS
from device_api_conformance.installed import installed
from device_api_conformance.judge import CODES, FAILING, VERDICTS
from device_api_conformance.runner import Result, Runner
from device_api_conformance.selection import Selection

SCHEMA_VERSION = 2
VARIABLES = ("DEVICE_API_", "OMP_", "OPENBLAS_", "MKL_", "NPY_")
"""Beginnings of names of environment variables that influence results."""
PACKAGES = ("device-api", "device-api-abi", "device-api-conformance", "numpy", "mpmath")

NOTICES = {
    "simulated": "The device is simulated: this is a simulation report and no certificate.",
    "level": "This level is a reduced run: it does not certify.",
    "model": "Figures of one model: no verdict on the device, and no certificate.",
    "part": "Not all cases of the level were to run: it does not certify.",
    "failed": "Something failed or was not reached: it does not certify.",
    "judged": "Judged again from the observations of a report: that report counts.",
    "certifies": "All cases of the certifying level passed: it can serve as a certificate.",
}
"""What a report is good for."""

CERTIFYING = "full"
"""The one level that certifies."""
MODEL = "model"
"""What stands for a level in the report of one model."""


def schema() -> dict[str, Any]:
    """The published JSON Schema of reports."""
    text = resources.files(__package__).joinpath("report.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def now() -> str:
    """The time in UTC, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def replay(device: str, case_id: str, seed: int, level: str = "smoke") -> str:
    """The command that repeats one case."""
    told = "" if level == "smoke" else f" --level {level}"
    return f"device-api certify {device}{told} --only '{case_id}' --seed {seed}"


def build(
    runner: Runner,
    results: Iterable[Result],
    started: str,
    interrupted: str = "",
    selection: Selection | None = None,
) -> dict[str, Any]:
    """The report of a run. `interrupted` says why it ended early, if it did."""
    rows = [_row(runner, result) for result in results]
    counts = Counter(row["verdict"] for row in rows)
    identity = asdict(runner.identity) if runner.identity else None
    simulated = bool(identity and identity["simulated"])
    passed = not interrupted and not any(counts.get(v, 0) for v in FAILING | {"NOTRUN"})
    part = selection or Selection.of([result["id"] for result in rows])
    good_for = worth(simulated, runner.level, part, passed)
    kind = "model report" if runner.level == MODEL else "conformance report"
    found = {
        "schema_version": SCHEMA_VERSION,
        "kind": "simulation report" if simulated else kind,
        "certifies": good_for == "certifies",
        "notice": NOTICES[good_for],
        "suite": {"name": "device-api-conformance", "version": __version__},
        "level": runner.level,
        "seed": runner.seed,
        "selection": part.as_dict(),
        "started": started,
        "ended": now(),
        "interrupted": interrupted,
        "device": identity,
        "capabilities": runner.capabilities,
        "missing_core_ops": missing_core_ops(runner.capabilities),
        "policy": runner.policy.describe(),
        "waivers": runner.waivers.as_list(),
        "environment": environment(runner.device),
        "counts": {verdict: counts.get(verdict, 0) for verdict in VERDICTS},
        "passed": passed,
        "cases": rows,
    }
    return found | ({"program": runner.program} if runner.program else {})


def worth(simulated: bool, level: str, selection: Selection, passed: bool) -> str:
    """What a run is good for: the first thing that stands in the way of a certificate."""
    if simulated:
        return "simulated"
    if level == MODEL:
        return "model"
    if level != CERTIFYING:
        return "level"
    if not selection.whole:
        return "part"
    return "certifies" if passed else "failed"


def missing_core_ops(capabilities: dict[str, Any]) -> list[str]:
    """Core ops of the table that the device does not declare."""
    if not capabilities:
        return []
    return [op.name for op in optable.load() if op.core and op.name not in capabilities]


def environment(device: str) -> dict[str, Any]:
    """Host, Python, packages and variables that can influence results; what is installed of us."""
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "python": sys.version.split()[0],
        "packages": {name: _version(name) for name in PACKAGES},
        "variables": {k: v for k, v in sorted(os.environ.items()) if k.startswith(VARIABLES)},
        "installed": installed(device),
        "clock": "monotonic clock of the host",
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed as a distribution"


def _row(runner: Runner, result: Result) -> dict[str, Any]:
    case, verdict = result.case, result.verdict
    return {
        "id": case.id,
        "chapter": case.chapter,
        "chapter_name": CHAPTERS[case.chapter],
        "check": case.check,
        "params": case.params(),
        "seed": runner.seed,
        "verdict": verdict.verdict,
        "code": verdict.code,
        "code_text": CODES[verdict.code],
        "reason": verdict.reason,
        "seconds": round(result.seconds, 6),
        "observations": result.observations,
        "replay": f"{runner.command} --only '{case.id}'"
        if runner.command
        else replay(runner.device, case.id, runner.seed, runner.level),
    }
