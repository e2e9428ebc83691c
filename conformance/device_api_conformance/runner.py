# SPDX-License-Identifier: Apache-2.0
"""Runs cases in worker processes under a watchdog: a crash or a hang is a verdict of one case."""

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
from device_api_conformance.handle import Identity
from device_api_conformance.judge import Policy, Verdict, judge
from device_api_conformance.worker import DEFAULT_HANDLE, policy_for


class CouldNotRun(Exception):
    """The device could not be opened, so nothing was judged."""


@dataclass
class Result:
    """One case with its verdict."""

    case: Case
    verdict: Verdict
    observations: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass
class Runner:
    """Settings of a run, and what it learned of the device.

    `timeout` is the time in seconds that one case may take, `startup` that of opening the device;
    after `losses` lost worker processes the rest is not tried.
    """

    device: str
    level: str = "smoke"
    seed: int = 0
    handle: str = DEFAULT_HANDLE
    timeout: float = 30.0
    startup: float = 120.0
    losses: int = 40
    identity: Identity | None = None
    capabilities: dict[str, Any] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """Tolerances; they depend on what the device declares."""
        return policy_for(self.identity) if self.identity else Policy()

    def run(self, cases: list[Case]) -> Iterator[Result]:
        """Run the cases in order; every case gives exactly one result.

        Raises:
            CouldNotRun: the device could not be opened at the start.
        """
        exit_case = [c for c in cases if c.check == "exit"]
        left = [c for c in cases if c.check != "exit"]
        status: int | None = 0
        attempts = 0
        while left:
            attempts += 1
            attempt, before = _Attempt(self, left), len(left)
            try:
                for result in attempt.results():
                    left.remove(result.case)
                    yield result
            finally:
                status = attempt.close()
            if len(left) == before and not attempt.broken:
                attempt.broken = f"the worker ended at once (exit status {status})"
            if attempts > self.losses and left:
                attempt.broken = f"{attempts} worker processes were lost; the rest was not tried"
            if attempt.broken and left:
                if self.identity is None:
                    raise CouldNotRun(attempt.broken)
                yield from (self.ended(c, "notrun", attempt.broken) for c in left)
                left = []
        for case in exit_case:
            row = {
                "what": "exit status of the process",
                "relation": "equal",
                "got": status,
                "want": 0,
            }
            yield self.judged(case, {"expect": [row]}, 0.0)

    def judged(self, case: Case, observations: dict[str, Any], seconds: float) -> Result:
        """Result of one case from its observations."""
        return Result(case, judge(case, observations, self.policy), observations, seconds)

    def ended(self, case: Case, how: str, detail: str, seconds: float = 0.0) -> Result:
        """Result of a case that gave no observations of its own."""
        return self.judged(case, {"ended": how, "detail": detail}, seconds)


class _Attempt:
    """One worker process and the cases given to it."""

    def __init__(self, runner: Runner, cases: list[Case]) -> None:
        self.runner = runner
        self.cases = {case.id: case for case in cases}
        self.broken = ""
        self.stderr: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "device_api_conformance.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr,
            start_new_session=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        job = {"device": runner.device, "level": runner.level, "seed": runner.seed,
               "handle": runner.handle, "ids": list(self.cases)}  # fmt: skip
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(job).encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # died at once; the missing answer tells
        self.buffer = b""
        self.finished = False

    def results(self) -> Iterator[Result]:
        """Results of the cases until the worker ends, dies or hangs."""
        current: Case | None = None
        since = time.monotonic()
        while True:
            limit = self.runner.timeout if self.runner.identity else self.runner.startup
            message = self._message(since + max(limit, self.runner.startup if not current else 0))
            if "ready" in message:
                self.runner.identity = self.runner.identity or Identity(**message["ready"])
                self.runner.capabilities = message["capabilities"]
            elif "start" in message:
                current, since = self.cases[message["start"]], time.monotonic()
            elif "done" in message:
                case, current = self.cases[message["done"]], None
                since = time.monotonic()
                yield self.runner.judged(case, message["observations"], message["seconds"])
            elif "end" in message:
                self.finished = True
                return
            else:
                yield from self._stopped(message, current, time.monotonic() - since)
                return

    def _stopped(
        self, message: dict[str, Any], case: Case | None, seconds: float
    ) -> Iterator[Result]:
        """The worker is broken, silent or gone."""
        how = "hang" if "hang" in message else "crash"
        if case is not None:
            detail = f"no answer for {seconds:.0f} s" if how == "hang" else self._cause_of_death()
            yield self.runner.ended(case, how, detail, seconds)
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
