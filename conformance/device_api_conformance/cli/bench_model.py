# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api bench-model``: the deployment figures of one model."""

from __future__ import annotations

import argparse
import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from device_api_conformance import figures, model_cases, progress, report_files
from device_api_conformance import report as reports
from device_api_conformance.case import Case
from device_api_conformance.cli._shared import (
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    seconds,
    stoppable,
    usable_folder,
)  # fmt: skip
from device_api_conformance.model_cases import Settings
from device_api_conformance.model_program import Program
from device_api_conformance.model_worker import REMEDY
from device_api_conformance.runner import CouldNotRun, Result, Runner
from device_api_conformance.selection import Fraction, Selection, choose
from device_api_conformance.worker import DEFAULT_HANDLE

_EPILOG = """\
TARGET names a function that returns the callable and the tuple of its inputs:

    def model(batch=1):
        return network, (inputs,)

It runs in processes of its own in which DEVICE is the current device. A saved model is a program
that loads it; `--with weights=FILE` gives such a program its file.

Exit codes: 0 measured, and nothing is wrong, 1 something is (the output's bits change, memory
grows, ops run on the host), 2 it could not be done (no such program, unknown device).
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api bench-model", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measure what a model costs on a device: cold start, latency, throughput, "
        "memory, and a soak with the drift of all three and of the output's bits.",
    )  # fmt: skip
    add = found.add_argument
    add("target", help="file.py, file.py:function or module:function (default function: model)")
    add("device", help="name of the device, e.g. cpu or npu:0")
    add("--report", type=Path, metavar="DIR", help="folder for the report's files")
    add("--batch", type=_whole(1, 10**9), metavar="N", help="given to the function as `batch`")
    add("--with", action="append", default=[], metavar="NAME=VALUE", dest="given",
        help="given to the function, as text; may be repeated")  # fmt: skip
    add("--warmup", type=_whole(0, 10**6), default=Settings.warmup, metavar="N",
        help="calls before the latency is measured (default %(default)s)")  # fmt: skip
    add("--runs", type=_whole(10, 5000), default=Settings.runs, metavar="N",
        help="calls that give the latency (default %(default)s; P99 wants 400)")  # fmt: skip
    add("--starts", type=_whole(1, 1000), default=Settings.starts, metavar="N",
        help="cold starts (default %(default)s; 6 for an interval)")  # fmt: skip
    add("--minutes", type=_minutes, default=Settings.minutes, metavar="M",
        help="of the soak (default %(default)s; 0 leaves it out)")  # fmt: skip
    add("--varies", action="store_true", help="the model draws random numbers: outputs may differ")
    add("--fallback", choices=("error", "allow"), default=Settings.fallback,
        help="ops that the device lacks: an error (default), or run on the host")  # fmt: skip
    add("--timeout", type=seconds, default=300.0, metavar="S",
        help="seconds that one part may take, soak apart (default %(default)g)")  # fmt: skip
    add("--only", action="append", default=[], metavar="PATTERN",
        help="parts by id, e.g. B/latency; may be repeated")  # fmt: skip
    add("--handle", default=DEFAULT_HANDLE, help=argparse.SUPPRESS)
    return found


def _whole(least: int, most: int):  # type: ignore[no-untyped-def]
    def read(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"give {least} to {most}")
        return value

    read.__name__ = "whole number"
    return read


def _minutes(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1e5:
        raise argparse.ArgumentTypeError("give 0 or more minutes")
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("bench-model", parser(), _bench, arguments)


def _bench(options: argparse.Namespace) -> int:
    chosen, selection = choose(model_cases.cases(), options.only, Fraction())
    if not chosen:
        told = ", ".join(case.id for case in model_cases.cases())
        raise Refused(f"no part matches {options.only}", f"there are {told}")
    settings = Settings(options.warmup, options.runs, options.starts, options.minutes,
                        options.timeout / 3, options.varies, options.fallback)  # fmt: skip
    program = Program(options.target, options.batch, _given(options.given))
    if program.where[0].endswith(".py") and not Path(program.where[0]).is_file():
        raise Refused(f"there is no file {program.where[0]}", "check the path")
    runner = Runner(options.device, model_cases.LEVEL, 0, options.handle,
                    options.timeout + settings.minutes * 60, options.timeout,
                    worker="device_api_conformance.model_worker",
                    program=_described(program, settings), command=_command(options))  # fmt: skip
    if options.report is not None:
        usable_folder(options.report)
    if settings.minutes and any(case.check == "soak" for case in chosen):
        console().print(f"the soak takes {settings.minutes:g} min of the time", highlight=False)
    report, results = _measured(runner, chosen, selection)
    _show(report, results, runner)
    if options.report is not None:
        for path in report_files.write(report, options.report):
            progress.wrote(path, console())
    return PASSED if report["passed"] else FAILED


def _given(pairs: list[str]) -> dict[str, str]:
    found = {}
    for text in pairs:
        name, equal, value = text.partition("=")
        if not equal or not name.isidentifier() or name == "batch":
            raise Refused(f"--with {text}: no NAME=VALUE", "write --with weights=model.npz")
        found[name] = value
    return found


def _described(program: Program, settings: Settings) -> dict[str, Any]:
    place = Path(program.where[0])
    digest = hashlib.sha256(place.read_bytes()).hexdigest() if place.is_file() else ""
    return {"target": program.target, "name": program.name, "digest": digest,
            "batch": program.batch, "options": program.options,
            "settings": asdict(settings)}  # fmt: skip


def _command(options: argparse.Namespace) -> str:
    """The line that measures again; `--only` is added to it."""
    words = ["device-api", "bench-model", options.target, options.device]
    for name, standard in (("batch", None), ("warmup", Settings.warmup), ("runs", Settings.runs),
                           ("starts", Settings.starts), ("minutes", Settings.minutes),
                           ("fallback", Settings.fallback)):  # fmt: skip
        value = getattr(options, name)
        words += [f"--{name}", f"{value}"] if value != standard else []
    words += [word for text in options.given for word in ("--with", text)]
    return shlex.join(words + (["--varies"] if options.varies else []))


def _measured(
    runner: Runner, chosen: list[Case], selection: Selection
) -> tuple[dict[str, Any], list[Result]]:
    """The report; also of a run that the user stops."""
    started, interrupted, results = reports.now(), "", []
    try:
        with stoppable():
            for result in progress.shown(runner.run(chosen), runner, len(chosen), console()):
                results.append(result)
    except CouldNotRun as error:
        cause, _, remedy = str(error).partition(REMEDY)
        cause = cause.replace("the worker did not start", "the process of the program ended")
        raise Refused(cause, remedy or "call the model in a program of its own first") from error
    except KeyboardInterrupt as stop:
        interrupted = str(stop) or "stopped by the user"
    reached = {result.case for result in results}
    results += [runner.ended(case, "notrun", interrupted or "not reached")
                for case in chosen if case not in reached]  # fmt: skip
    return reports.build(runner, results, started, interrupted, selection), results


def _show(report: dict[str, Any], results: list[Result], runner: Runner) -> None:
    out = console()
    rows = figures.table(figures.of(report))
    if rows:
        table = Table("figure", "value", "95 % interval", title=runner.program["name"])
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        out.print(table)
    progress.conclude(report, results, runner, out)
