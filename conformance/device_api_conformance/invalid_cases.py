# SPDX-License-Identifier: Apache-2.0
"""Calls that the op table rules out: each raises the documented error, and none sticks."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator
from device_api_conformance.windows import Geometry

Operand = tuple[tuple[int, ...], str]
_PLANE = Geometry((3, 3), (1, 1), (0, 0), (1, 1)).attributes(False, True)
_F = "float32"

CALLS: dict[str, tuple[str, tuple[Operand, ...], dict[str, Any], str]] = {
    "sizes of a product": ("matmul", (((3, 4), _F), ((3, 4), _F)), {}, "shape"),
    "axis of sort": ("sort", (((3, 4), _F),), {"axis": 5, "descending": 0}, "index"),
    "axis of cumsum": ("cumsum", (((3, 4), _F),), {"axis": 2}, "index"),
    "axis of softmax": ("softmax", (((3, 4), _F),), {"axis": -3}, "index"),
    "more than there is": ("topk", (((3, 4), _F),),
                           {"axis": 1, "smallest": 0, "k": 9, "shape": (3, 9)}, "shape"),
    "size of a weight": ("rms_norm", (((3, 4), _F), ((3,), _F)), {"epsilon": 0.5}, "shape"),
    "channels": ("convolution", (((1, 3, 5, 5), _F), ((2, 4, 3, 3), _F)),
                 {**_PLANE, "groups": 1, "shape": (1, 2, 3, 3)}, "shape"),
    "shapes of updates": ("put_along_axis", (((3, 4), _F), ((3, 2), "int64"), ((3, 3), _F)),
                          {"axis": 1}, "shape"),
    "bits of floats": ("bitwise_and", (((3,), _F), ((3,), _F)), {}, "dtype"),
    "running sum of bools": ("cumsum", (((3,), "bool"),), {"axis": 0}, "dtype"),
    "real part of a real number": ("real", (((3,), _F),), {}, "dtype"),
}  # fmt: skip
"""Op, shapes and types of the operands, attributes, and the kind of the error, by name."""


def _put(handle: Handle, case: Case, seed: int, shape: tuple[int, ...], dtype: str) -> Any:
    data = np.zeros(shape, dtype=storage(dtype))
    return handle.put(layouts.place(Host(dtype, data), "contiguous", generator(case.id, seed)))


def invalid_call(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The call raises at once, and the next valid op works."""
    op, operands, attributes, kind = CALLS[case.values.replace("_", " ")]
    if op not in handle.capabilities() and not handle.runs_undeclared(op):
        r.skip(f"the device has no {op}")
        return
    tensors = [_put(handle, case, seed, *operand) for operand in operands]
    r.raises(case.values, handle.error(kind), lambda: handle.run(op, tensors, attributes))
    one = _put(handle, case, seed, (3,), "float32")
    r.equal("the next op", handle.get(handle.run("add", [one, one], {})).data.tolist(), [0.0] * 3)


CHECKS = {"invalid_call": invalid_call}


def cases() -> list[Case]:
    """One case for each call."""
    return [Case("F", "invalid_call", values=name.replace(" ", "_")) for name in CALLS]
