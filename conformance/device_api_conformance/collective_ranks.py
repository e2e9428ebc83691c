# SPDX-License-Identifier: Apache-2.0
"""Groups for the cases of collectives, their threads, and how a step is done and looked at."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.collective_plans import Step, Want
from device_api_conformance.formats import Array, Host, bits_of
from device_api_conformance.handle import Handle, Lacks, Rank
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

ALONE, TOGETHER = "alone", "together"
"""A group of the device under test only, and one of all devices of its type."""
SHOWN = 8

_groups: weakref.WeakKeyDictionary[Handle, dict[str, list[Rank]]] = weakref.WeakKeyDictionary()


def devices_of(handle: Handle, who: str) -> list[Handle]:
    """The devices of a group.

    Raises:
        Lacks: several are needed, and there is one.
    """
    if who == ALONE:
        return [handle]
    others = handle.peers()
    if not others:
        raise Lacks("there is one device of this type only")
    return [handle, *others]


def new_group(handle: Handle, devices: list[Handle]) -> list[Rank]:
    """A group of these devices.

    Raises:
        Lacks: the device has no collectives.
    """
    found = handle.group(devices)
    if found is None:
        raise Lacks("the device has no collectives")
    return found


def group(handle: Handle, who: str) -> tuple[list[Handle], list[Rank]]:
    """The devices and ranks of a group that the cases share; it is closed at the end."""
    devices = devices_of(handle, who)
    kept = _groups.get(handle)
    if kept is None:
        kept = _groups[handle] = {}
        weakref.finalize(handle, _close_all, kept)
    if who not in kept:
        kept[who] = new_group(handle, devices)
    return devices, kept[who]


def forget(handle: Handle, who: str) -> None:
    """The group is of no use any more: later cases get a new one."""
    close(_groups.get(handle, {}).pop(who, []))


def _close_all(kept: dict[str, list[Rank]]) -> None:
    for ranks in kept.values():
        close(ranks)


def close(ranks: list[Rank]) -> None:
    """Leave a group at all ranks; what fails has failed before."""

    def leave(rank: Rank) -> None:
        try:
            rank.close()
        except Exception:  # noqa: BLE001 - a broken group says so again when it is left
            return

    _threads([partial(leave, rank) for rank in ranks])


def _threads(bodies: Iterable[Callable[[], None]]) -> None:
    running = [threading.Thread(target=body) for body in bodies]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def at_once(
    handle: Handle, who: str, work: Callable[[Handle, Rank], Any], own: list[Rank] | None = None
) -> list[Any]:
    """What `work` returns at each rank, or raises: ranks are threads. An error ends the group.

    A rank that fails leaves the group, so that others do not wait for it where that helps.
    """
    devices, ranks = (devices_of(handle, who), own) if own else group(handle, who)
    found: list[Any] = [None] * len(ranks)

    def body(k: int) -> None:
        try:
            found[k] = work(devices[k], ranks[k])
        except Exception as error:  # noqa: BLE001 - what a rank raises is what is observed
            found[k] = error
            close([ranks[k]])

    _threads([partial(body, k) for k in range(len(ranks))])
    if own is None and any(isinstance(x, Exception) for x in found):
        forget(handle, who)
    return found


SIZE = 20_000
"""Elements of the arrays of cases about order."""


def put(device: Handle, data: Any) -> Any:
    """Values as a dense float32 array on the device."""
    host = Host("float32", np.asarray(data, dtype=np.float32))
    return device.put(layouts.place(host, "contiguous", generator("collectives", 0)))


def ones(device: Handle, size: int = SIZE) -> Any:
    """An array of ones."""
    return put(device, np.ones(size))


def differs(device: Handle, tensor: Any, value: float) -> int:
    """Number of elements that are not `value`."""
    got = device.get(tensor)
    return Want("float32", np.full(got.shape, value, dtype=np.float32)).wrong(got.data)


def refused(handle: Handle, found: list[Any]) -> Exception | None:
    """The error of ranks that all say that the device does not have this."""
    documented = (handle.error("not_supported"),)
    return found[0] if all(isinstance(x, documented) for x in found) else None


# ---- one step at one rank --------------------------------------------------------------------


class Begun:
    """A step that has been called at one rank."""

    def __init__(self, device: Handle, rank: Rank, step: Step, case: Case, seed: int) -> None:
        self.device, self.step, self.rank = device, step, rank.rank
        self.want = step.wants[rank.rank]
        source = step.sources[rank.rank]
        self._rng = generator(case.id, seed, f"{step.text} at {rank.rank}")
        self.source = None if source is None else self._put(source)
        self.target = self._target(rank.ranks)
        given = None if self.source is None else self.source[1]
        self.work = rank.call(step.kind, self._part(given, rank, "all_gather"),
                              self._into(rank), step.reduction, step.peer)  # fmt: skip

    def _put(self, host: Host) -> tuple[layouts.Placed, Any]:
        placed = layouts.place(host, self.step.layout, self._rng)
        return placed, self.device.put(placed)

    def _target(self, ranks: int) -> tuple[layouts.Placed, Any] | None:
        """The memory that is written: the source itself, one that holds it, or another."""
        if self.want is None:
            return None
        if self.step.in_place and self.source is not None and self.step.kind != "all_gather":
            return self.source
        size = len(self.want.values)
        start = layouts.poison(self.want.dtype, size, self._rng)
        if self.step.in_place and self.step.kind == "all_gather":
            assert self.source is not None
            n = self.step.size
            start[self.rank * n : (self.rank + 1) * n] = self.source[0].view()
        return self._put(Host(self.want.dtype, start))

    def _part(self, tensor: Any, rank: Rank, kind: str) -> Any:
        if not self.step.in_place or self.step.kind != kind or self.target is None:
            return tensor
        return self.device.part(self.target[1], rank.rank * self.step.size, self.step.size)

    def _into(self, rank: Rank) -> Any:
        if self.target is None:
            return None
        return self._part(self.target[1], rank, "reduce_scatter")

    def problems(self) -> list[str]:
        """What is wrong afterwards, in words."""
        found = []
        if self.want is not None and self.target is not None:
            placed, tensor = self.target
            raw = self.device.buffer(tensor)
            self.got = self._mine(placed.view(raw))
            wrong = self.want.wrong(self.got)
            if wrong:
                found.append(f"{wrong} wrong elements")
            if layouts.damaged(placed, raw, placed.outside()):
                found.append("memory around the target is changed")
        if self.source is not None and self.source is not self.target:
            placed, tensor = self.source
            if layouts.damaged(placed, self.device.buffer(tensor)):
                found.append("the source is changed")
        return [f"{self.step.text}: rank {self.rank}: {text}" for text in found]

    def _mine(self, seen: Array) -> Array:
        """The part of the target's memory that the rank's result is in."""
        if self.step.in_place and self.step.kind == "reduce_scatter":
            seen = seen[self.rank * self.step.size : (self.rank + 1) * self.step.size]
        return np.ascontiguousarray(seen)


def tell(handle: Handle, r: Record, found: list[Any]) -> bool:
    """Record what the ranks found (lists of words); whether all went well.

    Raises:
        Lacks: all ranks refuse.
    """
    no = refused(handle, found)
    if no is not None:
        raise Lacks(f"not supported: {no}".partition("\n")[0])
    errors = [f"rank {k}: {type(e).__name__}: {e}"[:300]
              for k, e in enumerate(found) if isinstance(e, Exception)]  # fmt: skip
    r.equal("errors by rank", errors, [])
    words = [text for rows in found if isinstance(rows, list) for text in rows]
    r.equal("what is wrong", words[:SHOWN], [])
    return not errors and not words


def do(
    handle: Handle, case: Case, seed: int, r: Record, plan: list[Step], same: bool = False
) -> None:
    """Call all steps of a plan, one behind the other, and then look at the results.

    `same`: the results have equal bits at all ranks.
    """
    results: dict[int, list[Array]] = {}

    def work(device: Handle, rank: Rank) -> list[str]:
        begun = [Begun(device, rank, step, case, seed) for step in plan]
        words = [text for b in begun for text in b.problems()]
        results[rank.rank] = [b.got for b in begun if b.want is not None]
        return words

    whole = tell(handle, r, at_once(handle, case.layout, work))
    r.note("calls", len(plan))
    if same and whole:
        first, *others = (results[k] for k in sorted(results))
        differ = [plan[n].text for other in others for n, bits in enumerate(other)
                  if np.any(bits_of(bits) != bits_of(first[n]))]  # fmt: skip
        r.equal("calls whose results differ between ranks", differ[:SHOWN], [])
