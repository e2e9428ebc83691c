# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter A: who waits for whom, calls that differ, and the end of groups."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.collective_ranks import (
    ALONE,
    TOGETHER,
    at_once,
    close,
    devices_of,
    differs,
    new_group,
    ones,
    tell,
)
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle, Lacks, Rank
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

PATIENCE = 15.0
"""Seconds after which a wait that should end is called endless; not a measurement."""


def _waits(kind: str, handle: Handle, case: Case, r: Record) -> None:
    """The first rank calls; the others come when it was seen to wait."""
    seen, done = threading.Event(), threading.Event()
    early: list[bool] = []

    def first(device: Handle, rank: Rank) -> list[str]:
        x = ones(device) if kind != "barrier" else None
        device.synchronize()
        work = rank.call(kind, x, x)
        end = time.monotonic() + 0.05
        while time.monotonic() < end and not work.is_completed():
            time.sleep(0.002)
        early.append(work.is_completed())
        seen.set()
        return _end(device, rank, work, x)

    def later(device: Handle, rank: Rank) -> list[str]:
        x = ones(device) if kind != "barrier" else None
        device.synchronize()
        seen.wait(PATIENCE)
        return _end(device, rank, rank.call(kind, x, x), x)

    def _end(device: Handle, rank: Rank, work: Any, x: Any) -> list[str]:
        work.synchronize(PATIENCE)
        done.set()
        words = [] if work.is_completed() else [f"rank {rank.rank}: not done after its end"]
        wrong = 0 if x is None else differs(device, x, float(rank.ranks))
        return words + ([f"rank {rank.rank}: {wrong} wrong elements"] if wrong else [])

    found = at_once(handle, case.layout,
                    lambda device, rank: (later if rank.rank else first)(device, rank))  # fmt: skip
    if tell(handle, r, found) and case.layout == TOGETHER:
        r.equal(f"{kind} is done before all ranks have called", early, [False])


