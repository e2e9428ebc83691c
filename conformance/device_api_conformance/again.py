# SPDX-License-Identifier: Apache-2.0
"""Chapter D: the same input gives the same bits, whatever ran before and wherever it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from device_api_conformance import inputs, layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.observe import observe
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator
from device_api_conformance.truth import expected
from device_api_conformance.values import Inputs

PAD = 1536
"""Bytes held so that the same input lies at another address."""
OTHER_VALUES = {"count": "large", "small_seed": "carry"}
"""Values that give an op without operands other attributes."""


def cases(numeric: list[Case], repeats: tuple[int, ...]) -> Iterator[Case]:
    """One case for each op and type among the plain cases of chapter N, per number of repeats."""
    chosen: dict[tuple[str, str], Case] = {}
    for case in numeric:
        if case.check != "numeric" or case.values not in ("ordinary", *OTHER_VALUES):
            continue
        plain = case.chapter in ("N", "G") and case.layout in ("", "contiguous")
        square = len(case.axes or ()) == 1 and len(case.shape or ()) == 2
        if plain and (square or (case.op, case.dtype) not in chosen):
            chosen[case.op, case.dtype] = case
    for n in repeats:
        for case in chosen.values():
            yield replace(case, chapter="D", check=f"again_{n}")


def again(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Run one op on one input several times with other work between; compare the bits.

    The work between: the input at another address, an emptied cache, the same op with other
    values, attributes and axis (its result is compared with the truth), another shape.
    """
    first = inputs.make(case, generator(case.id, seed))
    axes = _other_axes(case)
    between = replace(case, values=OTHER_VALUES.get(case.values, case.values), axes=axes)
    other = inputs.make(between, generator(case.id, seed, "other"))
    record, before = Record(), handle.native_counts().get(case.op, 0)

    def run(made: Inputs) -> Host:
        rng = generator(case.id, seed, "place")
        placed = [layouts.place(host, "contiguous", rng) for host in made.operands]
        return handle.get(handle.run(case.op, [handle.put(p) for p in placed], made.attributes))

    want = run(first).bits().tobytes()

    def same(when: str) -> None:
        record.equal(f"the same bits {when}", run(first).bits().tobytes() == want, True)

    runs = [run(first).bits().tobytes() for _ in range(int(case.check.rpartition("_")[2]) - 1)]
    record.equal(f"other bits in {len(runs)} runs again", sum(r != want for r in runs), 0)
    with _padded(handle):
        same("at another address")
    handle.empty_cache()
    same("after the cache was emptied")
    refusals = (handle.error("not_supported"), handle.error("fallback"))
    try:
        got = run(other)
    except refusals:  # an op may refuse single combinations
        got, other = run(first), first
    same("after other values and attributes")
    if case.shape:
        wider = replace(case, shape=(case.shape[0] + 1, *case.shape[1:]))
        with suppress(*refusals):
            run(inputs.make(wider, generator(case.id, seed, "wider")))
        same("after another shape")
    found = observe(expected(case.op, other.operands, other.attributes, False), got, other.operands)
    native = handle.native_counts().get(case.op, 0) - before
    elements = min([got.data.size, *(host.data.size for host in other.operands)])
    rows = record.observations()["expect"]
    return found | {"native": native, "composed": elements > 0 and not native,
                    "elements": elements, "expect": rows}  # fmt: skip


@contextmanager
def _padded(handle: Handle) -> Iterator[None]:
    """Hold some memory, so that what comes next lies elsewhere."""
    try:
        pad = handle.alloc(PAD)
    except Lacks:
        zeros = Host("float32", np.zeros(PAD // 4, dtype=np.float32))
        tensor = handle.put(layouts.place(zeros, "contiguous", generator("pad", 0)))
        yield
        del tensor
        return
    try:
        yield
    finally:
        handle.free(pad)


def _other_axes(case: Case) -> tuple[int, ...] | None:
    """The other axis of a plane, which a cache of plans must tell from the case's."""
    if len(case.shape or ()) == 2 and case.axes is not None and len(case.axes) == 1:
        return (1 - case.axes[0],)
    return case.axes


CHECKS: dict[str, Callable[[Handle, Case, int], dict[str, Any]]] = {
    "again_3": again,
    "again_100": again,
}
"""Checks of determinism by name; the number is that of runs."""
