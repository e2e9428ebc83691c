# SPDX-License-Identifier: Apache-2.0
"""Simulated chips: ask for them, steer them, break them, read what they saw.

A plugin may bring simulated libraries of its vendor, which its real adapter opens like the real
ones. They are used only on request, before the type's first use in the process:
``DEVICE_API_SIMULATE=type,type`` (``type=2``: two devices) or ``enable("type", devices=2,
memory="4GiB", seed=0)``. A simulated device says so in its name.
"""

from __future__ import annotations

import os
from pathlib import Path

from device_api import _core, _simulated, errors, plugins
from device_api._simctl import Control, Fault, Launch, Memory
from device_api._simulated import Setup, active, prepare, requested, requests, setup_of
from device_api._sizes import parse_bytes

__all__ = [
    "Control", "Fault", "Launch", "Memory", "Setup", "active", "chips", "control", "disable",
    "enable", "inject", "launch_count", "launch_log", "parse_bytes", "prepare", "requested",
    "requests", "scenario", "set_telemetry", "setup_of",
]  # fmt: skip


def enable(
    device_type: str,
    *,
    devices: int | None = None,
    memory: int | str | None = None,
    seed: int = 0,
    name_suffix: str = "",
    chip: str | os.PathLike[str] | None = None,
) -> None:
    """Ask for simulated devices of a type; before the type is first used in this process.

    ``devices``: how many, 0 for a machine without one; ``memory``: bytes of each, or as "4GiB";
    ``seed``: of schedule and faults; ``chip``: the name of one of ``chips(device_type)`` or the
    path of a chip file (docs/chips.md), instead of the environment's choice. Raises PluginError
    when it is too late, InvalidArgumentError for bad numbers and for a chip that is not there, and
    what ``plugins.find`` raises for a type without a plugin.
    """
    device_type = plugins.canonical(device_type)
    plugins.find(device_type)
    if devices is not None and not 0 <= devices <= _simulated.MOST:
        raise errors.InvalidArgumentError(
            f"{devices} simulated devices", f"give 0 to {_simulated.MOST}"
        )
    none_or_default = -1 if devices == 0 else devices or 0
    size = 0 if memory is None else parse_bytes(memory)
    setup = Setup(none_or_default, size, seed, name_suffix, _chip(device_type, chip))
    if device_type in _core.loaded_types():
        if active(device_type) and _simulated.asked.get(device_type, Setup()) == setup:
            return
        kind = "simulated, with other settings" if active(device_type) else "the real one"
        raise errors.PluginError(
            f"too late to simulate {device_type}: it is in use in this process ({kind})",
            "call simulation.enable before the first use of the type, "
            f"or start with DEVICE_API_SIMULATE={device_type}",
            device=device_type,
        )
    _simulated.asked[device_type] = setup
    _simulated.refused.discard(device_type)


def chips(device_type: str) -> dict[str, Path]:
    """Return the chips that a type's simulator brings, by name: the path of the file of each.

    Nothing is loaded. Empty for a type without a simulator, or whose simulator has one chip only.
    Raises what ``plugins.find`` raises for a type without a plugin.
    """
    simulator = plugins.describe(device_type).get("simulator")
    if not simulator:
        return {}
    folder = Path(simulator["control"]).parent / "chips"
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


def _chip(device_type: str, chip: str | os.PathLike[str] | None) -> str:
    """Return a chip as the simulator wants it: a name, or the absolute path of a file."""
    if chip is None:
        return ""
    text = os.fspath(chip)
    if isinstance(chip, str) and "/" not in text and not text.endswith(".toml"):
        known = chips(device_type)
        if text in known:
            return text
        raise errors.InvalidArgumentError(
            f"no simulated chip {text!r} of type {device_type}",
            f"use one of {', '.join(known) or 'none (it has one only)'}, or a chip file's path",
            device=device_type,
        )
    if not os.path.isfile(text):
        raise errors.InvalidArgumentError(
            f"no chip file {text}", "give the path of a file as docs/chips.md describes"
        )
    return os.path.abspath(text)


