# SPDX-License-Identifier: Apache-2.0
"""What package metadata says of device types: plugins, known types, aliases, install hints.

Reads installed metadata only; nothing here imports a plugin. The groups of entry points:

``device_api``          name = device type, value = the plugin's module (declared by plugins)
``device_api.types``    name = device type, value = the extra of device-api that installs it
``device_api.aliases``  name = another name of a type, value = the type
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import metadata

from device_api import errors

PLUGINS = "device_api"
TYPES = "device_api.types"
ALIASES = "device_api.aliases"
PROJECT = "device-api"


@dataclass(frozen=True)
class Plugin:
    """One installed plugin: its device type, its module, and the distribution that brought it."""

    type: str
    module: str
    distribution: str
    version: str

    @property
    def origin(self) -> str:
        """The distribution's name and version."""
        return f"{self.distribution} {self.version}"


def _plugin(point: metadata.EntryPoint) -> Plugin:
    dist = point.dist
    if dist is None:
        return Plugin(point.name, point.value, "unknown distribution", "")
    return Plugin(point.name, point.value, dist.metadata["Name"] or "unnamed", dist.version)


def installed() -> dict[str, list[Plugin]]:
    """Return the installed plugins of every type; several for one type are a mistake to report.

    Read afresh at each call, so that what pip just installed is seen.
    """
    found: dict[str, list[Plugin]] = {}
    for point in metadata.entry_points(group=PLUGINS):
        plugin = _plugin(point)
        same = found.setdefault(plugin.type, [])
        if plugin not in same:
            same.append(plugin)
    for plugins in found.values():
        plugins.sort(key=lambda p: p.distribution)
    return dict(sorted(found.items()))


@cache
def extras() -> dict[str, str]:
    """Return the known types that an extra of device-api installs: type -> extra."""
    try:
        offered = set(metadata.distribution(PROJECT).metadata.get_all("Provides-Extra") or ())
    except metadata.PackageNotFoundError:
        return {}  # a source tree that was not installed: only plugins are known
    points = metadata.entry_points(group=TYPES)
    return {p.name: p.value for p in points if p.value in offered}


@cache
def aliases() -> dict[str, str]:
    """Return other names of device types: alias -> type. A type's own name is no alias."""
    points = metadata.entry_points(group=ALIASES)
    return {p.name: p.value for p in points if p.name != p.value}


def install_hint(device_type: str) -> str:
    """Return the command that installs a type's plugin, or "" when no extra does."""
    extra = extras().get(device_type)
    return f"pip install '{PROJECT}[{extra}]'" if extra else ""


def known_types() -> list[str]:
    """Return every type that is installed or that an extra installs, "cpu" first."""
    names = set(installed()) | set(extras()) | {"cpu"}
    return ["cpu", *sorted(names - {"cpu"})]


def canonical(device_type: str) -> str:
    """Return a type's own name for an alias; other names are returned as they are."""
    return aliases().get(device_type, device_type)


def find(device_type: str) -> Plugin:
    """Return the one installed plugin of a type, without importing it.

    Raises UnknownDeviceError, PluginNotInstalledError or DuplicatePluginError.
    """
    found = installed().get(device_type, [])
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(p.origin for p in found)
        raise errors.DuplicatePluginError(
            f"several plugins are installed for device type {device_type!r}: {names}",
            f"uninstall all but one of them, for example: pip uninstall {found[-1].distribution}",
            device=device_type,
        )
    if device_type not in known_types():
        raise errors.UnknownDeviceError(
            f"unknown device type {device_type!r}; known: {', '.join(known_types())}",
            "check the spelling, or install the plugin that provides this type",
            device=device_type,
        )
    hint = install_hint(device_type) or f"pip install 'device-api-{device_type}'"
    raise errors.PluginNotInstalledError(
        f"no plugin for device type {device_type!r} is installed", hint, device=device_type
    )
