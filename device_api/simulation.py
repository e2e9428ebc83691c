# SPDX-License-Identifier: Apache-2.0
"""Simulated chips: ask for them, steer them, break them, read what they saw.

A plugin may bring simulated libraries of its vendor, which its real adapter opens like the real
ones. They are used only on request, before the type's first use in the process:
``DEVICE_API_SIMULATE=type,type`` or ``enable("type", devices=2, memory="4GiB", seed=0)``. A
simulated device says so in its name.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from device_api import _core, errors, plugins
from device_api._simctl import Control, Fault, Launch, Memory

if TYPE_CHECKING:
    from device_api.hookspecs import Simulator

__all__ = [
    "Control", "Fault", "Launch", "Memory", "Setup", "active", "control", "disable", "enable",
    "inject", "launch_count", "launch_log", "requested",
]  # fmt: skip

_UNITS = {"": 1, "b": 1}
for _power, _letter in enumerate("kmgt", start=1):
    _UNITS |= {f"{_letter}ib": 1024**_power, f"{_letter}b": 1000**_power, _letter: 1024**_power}


@dataclass(frozen=True)
class Setup:
    """What was asked for: number of devices (0 = the vendor's), bytes each (0 = same), seed."""

    devices: int = 0
    memory: int = 0
    seed: int = 0
    name_suffix: str = ""


_asked: dict[str, Setup] = {}
_refused: set[str] = set()
_controls: dict[str, Control] = {}


def parse_bytes(size: int | str) -> int:
    """Return a size in bytes: a number, or a text as "4GiB" or "512 MB"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(size).lower())
    if match is None or match.group(2) not in _UNITS:
        raise errors.InvalidArgumentError(
            f"not a size of memory: {size!r}", "write a number of bytes, or as '4GiB'"
        )
    return int(float(match.group(1)) * _UNITS[match.group(2)])


def enable(
    device_type: str,
    *,
    devices: int | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    name_suffix: str = "",
) -> None:
    """Ask for simulated devices of a type; before the type is first used in this process.

    ``devices``: how many, 0 for a machine without one; ``memory``: bytes of each, or as "4GiB";
    ``seed``: of schedule and faults. Raises PluginError when it is too late, InvalidArgumentError
    for bad numbers, and what ``plugins.find`` raises for a type without a plugin.
    """
    device_type = plugins.canonical(device_type)
    plugins.find(device_type)
    if devices is not None and not 0 <= devices <= 64:
        raise errors.InvalidArgumentError(f"{devices} simulated devices", "give 0 to 64")
    none_or_default = -1 if devices == 0 else devices or 0
    size = 0 if memory is None else parse_bytes(memory)
    setup = Setup(none_or_default, size, seed, name_suffix)
    if device_type in _core.loaded_types():
        if active(device_type) and _asked.get(device_type, Setup()) == setup:
            return
        kind = "simulated, with other settings" if active(device_type) else "the real one"
        raise errors.PluginError(
            f"too late to simulate {device_type}: it is in use in this process ({kind})",
            "call simulation.enable before the first use of the type, "
            f"or start with DEVICE_API_SIMULATE={device_type}",
            device=device_type,
        )
    _asked[device_type] = setup
    _refused.discard(device_type)


def disable(device_type: str) -> None:
    """Take a request back, also that of the environment; before the type is first used."""
    device_type = plugins.canonical(device_type)
    if active(device_type):
        raise errors.PluginError(
            f"too late: simulated {device_type} is in use in this process",
            "start a new process",
            device=device_type,
        )
    _asked.pop(device_type, None)
    _refused.add(device_type)


def _environment() -> set[str]:
    names = os.environ.get("DEVICE_API_SIMULATE", "").split(",")
    return {plugins.canonical(name.strip()) for name in names if name.strip()}


def requested(device_type: str) -> bool:
    """Tell whether simulation of a type is asked for, by ``enable`` or the environment."""
    if device_type in _asked:
        return True
    return device_type in _environment() and device_type not in _refused


def requests() -> list[str]:
    """Return the types whose simulation is asked for."""
    return sorted(set(_asked) | {t for t in _environment() if t not in _refused})


def active(device_type: str) -> bool:
    """Tell whether a type is in use in this process and its devices are simulated."""
    device_type = plugins.canonical(device_type)
    return device_type in _controls and device_type in _core.loaded_types()


def prepare(device_type: str, simulator: Simulator | None) -> dict[str, str]:
    """Set up a type's simulated devices; return the options with which its backend finds them.

    Called when a plugin is loaded. Empty when simulation of the type is not asked for.
    """
    if not requested(device_type):
        return {}
    if not simulator:
        raise errors.PluginBrokenError(
            f"simulation of {device_type} is asked for, but its plugin brings no simulator",
            "unset DEVICE_API_SIMULATE for this type, or use a plugin with a simulator",
            device=device_type,
        )
    controlled = Control(simulator["control"], device_type)
    setup = _asked.get(device_type, Setup())
    controlled.setup(setup.devices, setup.memory, setup.seed, setup.name_suffix)
    _controls[device_type] = controlled
    return dict(simulator.get("options") or {})


def control(device_type: str) -> Control:
    """Return the controls of a type's simulated devices, loading the plugin if need be.

    Raises PluginError when the type is not simulated.
    """
    device_type = plugins.canonical(device_type)
    if requested(device_type):
        plugins.load(device_type)
    if not active(device_type):
        raise errors.PluginError(
            f"{device_type} is not simulated in this process",
            f"simulation.enable({device_type!r}) before its first use, "
            f"or DEVICE_API_SIMULATE={device_type}",
            device=device_type,
        )
    return _controls[device_type]


def launch_log(device_type: str, kinds: str = "kernel") -> list[Launch]:
    """Return what the simulated devices ran, oldest first; the newest 65,536 entries are kept.

    ``kinds``: "kernel", "copy", "fill", "host", "event", several of them with commas, or "all".
    """
    return control(device_type).launch_log(kinds)


def launch_count(device_type: str, kinds: str = "kernel") -> int:
    """Return how many launches of these kinds the simulated devices saw."""
    return control(device_type).launch_count(kinds)


def inject(
    device_type: str,
    kind: str,
    *,
    op: str = "",
    device: int = -1,
    skip: int = 0,
    count: int = 1,
    probability: float = 1.0,
    value: float = 0.0,
    seed: int = 0,
    code: int = 0,
) -> Fault:
    """Break the simulated devices on purpose; a ``with`` block mends them at its end.

    ``kind``: "out_of_memory", "launch", "async", "device_lost", "wrong_result", "corrupt_copy",
    "hang", "ecc" or "slow". ``op``: pattern of vendor operator names; ``device``: index, -1 for
    any; ``skip`` matching tasks pass, then ``count`` are struck (0: all), each with a probability.
    ``value``: factor of "slow", relative change of "wrong_result". ``code``: the vendor error.
    """
    return control(device_type).inject(
        kind,
        op=op,
        device=device,
        skip=skip,
        count=count,
        probability=probability,
        value=value,
        seed=seed,
        code=code,
    )
