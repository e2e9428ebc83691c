# SPDX-License-Identifier: Apache-2.0
"""What the commands share: exit codes, refusals, folders, files of waivers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

PASSED, FAILED, COULD_NOT_RUN = 0, 1, 2
"""Exit codes."""


class Refused(Exception):
    """The command cannot be done: cause, and remedy."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause, self.remedy = cause, remedy


def console() -> Console:
    """Where the commands talk to people."""
    return Console(stderr=True)


def refuse(command: str, error: Refused) -> int:
    """Tell why a command was not done."""
    out = console()
    out.print(f"[red]{command}: {escape(error.cause)}[/red]\nRemedy: {escape(error.remedy)}",
              highlight=False, soft_wrap=True)  # fmt: skip
    return COULD_NOT_RUN


def parse(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None
) -> argparse.Namespace | int:
    """The options, or the exit code of help and of a wrong command line."""
    try:
        return parser.parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0) if isinstance(stop.code, int) else COULD_NOT_RUN


def run(
    name: str,
    parser: argparse.ArgumentParser,
    work: Callable[[argparse.Namespace], int],
    arguments: Sequence[str] | None,
) -> int:
    """Run a command; returns its exit code, also of a wrong command line and of a refusal."""
    options = parse(parser, arguments)
    if isinstance(options, int):
        return options
    try:
        return work(options)
    except Refused as error:
        return refuse(name, error)


def usable_folder(folder: Path) -> None:
    """Make sure that files can be written into a folder.

    Raises:
        Refused: they cannot.
    """
    probe = folder / ".probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise Refused(f"cannot write the report: {error}", "name another folder") from error
