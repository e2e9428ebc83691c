# SPDX-License-Identifier: Apache-2.0
"""How the ops of the table are called in the array API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device_api_abi import optable
from device_api_conformance.tensor_handle import Unsupported

Call = Callable[[Any, list[Any], dict[str, Any]], Any]
"""(namespace, arrays, attributes) -> array."""


def known(xp: Any) -> dict[str, Call]:
    """Calls of the ops that a namespace has, by op."""
    found: dict[str, Call] = {}
    for op in optable.load():
        name = _NAMES.get(op.name, op.api)
        if name and hasattr(xp, name):
            found[op.name] = _SPECIAL.get(op.name) or _BY_KIND.get(op.kind, _plain)(name)
    return found


_NAMES = {"copy": "asarray", "magnitude": "abs"}
"""Names of ops that the op table has no name of the array API for."""


def _plain(name: str) -> Call:
    return lambda xp, x, a: getattr(xp, name)(*x)


def _reduction(name: str) -> Call:
    return lambda xp, x, a: getattr(xp, name)(x[0], axis=tuple(a["axes"]))


def _arg_reduction(name: str) -> Call:
    return lambda xp, x, a: getattr(xp, name)(x[0], axis=a["axes"][0])


def _typed(name: str) -> Call:
    """A fold whose result keeps the type: the array API widens small integers otherwise."""

    def call(xp: Any, x: list[Any], a: dict[str, Any]) -> Any:
        axis = tuple(a["axes"]) if "axes" in a else a["axis"]
        return getattr(xp, name)(x[0], axis=axis, dtype=x[0].dtype)

    return call


def _sort(name: str) -> Call:
    def call(xp: Any, x: list[Any], a: dict[str, Any]) -> Any:
        down = bool(a["descending"])
        return getattr(xp, name)(x[0], axis=a["axis"], descending=down, stable=True)

    return call


def _iota(xp: Any, x: list[Any], a: dict[str, Any]) -> Any:
    (n,) = a["shape"]
    start, step, kind = a["start"], a["step"], getattr(xp, a["dtype"])
    stop = start + n * step
    if isinstance(stop, int) and not 0 <= stop + 2**63 < 2**64:
        raise Unsupported("an end beyond 64 bits with sign, which arange need not take")
    return xp.arange(start, stop, step, dtype=kind)


def _search(xp: Any, x: list[Any], a: dict[str, Any]) -> Any:
    return xp.searchsorted(x[0], x[1], side="right" if a["right"] else "left")


_BY_KIND: dict[str, Callable[[str], Call]] = {
    "reduce": _reduction,
    "arg_reduce": _arg_reduction,
    "scan": _typed,
    "sort": _sort,
}

_SPECIAL: dict[str, Call] = {
    "cast": lambda xp, x, a: xp.astype(x[0], getattr(xp, a["dtype"])),
    "copy": lambda xp, x, a: xp.asarray(x[0], copy=True),
    "fill": lambda xp, x, a: xp.full(a["shape"], a["value"], dtype=getattr(xp, a["dtype"])),
    "iota": _iota,
    "sum": _typed("sum"),
    "prod": _typed("prod"),
    "take_along_axis": lambda xp, x, a: xp.take_along_axis(x[0], x[1], axis=a["axis"]),
    "searchsorted": _search,
}
