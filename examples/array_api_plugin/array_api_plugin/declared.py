# SPDX-License-Identifier: Apache-2.0
"""What a library declares: by the array API what the standard asks for, beyond it what it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from array_api_plugin import exchange
from device_api_abi import optable
from device_api_abi.optable import Op
from device_api_conformance.formats import storage
from device_api_conformance.handle import Capability
from device_api_conformance.layouts import Placed
from device_api_conformance.tensor_handle import Refused, Unsupported

if TYPE_CHECKING:
    from array_api_plugin.handle import ArrayHandle

STANDARD = tuple(d for d in optable.DTYPES if d not in ("float16", "bfloat16"))
"""Types of the array API; a library that names one in its inspection has to serve it."""
NO_NAMES = ("rsqrt", "erf", "put_along_axis", "index_accumulate")
"""Ops with a name that the standard does not have."""
NO_BOOL = ("sort", "search")
"""Kinds of ops to which the standard gives no bool."""


def key_type(xp: Any, op: str, arrays: list[Any], attributes: dict[str, Any]) -> str:
    """The type by which the op table lists a call."""
    if not arrays:
        return str(attributes["dtype"])
    row = optable.by_name()[op]
    return exchange.name_of(xp, arrays[row.inputs.index(row.key)])


def capabilities(handle: ArrayHandle) -> dict[str, Capability]:
    """Types by op; an op with none is left out."""
    named = _named(handle.xp)
    strided = ("strided",) if _takes_strides(handle) else ()
    found: dict[str, Capability] = {}
    for op in optable.load():
        if op.name not in handle.calls:
            continue
        dtypes = tuple(
            d for d in op.dtypes if _asked(op, d, handle, named) or _takes(handle, op, d)
        )
        others = tuple(d for d in op.others if d in named or d in exchange.types(handle.xp))
        if dtypes:
            found[op.name] = Capability(dtypes, others, strided)
    return found


def _named(xp: Any) -> tuple[str, ...]:
    """Types that the library names in its inspection."""
    if not hasattr(xp, "__array_namespace_info__"):
        return ()
    return tuple(xp.__array_namespace_info__().dtypes())


def _asked(op: Op, dtype: str, handle: ArrayHandle, named: tuple[str, ...]) -> bool:
    """Whether the standard asks for an op on a type that the library names."""
    if op.name in handle.library.calls or op.name in NO_NAMES or dtype not in STANDARD:
        return False
    return dtype in named and not (dtype == "bool" and op.kind in NO_BOOL)


def _takes_strides(handle: ArrayHandle) -> bool:
    """Whether every layout can be an array of the library, also one that runs backwards."""
    try:
        handle.put(Placed("float32", np.ones(4, dtype=np.float32), (4,), (-1,), 3))
    except (Refused, Unsupported):
        return False
    return True


def _takes(handle: ArrayHandle, op: Op, dtype: str) -> bool:
    """Whether the library takes a small call beyond the standard."""
    try:
        arrays = [_ones(handle, op, name, dtype) for name in op.inputs]
        got = handle.get(handle.called(op.name, arrays, _attributes(op, dtype)))
    except (Refused, Unsupported):
        return False
    return op.result != "key" or got.dtype == dtype


_SHAPES: dict[tuple[str, str], tuple[int, ...]] = {
    ("convolution", ""): (1, 1, 3), ("pool", ""): (1, 1, 3), ("attention", ""): (2, 2, 2),
    ("search", ""): (3,), ("normalize", "weight"): (2,), ("normalize", "bias"): (2,),
}  # fmt: skip
"""Shapes of small operands by kind and name."""


def _ones(handle: ArrayHandle, op: Op, name: str, dtype: str) -> Any:
    """A small operand of ones (indices: zeros) in the shape that the op's kind wants."""
    shape = _SHAPES.get((op.kind, name)) or _SHAPES.get((op.kind, ""), (2, 2))
    kind = {"indices": "int64", "condition": "bool"}.get(name, dtype)
    one = 0x3F80 if kind == "bfloat16" else int(name != "indices")
    data = np.full(shape, one, dtype=storage(kind))
    strides = tuple(s // data.itemsize for s in data.strides)
    return handle.put(Placed(kind, data.reshape(-1), shape, strides, 0)).array


def _attributes(op: Op, dtype: str) -> dict[str, Any]:
    """Attributes of a small call: windows and steps of 1, the first axis, no padding."""
    zeros = ("axis", "pad", "descending", "smallest", "right", "count", "causal", "start")
    found: dict[str, Any] = {
        name: 0 if name.startswith(zeros) else 1 for name, _ in op.attributes if name != "axes"
    }
    shape = {"convolution": (1, 1, 1), "pool": (1, 1, 3)}.get(op.kind, (2,))
    return found | {"axes": (0,), "dtype": dtype, "shape": shape, "k": 1}


__all__ = ["capabilities", "key_type"]
