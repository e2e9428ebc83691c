# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api certify``. A pytest.ini in the current folder has no say here."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from device_api_conformance import handles, journal, progress, report_files, waivers
from device_api_conformance import report as reports
from device_api_conformance.case import Case
from device_api_conformance.cases import LEVELS, generate
from device_api_conformance.cli._shared import (
    COULD_NOT_RUN,
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    usable_folder,
)  # fmt: skip
from device_api_conformance.runner import CouldNotRun, Result, Runner
from device_api_conformance.selection import Fraction, Selection, choose


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api certify",
        description="Run the conformance suite on a device and write a report.",
        epilog="Exit codes: 0 every judged case passed, 1 something failed or was not reached, "
        "2 the suite could not run (unknown device, no such case, unwritable report).",
    )
    add = found.add_argument
    add("device", help="name of the device, e.g. cpu or npu:0")
    add("--level", choices=LEVELS, default="smoke", help="how much is tried")
    add("--report", type=Path, metavar="DIR", help="folder for the report's files")
    add("--only", action="append", default=[], metavar="PATTERN",
        help="cases by id, branch (N/add) or shell pattern; may be repeated")  # fmt: skip
    add("--seed", type=_whole(0), default=0, help="seed of all inputs (default 0)")
    add("--fraction", type=_fraction, default=Fraction(), metavar="I/N",
        help="run one of N parts; `device-api merge` puts them together")  # fmt: skip
    add("--jobs", type=_whole(1), default=1, metavar="N",
        help="worker processes for the cases of ops (default 1)")  # fmt: skip
    add("--waivers", type=Path, metavar="FILE", help="known failures (TOML)")
    add("--resume", action="store_true", help="go on with the run that was cut off in --report")
    add("--timeout", type=float, default=30.0, help="seconds that a case may take")
    add("--list", action="store_true", help="print the ids of the cases and stop")
    add(
        "--handle",
        metavar="MODULE:FUNCTION",
        help="what opens the device, where it is none of device_api (docs/certifying_peers.md)",
    )
    return found


def _whole(least: int):  # type: ignore[no-untyped-def]
    def read(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"give {least} or more")
        return value

    read.__name__ = "whole number"
    return read


def _fraction(text: str) -> Fraction:
    try:
        return Fraction.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("certify", parser(), _certify, arguments)


def _certify(options: argparse.Namespace) -> int:
    chosen, selection = choose(generate(options.level), options.only, options.fraction)
    if not chosen:
        raise Refused(f"no case matches {options.only or options.fraction}",
                      f"see `device-api certify {options.device} --list`")  # fmt: skip
    if options.list:
        print("\n".join(case.id for case in chosen))
        return PASSED
    if options.resume and options.report is None:
        raise Refused("--resume needs the folder of the run", "add --report DIR")
    handle = handles.resolve(options.device, options.handle)
    runner = Runner(options.device, options.level, options.seed, handle, options.timeout,
                    jobs=options.jobs, waivers=_waivers(options.waivers, chosen))  # fmt: skip
    if options.report is not None:
        usable_folder(options.report)
    run = _Run(runner, chosen, selection, options.report)
    if options.resume:
        run.go_on()
    return run.all()


def _waivers(path: Path | None, chosen: list[Case]) -> waivers.Waivers:
    if path is None:
        return waivers.Waivers()
    try:
        found = waivers.load(path)
        found.check(chosen)
    except waivers.WaiverError as error:
        raise Refused(str(error), "correct the file of waivers") from error
    return found


class _Run:
    """One run of the command: what is left to do, its journal, its report."""

    def __init__(
        self, runner: Runner, chosen: list[Case], selection: Selection, folder: Path | None
    ) -> None:
        self.runner, self.chosen, self.selection, self.folder = runner, chosen, selection, folder
        self.started = reports.now()
        self.head = journal.head(runner, selection, self.started)
        self.before: journal.Found | None = None
        self.results: list[Result] = []

    def go_on(self) -> None:
        """Take over what an earlier run found."""
        assert self.folder is not None
        try:
            found = journal.read(self.folder / journal.NAME, self.head)
        except journal.JournalError as error:
            raise Refused(str(error), "or run without --resume") from error
        self.before = found
        self.runner.identity, self.runner.capabilities = found.identity, found.capabilities
        known = {case.id: case for case in self.chosen}
        for row in found.rows.values():
            case = known[row["id"]]
            self.results.append(self.runner.judged(case, row["observations"], row["seconds"]))

    def all(self) -> int:
        """Run what is left, tell the outcome and write the report; returns the exit code."""
        out, interrupted = console(), ""
        done = {result.case for result in self.results}
        left = [case for case in self.chosen if case not in done]
        try:
            for _ in progress.shown(self._kept(left), self.runner, len(left), out):
                pass
        except CouldNotRun as error:
            raise Refused(f"{self.runner.device} could not be opened: {error}",
                          "see `device-api doctor`") from error  # fmt: skip
        except KeyboardInterrupt:
            interrupted = "stopped by the user"
        reached = {result.case for result in self.results}
        self.results += [self.runner.ended(c, "notrun", interrupted or "not reached")
                         for c in self.chosen if c not in reached]  # fmt: skip
        order = {case: n for n, case in enumerate(self.chosen)}
        self.results.sort(key=lambda result: order[result.case])
        report = reports.build(self.runner, self.results, self.started, interrupted, self.selection)
        progress.conclude(report, self.results, self.runner, out)
        self._write(report, out)
        return PASSED if report["passed"] else FAILED

    def _kept(self, left: list[Case]) -> Iterator[Result]:
        """The results of the cases, each in the journal before it is shown."""
        book = None
        if self.folder is not None:
            book = journal.Journal(self.folder / journal.NAME, self.head, self.before)
        try:
            for result in self.runner.run(left):
                if book is not None:
                    book.add(self.runner, result)
                self.results.append(result)
                yield result
        finally:
            if book is not None:
                book.close()

    def _write(self, report: dict[str, Any], out: Console) -> None:
        if self.folder is None:
            return
        for path in report_files.write(report, self.folder):
            progress.wrote(path, out)
        if not report["interrupted"]:
            (self.folder / journal.NAME).unlink(missing_ok=True)


__all__ = ["COULD_NOT_RUN", "FAILED", "PASSED", "main", "parser"]