def disable(device_type: str) -> None:
    """Take a request back, also that of the environment; before the type is first used."""
    device_type = plugins.canonical(device_type)
    if active(device_type):
        raise errors.PluginError(
            f"too late: simulated {device_type} is in use in this process",
            "start a new process",
            device=device_type,
        )
    _simulated.asked.pop(device_type, None)
    _simulated.refused.add(device_type)


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
    return _simulated.controls[device_type]


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
    stream: int = 0,
    skip: int = 0,
    count: int | None = None,
    probability: float = 1.0,
    value: float | None = None,
    seed: int = 0,
    code: int = 0,
    min_bytes: int | str = 0,
    max_bytes: int | str = 0,
    after: float = 0.0,
    until: float = 0.0,
) -> Fault:
    """Break the simulated devices on purpose; the fault tells its ``strikes``, ``remove`` mends it.

    A ``with`` block mends it at its end. ``kind``: see docs/faults.md, which shows what each does:
    "out_of_memory", "launch", "async", "ecc", "hang", "device_lost", "slow", "slow_link",
    "wrong_result", "corrupt_copy", "telemetry", "telemetry_short", "telemetry_stale" or
    "collective". What is struck: ``op``, a pattern (``*``, ``?``) of the vendor's names of
    operators, copies ("memcpy_h2d", "memcpy_d2h", "memcpy_p2p" ...), fills ("memset") or calls;
    ``device``, an index, -1 for any; ``stream``, its number in the launch log, 0 for any;
    ``min_bytes`` to ``max_bytes``, of operands, copies or allocations, 0 for no limit; from
    ``after`` to ``until`` seconds (0: for good) of the host's clock from now on. ``skip`` of these
    pass, then ``count`` are struck (0: all; default 1, but all for the slow ones), each with a
    ``probability`` above 0, drawn from ``seed`` (0: that of the set-up). ``value``: factor of the
    slow ones; relative change of "wrong_result" (default 0.01); not 0: a "collective" hangs
    instead of failing. ``code``: the vendor's error code to report instead of the usual one.
    Raises InvalidArgumentError for values that make no sense, PluginError when the type is not
    simulated.
    """
    return control(device_type).inject(
        kind, op=op, device=device, stream=stream, skip=skip, count=count,
        probability=probability, value=value, seed=seed, code=code, min_bytes=min_bytes,
        max_bytes=max_bytes, after=after, until=until,
    )  # fmt: skip


def scenario(path: str | os.PathLike[str]) -> None:
    """Set up, steer and break simulated devices as a scenario file says (docs/faults.md).

    Asks for the types that it names, as ``enable`` does, so call it before their first use; of a
    type in use with the same set-up, schedule, checks and faults are applied at once.
    ``DEVICE_API_SIM_SCENARIO=path`` does this at the start of a program. Raises
    InvalidArgumentError that names file, key, cause and remedy, and what ``enable`` raises.
    """
    from device_api import _scenario

    for device_type, asked in _scenario.read(path).items():
        enable(device_type, **asked.setup)
        if active(device_type):
            asked.apply(control(device_type))
        else:
            _simulated.scenarios[device_type] = asked


def set_telemetry(
    device_type: str,
    device: int = -1,
    *,
    ambient: float | None = None,
    load: float | None = None,
    advance: float = 0.0,
    ecc_corrected: int = 0,
    ecc_uncorrected: int = 0,
    code: int | None = None,
    severity: int = 0,
) -> None:
    """Choose what the sensors of simulated devices see; ``device``: index, -1 for all.

    ``ambient``: temperature of the air, degrees Celsius. ``load``: of the compute units from now
    on, 0 to 1; a negative one: as measured again. ``ecc_corrected``, ``ecc_uncorrected``: errors
    to count; one of the latter is a critical state until the device is reset. ``code``: an alarm
    of the vendor's number, with ``severity`` 1 minor, 2 major, 3 critical, 0 ends it (code 0: all).
    Then ``advance`` seconds pass at once for temperature and clock. Raises InvalidArgumentError
    for figures that make no sense or a device that is not there.
    """
    from device_api._simctl_telemetry import set_telemetry as apply

    apply(
        control(device_type), device, ambient=ambient, load=load, advance=advance,
        ecc_corrected=ecc_corrected, ecc_uncorrected=ecc_uncorrected, code=code, severity=severity,
    )  # fmt: skip
