# SPDX-License-Identifier: Apache-2.0
"""What ``devices`` and ``doctor`` find: every type probed in a child process of its own.

A plugin that crashes, hangs or prints is one line of the result; this process loads none.
"""

from __future__ import annotations

import json
import platform
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata

from device_api import _clashes, _metadata, errors, plugins
from device_api.cli.probe import Finding

_TIMEOUT_S = 60.0


def _child(device_type: str) -> Finding:
    command = [sys.executable, "-m", "device_api.cli.probe", device_type]
    origin = plugins.find(device_type).origin
    again = f"to see it happen: {' '.join(command)}"
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_TIMEOUT_S,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        cause = f"the plugin hangs while it is loaded (more than {_TIMEOUT_S:.0f} s)"
        return Finding(device_type, "broken", origin, cause, again)
    lines = ended.stdout.strip().splitlines()
    if ended.returncode == 0 and lines:
        try:
            return Finding(**json.loads(lines[-1]))
        except (ValueError, TypeError):
            cause = f"the probe printed something else: {lines[-1][:200]}"
            return Finding(device_type, "broken", origin, cause, again)
    said = (ended.stderr.strip().splitlines() or [""])[-1]
    cause = f"the plugin {how_it_ended(ended.returncode)} while it is loaded"
    return Finding(device_type, "broken", origin, f"{cause}: {said}" if said else cause, again)


def how_it_ended(code: int) -> str:
    """Return how a process with this exit code ended, in words that follow its name."""
    if code >= 0:
        return f"ends the process with exit code {code}"
    try:
        return f"crashes ({signal.Signals(-code).name})"
    except ValueError:
        return f"crashes (signal {-code})"


def probe(device_type: str) -> Finding:
    """Return what is known of a type; a child process is started only if a plugin is installed."""
    try:
        return _child(device_type)
    except errors.DeviceApiError as error:
        missing = isinstance(error, errors.PluginNotInstalledError | errors.UnknownDeviceError)
        state = plugins.State.NOT_INSTALLED if missing else plugins.State.BROKEN
        return Finding(device_type, state.value, cause=error.cause, remedy=error.remedy)


def probe_all() -> list[Finding]:
    """Return what is known of every type, "cpu" first."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(probe, _metadata.known_types()))


def warnings(findings: list[Finding]) -> list[str]:
    """Return what could go wrong though no plugin is broken."""
    from device_api import simulation

    told: list[str] = []
    for device_type, found in _metadata.installed().items():
        if len(found) > 1:
            names = " and ".join(p.origin for p in found)
            told.append(f"several plugins for {device_type}: {names}; uninstall all but one")
    installed = set(_metadata.installed())
    for device_type in simulation.requests():
        if device_type not in installed:
            told.append(
                f"DEVICE_API_SIMULATE names {device_type}, for which no plugin is installed"
            )
    told += _clashes.twice_on_path()
    for finding in findings:
        told += [f"{finding.type}: {text}" for text in finding.known_bad]
        told += [
            f"{finding.type}: two files of one library are mapped, so that one may be taken for "
            f"the other: {text}"
            for text in finding.conflicts
        ]
    return told


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that belong together."""
    found = {"Python": platform.python_version()}
    names = {p.distribution for plugins in _metadata.installed().values() for p in plugins}
    for name in ("device-api", "device-api-abi", *sorted(names), "numpy"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed as a package"
    return found
