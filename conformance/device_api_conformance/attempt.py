# SPDX-License-Identifier: Apache-2.0
"""One worker process under its watchdog: what it tells, and how it ended."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from device_api_conformance.case import Case

HOST = 600.0
"""Seconds that the suite's own work on one case may take, beside the time of the device."""


@dataclass(frozen=True)
class Job:
    """What a worker process is started with; `startup` and `timeout` are seconds.

    `worker` is its module, `more` what it is told besides.
    """

    device: str
    level: str
    seed: int
    handle: str
    timeout: float
    startup: float
    environment: dict[str, str] = field(default_factory=dict)
    worker: str = "device_api_conformance.worker"
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Ready:
    """The worker has opened its device."""

    identity: dict[str, Any]
    capabilities: dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """All cases are done; what the handle had to add."""

    notes: dict[str, Any]


@dataclass(frozen=True)
class Observed:
    """A case is done."""

    case: Case
    observations: dict[str, Any]
    seconds: float
    notes: dict[str, Any] = field(default_factory=dict)


class Attempt:
    """One worker process and the cases given to it."""

    def __init__(self, job: Job, cases: list[Case]) -> None:
        self.job = job
        self.cases = {case.id: case for case in cases}
        self.broken = ""
        self.buffer = b""
        self.finished = False
        self.stderr: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self.process = subprocess.Popen(
            [sys.executable, "-m", job.worker],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr,
            start_new_session=True, env=os.environ | {"PYTHONUNBUFFERED": "1"} | job.environment,
        )  # fmt: skip
        told = {"device": job.device, "level": job.level, "seed": job.seed, "handle": job.handle,
                "ids": list(self.cases), **job.more,
                "cases": [(c.chapter, c.check, c.params()) for c in cases]}  # fmt: skip
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(told).encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # died at once; the missing answer tells

    def results(self) -> Iterator[Ready | Observed | Ended]:
        """What the worker tells until it ends, dies or hangs."""
        current: Case | None = None
        since, limit = time.monotonic(), self.job.startup
        while True:
            message = self._message(since + limit)
            if "ready" in message:
                yield Ready(message["ready"], message["capabilities"])
            elif "start" in message:
                current, since = self.cases[message["start"]], time.monotonic()
                limit = self.job.timeout
            elif "host" in message:  # the device is done; what follows is the suite's own work
                since, limit = time.monotonic(), max(HOST, self.job.timeout)
            elif "done" in message:
                case, current = self.cases[message["done"]], None
                since, limit = time.monotonic(), self.job.startup
                yield Observed(
                    case, message["observations"], message["seconds"], message.get("notes", {})
                )
            elif "end" in message:
                self.finished = True
                yield Ended(message["notes"])
                return
            else:
                yield from self._stopped(message, current, time.monotonic() - since)
                return

    def _stopped(
        self, message: dict[str, Any], case: Case | None, seconds: float
    ) -> Iterator[Observed]:
        """The worker is broken, silent or gone."""
        how = "hang" if "hang" in message else "crash"
        if case is not None:
            detail = f"no answer for {seconds:.0f} s" if how == "hang" else self._cause_of_death()
            yield Observed(case, {"ended": how, "detail": detail}, seconds)
        elif "broken" in message:
            self.broken = message["broken"]
        elif how == "hang" or self._died_badly():
            self.broken = "the worker did not start: " + (
                "no answer" if how == "hang" else self._cause_of_death()
            )

    def _died_badly(self) -> bool:
        """A worker that lost its device ends by itself with status 0, to be replaced."""
        return self.process.wait(timeout=10) != 0

    def _cause_of_death(self) -> str:
        code = self.process.wait(timeout=10)
        text = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
        if code == -signal.SIGKILL:
            text += " (from outside: often the system's, for want of memory)"
        tail = self._tail()
        return f"{text}; last words: {tail}" if tail else text

    def _tail(self) -> str:
        self.stderr.seek(0)
        return self.stderr.read()[-600:].decode(errors="replace").strip()

    def _message(self, deadline: float) -> dict[str, Any]:
        """The next line from the worker; {"hang": ...} or {"gone": ...} when there is none."""
        pipe = self.process.stdout
        assert pipe is not None
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                if not selector.select(max(deadline - time.monotonic(), 0)):
                    return {"hang": True}
                chunk = os.read(pipe.fileno(), 1 << 16)
                if not chunk:
                    self.finished = True
                    return {"gone": True}
                self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\n", 1)
        found: dict[str, Any] = json.loads(line)
        return found

    def stop(self) -> None:
        """End the process from another thread; `results` then ends."""
        if self.process.poll() is None:
            self._kill()

    def close(self) -> int | None:
        """End the process, by force when it does not end by itself; returns its exit status."""
        status: int | None = None
        try:
            if self.finished or self.broken:
                status = self.process.wait(timeout=30)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            pass
        if self.process.poll() is None:
            self._kill()
        self.stderr.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status

    def _kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
