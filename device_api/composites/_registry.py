# SPDX-License-Identifier: Apache-2.0
"""Which composite makes which op, and whether a device has what it needs.

A composite is a function of the op's inputs and attributes, in the order of the op table, with the
semantics of a primitive: inputs of one type, already of equal shape where the op is elementwise,
never empty. It computes on the inputs' device, only with ops of :mod:`device_api._core`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from device_api import _core
from device_api._core import Device, DType, Tensor

_MODULES = (
    "arcs", "basic", "complexes", "division", "errorfunction", "exponential", "integers",
    "intdivision", "neural", "normalize", "reductions", "scans", "signs", "sorting", "trigonometry",
    "windows",
)  # fmt: skip

_ALWAYS = ("cast", "copy", "fill")  # what every composite may use, in all its types
_LOGICAL = frozenset({"logical_not", "logical_and", "logical_or"})
_NARROW = frozenset({"float16", "bfloat16"})
_BITS = {"float16": "int16", "bfloat16": "int16", "float32": "int32", "float64": "int64"}
_PARTS = {"complex64": "float32", "complex128": "float64"}

Function = TypeVar("Function", bound=Callable[..., Tensor | None])


@dataclass(frozen=True)
class Composite:
    """One composite: its function, what it uses, and how it is called.

    ``uses`` holds names of ops that the device must have, natively or by composites, in the type
    in which the composite computes, or ``name:type``; type ``signed``, ``unsigned`` is the integer
    type of that kind and equal width, ``bits`` that with the width of a floating-point type,
    ``number`` int32 for bool and the type itself else, ``wide`` float32 for 16-bit floats,
    ``part`` the type of a complex number's parts, ``whole`` the complex type with such parts.
    """

    op: str
    function: Callable[..., Tensor | None]
    uses: tuple[str, ...]
    complex_uses: tuple[str, ...] | None  # None: not for complex types
    integer_uses: tuple[str, ...] | None  # None: as `uses`
    in_float32: bool  # 16-bit floating-point types are computed in float32
    shaped: bool  # takes `shape`, the output's
    only: frozenset[str] | None  # key types; None: all that the op table lists


_composites: dict[str, Composite] = {}
_available: dict[tuple[Device, str, str], bool] = {}
_usable: dict[tuple[Device, str, DType], Composite | Literal[False] | None] = {}


def composes(
    op: str,
    uses: str,
    *,
    complex_uses: str | None = None,
    integer_uses: str | None = None,
    in_float32: bool = False,
    shaped: bool = False,
    only: str | None = None,
) -> Callable[[Function], Function]:
    """Register the decorated function as the composite of an op; None: not for these numbers."""

    def register(function: Function) -> Function:
        if op in _composites:
            raise ValueError(f"the op {op!r} has two composites")
        _composites[op] = Composite(
            op,
            function,
            tuple(uses.split()),
            None if complex_uses is None else tuple(complex_uses.split()),
            None if integer_uses is None else tuple(integer_uses.split()),
            in_float32,
            shaped,
            None if only is None else frozenset(only.split()),
        )
        return function

    return register


@functools.cache
def composites() -> dict[str, Composite]:
    """Return all composites by the op that they make."""
    for module in _MODULES:
        importlib.import_module(f"device_api.composites.{module}")
    return _composites


def lookup(op: str) -> Composite | None:
    """Return the composite of an op; None where it has none."""
    return composites().get(op)


def compute_dtype(composite: Composite, dtype: str) -> str:
    """Return the name of the type in which a composite computes for a key type."""
    return "float32" if composite.in_float32 and dtype in _NARROW else dtype


def needs(composite: Composite, dtype: str) -> list[tuple[str, str]] | None:
    """Return the ops and types that a composite uses for a key type; None: not for this type."""
    uses: tuple[str, ...] | None = composite.uses
    if dtype in _PARTS:
        uses = composite.complex_uses
    elif "int" in dtype and composite.integer_uses is not None:
        uses = composite.integer_uses
    if uses is None or (composite.only is not None and dtype not in composite.only):
        return None
    own = compute_dtype(composite, dtype)
    found = []
    for use in uses:
        op, _, wanted = use.partition(":")
        if op in _LOGICAL:
            wanted = "bool"
        found.append((op, _named(wanted, own)))
    kinds = dict.fromkeys([dtype, own, *(kind for _, kind in found)])
    return [*((op, kind) for kind in kinds for op in _ALWAYS), *dict.fromkeys(found)]


def _named(wanted: str, own: str) -> str:
    digits = own.removeprefix("u").removeprefix("int")
    if wanted == "signed":
        return f"int{digits}"
    if wanted == "unsigned":
        return f"uint{digits}"
    if wanted == "number":
        return "int32" if own == "bool" else own
    if wanted == "bits":
        return _BITS[own]
    if wanted == "wide":
        return "float32" if own in _NARROW else own
    if wanted == "whole":
        return next(whole for whole, part in _PARTS.items() if part == own)
    if wanted == "part":
        return _PARTS.get(own, own)
    return wanted or own


def available(device: Device, op: str, dtype: str) -> bool:
    """Tell whether a device can do an op on a type, natively or composed of native ones."""
    key = (device, op, dtype)
    known = _available.get(key)
    if known is None:
        known = _core.has_op(device, op, _core.dtypes[dtype]) or composable(device, op, dtype)
        _available[key] = known
    return known


def composable(device: Device, op: str, dtype: str) -> bool:
    """Tell whether a device has what the op's composite uses for a type."""
    composite = lookup(op)
    wanted = None if composite is None else needs(composite, dtype)
    return wanted is not None and all(available(device, use, kind) for use, kind in wanted)


def compose(
    op: str,
    inputs: tuple[Tensor, ...],
    attributes: tuple[Any, ...],
    shape: tuple[int, ...],
    dtype: DType,
) -> Tensor | None:
    """Make an op of others on the inputs' device; None where that device lacks some of them."""
    # Ops that are not core are listed by the type of their first input, or else of the output.
    first = inputs[0] if inputs else None
    key = dtype if first is None else first.dtype
    device = _core.current_device() if first is None else first.device
    usable = _usable.get((device, op, key))
    if usable is None:
        usable = composable(device, op, key.name) and lookup(op)
        _usable[device, op, key] = usable
    return run(usable, inputs, attributes, shape, dtype) if usable else None


def run(
    composite: Composite,
    inputs: tuple[Tensor, ...],
    attributes: tuple[Any, ...],
    shape: tuple[int, ...],
    dtype: DType,
) -> Tensor | None:
    """Call a composite, in the type in which it computes; the result has the asked type."""
    if composite.in_float32 and inputs[0].dtype.name in _NARROW:
        inputs = tuple(_core.astype(x, _core.dtypes["float32"]) for x in inputs)
    more: dict[str, Any] = {"shape": shape} if composite.shaped else {}
    made = composite.function(*inputs, *attributes, **more)
    return None if made is None else _core.astype(made, dtype, False)
