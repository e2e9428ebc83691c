# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api compare``: what changed from one report to another."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from device_api_conformance import compare
from device_api_conformance.cli._shared import Refused, parse, refuse
from device_api_conformance.load import ReportError, load

NO_REGRESSION, REGRESSION = 0, 1
_SHOWN = 20


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api compare",
        description="Tell what changed from report A to report B: identity, environment, "
        "capabilities, verdicts, accuracy and speed.",
        epilog="Exit codes: 0 no regression, 1 something got worse, 2 the reports cannot be "
        "compared.",
    )
    found.add_argument("before", type=Path, metavar="A", help="report.json, or its folder")
    found.add_argument("after", type=Path, metavar="B", help="the same")
    found.add_argument(
        "--ulp",
        type=_positive,
        default=1.0,
        metavar="UNITS",
        help="error that may come or go, in units in the last place (default 1)",
    )
    found.add_argument(
        "--slower",
        type=_positive,
        default=0.05,
        metavar="PART",
        help="change of speed that does not count (default 0.05)",
    )
    found.add_argument("--json", action="store_true", help="print JSON")
    return found


def _positive(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError("give a number of 0 or more")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = parse(parser(), arguments)
    if isinstance(options, int):
        return options
    try:
        a, b = load(options.before), load(options.after)
        changes = compare.compare(a, b, compare.Limits(options.ulp, options.slower))
    except ReportError as error:
        return refuse("compare", Refused(str(error), "give two reports of this suite"))
    except compare.NotComparable as error:
        told = f"the reports cannot be compared: {error}"
        remedy = "run the same level, seed and cases, or the same model, on both"
        return refuse("compare", Refused(told, remedy))
    if options.json:
        print(json.dumps(changes.as_dict(), indent=1))
    else:
        _tell(changes, Console())
    return REGRESSION if changes.regressions else NO_REGRESSION


def _tell(changes: compare.Changes, out: Console) -> None:
    for title, rows in (("identity", changes.identity), ("environment", changes.environment)):
        _table(out, title, ("", "before", "now"), rows)
    for title, names in (
        ("no longer declared", changes.lost),
        ("newly declared", changes.gained),
        ("cases no longer there", changes.removed),
        ("new cases", changes.added),
    ):
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            out.print(escape(f"{title}: {', '.join(names[:_SHOWN])}{more}"), highlight=False)
    _table(out, "verdicts", ("case", "before", "now", "why"), changes.verdicts)
    errors = [(i, name, f"{a:.4g}", f"{b:.4g}") for i, name, a, b in changes.accuracy]
    _table(out, "errors in units in the last place", ("case", "", "before", "now"), errors)
    speeds: list[tuple[str, str, str, str]] = [
        (i, f"{c.ratio:.3g}", f"{c.low:.3g} to {c.high:.3g}", "better" if d > 0 else "worse")
        for i, c, d in changes.speed
    ]
    _table(out, "speed (now by before)", ("case", "ratio", "95 % interval", ""), speeds)
    out.print(f"verdicts changed: {compare.tally(changes)}", highlight=False)
    out.print(f"times compared: {changes.timed}", highlight=False)
    for text in changes.regressions[:_SHOWN]:
        out.print(f"[red]worse[/red] {escape(text)}", highlight=False, soft_wrap=True)
    if len(changes.regressions) > _SHOWN:
        out.print(f"and {len(changes.regressions) - _SHOWN} more", highlight=False)
    word = (
        f"[red]{len(changes.regressions)} regressions[/red]"
        if changes.regressions
        else ("[green]no regression[/green]")
    )
    out.print(word, highlight=False)


def _table(out: Console, title: str, heads: tuple[str, ...], rows: Sequence[Any]) -> None:
    if not rows:
        return
    table = Table(*heads, title=f"{title} ({len(rows)})", title_justify="left")
    for row in rows[:_SHOWN]:
        table.add_row(*(escape(str(cell)) for cell in row))
    out.print(table)
    if len(rows) > _SHOWN:
        out.print(f"and {len(rows) - _SHOWN} more", highlight=False)
