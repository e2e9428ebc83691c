# SPDX-License-Identifier: Apache-2.0
"""What a run shows while it runs, and at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from device_api_conformance import report as reports
from device_api_conformance.judge import FAILING, VERDICTS
from device_api_conformance.report_files import waived
from device_api_conformance.runner import DEFAULT_WORKER, Result, Runner

_SHOWN_FAILURES = 20


def shown(
    results: Iterable[Result], runner: Runner, total: int, console: Console, seconds: float = 0.0
) -> Generator[Result, None, None]:
    """The results, with a line of progress: cases, verdicts, time left; failures as they come.

    After `total` results come those of rounds that take `seconds`; the line then counts these.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn(), TextColumn("{task.fields[tally]}"))  # fmt: skip
    tally: Counter[str] = Counter()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{runner.device} {runner.level}", total=total, tally="")
        since = time.monotonic()
        for result in results:
            tally[result.verdict.verdict] += 1
            if result.verdict.failed:
                _tell(result, runner, progress.console, tally)
            if tally.total() <= total:
                progress.update(task, advance=1, tally=_words(tally))
                since = time.monotonic()
            else:
                spent = min(time.monotonic() - since, seconds)
                progress.update(task, description=f"{runner.device} seconds of rounds",
                                total=seconds, completed=spent, tally=_words(tally))  # fmt: skip
            yield result


def _words(tally: Counter[str]) -> str:
    return ", ".join(f"{tally[v]} {v}" for v in VERDICTS if tally[v])


def _tell(result: Result, runner: Runner, console: Console, tally: Counter[str]) -> None:
    failures = sum(n for verdict, n in tally.items() if verdict in FAILING)
    if failures == _SHOWN_FAILURES + 1:
        console.print("more failures are in the report only", highlight=False)
    if failures > _SHOWN_FAILURES:
        return
    verdict = result.verdict
    line = reports.replay(runner.device, result.case.id, runner.seed, runner.level)
    console.print(
        f"[red]{verdict.verdict}[/red] {escape(result.case.id)} {verdict.code}: "
        f"{escape(verdict.reason)}\n  replay: {escape(line)}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def conclude(
    report: dict[str, Any], results: list[Result], runner: Runner, console: Console
) -> None:
    """The outcome in a few lines; waivers first."""
    tally = Counter(result.verdict.verdict for result in results)
    colour = "green" if report["passed"] else "red"
    if report["passed"] and (tally["WAIVED"] or tally["XPASS"]):
        colour = "yellow"
    word = "passed" if report["passed"] else "NOT passed"
    name = runner.identity.name if runner.identity else "unknown"
    if report["waivers"]:
        console.print(waived(report), highlight=False)
    what = f"{runner.device} ({name}), level {runner.level}, seed {runner.seed}"
    console.print(
        f"[{colour}]{word}[/{colour}]: {escape(what)}: {_words(tally)}",
        highlight=False,
        soft_wrap=True,
    )
    if report["missing_core_ops"]:
        told = ", ".join(report["missing_core_ops"])
        console.print(f"core ops not declared: {told}", highlight=False)
    if report["interrupted"]:
        more = "; `--resume` goes on" if runner.worker == DEFAULT_WORKER else ""
        told = f"incomplete: {report['interrupted']}{more}"
        console.print(escape(told), highlight=False, soft_wrap=True)
    console.print(str(report["notice"]), highlight=False)


def wrote(path: Path, console: Console) -> None:
    """A file of the report was written."""
    console.print(f"wrote {escape(str(path))}", highlight=False, soft_wrap=True)