def barrier(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """No rank passes a barrier before all have come to it."""
    _waits("barrier", handle, case, r)


def meets(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """No rank has the sum of all before all have called."""
    _waits("all_reduce", handle, case, r)


def late(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A wait with a limit ends with an error while a rank is late, and the work is done later."""
    told, ended = threading.Event(), []

    def work(device: Handle, rank: Rank) -> list[str]:
        x = ones(device)
        if rank.rank:
            told.wait(2.0)
            rank.call("all_reduce", x, x).synchronize(PATIENCE)
        else:
            begun = rank.call("all_reduce", x, x)
            try:
                begun.synchronize(0.1)
                ended.append("no error" if begun.is_completed() else "no error, and it goes on")
            except Exception as error:  # noqa: BLE001 - its type is what is observed
                ended.append(type(error).__name__)
            told.set()
            begun.synchronize(PATIENCE)
        wrong = differs(device, x, float(rank.ranks))
        return [f"rank {rank.rank}: {wrong} wrong elements"] if wrong else []

    if tell(handle, r, at_once(handle, case.layout, work)):
        r.note("a wait of 0.1 s for a rank that is late", ended[0])
        right = ("no error", handle.error("timeout").__name__)  # some vendors wait without limits
        r.equal("another error than that of a time limit", ended[0] in right, True)


def _broken(
    handle: Handle, case: Case, r: Record, what: str, calls: list[Callable[[Handle, Rank], Any]]
) -> None:
    """A group of its own in which the ranks do what breaks it; then all goes on without it."""
    ranks = new_group(handle, devices_of(handle, case.layout))

    def work(device: Handle, rank: Rank) -> str:
        try:
            begun = calls[min(rank.rank, len(calls) - 1)](device, rank)
            if begun is not None:
                begun.synchronize(PATIENCE)
        except Exception as error:  # noqa: BLE001 - that it is told is what is observed
            if isinstance(error, handle.error("timeout")):
                return "waits on"
            return "told" if str(error).strip() else "told without words"
        return "not told"

    found = at_once(handle, case.layout, work, ranks)
    r.equal(f"{what}: told at some rank", "told" in found, True)
    r.equal(f"{what}: ranks that wait on, or are told nothing in words",
            [x for x in found if x not in ("told", "not told")], [])  # fmt: skip
    dead = []
    for rank in ranks:
        try:
            rank.check()
            dead.append("usable")
        except Exception:  # noqa: BLE001 - that it is told is what is observed
            dead.append("told")
    r.equal(f"{what}: the group says that it is of no use any more", dead, ["told"] * len(ranks))
    close(ranks)


def _goes_on(handle: Handle, case: Case, r: Record) -> None:
    """After a group is broken the devices work, and so does a new group."""
    ranks = new_group(handle, devices_of(handle, case.layout))

    def work(device: Handle, rank: Rank) -> list[str]:
        x = ones(device)
        x = device.run("add", [x, x], {})
        rank.call("all_reduce", x, x)
        wrong = differs(device, x, 2.0 * rank.ranks)
        return [f"rank {rank.rank}: {wrong} wrong elements afterwards"] if wrong else []

    tell(handle, r, at_once(handle, case.layout, work, ranks))
    close(ranks)


def _only_simulated(handle: Handle) -> None:
    if not handle.identity().simulated:
        raise Lacks("what happens then is not defined on real devices")


def mismatch(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Calls of the ranks that differ in kind, size, type, reduction or root are told."""
    _only_simulated(handle)

    def call(kind: str, size: int = 16, dtype: str = "float32", **more: Any) -> Any:
        def begin(device: Handle, rank: Rank) -> Any:
            data = np.ones(size, dtype=dtype)
            x = device.put(layouts.place(Host(dtype, data), "contiguous", generator(case.id, 0)))
            source = None if kind == "broadcast" and rank.rank != more["peer"] else x
            return rank.call(kind, source, x, **more)

        return begin

    plain = call("all_reduce")
    for what, other in (
        ("another kind", call("broadcast", peer=0)), ("another size", call("all_reduce", 17)),
        ("another type", call("all_reduce", dtype="int32")),
        ("another reduction", call("all_reduce", reduction="max")),
    ):  # fmt: skip
        _broken(handle, case, r, what, [plain, other])
    _broken(handle, case, r, "another root", [call("broadcast", peer=0), call("broadcast", peer=1)])
    _goes_on(handle, case, r)


def leaves(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A rank that waits for one that has left the group is told, and does not wait for ever."""
    _only_simulated(handle)

    def wait(device: Handle, rank: Rank) -> Any:
        x = ones(device)
        return rank.call("all_reduce", x, x)

    _broken(handle, case, r, "a rank that left", [wait, lambda device, rank: rank.close()])
    _goes_on(handle, case, r)


def abort(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A rank that gives the group up waits no longer for the others."""
    ranks = new_group(handle, devices_of(handle, case.layout))
    no: list[str] = []
    ended: list[str] = []

    def work(device: Handle, rank: Rank) -> list[str]:
        if rank.rank:
            return []
        x = ones(device)
        begun = rank.call("all_reduce", x, x)
        try:
            rank.abort()
            begun.synchronize(PATIENCE)
            ended.append("no error")
        except handle.error("not_supported") as error:
            no.append(str(error))
        except Exception as error:  # noqa: BLE001 - its type is what is observed
            ended.append(type(error).__name__)
        return []

    def come(device: Handle, rank: Rank) -> list[str]:
        x = ones(device)
        if rank.rank:
            rank.call("all_reduce", x, x)
        device.synchronize()
        return []

    at_once(handle, case.layout, work, ranks)
    if no:
        at_once(handle, case.layout, come, ranks)  # what was begun comes to its end
        close(ranks)
        raise Lacks(no[0].partition("\n")[0])
    close(ranks)
    limit = handle.error("timeout").__name__
    r.equal("the wait ends with an error of its own", [x not in ("no error", limit) for x in ended],
            [True])  # fmt: skip
    _goes_on(handle, case, r)


def wrong_roots(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Roots that the group does not have are refused at once, and the group works on."""

    def work(device: Handle, rank: Rank) -> list[str]:
        x, words = ones(device), []
        for kind in ("broadcast", "reduce"):
            for root in (-1, rank.ranks, 2**20):
                try:
                    rank.call(kind, x, x, peer=root)
                except handle.error("index"):
                    continue
                except Exception as error:  # noqa: BLE001 - its type is what is observed
                    words.append(f"{kind} with root {root}: {type(error).__name__}")
                else:
                    words.append(f"{kind} with root {root}: accepted")
        rank.call("all_reduce", x, x)
        wrong = differs(device, x, float(rank.ranks))
        return words + ([f"rank {rank.rank}: {wrong} wrong elements"] if wrong else [])

    tell(handle, r, at_once(handle, case.layout, work))


_ANYWHERE = {"collective_barrier": barrier, "collective_roots": wrong_roots}
_SEVERAL = {
    "collective_meets": meets, "collective_late": late, "collective_mismatch": mismatch,
    "collective_leaves": leaves, "collective_abort": abort,
}  # fmt: skip
CHECKS = _ANYWHERE | _SEVERAL


def cases() -> list[Case]:
    """All cases of this file."""
    found = [Case("A", name, layout=who) for name in _ANYWHERE for who in (ALONE, TOGETHER)]
    return found + [Case("A", name, layout=TOGETHER) for name in _SEVERAL]
