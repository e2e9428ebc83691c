# SPDX-License-Identifier: Apache-2.0
"""Single figures with their intervals, as reports show them: a name, a value, a unit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

QUANTILES = (0.5, 0.95, 0.99)


def figure(
    name: str, value: float, unit: str, interval: tuple[float, float] | None = None
) -> dict[str, Any]:
    """One figure; `interval` is the 95 % confidence interval where there is one."""
    row: dict[str, Any] = {"name": name, "value": value, "unit": unit}
    return row if interval is None else row | {"low": interval[0], "high": interval[1]}


def quantile(samples: list[float], q: float) -> tuple[float, tuple[float, float] | None] | None:
    """A quantile with its 95 % interval by ranks, which needs no form of the distribution.

    The number of samples below the quantile is binomial (David and Nagaraja, Order Statistics,
    section 7.1): the interval leaves out at most 2.5 % at each end, and is None when there are too
    few samples for that. The whole is None without a sample, and where no sample lies beyond a
    quantile above the median.
    """
    n = len(samples)
    if not n or (q > 0.5 and n * (1 - q) < 1):
        return None
    ordered = np.sort(np.asarray(samples, dtype=float))
    value = float(np.quantile(ordered, q, method="inverted_cdf"))
    below = _binomial(n, q)
    low = int(np.searchsorted(below, 0.025, side="right"))
    high = int(np.searchsorted(below, 0.975, side="left")) + 1
    if low < 1 or high > n:
        return value, None
    return value, (float(ordered[low - 1]), float(ordered[high - 1]))


def _binomial(n: int, q: float) -> Any:
    """P(B <= k) for k = 0 .. n, where B counts how many of n samples lie below the quantile."""
    k = np.arange(n + 1)
    log = np.array([math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in k])
    return np.cumsum(np.exp(log + k * math.log(q) + (n - k) * math.log1p(-q)))


def quantiles(what: str, samples: list[float], unit: str) -> list[dict[str, Any]]:
    """P50, P95 and P99 of `samples`, as far as there are enough of them."""
    rows = []
    for q in QUANTILES:
        found = quantile(samples, q)
        if found is not None:
            rows.append(figure(f"{what}, P{round(q * 100)}", found[0], unit, found[1]))
    return rows


def of(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All figures of a report, in the order of its cases."""
    found: list[dict[str, Any]] = []
    for case in report["cases"]:
        values = case["observations"].get("values")
        if isinstance(values, dict) and isinstance(values.get("figures"), list):
            found += [row | {"case": case["id"]} for row in values["figures"]]
    return found


def told(row: dict[str, Any]) -> tuple[str, str, str]:
    """Name, value and interval of a figure in words."""
    unit, scale = _SHOWN.get(row["unit"], (row["unit"], 1.0))
    value = f"{_number(row['value'] * scale)} {unit}".strip()
    if "low" not in row:
        return row["name"], value, ""
    ends = (_number(row[k] * scale) for k in ("low", "high"))
    return row["name"], value, " to ".join(ends) + f" {unit}".rstrip()


_SHOWN = {"s": ("ms", 1e3), "byte": ("MiB", 2.0**-20), "second": ("s", 1.0)}
"""Units as people read them: "s" is for times of calls."""


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.4g}" if abs(value) < 1e5 else f"{value:.0f}"


def table(rows: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Rows of a table of figures."""
    return [told(row) for row in rows]
