# SPDX-License-Identifier: Apache-2.0
"""Many plants on one device or several: trials side by side, journal, scores."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from device_api_conformance.case import CHAPTERS
from device_api_conformance.mutation import (
    FALSE_ALARM,
    IDLE,
    KILLED,
    SURVIVED,
    Outcome,
    Settings,
    as_row,
    trial,
)
from device_api_conformance.planted import Plant
from device_api_conformance.seeds import generator

GATES: dict[str, tuple[float, str]] = {
    "health": (0.70, "HTRM"), "smoke": (0.70, "NMS"), "standard": (0.95, ""), "full": (0.99, ""),
    "soak": (0.95, ""),
}  # fmt: skip
"""Least part of the plants that a level has to kill, and the chapters that count (none: all)."""


class Journal:
    """Outcomes that are kept in a file as they come; a last line that was cut is ignored."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lock = Lock()
        self.rows: list[dict[str, Any]] = []
        if path is not None and path.exists():
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
            self.rows = [json.loads(line) for line in lines]

    def known(self, plant: Plant, settings: Settings) -> Outcome | None:
        """The outcome of an equal trial."""
        for row in reversed(self.rows):
            if row["id"] == plant.id and row["settings"] == asdict(settings):
                return Outcome(**{k: v for k, v in row.items() if k != "settings"})
        return None

    def add(self, outcome: Outcome, settings: Settings) -> None:
        """Keep an outcome."""
        if self.path is not None:
            with self.lock, self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(as_row(outcome, settings)) + "\n")


def trials(
    plants: Iterable[Plant], settings: list[Settings], jobs: int, journal: Journal
) -> Iterator[Outcome]:
    """Try plants, several side by side, each on one device after the other until it is killed.

    Outcomes that the journal holds are not tried again.
    """

    def one(plant: Plant) -> Outcome:
        met = []
        for each in settings:
            outcome = journal.known(plant, each)
            if outcome is None:
                outcome = trial(plant, each)
                journal.add(outcome, each)
            met.append(outcome)
            if outcome.outcome == KILLED:
                break
        return combined(met)

    with ThreadPoolExecutor(jobs) as pool:
        waiting = [pool.submit(one, plant) for plant in plants]
        try:
            for done in as_completed(waiting):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def combined(outcomes: list[Outcome]) -> Outcome:
    """One outcome of a plant that was tried on several devices: it counts where it applies."""
    for wanted in (FALSE_ALARM, KILLED, SURVIVED):
        for outcome in outcomes:
            if outcome.outcome == wanted:
                return outcome
    return outcomes[0]


def sample(outcomes: list[Outcome], size: int = 15) -> list[Outcome]:
    """Some of the killed ones, always the same, for a look through the whole level."""
    killed = sorted((o for o in outcomes if o.outcome == KILLED), key=lambda o: o.id)
    order = generator("sample of plants", 0).permutation(len(killed))
    return [killed[k] for k in order[:size]]


def summary(outcomes: list[Outcome], level: str) -> dict[str, Any]:
    """The mutation score (killed by planted that apply): all, by chapter, what the gate counts."""
    rows = {c: [o for o in outcomes if o.chapter == c] for c in CHAPTERS}
    times = sorted(o.seconds for o in outcomes if o.outcome == KILLED)
    least, counted = GATES[level]
    gate = _scored([o for o in outcomes if not counted or o.chapter in counted])
    return {
        "all": _scored(outcomes),
        "chapters": {c: _scored(found) for c, found in rows.items() if found},
        "gate": {"least": least, "chapters": counted, "score": gate["score"],
                 "passed": gate["score"] >= least},
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
