# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter A: what collectives compute and move. Their order: collective_rules, their
ends: collective_ends.

Groups are of this process: the device alone, and all devices of its type. Where there is one, or
where the plugin has no collectives, the cases are skipped with that reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import collective_ends, collective_rules, layouts
from device_api_conformance import collective_plans as plans
from device_api_conformance.case import Case
from device_api_conformance.collective_plans import SIZES, Step
from device_api_conformance.collective_ranks import ALONE, TOGETHER, Begun, at_once, do, group, tell
from device_api_conformance.formats import FLOATS, FORMATS, INTEGERS, PARTS, Host
from device_api_conformance.handle import Handle, Lacks, Rank
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

LARGE = (1_048_579,)
HUGE = (1_048_579, 4_194_319)
"""Elements of a large message, in parts of every protocol."""
REDUCTIONS = ("sum", "prod", "max", "min", "avg")
REDUCE = ("all_reduce", "reduce", "reduce_scatter")
MOVE = ("broadcast", "all_gather", "all_to_all")
LONE = ("bool", "int8", "bfloat16", "float32", "complex128")
"""Types that move in a group of one."""


def _ranks(handle: Handle, case: Case) -> int:
    return len(group(handle, case.layout)[1])


def _plan(handle: Handle, case: Case, seed: int, sizes: tuple[int, ...]) -> list[Step]:
    return list(plans.steps(case, seed, _ranks(handle, case), sizes))


