# SPDX-License-Identifier: Apache-2.0
"""What the plots of the page show, gathered from the observations of a report."""

from __future__ import annotations

from statistics import median
from typing import Any

from device_api_conformance.observe import EDGES
from device_api_conformance.performance_cases import SIDE

FUNCTIONS = 24
"""Functions with the largest errors get a plot."""
POINTS = 400
SIZES = {"float64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2}
TRIAD_INTENSITY = 2 / 24
"""x + y * z by two ops of float32: six values moved for two operations."""


def plots(report: dict[str, Any]) -> dict[str, Any]:
    """Histograms, points, roofline, memory curves and timelines; empty where not measured."""
    cases = report["cases"]
    histograms, points = _errors(cases)
    return {
        "edges": list(EDGES),
        "histograms": histograms,
        "points": points,
        "roofline": _roofline(cases),
        "curves": _curves(cases),
        "timelines": [
            {"name": case["id"], "unit": found["unit"], "spans": found["spans"]}
            for case, found in _noted(cases, "timeline")
            if found.get("spans")
        ],
    }


def _errors(cases: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Errors by function and type, the largest first."""
    rows: dict[str, dict[str, Any]] = {}
    for case in cases:
        seen = case["observations"]
        counts = seen.get("ulp_counts")
        if not isinstance(counts, list) or len(counts) != len(EDGES):
            continue
        name = f"{case['params'].get('op', case['check'])} {case['params'].get('dtype', '')}"
        row = rows.setdefault(
            name, {"name": name, "counts": [0] * len(EDGES), "max": 0.0, "points": []}
        )
        row["counts"] = [a + b for a, b in zip(row["counts"], counts, strict=True)]
        row["max"] = max(row["max"], seen["ulp"]["max"])
        row["points"] += seen.get("ulp_points", [])
    worst = sorted(rows.values(), key=lambda row: (-row["max"], row["name"]))[:FUNCTIONS]
    points = [
        {"name": row["name"], "points": sorted(row["points"], key=lambda p: -p[1])[:POINTS]}
        for row in worst
        if row["points"]
    ]
    return [{k: row[k] for k in ("name", "counts", "max")} for row in worst], points


def _roofline(cases: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Measured points of triad and matmul; the roofs are the best of these measurements."""
    points, bandwidth, peak = [], 0.0, 0.0
    for case in cases:
        timed, dtype = case["observations"].get("performance"), case["params"].get("dtype", "")
        if not timed or not timed["samples"]:
            continue
        rate = float(median(timed["samples"]))
        if case["check"] == "triad":
            bandwidth = max(bandwidth, rate)
            points.append({"name": "triad", "intensity": TRIAD_INTENSITY,
                           "rate": rate * TRIAD_INTENSITY})  # fmt: skip
        elif case["check"] == "matmul" and dtype in SIZES:
            peak = max(peak, rate)
            intensity = 2 * SIDE / (3 * SIZES[dtype])
            points.append({"name": f"matmul {dtype}", "intensity": intensity, "rate": rate})
    if not points:
        return None
    title = "Measured rates; the roofs are the best rates measured in this run"
    return {"title": title, "points": points, "bandwidth": bandwidth, "peak": peak}


def _curves(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"name": case["id"], "unit": found["unit"], "step": found["rounds"],
         "values": found["resident"]}
        for case, found in _noted(cases, "memory_curve")
        if found.get("resident")
    ]  # fmt: skip


def _noted(cases: list[dict[str, Any]], name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    found = []
    for case in cases:
        values = case["observations"].get("values")
        if isinstance(values, dict) and isinstance(values.get(name), dict):
            found.append((case, values[name]))
    return found
