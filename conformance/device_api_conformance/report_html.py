# SPDX-License-Identifier: Apache-2.0
"""One self-contained page of a report: no network, no foreign markup, data as JSON in the page."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from string import Template
from typing import Any

from device_api_conformance import figures
from device_api_conformance.case import CHAPTERS
from device_api_conformance.judge import CODES, FAILING, VERDICTS
from device_api_conformance.report_plots import plots

COLUMNS = (
    "id", "chapter", "check", "op", "dtype", "verdict", "code", "reason", "seconds",
    "observations", "replay",
)  # fmt: skip
LABELS = {
    "simulation report": "SIMULATION REPORT: the device is simulated; this is no certificate",
    "conformance report": "Conformance report",
    "model report": "Model report: figures of one model; no certificate",
}
"""Shown at the top of every view and of every printed page."""


def page(report: dict[str, Any], waived: str) -> str:
    """The page of `report`; `waived` is its line on waivers."""
    device = report["device"] or {"name": "unknown", "device": "unknown"}
    simulated = report["kind"] == "simulation report"
    label = LABELS[report["kind"]]
    passed = report["passed"]
    return Template(_asset("page.html")).substitute(
        title=escape(f"{report['kind'].capitalize()}: {device['device']} ({device['name']})"),
        css=_asset("page.css"),
        print_label='@page { margin: 16mm 12mm; @top-center { content: "' + label + '"; } }',
        label=escape(label),
        label_class="simulated" if simulated else "",
        waived=escape(waived),
        outcome="PASS" if passed else "NOT PASSED",
        outcome_class="good" if passed else "bad",
        summary=escape(
            f"level {report['level']}, seed {report['seed']}, suite "
            f"{report['suite']['version']}, {report['started']} to {report['ended']}"
        ),
        notice=escape(report["notice"]),
        interrupted=_interrupted(report["interrupted"]),
        figures=_figures(report),
        counts=_table(("verdict", "cases"), report["counts"].items()),
        device=_table(("fact", "value"), _flat(report["device"] or {})),
        waivers=_waivers(report["waivers"]),
        environment=_table(("fact", "value"), _flat(report["environment"])),
        data=embedded(_data(report)),
        plots_js=_asset("plots.js"),
        page_js=_asset("page.js"),
    )


def embedded(value: Any) -> str:
    """JSON that may stand in a script element: nothing in it can end the element."""
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _asset(name: str) -> str:
    return (resources.files(__package__) / "page" / name).read_text(encoding="utf-8")


def _data(report: dict[str, Any]) -> dict[str, Any]:
    failing = [v for v in VERDICTS if v in FAILING]
    return {
        "columns": COLUMNS,
        "verdicts": failing + [v for v in _ORDER if v not in FAILING],
        "chapters": CHAPTERS,
        "codes": CODES,
        "plots": plots(report),
        "cases": [
            [*(c[k] for k in ("id", "chapter", "check")), c["params"].get("op", ""),
             c["params"].get("dtype", ""),
             *(c[k] for k in ("verdict", "code", "reason", "seconds", "observations", "replay"))]
            for c in report["cases"]
        ],
    }  # fmt: skip


_ORDER = ("NOTRUN", "XPASS", "WAIVED", "PASS", "SKIPPED", "UNSUPPORTED")
"""Verdicts that fail nothing, the worst first."""


def _interrupted(reason: str) -> str:
    return f'<p class="outcome bad">Incomplete: {escape(reason)}</p>' if reason else ""


def _figures(report: dict[str, Any]) -> str:
    """A section of figures, for a report that has some."""
    rows = figures.table(figures.of(report))
    if not rows:
        return ""
    told = report.get("program")
    batch = "" if not told or told["batch"] is None else f", batch {told['batch']}"
    title = escape(f"Figures of {told['name']}{batch}" if told else "Figures")
    table = _table(("figure", "value", "95 % interval"), rows)
    return f'<section aria-labelledby="h-figures"><h2 id="h-figures">{title}</h2>{table}</section>'


def _flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Nested facts as rows; names joined by dots."""
    if isinstance(value, dict) and value:
        return [
            row
            for key, inner in value.items()
            for row in _flat(inner, f"{name}.{key}" if name else str(key))
        ]
    return [(name, value if isinstance(value, str) else json.dumps(value))]


def _table(heads: tuple[str, ...], rows: Any) -> str:
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(str(first))}</th>'
        + "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _waivers(waivers: list[dict[str, Any]]) -> str:
    if not waivers:
        return "<p>None.</p>"
    keys = ("id", "kind", "cases", "reason", "owner", "issue", "expires", "expect", "expired")
    rows = [[w[k] if isinstance(w[k], str) else json.dumps(w[k]) for k in keys] for w in waivers]
    return _table(keys, rows)
