# SPDX-License-Identifier: Apache-2.0
"""The journal of a run: each observation on disk as soon as it is made, so that a run can go on.

One JSON object a line. The first is the head (suite, device, level, seed, selection); then come the
device's identity with its capabilities, and one line per case. A last line that was cut is ignored.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from device_api_conformance import __version__
from device_api_conformance.handle import Identity
from device_api_conformance.runner import Result, Runner
from device_api_conformance.selection import Selection

NAME = "journal.jsonl"
FORMAT = 1


class JournalError(ValueError):
    """A journal that cannot be used: why, and what to do."""


@dataclass
class Found:
    """What an earlier, unfinished run left: rows by case id."""

    identity: Identity | None = None
    capabilities: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)


def head(runner: Runner, selection: Selection, started: str) -> dict[str, Any]:
    """The first line."""
    return {
        "journal": FORMAT, "suite": __version__, "device": runner.device, "level": runner.level,
        "seed": runner.seed, "selection": selection.as_dict(), "started": started,
    }  # fmt: skip


class Journal:
    """Writes the journal of one run."""

    def __init__(self, path: Path, first: dict[str, Any], before: Found | None = None) -> None:
        self.known = before is not None and before.identity is not None
        if before is not None:
            path.write_bytes(_whole_lines(path))  # without a last line that was cut
        self.file: TextIO = path.open("a" if before else "w", encoding="utf-8")
        if before is None:
            self._line(first)

    def add(self, runner: Runner, result: Result) -> None:
        """Keep one result."""
        if not self.known and runner.identity is not None:
            self._line({"identity": asdict(runner.identity), "capabilities": runner.capabilities})
            self.known = True
        self._line({"id": result.case.id, "seconds": result.seconds,
                    "observations": result.observations})  # fmt: skip

    def _line(self, row: dict[str, Any]) -> None:
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()

    def close(self) -> None:
        """End it."""
        self.file.close()


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1]


def read(path: Path, wanted: dict[str, Any]) -> Found:
    """What an earlier run left, if it is the same run as the one wanted.

    Raises:
        JournalError: there is none, it is damaged, or it is of another run.
    """
    again = "start without --resume, or name the folder of that run"
    try:
        lines = [json.loads(line) for line in _whole_lines(path).splitlines()]
    except OSError as error:
        raise JournalError(f"nothing to resume: {error}; {again}") from error
    except json.JSONDecodeError as error:
        raise JournalError(f"{path} is damaged ({error}); {again}") from error
    if not lines or not isinstance(lines[0], dict) or "journal" not in lines[0]:
        raise JournalError(f"{path} is no journal of a run; {again}")
    first = lines[0]
    others = [k for k in wanted if k != "started" and first.get(k) != wanted[k]]
    if others:
        told = ", ".join(f"{k}: {first.get(k)!r} there, {wanted[k]!r} asked" for k in others)
        raise JournalError(f"{path} is of another run ({told}); {again}")
    return _sorted(lines[1:], path, again)


def _sorted(lines: list[dict[str, Any]], path: Path, again: str) -> Found:
    found = Found()
    try:
        for row in lines:
            if "identity" in row:
                found.identity = Identity(**row["identity"])
                found.capabilities = row["capabilities"]
            elif row["observations"].get("ended") != "notrun":
                found.rows[row["id"]] = row
    except (KeyError, TypeError, AttributeError) as error:
        raise JournalError(f"{path} is damaged ({error!r}); {again}") from error
    return found
