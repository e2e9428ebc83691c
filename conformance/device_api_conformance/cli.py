# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api certify``. A pytest.ini in the current folder has no say here."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from device_api_conformance import report as reports
from device_api_conformance import report_files
from device_api_conformance.case import Case
from device_api_conformance.cases import LEVELS, generate, select
from device_api_conformance.judge import VERDICTS
from device_api_conformance.runner import CouldNotRun, Result, Runner
from device_api_conformance.worker import DEFAULT_HANDLE

PASSED, FAILED, COULD_NOT_RUN = 0, 1, 2
"""Exit codes."""

_SHOWN_FAILURES = 20


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api certify",
        description="Run the conformance suite on a device and write a report.",
        epilog="Exit codes: 0 every judged case passed, 1 something failed or was not reached, "
        "2 the suite could not run (unknown device, no such case, unwritable report).",
    )
    found.add_argument("device", help="name of the device, e.g. cpu or npu:0")
    found.add_argument("--level", choices=LEVELS, default="smoke", help="how much is tried")
    found.add_argument("--report", type=Path, metavar="DIR", help="folder for the report's files")
    only = "cases by id, branch (N/add) or shell pattern; may be repeated"
    found.add_argument("--only", action="append", default=[], metavar="PATTERN", help=only)
    found.add_argument("--seed", type=_seed, default=0, help="seed of all inputs (default 0)")
    found.add_argument("--timeout", type=float, default=30.0, help="seconds that a case may take")
    found.add_argument("--list", action="store_true", help="print the ids of the cases and stop")
    found.add_argument("--handle", default=DEFAULT_HANDLE, help=argparse.SUPPRESS)
    return found


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("a seed is 0 or larger")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    try:
        options = parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0) if isinstance(stop.code, int) else COULD_NOT_RUN
    console = Console(stderr=True)
    chosen = select(generate(options.level), options.only)
    if not chosen:
        return _refuse(console, f"no case matches {options.only}", "see `device-api certify "
                       f"{options.device} --list`")  # fmt: skip
    if options.list:
        print("\n".join(case.id for case in chosen))
        return PASSED
    if options.report is not None and (problem := _unusable(options.report)):
        return _refuse(console, f"cannot write the report: {problem}", "name another folder")
    runner = Runner(options.device, options.level, options.seed, options.handle, options.timeout)
    return _run(runner, chosen, options.report, console)


def _refuse(console: Console, cause: str, remedy: str) -> int:
    console.print(f"[red]certify: {escape(cause)}[/red]\nRemedy: {escape(remedy)}", highlight=False)
    return COULD_NOT_RUN


def _unusable(folder: Path) -> str:
    """Why nothing can be written into a folder; "" when all is well."""
    probe = folder / ".probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        return str(error)
    return ""


def _run(runner: Runner, chosen: list[Case], folder: Path | None, console: Console) -> int:
    started, results, interrupted = reports.now(), [], ""
    try:
        for result in _with_progress(runner, chosen, console):
            results.append(result)
    except CouldNotRun as error:
        return _refuse(console, f"{runner.device} could not be opened: {error}",
                       "see `device-api doctor`")  # fmt: skip
    except KeyboardInterrupt:
        interrupted = "stopped by the user"
        reached = {result.case for result in results}
        results += [runner.ended(c, "notrun", interrupted) for c in chosen if c not in reached]
    report = reports.build(runner, results, started, interrupted)
    _conclude(report, results, runner, console)
    if folder is not None:
        for path in report_files.write(report, folder):
            console.print(f"wrote {escape(str(path))}", highlight=False, soft_wrap=True)
    return PASSED if report["passed"] else FAILED


def _with_progress(runner: Runner, chosen: list[Case], console: Console):  # type: ignore[no-untyped-def]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TimeRemainingColumn(), TextColumn("{task.fields[tally]}"))  # fmt: skip
    tally: Counter[str] = Counter()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{runner.device} {runner.level}", total=len(chosen), tally="")
        for result in runner.run(chosen):
            tally[result.verdict.verdict] += 1
            if result.verdict.failed:
                _tell(result, runner, progress.console, tally)
            progress.update(task, advance=1, tally=_words(tally))
            yield result


def _words(tally: Counter[str]) -> str:
    return ", ".join(f"{tally[v]} {v}" for v in VERDICTS if tally[v])


def _tell(result: Result, runner: Runner, console: Console, tally: Counter[str]) -> None:
    failures = sum(
        n for verdict, n in tally.items() if verdict in ("FAIL", "CRASH", "HANG", "FLAKY")
    )
    if failures == _SHOWN_FAILURES + 1:
        console.print("more failures are in the report only", highlight=False)
    if failures > _SHOWN_FAILURES:
        return
    verdict = result.verdict
    console.print(
        f"[red]{verdict.verdict}[/red] {escape(result.case.id)} {verdict.code}: "
        f"{escape(verdict.reason)}\n  replay: "
        f"{escape(reports.replay(runner.device, result.case.id, runner.seed))}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def _conclude(
    report: dict[str, object], results: list[Result], runner: Runner, console: Console
) -> None:
    tally = Counter(result.verdict.verdict for result in results)
    colour = "green" if report["passed"] else "red"
    word = "passed" if report["passed"] else "NOT passed"
    name = runner.identity.name if runner.identity else "unknown"
    what = f"{runner.device} ({name}), level {runner.level}, seed {runner.seed}"
    console.print(
        f"[{colour}]{word}[/{colour}]: {escape(what)}: {_words(tally)}",
        highlight=False,
        soft_wrap=True,
    )
    missing = report["missing_core_ops"]
    if isinstance(missing, list) and missing:
        console.print(f"core ops not declared: {', '.join(missing)}", highlight=False)
    console.print(str(report["notice"]), highlight=False)


if __name__ == "__main__":
    sys.exit(main())
