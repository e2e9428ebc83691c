# SPDX-License-Identifier: Apache-2.0
"""The checks of ops: (handle, case, seed) -> observations."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import again, inputs, layouts, overlaps, watch
from device_api_conformance.case import Case
from device_api_conformance.expectation import Expected
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.inputs_elementwise import PERIOD
from device_api_conformance.layouts import Placed
from device_api_conformance.observe import observe
from device_api_conformance.seeds import generator
from device_api_conformance.truth import expected
from device_api_conformance.values import Inputs, ordinary


def undeclared(handle: Handle, case: Case) -> str:
    """Why the device does not have to pass the case: text, or "" when it declares everything."""
    capability = handle.capabilities().get(case.op)
    if capability is None:
        core = " (a core op)" if optable.by_name()[case.op].core else ""
        return f"op {case.op} is not declared{core}"
    runs_as = handle.runs_as(case.op, case.dtype)
    if runs_as not in capability.dtypes and runs_as != case.dtype:
        return f"{case.op} on {case.dtype} runs as {runs_as}, which is not declared"
    if case.dtype not in capability.dtypes:
        return f"{case.op} on {case.dtype} is not declared"
    if case.other and case.other not in capability.others:
        return f"{case.op} with {case.other} is not declared"
    return ""


def numeric(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Run one op on generated operands and compare with the truth."""
    rng = generator(case.id, seed)
    made = inputs.make(case, rng)
    layout = case.layout or "contiguous"
    placed = [layouts.place(host, _layout_of(i, layout, case), rng)
              for i, host in enumerate(made.operands)]  # fmt: skip
    dense = [p.values() for p in placed]
    tensors = [handle.put(p) for p in placed]
    before = handle.native_counts().get(case.op, 0)
    between = _Between(handle, case, seed)
    got = handle.get(handle.run(case.op, tensors, made.attributes))
    repeats = between.repeats()
    native = handle.native_counts().get(case.op, 0) - before
    elements = min([got.data.size, *(host.data.size for host in dense)])
    changed = sum(
        layouts.damaged(p, handle.buffer(t)) for p, t in zip(placed, tensors, strict=True)
    )
    watch.device_is_done()
    found = observe(_truth(case, dense, made.attributes), got, dense)
    return found | {
        "native": native,
        "composed": elements > 0 and not native,
        "elements": elements,
        "inputs_changed": changed,
        "digest": _digest(got),
    } | ({} if repeats else {"repeats": False})  # fmt: skip


class _Between:
    """In chapter N the call stands between two equal ones with other values and attributes of the
    same shapes: what is kept from one call to the next shows in this one or in the last."""

    def __init__(self, handle: Handle, case: Case, seed: int) -> None:
        self.handle, self.case = handle, case
        self.made: Inputs | None = None
        if case.chapter == "N" and optable.by_name()[case.op].kind != "scatter":
            made = inputs.make(case, generator(case.id, seed, "between"))
            varied = {n: v / 2 if n in SCALARS else v for n, v in made.attributes.items()}
            self.made = Inputs(made.operands, varied)
            self.first = self._digest()

    def _digest(self) -> int:
        assert self.made is not None
        rng = generator(self.case.id, 0, "place")
        placed = [layouts.place(host, "contiguous", rng) for host in self.made.operands]
        tensors = [self.handle.put(p) for p in placed]
        return _digest(self.handle.get(self.handle.run(self.case.op, tensors,
                                                       self.made.attributes)))  # fmt: skip

    def repeats(self) -> bool:
        """Whether the last of these calls gives what the first one gave."""
        return self.made is None or self._digest() == self.first


SCALARS = ("slope", "offset", "beta", "alpha", "scale", "epsilon")
"""Attributes that every type holds and that change no shape."""


def _truth(case: Case, dense: list[Host], attributes: dict[str, Any]) -> Expected:
    """What is right; where few values are repeated it is found for those and repeated, too."""
    if case.values == "repeated":
        short = [Host(h.dtype, h.data[:PERIOD]) for h in dense]
        (n,) = case.shape or (0,)
        return expected(case.op, short, attributes, False).resized(n)
    return expected(case.op, dense, attributes, case.values in ("integers", "ones"))


def _layout_of(position: int, layout: str, case: Case) -> str:
    """Layout of one operand: `+1` is for that one only, `+all` for all of them. Without a word the
    second one of a binary op stays contiguous, so that layouts differ within a call."""
    name, _, only = layout.partition("+")
    if only:
        return name if only in ("all", str(position)) else "contiguous"
    mixed = optable.by_name()[case.op].kind in ("binary", "compare", "logical")
    return "contiguous" if mixed and position == 1 and name not in layouts.SHARING else name


def _digest(got: Host) -> int:
    """A number that differs when the result's bits do."""
    return zlib.crc32(got.bits().tobytes())


def update(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Run one op into a view, and see that nothing around the view changes."""
    rng = generator(case.id, seed)
    shape = case.shape or ()
    target = layouts.place(_values(case, shape, rng), case.layout, rng)
    operands: list[Placed] = []
    if case.op != "fill":
        operands.append(layouts.place(_values(case, shape, rng), "contiguous", rng))
    attributes: dict[str, Any] = {"dtype": case.dtype, "shape": shape}
    if case.op == "fill":
        attributes["value"] = inputs.scalar(case.dtype, "ordinary", rng)
    view, tensors = handle.put(target), [handle.put(p) for p in operands]
    before = handle.native_counts().get(case.op, 0)
    handle.update(case.op, view, tensors, attributes)
    raw = handle.buffer(view)
    dense = [p.values() for p in operands]
    if case.op in ("add", "mul"):
        dense.insert(0, target.values())
    got = Host(case.dtype, target.view(raw).copy())
    found = observe(expected(case.op, dense, attributes, False), got, dense)
    return found | {
        "native": handle.native_counts().get(case.op, 0) - before,
        "inputs_changed": sum(layouts.damaged(p, handle.buffer(t))
                              for p, t in zip(operands, tensors, strict=True)),
        "outside_changed": layouts.damaged(target, raw, target.outside()),
    }  # fmt: skip


def overlap(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Write into a view of memory that is read through another one: as if all were read first."""
    rng = generator(case.id, seed)
    whole = layouts.place(_values(case, case.shape or (), rng), "contiguous", rng)
    target, source = overlaps.views(whole, case.layout)
    base = handle.put(whole)
    views = [handle.view(base, placed) for placed in (target, source)]
    dense = [source.values()] if case.op == "copy" else [target.values(), source.values()]
    before = handle.native_counts().get(case.op, 0)
    handle.update(case.op, views[0], views[1:], {"dtype": case.dtype, "shape": target.shape})
    raw = handle.buffer(base)
    got = Host(case.dtype, target.view(raw).copy())
    found = observe(expected(case.op, dense, {}, False), got, dense)
    return found | {
        "native": handle.native_counts().get(case.op, 0) - before,
        "outside_changed": layouts.damaged(target, raw, target.outside()),
    }


def _values(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Host:
    return Host(case.dtype, np.asarray(ordinary(case.dtype, shape, rng, case.op)))


CHECKS = {"numeric": numeric, "update": update, "overlap": overlap} | again.CHECKS
"""Checks of ops by name."""
