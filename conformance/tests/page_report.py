# SPDX-License-Identifier: Apache-2.0
"""Reports for the tests of the page: hostile texts, every kind of plot, any number of cases."""

from __future__ import annotations

from device_api_conformance.judge import CODES, VERDICTS
from device_api_conformance.observe import EDGES

HOSTILE = "</script><script>document.title='stolen'</script><img src=x onerror=alert(1)>\"'&$title"
OPS = ("exp", "log", "add", "matmul", HOSTILE)
DTYPES = ("float32", "float16", "int32")


def made(count: int = 300, simulated: bool = True) -> dict:
    """A report of `count` cases; the first fails, with hostile texts everywhere."""
    cases = [_case(n) for n in range(count)]
    return {
        "schema_version": 2,
        "kind": "simulation report" if simulated else "conformance report",
        "certifies": False, "notice": f"Notice {HOSTILE}", "level": "smoke", "seed": 0,
        "suite": {"name": "device-api-conformance", "version": "0"},
        "started": "2030-01-01T00:00:00+00:00", "ended": "2030-01-01T00:00:09+00:00",
        "interrupted": "", "passed": False, "waivers": [],
        "device": {"device": "chip:0", "name": HOSTILE, "vendor": HOSTILE,
                   "simulated": simulated, "facts": {HOSTILE: HOSTILE}},
        "capabilities": {}, "missing_core_ops": [], "policy": {},
        "environment": {"platform": HOSTILE, "python": "3", "packages": {}, "variables": {}},
        "counts": {v: sum(c["verdict"] == v for c in cases) for v in VERDICTS},
        "cases": cases,
    }  # fmt: skip


def _case(n: int) -> dict:
    op, dtype = OPS[n % len(OPS)], DTYPES[n % len(DTYPES)]
    case = {
        "id": f"N/{op}/{dtype}/{n}", "chapter": "N", "chapter_name": "numerics",
        "check": "numeric", "params": {"op": op, "dtype": dtype}, "seed": 0,
        "verdict": "FAIL" if n == 0 else "PASS", "code": next(iter(CODES)), "code_text": "",
        "reason": HOSTILE if n % 7 == 0 else "", "seconds": (n * 37 % 101) / 1000,
        "observations": {"ulp": {"max": 1.5, "p999": 1.0, "mean": 0.0},
                         "ulp_counts": [n % 5] * len(EDGES), "ulp_points": [[0.5 * n, 1.5]]},
        "replay": f"device-api certify chip:0 --only '{n}'",
    }  # fmt: skip
    return case | _SPECIAL.get(n, {})


def _runtime(check: str, chapter: str, observations: dict, dtype: str = "float32") -> dict:
    return {"id": f"{chapter}/{check}", "chapter": chapter, "check": check,
            "params": {"dtype": dtype}, "observations": observations}  # fmt: skip


def _timed(unit: str, samples: list[float], name: str, intensity: float) -> dict:
    return {"values": {"roofline": {"name": name, "intensity": intensity, "floor": 1e9}},
            "performance": {"unit": unit, "better": "more", "samples": samples}}  # fmt: skip


_SPECIAL = {
    20: _runtime("triad", "P", _timed("B/s", [1e9, 3e9, 2e9], "triad", 2 / 24)),
    21: _runtime("speed_matmul", "P", _timed("flop/s", [1e10, 1e10, 2e10], HOSTILE, 20.0)),
    22: _runtime("fixed", "K", {"values": {"memory_curve": {
        "unit": "byte", "rounds": 10, "resident": [102400, 112640, 103424], "heap": [0, 0, 0]}}}),
    23: _runtime("overlap", "S", {"values": {"timeline": {
        "unit": "s", "spans": [["stream 1", HOSTILE, 0, 1], ["stream 2", "b", 0.5, 2]]}}}),
    24: _runtime("soak", "B", {"values": {
        "figures": [{"name": HOSTILE, "value": 0.25, "unit": "s", "low": 0.2, "high": 0.5}],
        "soak_timeline": {"unit": "s", "at": [1, 2, 3], "series": {
            "latency in s": [0.1, 0.2, 0.1], HOSTILE: [None, 41.0, 42.0]}}}}),
}  # fmt: skip
