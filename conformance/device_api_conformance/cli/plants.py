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

from device_api_conformance import campaign, mutation
from device_api_conformance.case import CHAPTERS
from device_api_conformance.cases import LEVELS, generate
from device_api_conformance.cli._shared import (
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    usable_folder,
)
from device_api_conformance.planted import Plant, PlantError, plants
from device_api_conformance.runner import CouldNotRun, Runner


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api plants",
        description="Test the conformance suite itself: put one known defect after the other into "
        "the plugin of a device, and see whether the suite finds it.",
        epilog="A plant that needs what a device lacks does not apply there and does not count. "
        "Exit codes: 0 as many are found as the level has to find, 1 fewer, 2 it could not be "
        "done.",
    )
    add = found.add_argument
    add("devices", nargs="*", default=["cpu"], metavar="DEVICE",
        help="device whose plugin is planted (default cpu); plants that are not found on the first "
        "one are tried on the next")  # fmt: skip
    add("--level", choices=LEVELS, default="standard", help="level of the suite that is tested")
    add("--only", action="append", default=[], metavar="PATTERN", help="plants by id or pattern")
    add("--seed", type=int, default=0, help="seed of all inputs (default 0)")
    add("--jobs", type=int, default=1, metavar="N", help="plants tried side by side (default 1)")
    add("--limit", type=float, default=60.0, metavar="S",
        help="seconds for the right chapter of a plant, before the others are tried")  # fmt: skip
    add("--thin", type=int, default=8, metavar="N",
        help="of the cases of ops that a plant leaves alone, try one in N (default 8)")  # fmt: skip
    add("--sample", type=int, default=15, metavar="N",
        help="go on to the end with so many of those that are found (default 15)")  # fmt: skip
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
    for name in ("jobs", "thin"):
        if getattr(options, name) < 1:
            raise Refused(f"--{name} {getattr(options, name)}", "give 1 or more")
    settings = [mutation.Settings(device, options.level, options.seed, options.limit,
                                  thin=options.thin) for device in options.devices]  # fmt: skip
    outcomes = _tried(wanted, settings, options)
    report: dict[str, Any] = {"settings": [asdict(s) for s in settings],
              "summary": campaign.summary(outcomes, options.level),
              "outcomes": [asdict(o) for o in outcomes],
              "sample": _sampled(outcomes, known, settings, options.sample)}  # fmt: skip
    _tell(report)
    if options.report is not None:
        (options.report / "plants.json").write_text(json.dumps(report, indent=1) + "\n")
        (options.report / "plants.md").write_text(markdown(report))
    return PASSED if report["summary"]["gate"]["passed"] else FAILED


def _tried(
    wanted: list[Plant], settings: list[mutation.Settings], options: argparse.Namespace
) -> list[mutation.Outcome]:
    journal = campaign.Journal(None if options.report is None else options.report / "plants.jsonl")
    found: dict[str, mutation.Outcome] = {}
    for each in settings:
        _openable(each)
    with Progress(console=console(), transient=True) as progress:
        task = progress.add_task("plants", total=len(wanted))
        for outcome in campaign.trials(wanted, settings, options.jobs, journal):
            found[outcome.id] = outcome
            progress.advance(task)
            if outcome.outcome == mutation.SURVIVED:
                progress.console.print(f"[red]survived[/red] {escape(outcome.id)}: "
                                       f"{escape(outcome.words)}", highlight=False)  # fmt: skip
    return [found[plant.id] for plant in wanted]


def _openable(settings: mutation.Settings) -> None:
    """A device that does not open without a defect tells nothing of one that has it."""
    runner = Runner(settings.device, settings.level, settings.seed)
    try:
        list(runner.run([c for c in generate(settings.level) if c.check != "exit"][:1]))
    except CouldNotRun as error:
        raise Refused(f"{settings.device} could not be opened: {error}",
                      "see `device-api doctor`") from error  # fmt: skip


def _sampled(
    outcomes: list[mutation.Outcome], known: list[Plant], settings: list[mutation.Settings],
    size: int,
) -> dict[str, dict[str, int]]:  # fmt: skip
    by_id = {plant.id: plant for plant in known}
    by_device = {each.device: each for each in settings}
    return {o.id: mutation.chapters_that_see(by_id[o.id], by_device[o.device])
            for o in campaign.sample(outcomes, size)}  # fmt: skip


