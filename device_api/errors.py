# SPDX-License-Identifier: Apache-2.0
"""The exceptions of device_api: one hierarchy, each with its cause and its remedy.

Every exception derives from :class:`DeviceApiError` and, where Python has a matching built-in
(``ValueError``, ``IndexError``, ``MemoryError`` ...), from that too.
"""

from __future__ import annotations

from typing import Any


class FallbackWarning(UserWarning):
    """An operation ran on the CPU because its device lacks it (once per op and dtype)."""


class DeviceApiError(Exception):
    """Base of all exceptions of this package.

    Attributes: ``cause`` (what went wrong), ``remedy`` (what to do, may be empty), ``op`` and
    ``device`` (names, or None), ``stream`` (the ``id`` of the stream concerned, or None),
    ``vendor_code`` and ``vendor_text`` (what the vendor's library said, or None and ""),
    ``status`` (the number of the C status code, or None).
    """

    def __init__(
        self,
        cause: str,
        remedy: str = "",
        *,
        op: str | None = None,
        device: str | None = None,
        vendor_code: int | None = None,
        vendor_text: str = "",
        status: int | None = None,
        stream: int | None = None,
    ) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy
        self.op = op or None
        self.device = device or None
        self.vendor_code = vendor_code
        self.vendor_text = vendor_text
        self.status = status
        self.stream = stream or None

    def __str__(self) -> str:
        lines = [self.cause]
        if self.vendor_code or self.vendor_text:
            told = f": {self.vendor_text}" if self.vendor_text else ""
            lines.append(f"The vendor's library said {self.vendor_code}{told}")
        if self.remedy:
            lines.append(f"Remedy: {self.remedy}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(self.__dict__))


def _rebuild(kind: type[DeviceApiError], state: dict[str, Any]) -> DeviceApiError:
    error = kind(state["cause"])
    error.__dict__.update(state)
    return error


class InvalidArgumentError(DeviceApiError, ValueError):
    """An argument breaks a rule of the function."""


class CopyNeededError(InvalidArgumentError, BufferError):
    """``copy=False`` was asked for what cannot be had without a copy."""


class NoInterchangeError(DeviceApiError, AttributeError, TypeError):
    """An object of another library has no DLPack methods, by which arrays are exchanged."""


class ShapeError(InvalidArgumentError):
    """Shapes do not fit each other or the operation."""


class DTypeError(DeviceApiError, TypeError):
    """The operation is not defined for these data types."""


class DeviceMismatchError(InvalidArgumentError):
    """Operands lie on different devices."""


class OutOfRangeError(DeviceApiError, IndexError):
    """An index or an axis is out of range."""


class DeviceIndexError(DeviceApiError, IndexError):
    """A device of that index does not exist."""


class OutOfMemoryError(DeviceApiError, MemoryError):
    """The device has not enough memory; says how much was asked, what is free and who holds it."""


class NotSupportedError(DeviceApiError):
    """Valid, but not available on this device."""


class FallbackError(NotSupportedError):
    """The device lacks the operation and the fallback policy forbids the CPU."""


class DeviceLostError(DeviceApiError):
    """The device is gone until it is reset; what was in its memory is lost."""


class DeviceTimeoutError(DeviceApiError, TimeoutError):
    """The time given ran out; the work goes on."""


class HardwareFaultError(DeviceApiError):
    """The device reported a hardware fault (ECC and kin); recent results are suspect."""


class BusyError(DeviceApiError):
    """The resource is in use, possibly by another process."""


class VersionMismatchError(DeviceApiError):
    """Two parts were built for versions that do not fit."""


class InternalError(DeviceApiError):
    """Something failed inside the vendor's software, or inside this package."""


class ForkedError(DeviceApiError):
    """An accelerator is used in a child process after fork(); start the child with spawn."""


class PluginError(DeviceApiError):
    """A device type cannot be used because of its plugin."""


class PluginNotInstalledError(PluginError):
    """The device type is known, but no plugin for it is installed."""


class DuplicatePluginError(PluginError):
    """Several installed distributions offer a plugin for one device type."""


class PluginBrokenError(PluginError):
    """A plugin is installed but cannot be loaded."""


class NoDriverError(PluginError):
    """The vendor's library or driver is not on this machine."""


class NoDeviceError(PluginError):
    """The plugin works but finds no device."""


class DataNotFoundError(DeviceApiError, FileNotFoundError):
    """A file of data that a program needs is absent."""


class UnknownDeviceError(DeviceApiError, ValueError):
    """No such device type is known, or the device name cannot be read."""


def not_an_array(x: object, function: str) -> DTypeError:
    """Make the exception for something that should be an array of this package."""
    return DTypeError(
        f"{function}: expected a Tensor, not {type(x).__name__}",
        "make an array of it with device_api.asarray",
        op=function,
    )


# What the native core calls its errors -> the class raised for it.
_KINDS: dict[str, type[DeviceApiError]] = {
    "invalid_argument": InvalidArgumentError,
    "out_of_memory": OutOfMemoryError,
    "not_supported": NotSupportedError,
    "not_ready": BusyError,
    "device_lost": DeviceLostError,
    "timeout": DeviceTimeoutError,
    "hardware_fault": HardwareFaultError,
    "busy": BusyError,
    "version_mismatch": VersionMismatchError,
    "internal": InternalError,
    "no_driver": NoDriverError,
    "forked": ForkedError,
    "shape": ShapeError,
    "dtype": DTypeError,
    "device_mismatch": DeviceMismatchError,
    "index": OutOfRangeError,
    "fallback": FallbackError,
    "plugin": PluginBrokenError,
    "no_device": NoDeviceError,
    "device_index": DeviceIndexError,
    "unknown_device": UnknownDeviceError,
}

# What to do where the core does not say it more exactly.
_REMEDIES = {
    "invalid_argument": "see the function's documentation",
    "shape": "make the shapes fit, for example with reshape, expand_dims or broadcast_to",
    "dtype": "convert with astype first",
    "device_mismatch": "move one operand: x.to_device(device)",
    "index": "use an index within the bounds",
    "device_index": "see device_api.get_available_device()",
    "out_of_memory": "free arrays, use smaller ones, or another device",
    "not_supported": "use another data type or device",
    "timeout": "wait longer, or see what the device is doing",
    "device_lost": "reset the device, or restart the process",
    "busy": "end what uses the device, then try again",
    "forked": "start child processes with the method 'spawn'",
}


def from_core(
    kind: str,
    message: str,
    remedy: str = "",
    op: str = "",
    device: str = "",
    vendor_code: int = 0,
    vendor_text: str = "",
    status: int = 0,
    stream: int = 0,
) -> DeviceApiError:
    """Make the exception for an error of the native core; unknown kinds give InternalError."""
    return _KINDS.get(kind, InternalError)(
        message,
        remedy or _REMEDIES.get(kind, "see `device-api doctor`"),
        op=op,
        device=device,
        vendor_code=vendor_code or None,
        vendor_text=vendor_text,
        status=status,
        stream=stream,
    )
