# SPDX-License-Identifier: Apache-2.0
"""What the plots of the page show, gathered from the observations of a report."""

from __future__ import annotations

from statistics import median
from typing import Any

from device_api_conformance.observe import EDGES

FUNCTIONS = 24
"""Functions with the largest errors get a plot."""
POINTS = 400
LEAST_KIB = 1024
"""Height of a memory plot at least, so that what is flat looks flat."""
SENSORS = {"temperature": "temperature in degrees C", "clock_mhz": "clock in MHz",
           "power": "power in W"}  # fmt: skip
HALF = 0.5 + 1e-6
"""Units in the last place up to which a result is the correctly rounded one."""


def plots(report: dict[str, Any]) -> dict[str, Any]:
    """Histograms, points, roofline, memory curves, timelines, soaks; empty where not measured."""
    cases = report["cases"]
    histograms, points = _errors(cases)
    return {
        "edges": list(EDGES),
        "histograms": histograms,
        "points": points,
        "rounded": bool(histograms) and max(row["max"] for row in histograms) <= HALF,
        "roofline": _roofline(cases),
        "curves": _curves(cases),
        "soaks": _soaks(cases),
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
    """Measured points; the roofs are the best of these measurements, the floors the suite's."""
    points: list[dict[str, Any]] = []
    best, floors = {"B/s": 0.0, "flop/s": 0.0}, {"B/s": 0.0, "flop/s": 0.0}
    for case, found in _noted(cases, "roofline"):
        timed = case["observations"].get("performance")
        if not timed or not timed["samples"] or timed["unit"] not in best:
            continue
        unit, rate = timed["unit"], float(median(timed["samples"]))
        best[unit] = max(best[unit], rate)
        floors[unit] = max(floors[unit], found["floor"])
        scale = found["intensity"] if unit == "B/s" else 1.0
        low, high = (float(f(timed["samples"])) * scale for f in (min, max))
        points.append({"name": found["name"], "intensity": found["intensity"],
                       "rate": rate * scale, "low": low, "high": high})  # fmt: skip
    if not points:
        return None
    title = ("Measured rates, with the least and the most; the roofs are the best of this run; "
             "dashed: the floors, to which real devices are held at the level full")  # fmt: skip
    return {"title": title, "points": points, "bandwidth": best["B/s"], "peak": best["flop/s"],
            "floor_bandwidth": floors["B/s"], "floor_peak": floors["flop/s"]}  # fmt: skip


def _curves(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What grew since the first mark, in KiB."""
    rows = []
    for case, found in _noted(cases, "memory_curve"):
        if not found.get("resident"):
            continue
        series = {name: [(v - found[key][0]) / 1024 for v in found[key]]
                  for name, key in (("process", "resident"), ("heap", "heap"))
                  if found.get(key)}  # fmt: skip
        rows.append({"name": case["id"], "step": found["rounds"], "least": LEAST_KIB,
                     "series": series})  # fmt: skip
    return rows


def _sensors(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the sensors said in the cases of a soak, one after the other."""
    read = sorted((found for _, found in _noted(cases, "sensors")), key=lambda found: found["at"])
    rows = []
    for name, title in SENSORS.items():
        points = [[f["at"] - read[0]["at"], f[name]] for f in read if f.get(name) is not None]
        if len(points) > 1:
            rows.append({"name": title, "unit": "s", "points": points})
    return rows


def _soaks(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One plot for each quantity that was followed over time."""
    rows = _sensors(cases)
    for case, found in _noted(cases, "soak_timeline"):
        for name, values in found["series"].items():
            points = [[at, v] for at, v in zip(found["at"], values, strict=True) if v is not None]
            if points:
                rows.append({"name": f"{case['id']}: {name}", "unit": found["unit"],
                             "points": points})  # fmt: skip
    return rows


def _noted(cases: list[dict[str, Any]], name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    found = []
    for case in cases:
        values = case["observations"].get("values")
        if isinstance(values, dict) and isinstance(values.get(name), dict):
            found.append((case, values[name]))
    return found
