# SPDX-License-Identifier: Apache-2.0
"""The suite under test: does it kill devices with a planted defect, and by the right chapter?"""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any

from device_api_conformance.case import Case
from device_api_conformance.cases import generate
from device_api_conformance.planted import HANDLE, VARIABLE, Plant
from device_api_conformance.runner import CouldNotRun, Result, Runner

KILLED, SURVIVED, IDLE = "killed", "survived", "does not apply"
FALSE_ALARM = "false alarm"
"""A finding although the defect of an op had not struck yet: it counts as not killed."""
UNANSWERED = frozenset({"SKIPPED", "UNSUPPORTED", "NOTRUN"})
"""Verdicts of cases that a device did not have to answer."""


@dataclass(frozen=True)
class Outcome:
    """What became of one plant on one device.

    `case`, `code`: the first finding; `seconds` to it; `right`: by the chapter that has to see it;
    `replay`: the case alone finds it again; `strikes`: of one that is not killed, how often the
    defect struck; `tried` cases of the `level_cases` that the level has; `reason`: of a finding, or
    why the plant does not apply.
    """

    id: str
    chapter: str
    words: str
    source: str
    outcome: str
    device: str = ""
    case: str = ""
    code: str = ""
    reason: str = ""
    seconds: float = 0.0
    right: bool = False
    replay: bool | None = None
    strikes: int = 0
    tried: int = 0
    level_cases: int = 0


@dataclass(frozen=True)
class Settings:
    """How plants are tried.

    `limit` is the time in seconds for the right chapter of one plant; then all cases of the ops
    that the plant may change and all of the runtime are tried, and of the others one in `thin`.
    """

    device: str
    level: str = "standard"
    seed: int = 0
    limit: float = 60.0
    timeout: float = 20.0
    thin: int = 8


@dataclass
class _Search:
    """What a stage met until its first finding."""

    found: Result | None = None
    tried: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    unanswered: str = ""
    strikes: int = 0

    @property
    def silent(self) -> bool:
        """Whether the device had to answer none of the cases."""
        return self.tried > 0 and not set(self.verdicts) - UNANSWERED


def trial(plant: Plant, settings: Settings) -> Outcome:
    """Try one plant: its own chapter first, then the others; stops at the first finding."""
    start = time.monotonic()
    cases = _cases(settings.level)
    told = Outcome(plant.id, plant.chapter, plant.words, plant.source, SURVIVED, settings.device,
                   level_cases=len(cases))  # fmt: skip
    runner = _runner(plant, settings)
    own = sorted((c for c in cases if _in_own_chapter(plant, c)), key=_order(plant))
    try:
        first = _search(runner, own, settings.limit)
        lacks = "" if first.strikes else lacking(plant, runner.capabilities)
        second = _Search()
        if first.found is None and not lacks:
            rest = others(plant, cases, set(own[: first.tried]), settings.thin)
            second = _search(runner, rest, None)
    except CouldNotRun as error:
        seconds = time.monotonic() - start
        return replace(told, outcome=KILLED, reason=f"no start: {error}"[:300], seconds=seconds)
    told = replace(told, tried=first.tried + second.tried)
    if lacks and first.found is None:
        return replace(told, outcome=IDLE, reason=lacks)
    found = first.found or second.found
    if found is not None and plant.ops and not first.strikes + second.strikes and _judged(found):
        return replace(told, outcome=FALSE_ALARM, case=found.case.id, code=found.verdict.code,
                       reason=found.verdict.reason[:300])  # fmt: skip
    if found is None:
        strikes = first.strikes + second.strikes
        why = f"nothing to answer in chapter {plant.chapter}: {first.unanswered}"
        why = why if first.silent and not strikes else ""
        return replace(told, outcome=IDLE if why else SURVIVED, strikes=strikes, reason=why)
    seconds = time.monotonic() - start
    again = _search(_runner(plant, settings), [found.case], None).found
    return replace(
        told, outcome=KILLED, case=found.case.id, code=found.verdict.code,
        reason=found.verdict.reason[:300], seconds=seconds,
        right=found.case.chapter == plant.chapter, replay=again is not None,
    )  # fmt: skip


def _judged(found: Result) -> bool:
    """Whether the worker lived to tell how often the defect had struck."""
    return found.verdict.verdict not in ("CRASH", "HANG")


@cache
def _cases(level: str) -> tuple[Case, ...]:
    return generate(level)


def _in_own_chapter(plant: Plant, case: Case) -> bool:
    """Cases of the right chapter; of ops that the plant leaves alone only in the second stage."""
    return case.chapter == plant.chapter and (not case.op or not plant.ops or case.op in plant.ops)


def _order(plant: Plant) -> Callable[[Case], tuple[bool, bool, int]]:
    """Own ops first, then the runtime, then other ops; mixed, so that a part meets all kinds."""
    return lambda case: (case.op not in plant.ops, bool(case.op), _number(case))


def _number(case: Case) -> int:
    return zlib.crc32(case.id.encode())


def others(plant: Plant, cases: tuple[Case, ...], done: set[Case], thin: int) -> list[Case]:
    """What a plant that its own chapter has not seen is tried on: see `Settings`."""
    left = [c for c in cases if c not in done]
    kept = [c for c in left if not c.op or c.op in plant.ops or _number(c) % thin == 0]
    return sorted(kept, key=_order(plant))


def lacking(plant: Plant, capabilities: dict[str, Any]) -> str:
    """What a device lacks that the plant would change; "" where it has it."""
    if not plant.ops:
        return ""
    declared = [n for n in plant.ops if n in capabilities]
    if not declared:
        return f"not declared: {', '.join(plant.ops)}"
    if plant.dtypes and not any(
        set(plant.dtypes) & set(capabilities[n]["dtypes"]) for n in declared
    ):
        return f"not declared on {', '.join(plant.dtypes)}: {', '.join(declared)}"
    return ""


def _runner(plant: Plant, settings: Settings) -> Runner:
    return Runner(
        settings.device, settings.level, settings.seed, HANDLE, settings.timeout, losses=3,
        environment={VARIABLE: plant.id},
    )  # fmt: skip


def _search(runner: Runner, cases: list[Case], limit: float | None) -> _Search:
    end = None if limit is None else time.monotonic() + limit
    met = _Search()
    runner.notes = {}
    stream = runner.run(cases)
    try:
        for result in stream:
            met.tried += 1
            met.verdicts[result.verdict.verdict] += 1
            if result.verdict.failed:
                met.found = result
                break
            if result.verdict.verdict in UNANSWERED:
                met.unanswered = met.unanswered or result.verdict.reason[:120]
            if end is not None and time.monotonic() > end:
                break
    finally:
        stream.close()
    met.strikes = int(runner.notes.get("strikes", 0))
    return met


def chapters_that_see(plant: Plant, settings: Settings) -> dict[str, int]:
    """Findings by chapter of one plant on its own chapter and on what `others` gives, to the end"""
    found: Counter[str] = Counter()
    cases = _cases(settings.level)
    chosen = others(plant, cases, set(), settings.thin)
    chosen += [c for c in cases if _in_own_chapter(plant, c) and c not in set(chosen)]
    for result in _runner(plant, settings).run(chosen):
        if result.verdict.failed:
            found[result.case.chapter] += 1
    return dict(found)


def as_row(outcome: Outcome, settings: Settings) -> dict[str, Any]:
    """A line of the journal."""
    return asdict(outcome) | {"settings": asdict(settings)}
