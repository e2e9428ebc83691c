# SPDX-License-Identifier: Apache-2.0
"""The suite under test: does it kill devices with a planted defect, and by the right chapter?"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from device_api_conformance.case import CHAPTERS, Case
from device_api_conformance.cases import generate
from device_api_conformance.planted import HANDLE, VARIABLE, Plant
from device_api_conformance.runner import Result, Runner
from device_api_conformance.seeds import generator

KILLED, SURVIVED, IDLE = "killed", "survived", "does not apply"
GATES = {"health": 0.70, "smoke": 0.70, "standard": 0.95, "full": 0.99, "soak": 0.95}
"""Least part of the plants that a level has to kill."""


@dataclass(frozen=True)
class Outcome:
    """What became of one plant.

    `case`, `code`: the first finding; `seconds` to it; `right`: by the chapter that has to see it;
    `replay`: the case alone finds it again; `strikes`: of a survivor, how often the defect struck.
    """

    id: str
    chapter: str
    words: str
    source: str
    outcome: str
    case: str = ""
    code: str = ""
    reason: str = ""
    seconds: float = 0.0
    right: bool = False
    replay: bool | None = None
    strikes: int = 0


@dataclass(frozen=True)
class Settings:
    """How plants are tried: `limit` is the time in seconds for the right chapter of one plant."""

    device: str
    level: str = "standard"
    seed: int = 0
    limit: float = 60.0
    timeout: float = 20.0


def trial(plant: Plant, settings: Settings) -> Outcome:
    """Try one plant: its own chapter first, then all others; stops at the first finding."""
    start = time.monotonic()
    cases = generate(settings.level)
    first = sorted((c for c in cases if c.chapter == plant.chapter), key=_own_ops_first(plant))
    rest = sorted((c for c in cases if c.chapter != plant.chapter), key=_own_ops_first(plant))
    runner = _runner(plant, settings)
    found = _first_finding(runner, first, settings.limit)
    if found is None:
        found = _first_finding(runner, rest, None)
    told: dict[str, Any] = {
        "id": plant.id,
        "chapter": plant.chapter,
        "words": plant.words,
        "source": plant.source,
    }
    if found is None:
        strikes = int(runner.notes.get("strikes", 0))
        idle = not strikes and bool(plant.ops) and not set(plant.ops) & set(runner.capabilities)
        return Outcome(**told, outcome=IDLE if idle else SURVIVED, strikes=strikes)
    seconds = time.monotonic() - start
    again = _first_finding(_runner(plant, settings), [found.case], None)
    return Outcome(
        **told, outcome=KILLED, case=found.case.id, code=found.verdict.code,
        reason=found.verdict.reason[:300], seconds=seconds,
        right=found.case.chapter == plant.chapter, replay=again is not None,
    )  # fmt: skip


def _own_ops_first(plant: Plant):  # type: ignore[no-untyped-def]
    return lambda case: (case.op not in plant.ops, False)


def _runner(plant: Plant, settings: Settings) -> Runner:
    return Runner(
        settings.device, settings.level, settings.seed, HANDLE, settings.timeout, losses=3,
        environment={VARIABLE: plant.id},
    )  # fmt: skip


def _first_finding(runner: Runner, cases: list[Case], limit: float | None) -> Result | None:
    end = None if limit is None else time.monotonic() + limit
    stream = runner.run(cases)
    try:
        for result in stream:
            if result.verdict.failed:
                return result
            if end is not None and time.monotonic() > end:
                return None
    finally:
        stream.close()  # type: ignore[attr-defined]
    return None


def trials(
    plants: Iterable[Plant], settings: Settings, jobs: int, journal: Path | None
) -> Iterator[Outcome]:
    """Try plants, several side by side; outcomes that the journal holds are not tried again."""
    known = _read(journal, settings)
    left = []
    for plant in plants:
        if plant.id in known:
            yield known[plant.id]
        else:
            left.append(plant)
    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(trial, plant, settings) for plant in left]
        try:
            for done in as_completed(waiting):
                outcome = done.result()
                if journal is not None:
                    with journal.open("a", encoding="utf-8") as file:
                        row = asdict(outcome) | {"settings": asdict(settings)}
                        file.write(json.dumps(row) + "\n")
                yield outcome
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _read(journal: Path | None, settings: Settings) -> dict[str, Outcome]:
    """Outcomes of the same settings; a last line that was cut is ignored."""
    if journal is None or not journal.exists():
        return {}
    found = {}
    for line in journal.read_text(encoding="utf-8").split("\n")[:-1]:
        row = json.loads(line)
        if row.pop("settings") == asdict(settings):
            found[row["id"]] = Outcome(**row)
    return found


def sample(outcomes: list[Outcome], size: int = 15) -> list[Outcome]:
    """Some of the killed ones, always the same, for a look through the whole level."""
    killed = sorted((o for o in outcomes if o.outcome == KILLED), key=lambda o: o.id)
    order = generator("sample of plants", 0).permutation(len(killed))
    return [killed[k] for k in order[:size]]


def chapters_that_see(plant: Plant, settings: Settings) -> dict[str, int]:
    """Findings by chapter of one plant through the whole level."""
    found: dict[str, int] = {}
    for result in _runner(plant, settings).run(list(generate(settings.level))):
        if result.verdict.failed:
            found[result.case.chapter] = found.get(result.case.chapter, 0) + 1
    return found


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """The mutation score (killed by planted that apply), in all and by chapter."""
    rows = {c: [o for o in outcomes if o.chapter == c] for c in CHAPTERS}
    times = sorted(o.seconds for o in outcomes if o.outcome == KILLED)
    return {
        "all": _scored(outcomes),
        "chapters": {c: _scored(found) for c, found in rows.items() if found},
        "seconds_to_kill": {
            "median": statistics.median(times), "longest": times[-1],
        } if times else {},
    }  # fmt: skip


def _scored(outcomes: list[Outcome]) -> dict[str, Any]:
    killed = [o for o in outcomes if o.outcome == KILLED]
    apply = [o for o in outcomes if o.outcome != IDLE]
    return {
        "planted": len(outcomes), "apply": len(apply), "killed": len(killed),
        "score": len(killed) / len(apply) if apply else 1.0,
        "right": sum(o.right for o in killed), "replay": sum(bool(o.replay) for o in killed),
    }  # fmt: skip
