# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api certify``. A pytest.ini in the current folder has no say here."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console

from device_api_conformance import handles, journal, progress, report_files, soak_rounds, waivers
from device_api_conformance import report as reports
from device_api_conformance.case import Case
from device_api_conformance.cases import LEVELS, generate
from device_api_conformance.cli._shared import (
    COULD_NOT_RUN,
    FAILED,
    PASSED,
    Refused,
    console,
    not_opened,
    run,
    seconds,
    stoppable,
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
    add("--minutes", type=_minutes, default=0.0, metavar="M",
        help="with --level soak: rounds with new seeds for so long, after its cases")  # fmt: skip
    add("--timeout", type=seconds, default=30.0, metavar="S", help="seconds that a case may take")
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


def _minutes(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1e6:
        raise argparse.ArgumentTypeError("give more than 0 minutes")
    return value


def _fraction(text: str) -> Fraction:
    try:
        return Fraction.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("certify", parser(), _certify, arguments)


def _certify(options: argparse.Namespace) -> int:
    if options.minutes and options.level != "soak":
        raise Refused(f"the level {options.level} does not go by the clock", "--level soak does")
    listed = generate(options.level)
    if options.level == "soak":  # a case of a round can be repeated by its id
        named = (soak_rounds.case_of(text) for text in options.only)
        listed = tuple(dict.fromkeys([*listed, *(case for case in named if case)]))
        if options.minutes and not choose(soak_rounds.some(), options.only, options.fraction)[0]:
            raise Refused("--only leaves the rounds of --minutes empty", "leave --minutes out")
    chosen, selection = choose(listed, options.only, options.fraction)
    if not chosen and not options.minutes:
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
    run = _Run(runner, chosen, selection, options.report, options.minutes * 60)
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


_ROUNDS = 250
"""Rounds that one worker process is given."""


class _Run:
    """One run of the command: what is left to do, its journal, its report."""

    def __init__(
        self,
        runner: Runner,
        chosen: list[Case],
        selection: Selection,
        folder: Path | None,
        seconds: float = 0.0,
    ) -> None:
        self.runner, self.chosen, self.selection, self.folder = runner, chosen, selection, folder
        self.started = reports.now()
        self.head = journal.head(runner, selection, self.started)
        self.before: journal.Found | None = None
        self.results: list[Result] = []
        self.seconds, self.round = seconds, 1

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
            case = known.get(row["id"]) or soak_rounds.case_of(row["id"])
            if case is None:
                raise Refused(f"the journal has a case that is unknown: {row['id']}",
                              "run without --resume")  # fmt: skip
            if case.id not in known:
                self.chosen.append(case)
                self.round = max(self.round, case.draw + 1)
            self.results.append(self.runner.judged(case, row["observations"], row["seconds"]))

    def all(self) -> int:
        """Run what is left, tell the outcome and write the report; returns the exit code."""
        out, interrupted = console(), ""
        done = {result.case for result in self.results}
        left = [case for case in self.chosen if case not in done]
        try:
            source = progress.shown(self._kept(left), self.runner, len(left), out, self.seconds)
            with stoppable(), closing(source):
                for _ in source:
                    pass
        except CouldNotRun as error:
            raise not_opened(self.runner.device, str(error)) from error
        except KeyboardInterrupt as stop:
            interrupted = str(stop) or "stopped by the user"
        reached = {result.case for result in self.results}
        self.results += [self.runner.ended(c, "notrun", interrupted or "not reached")
                         for c in self.chosen if c not in reached]  # fmt: skip
        order = {case: n for n, case in enumerate(self.chosen)}
        self.results.sort(key=lambda result: order[result.case])
        if self.seconds:
            ids = (case.id for case in self.chosen)
            self.selection = Selection.of(ids, self.selection.only, self.selection.fraction)
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
            for result in self._all(left):
                if book is not None:
                    book.add(self.runner, result)
                self.results.append(result)
                yield result
        finally:
            if book is not None:
                book.close()

    def _all(self, left: list[Case]) -> Iterator[Result]:
        """The results of the cases, then those of rounds until the time is over.

        The time begins with the first of them: starting the worker is none of it.
        """
        yield from self.runner.run(left)
        end = float("inf") if self.seconds else 0.0
        while time.monotonic() < end:
            rounds = range(self.round, self.round + _ROUNDS)
            self.round += _ROUNDS
            batch, _ = choose([c for n in rounds for c in soak_rounds.cases(n)],
                              self.selection.only, self.selection.fraction)  # fmt: skip
            with closing(self.runner.run(batch)) as results:
                for result in results:
                    end = min(end, time.monotonic() + self.seconds)
                    self.chosen.append(result.case)
                    yield result
                    if result.verdict.verdict == "NOTRUN":
                        return  # the device is gone
                    if time.monotonic() > end:
                        break

    def _write(self, report: dict[str, Any], out: Console) -> None:
        if self.folder is None:
            return
        for path in report_files.write(report, self.folder):
            progress.wrote(path, out)
        if not report["interrupted"]:
            (self.folder / journal.NAME).unlink(missing_ok=True)


__all__ = ["COULD_NOT_RUN", "FAILED", "PASSED", "main", "parser"]
