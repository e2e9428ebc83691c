# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api judge``: verdicts from the observations of a report; no device."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from device_api_conformance import progress, rejudge, report_files, waivers
from device_api_conformance.case import Case
from device_api_conformance.cli._shared import (
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    usable_folder,
)  # fmt: skip
from device_api_conformance.judge import VERDICTS
from device_api_conformance.load import Loaded, ReportError, load

_SHOWN = 20


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api judge",
        description="Judge the observations of a report again, by another policy or other waivers.",
        epilog="Exit codes: 0 every judged case passes, 1 something fails, 2 it could not be done.",
    )
    found.add_argument("source", type=Path, metavar="REPORT", help="report.json, or its folder")
    found.add_argument("--policy", type=Path, metavar="FILE", help="tolerances (TOML)")
    found.add_argument("--waivers", type=Path, metavar="FILE", help="known failures (TOML)")
    found.add_argument("--report", type=Path, metavar="DIR", help="folder for the new report")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("judge", parser(), _judge, arguments)


def _judge(options: argparse.Namespace) -> int:
    try:
        loaded = load(options.source)
        policy = rejudge.policy_of(loaded.report)
        if options.policy is not None:
            policy = rejudge.read_policy(options.policy, policy)
        known = waivers.Waivers()
        if options.waivers is not None:
            known = waivers.load(options.waivers)
            known.check(Case.of(r["chapter"], r["check"], r["params"])
                        for r in loaded.report["cases"])  # fmt: skip
    except waivers.WaiverError as error:
        raise Refused(str(error), "correct the file of waivers") from error
    except rejudge.PolicyError as error:
        raise Refused(str(error), "correct the file of tolerances") from error
    except ReportError as error:
        raise Refused(str(error), "give a report of this suite") from error
    if options.report is not None:
        if options.report.resolve() == loaded.path.parent.resolve():
            raise Refused("the new report would replace the one that is judged",
                          "name another folder")  # fmt: skip
        usable_folder(options.report)
    report = rejudge.rejudge(loaded, policy, known)
    _tell(loaded, report)
    if options.report is not None:
        for path in report_files.write(report, options.report):
            progress.wrote(path, console())
    return PASSED if report["passed"] else FAILED


def _tell(loaded: Loaded, report: dict[str, object]) -> None:
    out = console()
    rows = report["cases"]
    assert isinstance(rows, list)
    before = {row["id"]: row["verdict"] for row in loaded.report["cases"]}
    changed = [row for row in rows if row["verdict"] != before[row["id"]]]
    for row in changed[:_SHOWN]:
        told = f"{row['id']}: {before[row['id']]} before, {row['verdict']} now {row['reason']}"
        out.print(escape(told), highlight=False, soft_wrap=True)
    if len(changed) > _SHOWN:
        out.print(f"and {len(changed) - _SHOWN} more", highlight=False)
    tally = Counter(row["verdict"] for row in rows)
    told = ", ".join(f"{tally[v]} {v}" for v in VERDICTS if tally[v])
    out.print(f"{len(changed)} verdicts changed; now {told}", highlight=False)
    out.print(str(report["notice"]), highlight=False)
