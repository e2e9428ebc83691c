# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api plants``: the suite under test, on devices with planted defects."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from device_api_conformance import mutation
from device_api_conformance.case import CHAPTERS
from device_api_conformance.cases import LEVELS
from device_api_conformance.cli._shared import (
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    usable_folder,
)
from device_api_conformance.planted import Plant, PlantError, plants
from device_api_conformance.runner import CouldNotRun


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api plants",
        description="Test the conformance suite itself: put one known defect after the other into "
        "the plugin of a device, and see whether the suite finds it.",
        epilog="Exit codes: 0 as many are found as the level has to find, 1 fewer, 2 it could not "
        "be done.",
    )
    add = found.add_argument
    add("device", nargs="?", default="cpu", help="device whose plugin is planted (default cpu)")
    add("--level", choices=LEVELS, default="standard", help="level of the suite that is tested")
    add("--only", action="append", default=[], metavar="PATTERN", help="plants by id or pattern")
    add("--seed", type=int, default=0, help="seed of all inputs (default 0)")
    add("--jobs", type=int, default=1, metavar="N", help="plants tried side by side (default 1)")
    add("--limit", type=float, default=60.0, metavar="S",
        help="seconds for the right chapter of a plant, before all others are tried")  # fmt: skip
    add("--sample", type=int, default=0, metavar="N",
        help="put so many of the killed ones through the whole level too")  # fmt: skip
    add("--report", type=Path, metavar="DIR",
        help="folder for plants.json and plants.md; a run cut off there goes on")  # fmt: skip
    add("--list", action="store_true", help="print the plants and stop")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("plants", parser(), _plants, arguments)


def _plants(options: argparse.Namespace) -> int:
    try:
        known = plants()
    except PlantError as error:
        raise Refused(str(error), "reinstall device-api-conformance") from error
    wanted = [p for p in known if not options.only or
              any(fnmatchcase(p.id, pattern) for pattern in options.only)]  # fmt: skip
    if not wanted:
        raise Refused(f"no plant matches {options.only}", "see `device-api plants --list`")
    if options.list:
        for plant in wanted:
            print(f"{plant.id}\t{plant.chapter}\t{plant.source or '-'}\t{plant.words}")
        return PASSED
    if options.report is not None:
        usable_folder(options.report)
    if options.jobs < 1:
        raise Refused(f"{options.jobs} jobs", "give 1 or more")
    settings = mutation.Settings(options.device, options.level, options.seed, options.limit)
    outcomes = _tried(wanted, settings, options)
    report: dict[str, Any] = {"settings": asdict(settings), "summary": mutation.summary(outcomes),
              "outcomes": [asdict(o) for o in outcomes],
              "sample": _sampled(outcomes, known, settings, options.sample)}  # fmt: skip
    _tell(report)
    if options.report is not None:
        (options.report / "plants.json").write_text(json.dumps(report, indent=1) + "\n")
        (options.report / "plants.md").write_text(markdown(report))
    return PASSED if report["summary"]["all"]["score"] >= mutation.GATES[options.level] else FAILED


def _tried(
    wanted: list[Plant], settings: mutation.Settings, options: argparse.Namespace
) -> list[mutation.Outcome]:
    journal = None if options.report is None else options.report / "plants.jsonl"
    out = console()
    found: dict[str, mutation.Outcome] = {}
    try:
        with Progress(console=out, transient=True) as progress:
            task = progress.add_task("plants", total=len(wanted))
            for outcome in mutation.trials(wanted, settings, options.jobs, journal):
                found[outcome.id] = outcome
                progress.advance(task)
                if outcome.outcome == mutation.SURVIVED:
                    progress.console.print(f"[red]survived[/red] {escape(outcome.id)}: "
                                           f"{escape(outcome.words)}", highlight=False)  # fmt: skip
    except CouldNotRun as error:
        raise Refused(f"{settings.device} could not be opened: {error}",
                      "see `device-api doctor`") from error  # fmt: skip
    return [found[plant.id] for plant in wanted]


def _sampled(
    outcomes: list[mutation.Outcome], known: list[Plant], settings: mutation.Settings, size: int
) -> dict[str, dict[str, int]]:
    by_id = {plant.id: plant for plant in known}
    return {o.id: mutation.chapters_that_see(by_id[o.id], settings)
            for o in mutation.sample(outcomes, size)}  # fmt: skip


_HEADS = ("chapter", "planted", "apply", "killed", "score", "by the right chapter", "replays alone")


def _cells(name: str, row: dict[str, Any]) -> list[str]:
    killed = row["killed"]
    return [name, str(row["planted"]), str(row["apply"]), str(killed), f"{row['score']:.1%}",
            f"{row['right']} of {killed}", f"{row['replay']} of {killed}"]  # fmt: skip


def _rows(report: dict[str, Any]) -> list[list[str]]:
    found = report["summary"]
    rows = [_cells(f"{c} {CHAPTERS[c]}", row) for c, row in found["chapters"].items()]
    return [*rows, _cells("all", found["all"])]


def _tell(report: dict[str, Any]) -> None:
    out = console()
    table = Table(*_HEADS)
    for row in _rows(report):
        table.add_row(*row)
    out.print(table)
    times = report["summary"]["seconds_to_kill"]
    if times:
        out.print(f"time to the first finding: median {times['median']:.1f} s, longest "
                  f"{times['longest']:.1f} s", highlight=False)  # fmt: skip


def markdown(report: dict[str, Any]) -> str:
    """The outcome as tables: scores, survivors, all plants."""
    told = report["settings"]
    lines = [f"# Plants: {told['device']}, level {told['level']}, seed {told['seed']}", "",
             "| " + " | ".join(_HEADS) + " |", "|" + "---|" * len(_HEADS)]  # fmt: skip
    lines += ["| " + " | ".join(row) + " |" for row in _rows(report)]
    lines += [
        "",
        "| plant | defect | source | outcome | first finding | s |",
        "|---|---|---|---|---|---|",
    ]
    for o in report["outcomes"]:
        case = f"`{o['case']}` {o['code']}" if o["case"] else ""
        lines.append(f"| {o['id']} | {o['words']} | {o['source']} | {o['outcome']} | {case} | "
                     f"{o['seconds']:.1f} |")  # fmt: skip
    return "\n".join(lines) + "\n"
