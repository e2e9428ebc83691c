# SPDX-License-Identifier: Apache-2.0
"""Runs cases in worker processes under a watchdog: a crash or a hang is a verdict of one case."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from typing import Any

from device_api_conformance.attempt import Attempt, Ended, Job, Observed, Ready
from device_api_conformance.case import Case
from device_api_conformance.handle import Identity
from device_api_conformance.judge import Policy, Verdict, judge
from device_api_conformance.waivers import Waivers
from device_api_conformance.worker import DEFAULT_HANDLE, policy_for

DEFAULT_WORKER = "device_api_conformance.worker"


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
    after `losses` lost worker processes the rest is not tried. `jobs` worker processes run the
    cases of ops side by side; those of the runtime run before them, alone on the device.
    `environment` is added to that of the workers; `notes` is what the last worker had to add.
    `worker` is their module; `program` the model that it is about, `command` what runs it again.
    """

    device: str
    level: str = "smoke"
    seed: int = 0
    handle: str = DEFAULT_HANDLE
    timeout: float = 30.0
    startup: float = 120.0
    losses: int = 40
    jobs: int = 1
    waivers: Waivers = field(default_factory=Waivers)
    identity: Identity | None = None
    capabilities: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    worker: str = DEFAULT_WORKER
    program: dict[str, Any] = field(default_factory=dict)
    command: str = ""
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """Tolerances; they depend on what the device declares."""
        return policy_for(self.identity) if self.identity else Policy()

    def run(self, cases: list[Case]) -> Generator[Result, None, None]:
        """Run the cases; every case gives exactly one result. In order when `jobs` is 1.

        Raises:
            CouldNotRun: the device could not be opened at the start, or is another one than before.
        """
        ops = [case for case in cases if case.op]
        if self.jobs < 2 or len(ops) < 2:
            yield from self._sequence(cases, _Stop())
            return
        runtime = [case for case in cases if not case.op]
        yield from self._sequence(runtime, _Stop())
        yield from self._side_by_side([ops[k :: self.jobs] for k in range(self.jobs)])

    def judged(self, case: Case, observations: dict[str, Any], seconds: float) -> Result:
        """Result of one case from its observations."""
        verdict = self.waivers.apply(case, judge(case, observations, self.policy), self.identity)
        return Result(case, verdict, observations, seconds)

    def ended(self, case: Case, how: str, detail: str, seconds: float = 0.0) -> Result:
        """Result of a case that gave no observations of its own."""
        return self.judged(case, {"ended": how, "detail": detail}, seconds)

    def _sequence(self, cases: list[Case], stop: _Stop) -> Iterator[Result]:
        """One worker process after another until all cases have a result."""
        exit_case = [c for c in cases if c.check == "exit"]
        left = [c for c in cases if c.check != "exit"]
        status: int | None = 0
        attempts = 0
        job = Job(self.device, self.level, self.seed, self.handle, self.timeout, self.startup,
                  self.environment, self.worker,
                  {"program": self.program} if self.program else {})  # fmt: skip
        while left:
            attempts += 1
            attempt, before = Attempt(job, left), len(left)
            stop.watch(attempt)
            try:
                for told in attempt.results():
                    if isinstance(told, Ready):
                        self._meet(told)
                        continue
                    if isinstance(told, Ended):
                        self.notes = told.notes
                        continue
                    self.notes = told.notes or self.notes
                    left.remove(told.case)
                    yield self._of(told)
            finally:
                status = attempt.close()
            if stop.asked:
                return
            if len(left) == before and not attempt.broken:
                attempt.broken = f"the worker ended at once (exit status {status})"
            if attempts > self.losses and left:
                attempt.broken = f"{attempts} worker processes were lost; the rest was not tried"
            if attempt.broken and left:
                if self.identity is None:
                    raise CouldNotRun(attempt.broken)
                yield from (self.ended(c, "notrun", attempt.broken) for c in left)
                left = []
        yield from (self._exit_status(case, status) for case in exit_case)

    def _of(self, told: Observed) -> Result:
        return self.judged(told.case, told.observations, told.seconds)

    def _meet(self, ready: Ready) -> None:
        """Every worker of a run, and of the run that is resumed, must find the same device."""
        if self.identity is None:
            self.identity, self.capabilities = Identity(**ready.identity), ready.capabilities
            return
        before, now = asdict(self.identity), asdict(Identity(**ready.identity))
        names = [k for k in before if before[k] != now[k] and k != "facts"]
        if names:
            told = ", ".join(f"{k} was {before[k]!r} and is {now[k]!r}" for k in names)
            raise CouldNotRun(f"the device is another one than before: {told}")

    def _exit_status(self, case: Case, status: int | None) -> Result:
        row = {"what": "exit status of the process", "relation": "equal", "got": status, "want": 0}
        return self.judged(case, {"expect": [row]}, 0.0)

    def _side_by_side(self, parts: list[list[Case]]) -> Iterator[Result]:
        queue: SimpleQueue[Result | BaseException | None] = SimpleQueue()
        stop = _Stop()
        threads = [threading.Thread(target=_pump, args=(self._sequence(p, stop), queue.put))
                   for p in parts]  # fmt: skip
        for thread in threads:
            thread.start()
        try:
            running = len(threads)
            while running:
                told = queue.get()
                if told is None:
                    running -= 1
                elif isinstance(told, Result):
                    yield told
                else:
                    raise told
        finally:
            stop.all()
            for thread in threads:
                thread.join()


def _pump(source: Iterator[Result], put: Callable[[Result | BaseException | None], None]) -> None:
    try:
        for result in source:
            put(result)
    except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits
        put(error)
    finally:
        put(None)


class _Stop:
    """Ends the worker processes of all threads of a run."""

    def __init__(self) -> None:
        self.asked = False
        self.lock = threading.Lock()
        self.attempts: list[Attempt] = []

    def watch(self, attempt: Attempt) -> None:
        """A process that has to end when the run is stopped."""
        with self.lock:
            self.attempts = [a for a in self.attempts if a.process.returncode is None]
            self.attempts.append(attempt)
            if self.asked:
                attempt.stop()

    def all(self) -> None:
        """Stop."""
        with self.lock:
            self.asked = True
            for attempt in self.attempts:
                attempt.stop()
