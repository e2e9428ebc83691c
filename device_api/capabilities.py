# SPDX-License-Identifier: Apache-2.0
"""What the namespace and each device can do: ``__array_namespace_info__`` and native ops.

Source: Python array API standard 2025.12, "Inspection".
"""

from __future__ import annotations

from typing import Any, TypedDict

from device_api import _core, dtypes
from device_api.devices import Device, DeviceLike, as_device, current_device, get_available_device


class NativeOp(TypedDict):
    """A native op of a device: data types of its key operand and of the others, and flags."""

    dtypes: list[str]
    others: list[str]
    flags: list[str]


def native_ops(device: DeviceLike | None = None) -> dict[str, NativeOp]:
    """Return the ops that a device (default: the current one) runs itself; others fall back."""
    found = current_device() if device is None else as_device(device)
    return {
        name: NativeOp(
            dtypes=list(op["dtypes"]), others=list(op["others"]), flags=list(op["flags"])
        )
        for name, op in _core.ops(found).items()
    }


class NamespaceInfo:
    """The answers of ``__array_namespace_info__()``."""

    def capabilities(self) -> dict[str, Any]:
        """Return what the namespace can do: boolean indexing, data-dependent shapes, ranks."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self) -> Device:
        """Return the current device, on which functions without ``device=`` create arrays."""
        return current_device()

    def default_dtypes(self, *, device: DeviceLike | None = None) -> dict[str, dtypes.DType]:
        """Return the default types; they are the same on every device."""
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
        standard = (d for d in dtypes.ALL if d not in (dtypes.bfloat16, dtypes.float16))
        return {d.name: d for d in standard if kind is None or dtypes.isdtype(d, kind)}

    def devices(self) -> tuple[Device, ...]:
        """Return all usable devices; loads every installed plugin."""
        return tuple(as_device(name) for name in get_available_device())


def __array_namespace_info__() -> NamespaceInfo:
    """Return an object that tells capabilities, devices and data types."""
    return NamespaceInfo()
