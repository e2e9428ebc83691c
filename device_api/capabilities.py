# SPDX-License-Identifier: Apache-2.0
"""What the namespace and each device can do: ``__array_namespace_info__`` and native ops.

Source: Python array API standard 2025.12, "Inspection".
"""

from __future__ import annotations

import functools
from typing import Any, Literal, TypeAlias, TypedDict

from device_api import _core, dtypes, errors
from device_api.devices import (
    Device,
    DeviceLike,
    as_device,
    current_device,
    get_available_device,
    usable_device,
)

Support: TypeAlias = Literal["native", "composed", "fallback", "none"]


class NativeOp(TypedDict):
    """A native op of a device: data types of its key operand and of the others, and flags."""

    dtypes: list[str]
    others: list[str]
    flags: list[str]


def native_ops(device: DeviceLike | None = None) -> dict[str, NativeOp]:
    """Return the ops of which a device (default: the current one) has kernels of its own."""
    found = current_device() if device is None else as_device(device)
    return {
        name: NativeOp(
            dtypes=list(op["dtypes"]), others=list(op["others"]), flags=list(op["flags"])
        )
        for name, op in _core.ops(found).items()
    }


def op_support(device: DeviceLike | None = None) -> dict[str, dict[str, Support]]:
    """Return how a device (default: the current one) runs each op, by type of its key operand.

    "native": a kernel of the device; "composed": other ops of the device; "fallback": the CPU, if
    the fallback policy allows it; "none": not at all. The ops are those of the op table, of which
    the namespace is made. Loads the device's plugin.
    """
    found = usable_device(current_device() if device is None else device)
    return {op: dict(by_type) for op, by_type in _support(found).items()}


@functools.cache
def _support(device: Device) -> dict[str, dict[str, Support]]:
    host = usable_device("cpu")
    return {
        op: {dtype: _way(device, host, op, dtype) for dtype in facts["dtypes"]}
        for op, facts in _core.op_info().items()
    }


def _way(device: Device, host: Device, op: str, dtype: str) -> Support:
    from device_api.composites import available

    if _core.has_op(device, op, dtype):
        return "native"
    if available(device, op, dtype):
        return "composed"
    return "fallback" if device != host and available(host, op, dtype) else "none"


def _named(device: DeviceLike | None) -> None:
    """Raise UnknownDeviceError for what names no device; loads nothing."""
    if device is not None:
        as_device(device)


class NamespaceInfo:
    """The answers of ``__array_namespace_info__()``."""

    def capabilities(self, *, device: DeviceLike | None = None) -> dict[str, Any]:
        """Return what the namespace can do on a device (default: the current one).

        The standard's keys: boolean indexing, data-dependent shapes, ranks. Beyond it "ops": how
        the device runs each op, as ``op_support`` tells.
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 32,
            "ops": op_support(device),
        }

    def native(self, op: str, dtype: Any, *, device: DeviceLike | None = None) -> bool:
        """Tell whether a device (default: the current one) has its own kernel of an op for a type.

        Raises InvalidArgumentError for an op that the op table does not have.
        """
        if op not in _core.op_info():
            raise errors.InvalidArgumentError(
                f"no op is called {op!r}", "the keys of device_api.op_support() are the ops"
            )
        found = usable_device(current_device() if device is None else device)
        return _core.has_op(found, op, dtypes.as_dtype(dtype))

    def default_device(self) -> Device:
        """Return the current device, on which functions without ``device=`` create arrays."""
        return current_device()

    def default_dtypes(self, *, device: DeviceLike | None = None) -> dict[str, dtypes.DType]:
        """Return the default types; they are the same on every device."""
        _named(device)
        return {
            "real floating": dtypes.default_float,
            "complex floating": dtypes.default_complex,
            "integral": dtypes.default_int,
            "indexing": dtypes.default_int,
        }

    def dtypes(
        self, *, device: DeviceLike | None = None, kind: Any = None
    ) -> dict[str, dtypes.DType]:
        """Return the standard types that arrays on a device can have, by name, of a kind if given.

        Every type can be stored on every device; which ops run natively tells ``native_ops``.
        """
        _named(device)
        standard = (d for d in dtypes.ALL if d not in (dtypes.bfloat16, dtypes.float16))
        return {d.name: d for d in standard if kind is None or dtypes.isdtype(d, kind)}

    def devices(self) -> tuple[Device, ...]:
        """Return all usable devices; loads every installed plugin."""
        return tuple(as_device(name) for name in get_available_device())


def __array_namespace_info__() -> NamespaceInfo:
    """Return an object that tells capabilities, devices and data types."""
    return NamespaceInfo()
