# SPDX-License-Identifier: Apache-2.0
"""Plugins: finding them by metadata, loading one when its device is first asked for, their states.

A type is in one of five states (:class:`State`). Loading is transactional: a plugin that fails
leaves nothing behind, its error names the cause, and a later request tries again.
"""

from __future__ import annotations

import enum
import importlib
import os
import sys
import threading
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from device_api import _core, _metadata, _simulated, errors
from device_api._metadata import canonical as canonical
from device_api._metadata import find as find

if TYPE_CHECKING:
    import pluggy

    from device_api.hookspecs import Backend

HOST_TYPE = "cpu"
_lock = threading.RLock()
# A child forked while another thread loads a plugin would find the lock taken for ever.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)
_managers: list[pluggy.PluginManager] = []  # at most one; made at the first load
_failures: dict[str, errors.DeviceApiError] = {}


class State(enum.Enum):
    """What can be said of a device type on this machine."""

    NOT_INSTALLED = "not installed"
    NO_DRIVER = "no driver"
    NO_DEVICE = "no device"
    USABLE = "usable"
    BROKEN = "broken"


@dataclass(frozen=True)
class Status:
    """The state of a type, with its cause and remedy unless it is usable."""

    type: str
    state: State
    origin: str = ""  # distribution and version of the plugin
    cause: str = ""
    remedy: str = ""
    devices: int = 0
    simulated: bool = False


def loaded() -> list[str]:
    """Return the types that are loaded, in the order of loading."""
    return list(_core.loaded_types())


def load(device_type: str) -> None:
    """Load a type's plugin unless that is done; raise PluginError (or a subclass) with the cause.

    Nothing of a plugin that fails stays behind: neither its modules nor its hooks.
    """
    if device_type in _core.loaded_types():
        return
    with _lock:
        if device_type in _core.loaded_types():
            return
        _simulated.warn_of_unknown()
        try:
            _load(find(device_type))
        except errors.DeviceApiError as error:
            _failures[device_type] = error
            raise
        _failures.pop(device_type, None)
    if device_type != HOST_TYPE:
        load(HOST_TYPE)  # where ops go that the device lacks


def describe(device_type: str) -> Backend:
    """Return what a type's plugin says of its backend: library, options, simulator; opens nothing.

    Raises what ``find`` raises, and PluginError where the plugin's hook answers wrongly.
    """
    plugin = find(canonical(device_type))
    with _lock:
        return _registered(plugin, importlib.import_module(plugin.module))


def _load(plugin: _metadata.Plugin) -> None:
    before = set(sys.modules)
    module: ModuleType | None = None
    try:
        module = importlib.import_module(plugin.module)
        backend = _registered(plugin, module)
        _open(plugin, backend)
    except Exception as error:
        _roll_back(plugin, module, before)
        # What a user asks of a simulated chip may be wrong, and its plugin whole.
        told = errors.PluginError | errors.VersionMismatchError | errors.InvalidArgumentError
        if isinstance(error, told):
            raise
        raise broken(plugin, error) from error


def broken(plugin: _metadata.Plugin, error: BaseException) -> errors.PluginBrokenError:
    """Make the error of a plugin that cannot be loaded; its headline is the innermost cause."""
    inner: BaseException = error
    while (deeper := inner.__cause__ or inner.__context__) is not None:
        inner = deeper
    text = str(inner).split("\nRemedy:")[0] or type(inner).__name__
    kind = "" if isinstance(inner, errors.DeviceApiError) else f"{type(inner).__name__}: "
    remedy = getattr(error, "remedy", "") or (
        f"reinstall it (pip install --force-reinstall {plugin.distribution}); "
        "`device-api doctor` tells more"
    )
    return errors.PluginBrokenError(
        f"the plugin of device type {plugin.type!r} ({plugin.origin}) cannot be loaded: "
        f"{kind}{text}",
        remedy,
        device=plugin.type,
        vendor_code=getattr(error, "vendor_code", None),
        vendor_text=getattr(error, "vendor_text", ""),
        status=getattr(error, "status", None),
    )


