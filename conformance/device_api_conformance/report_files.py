# SPDX-License-Identifier: Apache-2.0
"""Writing a report: canonical JSON, JUnit XML, a short Markdown summary and an HTML page."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from device_api_conformance import figures, report_html
from device_api_conformance.case import CHAPTERS
from device_api_conformance.judge import FAILING, VERDICTS

NAMES = ("report.json", "junit.xml", "summary.md", "report.html")


def write(report: dict[str, Any], folder: Path) -> list[Path]:
    """Write all files into `folder` (made if need be) and return their paths.

    Raises:
        OSError: the folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = (canonical(report), junit(report), markdown(report), html(report))
    paths = [folder / name for name in NAMES]
    for path, text in zip(paths, texts, strict=True):
        part = path.with_suffix(path.suffix + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    return paths


def canonical(report: dict[str, Any]) -> str:
    """The one text of a report: sorted keys, no NaN, one line per case."""
    head = {k: v for k, v in report.items() if k != "cases"}
    text = json.dumps(head, sort_keys=True, indent=1, allow_nan=False)
    rows = ",\n".join(json.dumps(c, sort_keys=True, allow_nan=False) for c in report["cases"])
    return text[: text.rindex("}")].rstrip() + ',\n "cases": [\n' + rows + "\n ]\n}\n"


def junit(report: dict[str, Any]) -> str:
    """JUnit XML: one test case per case; code and replay line travel as properties."""
    counts = report["counts"]
    suite = ET.Element("testsuite", {
        "name": f"device_api conformance {report['level']}",
        "tests": str(len(report["cases"])),
        "failures": str(counts["FAIL"] + counts["FLAKY"]),
        "errors": str(counts["CRASH"] + counts["HANG"]),
        "skipped": str(sum(n for v, n in counts.items() if v not in FAILING and v != "PASS")),
        "timestamp": report["started"],
        "time": f"{sum(c['seconds'] for c in report['cases']):.3f}",
    })  # fmt: skip
    properties = ET.SubElement(suite, "properties")
    for name in ("kind", "notice", "seed"):
        ET.SubElement(properties, "property", {"name": name, "value": str(report[name])})
    for case in report["cases"]:
        suite.append(_test_case(case))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _test_case(case: dict[str, Any]) -> ET.Element:
    branch, _, leaf = case["id"].partition("/")
    found = ET.Element("testcase", {
        "classname": f"conformance.{branch}", "name": leaf, "time": f"{case['seconds']:.6f}",
    })  # fmt: skip
    properties = ET.SubElement(found, "properties")
    for name in ("verdict", "code", "replay"):
        ET.SubElement(properties, "property", {"name": name, "value": str(case[name])})
    if case["verdict"] in ("FAIL", "FLAKY"):
        kind = "failure"
    elif case["verdict"] in FAILING:
        kind = "error"
    elif case["verdict"] != "PASS":
        kind = "skipped"
    else:
        return found
    told = ET.SubElement(found, kind, {"message": _xml(f"{case['code']} {case['reason']}")})
    if kind != "skipped":
        told.text = _xml(f"{case['reason']}\nreplay: {case['replay']}")
    return found


def _xml(text: str) -> str:
    """Text without the control characters that XML forbids."""
    return "".join(c if c >= " " or c in "\n\t" else "?" for c in text)


def markdown(report: dict[str, Any]) -> str:
    """A summary for people: what it is, counts by chapter, failures with their replay lines."""
    device = report["device"] or {"name": "unknown", "device": "unknown"}
    lines = [
        f"# {report['kind'].capitalize()}: {device['device']} ({device['name']})",
        "",
        f"**{'PASS' if report['passed'] else 'NOT PASSED'}**, level {report['level']}, seed "
        f"{report['seed']}, suite {report['suite']['version']}, {report['started']}.",
        "",
        report["notice"],
    ]
    if report["interrupted"]:
        lines += ["", f"Incomplete: {report['interrupted']}"]
    if report["waivers"]:
        lines += ["", waived(report)]
    lines += [*_figures(report), "", *_table(report["cases"])]
    missing = report["missing_core_ops"]
    lines += ["", "Core ops not declared: " + (", ".join(missing) if missing else "none") + "."]
    composed = sorted({c["params"]["op"] for c in report["cases"] if c["code"] in _COMPOSED})
    if composed:
        text = "Composed from other ops of the device, for some types at least (not judged): "
        lines += ["", text + ", ".join(composed) + "."]
    lines += _findings(report["cases"])
    return "\n".join(lines) + "\n"


def _figures(report: dict[str, Any]) -> list[str]:
    rows = figures.table(figures.of(report))
    if not rows:
        return []
    told = report.get("program")
    batch = "" if not told or told["batch"] is None else f", batch {told['batch']}"
    title = f"Figures of `{told['name']}`{batch}:" if told else "Figures:"
    lines = ["", title, "", "| figure | value | 95 % interval |", "|---|---:|---|"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def html(report: dict[str, Any]) -> str:
    """The page for people: matrix, filters, table, plots; it needs no other file."""
    return report_html.page(report, waived(report))


def waived(report: dict[str, Any]) -> str:
    """One line on the waivers of a run: how many, by kind, expired ones apart."""
    kinds = Counter(w["kind"] for w in report["waivers"] if not w["expired"])
    expired = sum(w["expired"] for w in report["waivers"])
    told = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())) or "none in force"
    counts = report["counts"]
    return (
        f"Waivers: {told}; {expired} expired; {counts['WAIVED']} cases waived, "
        f"{counts['XPASS']} pass although waived."
    )


_COMPOSED = ("C308", "C309")


def _table(cases: list[dict[str, Any]]) -> list[str]:
    counts = Counter((c["chapter"], c["verdict"]) for c in cases)
    shown = [v for v in VERDICTS if any(counts[k, v] for k in CHAPTERS)]
    lines = ["| chapter | " + " | ".join(shown) + " |", "|---|" + "---:|" * len(shown)]
    for chapter, name in CHAPTERS.items():
        if any(counts[chapter, v] for v in shown):
            row = " | ".join(str(counts[chapter, v]) for v in shown)
            lines.append(f"| {chapter} {name} | {row} |")
    return lines


def _findings(cases: list[dict[str, Any]]) -> list[str]:
    failed = [c for c in cases if c["verdict"] in FAILING]
    flagged = [c for c in cases if c["code"] in ("C305", "C307", "C309")]
    lines: list[str] = []
    if failed:
        lines += ["", "## Failures", ""]
        for case in failed:
            told = f"{case['verdict']} {case['code']}: {_one_line(case['reason'])}"
            lines += [f"- `{case['id']}` {told}", f"  - `{case['replay']}`"]
    if flagged:
        lines += ["", "## Not as declared, but no failure", ""]
        lines += [f"- `{c['id']}`: {_one_line(c['reason'])}" for c in flagged]
    return lines


def _one_line(text: str) -> str:
    return " ".join(text.split())
