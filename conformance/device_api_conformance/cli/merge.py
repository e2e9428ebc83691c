# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api merge``: one report from the fractions of a run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from device_api_conformance import merge, progress, report_files
from device_api_conformance.cli._shared import (
    FAILED,
    PASSED,
    Refused,
    console,
    run,
    usable_folder,
)  # fmt: skip
from device_api_conformance.load import ReportError, load


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api merge",
        description="Put the reports of the fractions of one run together.",
        epilog="Exit codes: 0 every judged case passed, 1 something failed, 2 they do not fit.",
    )
    found.add_argument(
        "parts", type=Path, nargs="+", metavar="REPORT", help="report.json or folder"
    )
    found.add_argument("--report", type=Path, metavar="DIR", required=True,
                       help="folder for the whole report")  # fmt: skip
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    return run("merge", parser(), _merge, arguments)


def _merge(options: argparse.Namespace) -> int:
    try:
        report = merge.merge([load(path) for path in options.parts])
    except (ReportError, merge.MergeError) as error:
        raise Refused(str(error), "give every fraction of one run once") from error
    usable_folder(options.report)
    for path in report_files.write(report, options.report):
        progress.wrote(path, console())
    console().print(str(report["notice"]), highlight=False)
    return PASSED if report["passed"] else FAILED