def _manager() -> pluggy.PluginManager:
    if not _managers:
        import pluggy

        from device_api import hookspecs

        manager = pluggy.PluginManager(hookspecs.PROJECT)
        manager.add_hookspecs(hookspecs)
        _managers.append(manager)
    return _managers[0]


def _registered(plugin: _metadata.Plugin, module: ModuleType) -> Backend:
    """Register a plugin's hooks and return what its backend hook says, checked."""
    manager = _manager()
    if not manager.is_registered(module):
        manager.register(module, name=plugin.type)
    others = [p for p in manager.get_plugins() if p is not module]
    answers: list[Any] = manager.subset_hook_caller("device_api_backend", others)()
    if len(answers) != 1 or not isinstance(answers[0], dict):
        raise errors.PluginError(
            f"module {plugin.module} of {plugin.origin} must implement the hook "
            "device_api_backend() and return a dict",
            "see device_api.hookspecs",
            device=plugin.type,
        )
    answer = answers[0]
    library, options = answer.get("library"), answer.get("options") or {}
    if not isinstance(library, str) or not all(
        isinstance(text, str) for pair in options.items() for text in pair
    ):
        raise errors.PluginError(
            f"device_api_backend() of {plugin.origin} must give 'library' as a path and "
            "'options' as texts",
            "see device_api.hookspecs",
            device=plugin.type,
        )
    if not os.path.isfile(library):
        raise errors.PluginBrokenError(
            f"the library of device type {plugin.type!r} ({plugin.origin}) is missing: {library}",
            f"reinstall it: pip install --force-reinstall {plugin.distribution}",
            device=plugin.type,
        )
    return cast("Backend", answer)


def _open(plugin: _metadata.Plugin, backend: Backend) -> None:
    """Hand the backend's library to the core, on its simulated chip when that was asked for."""
    options = dict(backend.get("options") or {})
    options |= _simulated.prepare(plugin.type, backend.get("simulator"))
    try:
        _core.load_backend(plugin.type, backend["library"], options)
    except errors.NoDriverError as error:
        error.remedy = error.remedy or (
            "install the vendor's driver and libraries, or try without a chip: "
            f"DEVICE_API_SIMULATE={plugin.type}"
        )
        raise


def _roll_back(plugin: _metadata.Plugin, module: ModuleType | None, before: set[str]) -> None:
    if module is not None and _managers and _managers[0].is_registered(module):
        _managers[0].unregister(module)
    package = plugin.module.partition(".")[0]
    for name in set(sys.modules) - before:
        if name == package or name.startswith(package + "."):
            del sys.modules[name]


def status(device_type: str) -> Status:
    """Return the state of a type, loading its plugin in this process if need be; never raises.

    A plugin that crashes takes the process with it: ``device-api doctor`` probes in a child.
    """
    device_type = canonical(device_type)
    origin = ""
    try:
        origin = find(device_type).origin
        load(device_type)
        count = _core.device_count(device_type)
    except errors.DeviceApiError as error:
        return Status(device_type, _state_of(error), origin, error.cause, error.remedy)
    if count == 0:
        cause = "the plugin and the driver work, but there is no device"
        remedy = "check that the device is plugged in and visible to this process"
        return Status(device_type, State.NO_DEVICE, origin, cause, remedy)
    return Status(
        device_type, State.USABLE, origin, devices=count, simulated=_simulated.active(device_type)
    )


def _state_of(error: errors.DeviceApiError) -> State:
    table = (
        (errors.PluginNotInstalledError, State.NOT_INSTALLED),
        (errors.UnknownDeviceError, State.NOT_INSTALLED),
        (errors.NoDriverError, State.NO_DRIVER),
        (errors.NoDeviceError, State.NO_DEVICE),
    )
    return next((state for kind, state in table if isinstance(error, kind)), State.BROKEN)


def failures() -> dict[str, errors.DeviceApiError]:
    """Return the types whose last load in this process failed, with the error."""
    return dict(_failures)


def missing_device(device_type: str) -> str:
    """Load the plugin of a type on behalf of the native core; return the type's own name."""
    name = canonical(device_type)
    load(name)
    return name
