# SPDX-License-Identifier: Apache-2.0
"""The checks of ops: (handle, case, seed) -> observations."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import again, inputs, layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.layouts import Placed
from device_api_conformance.observe import observe
from device_api_conformance.seeds import generator
from device_api_conformance.truth import expected
from device_api_conformance.values import ordinary


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
    got = handle.get(handle.run(case.op, tensors, made.attributes))
    native = handle.native_counts().get(case.op, 0) - before
    elements = min([got.data.size, *(host.data.size for host in dense)])
    exact = case.values in ("integers", "ones")
    found = observe(expected(case.op, dense, made.attributes, exact), got, dense)
    changed = sum(
        layouts.damaged(p, handle.buffer(t)) for p, t in zip(placed, tensors, strict=True)
    )
    return found | {
        "native": native,
        "composed": elements > 0 and not native,
        "elements": elements,
        "inputs_changed": changed,
        "digest": _digest(got),
    }


def _layout_of(position: int, layout: str, case: Case) -> str:
    """The second operand of a binary op stays contiguous, so that layouts differ within a call."""
    mixed = optable.by_name()[case.op].kind in ("binary", "compare", "logical")
    return "contiguous" if mixed and position == 1 and layout != "zero_stride" else layout


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


def _values(case: Case, shape: tuple[int, ...], rng: np.random.Generator) -> Host:
    return Host(case.dtype, np.asarray(ordinary(case.dtype, shape, rng, case.op)))


CHECKS = {"numeric": numeric, "update": update} | again.CHECKS
"""Checks of ops by name."""
