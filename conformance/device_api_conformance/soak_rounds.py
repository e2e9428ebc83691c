# SPDX-License-Identifier: Apache-2.0
"""Rounds of a soak by the clock: golden replays, interleavings, and other chapters under load.

Each round has seeds of its own. Its cases are made from their ids, as many as there is time for:
the level alone does not name them.
"""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np

from device_api_conformance import (
    collective_cases,
    layouts,
    leak_cases,
    peer_cases,
    soak_cases,
    soak_load,
)
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

REPEATS = 5
"""Replays of every op in one round."""
SIDE = 64
LEAKS = ("leak_fixed", "leak_varying", "leak_raw_memory")
GROUP_TYPES = ("float32", "int32")
_GOLDEN: dict[str, Any] = {}
"""The first result of each op in this process, as bits."""

_MADE = re.compile(
    r"O/(?:interleave/(\d+)|golden_replay/round(?:~(\d+))?|under_load/(.+?)(?:~(\d+))?)"
)


def _chapters() -> tuple[list[Case], ...]:
    """Cases that rounds run under load; each round takes the next one of the next chapter."""
    leaks = [c for c in leak_cases.cases() if c.check in LEAKS]
    groups = [c for c in collective_cases.cases("smoke") if c.dtype in GROUP_TYPES]
    return leaks, peer_cases.cases(), groups


def _inner() -> dict[str, Case]:
    return {case.id: case for chapter in _chapters() for case in chapter}


def case_of(case_id: str) -> Case | None:
    """The case of a round that an id names, or None when it names none."""
    found = _MADE.fullmatch(case_id)
    if found is None:
        return None
    if found[1]:
        return Case("O", "interleave", values=found[1])
    if found[3] is None:
        return Case("O", "golden_replay", values="round", draw=int(found[2] or 1))
    if found[3] not in _inner():
        return None
    return Case("O", "under_load", values=found[3], draw=int(found[4] or 1))


def cases(number: int) -> list[Case]:
    """The cases of round `number`, from 1."""
    turn = soak_cases.TURNS + 2 * number
    chapters = _chapters()
    chapter, at = chapters[(number - 1) % len(chapters)], (number - 1) // len(chapters)
    return [
        Case("O", "golden_replay", values="round", draw=number),
        Case("O", "interleave", values=str(turn - 1)),
        Case("O", "under_load", values=chapter[at % len(chapter)].id, draw=number),
        Case("O", "interleave", values=str(turn)),
    ]


def some() -> list[Case]:
    """As many rounds as have every case in one of them."""
    chapters = _chapters()
    rounds = len(chapters) * max(map(len, chapters))
    return [case for n in range(1, rounds + 1) for case in cases(n)]


def golden_replay(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The same inputs give the same bits in every round, and whole numbers the exact result."""
    rng = generator("O/golden_replay", seed)
    inputs = rng.standard_normal((2, SIDE, SIDE)).astype(np.float32)
    whole = rng.integers(-8, 9, (2, SIDE, SIDE)).astype(np.float32)
    declared = handle.capabilities()
    ops = {op: n for op, n in soak_cases.OPS.items()
           if op in declared and "float32" in declared[op].dtypes}  # fmt: skip
    wrong, begin = dict.fromkeys(ops, 0), time.perf_counter()
    for _ in range(REPEATS):
        for op, operands in ops.items():
            got = _run(handle, op, inputs[:operands], rng).bits()
            wrong[op] += int(np.count_nonzero(got != _GOLDEN.setdefault(op, got)))
    r.note("seconds of the replays", time.perf_counter() - begin)
    r.equal("elements with other bits than the first time", wrong, dict.fromkeys(ops, 0))
    if "matmul" in ops:
        product = _run(handle, "matmul", whole, rng).data
        r.equal("wrong elements of an exact product",
                int(np.count_nonzero(product != whole[0] @ whole[1])), 0)  # fmt: skip
    r.note_sensors(handle.telemetry())


def _run(handle: Handle, op: str, inputs: Any, rng: np.random.Generator) -> Host:
    put = [handle.put(layouts.place(Host("float32", x), "contiguous", rng)) for x in inputs]
    return handle.get(handle.run(op, put, {}))


def under_load(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A case of another chapter while another process keeps the device busy."""
    from device_api_conformance import runtime_cases

    inner = _inner()[case.values]
    with soak_load.Load() as load:
        runtime_cases.CHECKS[inner.check](handle, inner, seed + case.draw, r)
        r.note("load", load.told)
        r.note_sensors(handle.telemetry())


CHECKS = {"golden_replay": golden_replay, "under_load": under_load}