def reduces(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Reductions of all sizes: right, with the same bits at all ranks, and nothing else changed."""
    plan = _plan(handle, case, seed, SIZES)
    do(handle, case, seed, r, plan, same=case.check == "all_reduce")


def moves(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Arrays of all sizes arrive bit by bit, in order of rank, and nothing else changes."""
    do(handle, case, seed, r, _plan(handle, case, seed, SIZES))


def large(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Large messages, which go in pieces."""
    assert case.shape is not None
    one = replace(case, check=case.values, values="sum")
    do(handle, case, seed, r, [plans.step(one, seed, _ranks(handle, case), case.shape[0], 0)])


def special(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Infinities, zeros and NaN: as the sum, product, largest or smallest of two; NaN stays."""
    ranks = _ranks(handle, case)
    made, want = plans.specials(case, ranks, case.values)
    results: dict[int, Any] = {}

    def work(device: Handle, rank: Rank) -> list[str]:
        begun = Begun(device, rank, made, case, seed)
        begun.problems()
        seen = np.asarray(Host(case.dtype, begun.got).exact(), dtype=np.float64)
        results[rank.rank] = begun.got
        lost = np.isnan(want) & ~np.isnan(seen)
        other = ~np.isnan(want) & (seen != want)
        rows = {"NaN was lost": lost, "another value": other}
        return [f"rank {rank.rank}: {name} in {int(mask.sum())} elements"
                for name, mask in rows.items() if mask.any()]  # fmt: skip

    if tell(handle, r, at_once(handle, case.layout, work)):
        bits = {Host(case.dtype, x).bits().tobytes() for x in results.values()}
        r.equal("different results between ranks", len(bits) - 1, 0)


def average(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The average of all ranks' arrays, however the host and the device share the work."""
    ranks = _ranks(handle, case)
    plan = []
    for n, size in enumerate(SIZES[:20]):
        rng = [generator(case.id, seed, f"{size} {k}") for k in range(ranks)]
        given = [plans.ordinary(g, case.dtype, size) for g in rng]
        plan.append((given, plans.reduced("avg", given, False), ("contiguous", "offset")[n % 2]))

    def work(device: Handle, rank: Rank) -> list[str]:
        words = []
        for given, want, layout in plan:
            placed = layouts.place(given[rank.rank], layout, generator(case.id, seed, "place"))
            x = device.put(placed)
            rank.average(x)
            raw = device.buffer(x)
            wrong = want.wrong(np.ascontiguousarray(placed.view(raw)))
            wrong += layouts.damaged(placed, raw, placed.outside())
            words += [f"rank {rank.rank}, {placed.shape[0]}: {wrong} wrong"] if wrong else []
        return words

    tell(handle, r, at_once(handle, case.layout, work))


def passes(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Each rank sends to the next and receives from the one before, in order, at all sizes."""
    ranks = _ranks(handle, case)
    if ranks < 2:
        raise Lacks("a group of one rank has no other to send to")
    order = generator(case.id, seed).permutation([*SIZES[:-1], *SIZES[:6]])
    sizes = [*(int(n) for n in order), SIZES[-1]]
    data = [[plans.whole_numbers(generator(case.id, seed, f"{k} {n}"), case.dtype, size, "")
             for n, size in enumerate(sizes)] for k in range(ranks)]  # fmt: skip

    def work(device: Handle, rank: Rank) -> list[str]:
        after, before = (rank.rank + 1) % ranks, (rank.rank - 1) % ranks
        kept, words = [], []
        for n, size in enumerate(sizes):
            layout = ("offset", "contiguous")[n % 2]
            mine = layouts.place(data[rank.rank][n], layout, generator(case.id, seed, f"{n}"))
            empty = Host(case.dtype, layouts.poison(case.dtype, size, generator(case.id, n)))
            into = layouts.place(empty, layout, generator(case.id, seed, f"into {n}"))
            sent, got = device.put(mine), device.put(into)
            rank.exchange([("send", after, sent), ("recv", before, got)])
            kept.append((mine, sent, into, got, data[before][n]))
        for mine, sent, into, got, want in kept:
            raw = device.buffer(got)
            wrong = plans.Want(case.dtype, want.data).wrong(into.view(raw).copy())
            around = layouts.damaged(into, raw, into.outside())
            around += layouts.damaged(mine, device.buffer(sent))
            if wrong or around:
                words.append(f"rank {rank.rank}, {len(want.data)} elements: {wrong} wrong, "
                             f"{around} changed that should not be")  # fmt: skip
        return words

    tell(handle, r, at_once(handle, case.layout, work))


def mixed(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Many calls of all kinds and sizes in a row."""
    ranks = _ranks(handle, case)
    rng = generator(case.id, seed)
    plan = []
    for n in range(120):
        kind = str(rng.choice([*REDUCE, *MOVE]))
        one = replace(case, check=kind, values="sum")
        plan.append(plans.step(one, seed, ranks, int(rng.integers(1, 700)), n))
        plan[-1].where = f"call {n}"
    do(handle, case, seed, r, plan)


CHECKS = {
    **dict.fromkeys(REDUCE, reduces), **dict.fromkeys(MOVE, moves), "collective_large": large,
    "collective_special": special, "collective_average": average, "send_recv": passes,
    "collective_mixed": mixed, **collective_rules.CHECKS, **collective_ends.CHECKS,
}  # fmt: skip


def cases(level: str) -> list[Case]:
    """All cases of the chapter."""
    return [*_values(level), *collective_rules.cases(), *collective_ends.cases()]


def _defined(dtype: str) -> tuple[str, ...]:
    """Reductions that are defined for a type."""
    if dtype == "bool":
        return ()
    if dtype in PARTS:
        return ("sum",)
    return REDUCTIONS if dtype in FORMATS else REDUCTIONS[:4]


def _values(level: str) -> Iterator[Case]:
    for dtype in optable.DTYPES:
        for reduction in _defined(dtype):
            first = reduction == "sum" or dtype in ("float32", "int32")
            for kind in REDUCE if first else REDUCE[:1]:
                yield Case("A", kind, dtype=dtype, layout=TOGETHER, values=reduction)
            if first or level == "full":
                yield Case("A", "all_reduce", dtype=dtype, layout=ALONE, values=reduction)
        for kind in (*MOVE, "send_recv"):
            yield Case("A", kind, dtype=dtype, layout=TOGETHER)
        for kind in MOVE if dtype in LONE or level == "full" else ():
            yield Case("A", kind, dtype=dtype, layout=ALONE)
    for kind in ("reduce", "reduce_scatter"):
        yield Case("A", kind, dtype="float32", layout=ALONE, values="sum")
    for dtype in FLOATS:
        yield Case("A", "collective_average", dtype=dtype, layout=TOGETHER)
        for reduction in REDUCTIONS[:4]:
            yield Case("A", "collective_special", dtype=dtype, layout=TOGETHER, values=reduction)
    yield Case("A", "collective_average", dtype="bfloat16", layout=ALONE)
    for kind in (*REDUCE, *MOVE):
        for size in HUGE if level == "full" else LARGE:
            yield Case("A", "collective_large", dtype="float32", layout=TOGETHER, shape=(size,),
                       values=kind)  # fmt: skip
    for dtype in ("float32", *INTEGERS[:1]):
        yield Case("A", "collective_mixed", dtype=dtype, layout=TOGETHER)
