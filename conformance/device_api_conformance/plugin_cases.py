# SPDX-License-Identifier: Apache-2.0
"""Cases of chapters R and F: what a plugin says of its devices holds, and fits what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

TIMES = 5
MIB = 1 << 20
BLOCKS = (3 * MIB, 3 * MIB, 5 * MIB, 23 * MIB, 27 * MIB, 29 * MIB)
"""Large enough that a host asks the plugin for them, some of them one by one."""
TEXTS = ("name", "arch", "uuid", "pci_bus_id", "driver", "runtime")


def facts_hold(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Facts of the device and the number of devices are the same whenever they are asked for; but
    a library that is opened at its first use may be named from then on."""
    first, count = handle.properties(kept=True), handle.device_count(kept=True)
    r.at_least("devices at the start", count, 1)
    for _ in range(TIMES):
        again = handle.properties()
        changed = sorted(k for k in first if again.get(k) != first[k] and k != "runtime")
        r.equal("facts that change from one call to the next", changed, [])
        r.equal("devices at the next count", handle.device_count(), count)


def facts_fit(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Facts can be true: texts are texts, sizes are sizes, and those known elsewhere agree."""
    facts = handle.properties()
    odd = sorted(k for k in TEXTS if k in facts and not str(facts[k]).isprintable())
    r.equal("texts with signs that cannot be printed", odd, [])
    r.equal("the device has a name", bool(str(facts.get("name", "")).strip()), True)
    alignment = int(facts.get("alignment", 64) or 64)
    r.equal("the alignment is a power of two", alignment & (alignment - 1), 0)
    for name in ("compute_units", "max_threads_per_unit", "max_threads_per_block"):
        r.at_least(f"{name} is 0 or more", int(facts.get(name, 0) or 0), 0)
    priorities = facts.get("stream_priorities", (0, 0))
    r.at_least("least priority, against the greatest", priorities[0], priorities[1])
    total = handle.statistics().get("total", 0)
    if total:
        told = int(facts.get("total_memory", 0) or 0)
        r.at_least("memory of the facts, against 3/4 of the device's account", told, total // 4 * 3)
        r.at_most("memory of the facts, against 5/4 of the device's account", told, total // 4 * 5)


def facts_differ(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What names one device names no other one: several of them are told apart."""
    devices = [handle, *handle.peers()]
    if len(devices) == 1:
        r.skip("there is one device of this type only")
        return
    facts = [device.properties() for device in devices]
    for name in ("uuid", "pci_bus_id"):
        known = [f[name] for f in facts if f.get(name)]
        r.equal(f"devices with the {name} of another one", len(known) - len(set(known)), 0)
    names = {str(f.get("name", "")): f for f in facts}
    for name, first in names.items():
        alike = [f for f in facts if str(f.get("name", "")) == name]
        for fact in ("alignment", "compute_units", "capability", "dlpack_type"):
            values = sorted({str(f.get(fact)) for f in alike})
            r.equal(f"{name}: {fact} of all devices of this name", values, [str(first.get(fact))])


def alignment_holds(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Every block that the plugin gives is aligned as its facts say."""
    declared = max(int(handle.properties().get("alignment", 0) or 0), 64)
    handle.empty_cache()
    held: list[int] = []
    try:
        held += [handle.alloc(size) for size in (*BLOCKS, 1, 100, 5000, 70_000)]
        r.equal(f"blocks not aligned to {declared}", sum(a % declared != 0 for a in held), 0)
    finally:
        for address in held:
            handle.free(address)


def core_is_whole(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Core ops are there: with these the whole namespace works."""
    declared = handle.capabilities()
    core = [op.name for op in optable.load() if op.core]
    if not handle.runs_undeclared(core[0]):
        r.skip("nobody composes other ops from those of this device")
        return
    missing = [name for name in core if not declared.get(name) or not declared[name].dtypes]
    r.equal("core ops that are missing", missing, [])


def casts_fit(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is computed with is also converted, from and to."""
    cast, added = (handle.capabilities().get(name) for name in ("cast", "add"))
    if cast is None or added is None:
        r.skip("the device declares no cast, or no add")
        return
    r.equal("types that are added and not converted from",
            sorted(set(added.dtypes) - set(cast.dtypes)), [])  # fmt: skip
    r.equal("types that are added and not converted to",
            sorted(set(added.dtypes) - set(cast.others)), [])  # fmt: skip


def _put(handle: Handle, case: Case, seed: int, data: Any, dtype: str = "float32") -> Any:
    host = Host(dtype, np.asarray(data, dtype=storage(dtype)))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def shortage_passes(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """After a request that no memory is there for, waits, ops, copies and requests all work."""
    x = _put(handle, case, seed, [1.0, 2.0, 3.0])
    handle.synchronize()
    stream = handle.stream()
    total = handle.statistics().get("total", 0)
    size = 2**52 if handle.identity().host_memory or not total else 2 * total

    def doubled() -> Any:
        return handle.get(handle.run("add", [x, x], {})).data.tolist()

    def block() -> bytes:
        address = handle.alloc(70_000)
        handle.write(address, b"\x5a" * 64)
        got = handle.read(address, 64)
        handle.free(address)
        return got

    steps: dict[str, tuple[Callable[[], Any], Any]] = {
        "a wait for a stream": (stream.synchronize, None),
        "a wait for the device": (handle.synchronize, None),
        "an op": (doubled, [2.0, 4.0, 6.0]),
        "a block": (block, b"\x5a" * 64),
        "an event": (lambda: stream.record_event(handle.event()).synchronize(), None),
    }
    for what, (step, want) in steps.items():
        r.raises(f"too large a request before {what}", handle.error("out_of_memory"),
                 lambda: handle.alloc(size))  # fmt: skip
        try:
            got, problem = step(), ""
        except Exception as error:  # noqa: BLE001 - what sticks is what is observed
            got, problem = want, f"{type(error).__name__}: {error}"
        r.equal(f"{what} right after a lack of memory", problem, "")
        r.equal(f"{what}: its result", got == want, True)


def views_taken(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """An op that declares views takes plain ones as they are: its host makes no copies for it."""
    rng = generator(case.id, seed)
    copied: list[str] = []
    tried = 0
    for op in optable.load():
        declared = handle.capabilities().get(op.name)
        if declared is None or op.kind not in ("unary", "binary", "compare"):
            continue
        if "strided" not in declared.flags or "float32" not in declared.dtypes:
            continue
        values = [rng.standard_normal((5, 7)).astype(np.float32) for _ in op.inputs]
        for layout in ("transposed", "stepped"):
            views = [handle.put(layouts.place(Host("float32", v), layout, rng)) for v in values]
            before = handle.native_counts()
            handle.run(op.name, views, {})
            after = handle.native_counts()
            grown = {n: after[n] - before.get(n, 0) for n in after if after[n] != before.get(n, 0)}
            copied += [f"{op.name} {layout}: {grown}"] if grown != {op.name: 1} else []
            tried += 1
    if not tried:
        r.skip("no elementwise op on float32 declares that it takes views")
        return
    r.equal("ops that ran otherwise than once as themselves", copied, [])


CHECKS: dict[str, Callable[[Handle, Case, int, Record], None]] = {
    "facts_hold": facts_hold, "facts_fit": facts_fit, "facts_differ": facts_differ,
    "alignment_holds": alignment_holds, "core_is_whole": core_is_whole,
    "casts_fit": casts_fit, "shortage_passes": shortage_passes, "views_taken": views_taken,
}  # fmt: skip
_CHAPTERS = {"shortage_passes": "F", "views_taken": "F", "core_is_whole": "F", "casts_fit": "F"}
_DEEPER = ("core_is_whole",)
"""Not at `smoke`: what a chip has in its first days is judged by what it says that it has."""


def cases(level: str) -> list[Case]:
    """One case for each check of a level."""
    names = [name for name in CHECKS if level != "smoke" or name not in _DEEPER]
    return [Case(_CHAPTERS.get(name, "R"), name) for name in names]
