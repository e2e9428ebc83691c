# SPDX-License-Identifier: Apache-2.0
"""A cold start: a new process that opens the device, loads a program and calls its model once.

Run as ``python -m device_api_conformance.model_start`` with a job in JSON on standard input; the
answer is the last line of standard output. Times are of the system's monotonic clock, which all
processes share.
"""

from __future__ import annotations

import time

STARTED = time.monotonic()  # before anything heavy is imported

import json  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from typing import Any  # noqa: E402

PHASES = ("interpreter", "import", "device", "load", "first call")
"""Until Python runs; import of device_api; until the device is open, the model is there, and until
its first result is. What the suite itself needs is in none of them."""


def measured(device: str, spec: str, program: Any, fallback: str) -> dict[str, Any]:
    """Start a process; returns its total time in seconds, its phases, and its output's digest.

    Raises:
        RuntimeError: the process fails; with its last words.
    """
    job = {"device": device, "handle": spec, "fallback": fallback,
           "program": {"target": program.target, "batch": program.batch,
                       "options": program.options}}  # fmt: skip
    begin = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", "device_api_conformance.model_start"], input=json.dumps(job),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = ended.stdout.strip().splitlines()
    if ended.returncode or not lines:
        raise RuntimeError(f"a new process failed with status {ended.returncode}: "
                           f"{ended.stderr.strip()[-400:]}")  # fmt: skip
    told = json.loads(lines[-1])
    spans = [told["started"] - begin, *told["spans"]]
    return {"total": sum(spans), "digest": told["digest"],
            "phases": dict(zip(PHASES, spans, strict=True))}  # fmt: skip


def main() -> int:
    """Entry point of the process."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job = json.load(sys.stdin)
    marks = Marks()
    import device_api  # noqa: F401 - its import is a part of the start

    marks.set()
    from device_api_conformance import model_program, opening

    marks.pause()
    handle = opening.open_handle(job["handle"], job["device"])
    with handle.policy(job["fallback"]):
        marks.set()
        program = model_program.Program(**job["program"])
        try:
            model = model_program.load(program, handle)
            marks.set()
            leaves = model_program.first(program, model, handle)
        except model_program.ProgramError as error:
            print(error.cause, file=sys.stderr)
            return 1
        marks.set()
        told = {"started": STARTED, "spans": marks.spans,
                "digest": model_program.digest(handle, leaves)}  # fmt: skip
    channel.write(json.dumps(told) + "\n")
    channel.flush()
    return 0


class Marks:
    """Times between points of the start; those of the suite itself are left out."""

    def __init__(self) -> None:
        self.spans: list[float] = []
        self.last = STARTED

    def set(self) -> None:
        """End a phase."""
        now = time.monotonic()
        self.spans.append(now - self.last)
        self.last = now

    def pause(self) -> None:
        """Leave out the time since the last point."""
        self.last = time.monotonic()


if __name__ == "__main__":
    sys.exit(main())
