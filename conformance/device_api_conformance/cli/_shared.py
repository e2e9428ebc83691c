# SPDX-License-Identifier: Apache-2.0
"""What the commands share: exit codes, refusals, folders, files of waivers."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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


@contextmanager
def stoppable() -> Iterator[None]:
    """Let the signals by which schedulers and closed terminals end a program stop a run as Ctrl-C
    does: with a report of what was reached. KeyboardInterrupt then says which signal it was.
    """

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt(f"stopped by {signal.Signals(number).name}")

    try:
        before = {s: signal.signal(s, stop) for s in (signal.SIGTERM, signal.SIGHUP)}
    except ValueError:  # another thread than the main one: signals are not ours
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def usable_folder(folder: Path) -> None:
    """Make sure that files can be written into a folder.

    Raises:
        Refused: they cannot.
    """
    if folder.exists() and not folder.is_dir():
        raise Refused(f"cannot write the report: {folder} is a file, and no folder",
                      "name another folder, or move the file away")  # fmt: skip
    probe = folder / ".probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        told = f"cannot write the report into {folder}: {error.strerror}"
        raise Refused(told, "name a folder that can be made and written") from error


def not_opened(device: str, why: str) -> Refused:
    """A device that could not be opened; the device's own remedy comes first."""
    cause, _, remedy = why.partition("\nRemedy: ")
    told = f"{remedy}; see `device-api doctor`" if remedy else "see `device-api doctor`"
    return Refused(f"{device} could not be opened: {cause}", told)


def seconds(text: str) -> float:
    """A time on the command line."""
    value = float(text)
    if not 1 <= value <= 1e6:
        raise argparse.ArgumentTypeError("give 1 or more seconds")
    return value
