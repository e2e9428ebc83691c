# SPDX-License-Identifier: Apache-2.0
"""Which device types are to be simulated, and the controls of those that are.

The part of simulation that the loading of plugins needs; users have ``device_api.simulation``.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from device_api import _core, _metadata, errors
from device_api._sizes import parse_bytes

if TYPE_CHECKING:
    from device_api._scenario import Scenario
    from device_api._simctl import Control
    from device_api.hookspecs import Simulator


MOST = 64
"""Simulated devices that a type can have."""


@dataclass(frozen=True)
class Setup:
    """What was asked for: number of devices (0: the vendor's), bytes each (0: same), seed, chip."""

    devices: int = 0
    memory: int = 0
    seed: int = 0
    name_suffix: str = ""
    chip: str = ""


asked: dict[str, Setup] = {}
refused: set[str] = set()
controls: dict[str, Control] = {}
scenarios: dict[str, Scenario] = {}  # given in this process, to be applied when the type is loaded
_told: set[str] = set()


@cache
def _scenarios_of(path: str) -> dict[str, Scenario]:
    from device_api import _scenario  # only where there is one

    return _scenario.read(path)


def _scenario_of_environment() -> dict[str, Scenario]:
    path = os.environ.get("DEVICE_API_SIM_SCENARIO", "").strip()
    return _scenarios_of(path) if path else {}


def _counts() -> dict[str, str]:
    """The types that DEVICE_API_SIMULATE names, each with its number of devices ("": not told)."""
    found = {}
    for entry in os.environ.get("DEVICE_API_SIMULATE", "").split(","):
        name, _, count = entry.partition("=")
        if name.strip():
            found[_metadata.canonical(name.strip())] = count.strip()
    return found


def _environment() -> set[str]:
    return set(_counts()) | set(_scenario_of_environment())


def requested(device_type: str) -> bool:
    """Tell whether simulation of a type is asked for, by ``enable`` or the environment."""
    if device_type in asked:
        return True
    return device_type in _environment() and device_type not in refused


def requests() -> list[str]:
    """Return the types whose simulation is asked for."""
    return sorted(set(asked) | {t for t in _environment() if t not in refused})


def warn_of_unknown() -> None:
    """Warn, once for each, of names in DEVICE_API_SIMULATE that are no device types."""
    for name in sorted(_environment() - _told):
        _told.add(name)
        known = _metadata.known_types()
        if name not in known:
            warnings.warn(
                f"DEVICE_API_SIMULATE names {name!r}, which is no known device type; known: "
                f"{', '.join(known)}. Remedy: check the spelling, or install the plugin that "
                "provides this type",
                UserWarning,
                stacklevel=2,
            )


def active(device_type: str) -> bool:
    """Tell whether a type is in use in this process and its devices are simulated."""
    device_type = _metadata.canonical(device_type)
    return device_type in controls and device_type in _core.loaded_types()


def _count_of(device_type: str) -> int | None:
    """The number of devices that the environment gives a type; None: none."""
    text = _counts().get(device_type, "")
    if not text:
        return None
    if not text.isdecimal() or int(text) > MOST:
        raise errors.InvalidArgumentError(
            f"DEVICE_API_SIMULATE asks for {device_type}={text}",
            f"after = stands the number of simulated devices, 0 to {MOST}",
            device=device_type,
        )
    return int(text)


def setup_of(device_type: str) -> Setup:
    """What a type's simulated devices are, or will be: by ``enable``, scenario and environment."""
    device_type = _metadata.canonical(device_type)
    if device_type in asked:
        return asked[device_type]
    scenario = scenarios.get(device_type) or _scenario_of_environment().get(device_type)
    given = scenario.setup if scenario is not None else {}
    devices, memory = given.get("devices", _count_of(device_type)), given.get("memory")
    return Setup(
        -1 if devices == 0 else devices or 0,
        parse_bytes(memory) if memory is not None else 0,
        given.get("seed", 0),
        chip=given.get("chip", ""),
    )


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
    from device_api._simctl import Control  # only where something is simulated

    controlled = Control(simulator["control"], device_type)
    scenario = scenarios.get(device_type) or _scenario_of_environment().get(device_type)
    setup = setup_of(device_type)
    if setup.chip:
        controlled.set_chip(setup.chip)
    controlled.setup(setup.devices, setup.memory, setup.seed, setup.name_suffix)
    if faults := os.environ.get("DEVICE_API_SIM_FAULTS"):
        controlled.check_faults(faults)  # the engine puts them in, with the devices
    if scenario is not None:
        scenario.apply(controlled)
    controls[device_type] = controlled
    return dict(simulator.get("options") or {})