_HEADS = ("chapter", "planted", "apply", "killed", "score", "by the right chapter", "replays alone")


def _cells(name: str, row: dict[str, Any]) -> list[str]:
    killed = row["killed"]
    return [name, str(row["planted"]), str(row["apply"]), str(killed), f"{row['score']:.1%}",
            f"{row['right']} of {killed}", f"{row['replay']} of {killed}"]  # fmt: skip


def _rows(report: dict[str, Any]) -> list[list[str]]:
    found = report["summary"]
    rows = [_cells(f"{c} {CHAPTERS[c]}", row) for c, row in found["chapters"].items()]
    return [*rows, _cells("all", found["all"])]


def _notes(report: dict[str, Any]) -> list[str]:
    """What was done, in sentences."""
    first, times = report["settings"][0], report["summary"]["seconds_to_kill"]
    gate = report["summary"]["gate"]
    of = f" in chapters {', '.join(gate['chapters'])}" if gate["chapters"] else ""
    found = [f"found{of}: {gate['score']:.1%}, at least {gate['least']:.0%} are asked for"]
    if times:
        found.append(f"time to the first finding: median {times['median']:.1f} s, longest "
                     f"{times['longest']:.1f} s")  # fmt: skip
    spared = f"one in {first['thin']} of the others" if first["thin"] > 1 else "the others"
    found.append("each plant up to its first finding: its own chapter, then "
                 f"the runtime, the cases of the ops that it may change, and {spared}")  # fmt: skip
    tried = [o["tried"] for o in report["outcomes"] if o["outcome"] == mutation.SURVIVED]
    if tried:
        found.append(f"survivors were tried on {min(tried)} to {max(tried)} of "
                     f"{report['outcomes'][0]['level_cases']} cases")  # fmt: skip
    return found


def _tell(report: dict[str, Any]) -> None:
    out = console()
    table = Table(*_HEADS)
    for row in _rows(report):
        table.add_row(*row)
    out.print(table)
    for text in _notes(report):
        out.print(text, highlight=False, soft_wrap=True)
    for o in report["outcomes"]:
        if o["outcome"] == mutation.SURVIVED:
            how = f"struck {o['strikes']} times" if o["strikes"] else "never struck"
            out.print(f"[red]survived[/red] {escape(o['id'])} ({how}): {escape(o['words'])}",
                      highlight=False, soft_wrap=True)  # fmt: skip
        elif o["outcome"] == mutation.FALSE_ALARM:
            out.print(f"[red]false alarm[/red] before {escape(o['id'])} struck: {escape(o['case'])}"
                      f" {o['code']}: {escape(o['reason'])}", highlight=False,
                      soft_wrap=True)  # fmt: skip
        elif o["outcome"] == mutation.IDLE:
            out.print(f"does not apply: {escape(o['id'])}: {escape(o['reason'])}",
                      highlight=False, soft_wrap=True)  # fmt: skip


def markdown(report: dict[str, Any]) -> str:
    """The outcome as tables: scores, survivors, all plants."""
    told = report["settings"][0]
    devices = ", ".join(each["device"] for each in report["settings"])
    lines = [f"# Plants: {devices}, level {told['level']}, seed {told['seed']}", "",
             "| " + " | ".join(_HEADS) + " |", "|" + "---|" * len(_HEADS)]  # fmt: skip
    lines += ["| " + " | ".join(row) + " |" for row in _rows(report)]
    lines += ["", *(f"- {text}" for text in _notes(report)), ""]
    if report["sample"]:
        lines += ["| of the sample | findings by chapter, to the end |", "|---|---|"]
        lines += [f"| {name} | {', '.join(f'{c} {n}' for c, n in seen.items())} |"
                  for name, seen in report["sample"].items()]  # fmt: skip
        lines.append("")
    lines += ["| plant | defect | source | device | outcome | first finding | replays | s |",
              "|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for o in report["outcomes"]:
        case = f"`{o['case']}` {o['code']}" if o["case"] else o["reason"]
        cells = [o["id"], o["words"], o["source"], o["device"], o["outcome"], case,
                 "yes" if o["replay"] else "", f"{o['seconds']:.1f}"]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
