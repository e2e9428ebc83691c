# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter A: the order of collectives among other work, and what they leave behind."""

from __future__ import annotations

import numpy as np

from device_api_conformance.case import Case
from device_api_conformance.collective_ranks import (
    ALONE,
    SIZE,
    TOGETHER,
    at_once,
    close,
    devices_of,
    differs,
    new_group,
    ones,
    put,
    tell,
)
from device_api_conformance.handle import Handle, Rank
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator


def pending(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A collective sees the result of what was begun before it, and what follows sees its own."""

    def work(device: Handle, rank: Rank) -> list[str]:
        words = []
        for turn in range(4):
            x = one = ones(device)
            for _ in range(20):
                x = device.run("add", [x, one], {})
            total = put(device, np.zeros(SIZE))
            if turn % 2:
                rank.call("all_reduce", x, total)
            else:
                total = x
                rank.call("all_reduce", x, x)
            after = device.run("add", [total, one], {})
            wrong = differs(device, after, 21.0 * rank.ranks + 1)
            words += [f"rank {rank.rank}, round {turn}: {wrong} wrong elements"] if wrong else []
        return words

    tell(handle, r, at_once(handle, case.layout, work))


def streams(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The same on streams of the ranks' own, while the default stream is busy."""

    def work(device: Handle, rank: Rank) -> list[str]:
        words = []
        for turn in range(3):
            y = ones(device)
            for _ in range(10):
                y = device.run("add", [y, y], {})
            stream = device.stream()
            with device.using(stream):
                x = one = ones(device)
                for _ in range(10):
                    x = device.run("add", [x, one], {})
                rank.call("all_reduce", x, x)
                x = device.run("add", [x, one], {})
                wrong = differs(device, x, 11.0 * rank.ranks + 1)
            wrong += differs(device, y, 1024.0)
            words += [f"rank {rank.rank}, round {turn}: {wrong} wrong elements"] if wrong else []
        return words

    tell(handle, r, at_once(handle, case.layout, work))


def chained(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Collectives run in the order of their calls: each takes what the one before gave."""

    def work(device: Handle, rank: Rank) -> list[str]:
        x, wide = ones(device, 1000), put(device, np.zeros(1000 * rank.ranks))
        for turn in range(6):
            rank.call("all_reduce", x, x)
            rank.call("all_gather", x, wide)
            rank.call("reduce_scatter", wide, x, "max")
            root = turn % rank.ranks
            rank.call("broadcast", x if rank.rank == root else None, x, peer=root)
        wrong = differs(device, x, float(rank.ranks) ** 6)
        return [f"rank {rank.rank}: {wrong} wrong elements"] if wrong else []

    tell(handle, r, at_once(handle, case.layout, work))


def two_groups(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Calls of two groups of the same devices do not mix."""
    second = new_group(handle, devices_of(handle, case.layout))

    def work(device: Handle, rank: Rank) -> list[str]:
        other = second[rank.rank]
        x, y = ones(device), put(device, np.full(SIZE, 3.0))
        for _ in range(4):
            rank.call("all_reduce", x, x)
            other.call("all_reduce", y, y, "max")
        wrong = differs(device, x, float(rank.ranks) ** 4) + differs(device, y, 3.0)
        return [f"rank {rank.rank}: {wrong} wrong elements"] if wrong else []

    try:
        tell(handle, r, at_once(handle, case.layout, work))
    finally:
        close(second)


def again(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The same call on the same values gives the same bits, every time."""

    def work(device: Handle, rank: Rank) -> list[str]:
        rng = generator(case.id, seed, str(rank.rank))
        x = put(device, rng.standard_normal(5003))
        first: bytes | None = None
        differ = 0
        for _ in range(20):
            out = put(device, np.zeros(5003))
            rank.call("all_reduce", x, out)
            bits = device.get(out).bits().tobytes()
            first = first or bits
            differ += bits != first
        return [f"rank {rank.rank}: {differ} of 20 runs differ from the first"] if differ else []

    tell(handle, r, at_once(handle, case.layout, work))


def accounts(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Collectives and their groups give all memory back."""
    devices = devices_of(handle, case.layout)

    def work(device: Handle, rank: Rank) -> list[str]:
        for _ in range(10):
            x, wide = ones(device), put(device, np.zeros(SIZE * rank.ranks))
            rank.call("all_gather", x, wide)
            rank.call("all_reduce", x, x)
        device.synchronize()
        return []

    def used() -> list[int]:
        for device in devices:
            device.synchronize()
        return [device.statistics()["allocated"] for device in devices]

    at_once(handle, case.layout, work)
    before = used()
    for _ in range(3):
        ranks = new_group(handle, devices)
        whole = tell(handle, r, at_once(handle, case.layout, work, ranks))
        close(ranks)
        if not whole:
            return
    r.equal("memory in use afterwards, by device", used(), before)


CHECKS = {
    "collective_pending": pending, "collective_streams": streams, "collective_chained": chained,
    "collective_again": again, "collective_accounts": accounts, "collective_groups": two_groups,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of this file."""
    return [Case("A", name, layout=who) for name in CHECKS for who in (ALONE, TOGETHER)]
