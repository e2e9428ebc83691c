# SPDX-License-Identifier: Apache-2.0
"""Steps of a check of one device that look at its surroundings, its memory and its link."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api.devices import Device, get_device_properties

_N = 1 << 20  # words of a copy
_BLOCK, _BLOCKS = 1 << 22, 8  # bytes and number of the blocks of the test by patterns
_ROOM = 256 << 20  # bytes that should be free
_FLOOR = 50e6  # bytes per second that a copy keeps on any link, also a shared one


class Failed(Exception):
    """A step found something wrong."""


def pattern(n: int) -> np.ndarray[Any, Any]:
    """Return bytes that differ in every bit position from their neighbours' sooner or later."""
    return (np.arange(n, dtype=np.uint32) * np.uint32(2654435761)).view(np.uint8)


def simulated(device: Device) -> bool:
    """Whether no chip is behind the device: on request, or as the plugin itself says."""
    from device_api import simulation

    return simulation.active(device.type) or bool(get_device_properties(device)["simulated"])


def versions(device: Device) -> str:
    """The plugin, the vendor's driver and runtime, and what is known against them."""
    from device_api import _clashes

    facts = dict(get_device_properties(device))
    told = _core.backend_info(device.type)
    if bad := _clashes.bad_versions(device.type, facts):
        raise Failed("; ".join(bad))
    contract = ".".join(str(part) for part in told["abi"])
    return (
        f"plugin {told['version']} (contract {contract}), "
        f"driver {facts.get('driver') or 'unknown'}, "
        f"runtime {facts.get('runtime') or 'unknown'}"
    )


def environment(device: Device) -> str:
    """One installation of each stack, and one plugin for the type."""
    from device_api import _clashes, _metadata

    told = _clashes.twice_on_path()
    told += [f"two files of one library are mapped: {text}" for text in _clashes.conflicts()
             if device.type in text or "device_api" in text]  # fmt: skip
    found = _metadata.installed().get(device.type, [])
    if len(found) > 1:
        told.append(f"several plugins for {device.type}: {', '.join(p.origin for p in found)}; "
                    "uninstall all but one")  # fmt: skip
    if told:
        raise Failed("; ".join(told))
    return "one plugin, one stack"


def state(device: Device) -> str:
    """What the device's own sensors say."""
    from device_api import sensors

    try:
        found = sensors.telemetry(device)
    except errors.NotSupportedError:
        return "the device has no sensors that can be read"
    wrong = []
    if found.health == "critical":
        wrong.append(f"the device calls itself critical ({found.health_text or 'no reason given'}):"
                     " take it out of service and ask its vendor")  # fmt: skip
    if found.ecc_uncorrected:
        wrong.append(f"{found.ecc_uncorrected} errors of its memory could not be corrected: reset "
                     "the device; if they come again, have it replaced")  # fmt: skip
    if "hardware" in (found.throttle or ()):
        wrong.append("its hardware slows it down: check power supply and cooling")
    if wrong:
        raise Failed("; ".join(wrong))
    parts = [f"health {found.health or 'not told'}"]
    if found.temperature is not None:
        parts.append(f"{found.temperature:.0f} degrees Celsius")
    if found.throttle:
        parts.append(f"slowed down: {', '.join(sorted(found.throttle))}")
    return ", ".join(parts)


def free_memory(device: Device) -> str:
    told = _core.memory_stats(device)
    free, total = told["free"], told["total"]
    if free < min(_ROOM, total // 2):
        raise Failed(f"only {free >> 20} of {total >> 20} MiB are free: end what holds the rest")
    return f"{free >> 20} of {total >> 20} MiB free"


def memory(device: Device) -> str:
    """Write patterns to all blocks before any is read: stuck bits, and cells with two addresses."""
    words = _BLOCK // 8
    place = np.arange(words, dtype=np.uint64)
    walking = np.uint64(1) << (place % np.uint64(64))
    patterns = {
        "zeros": place * np.uint64(0),
        "ones": ~(place * np.uint64(0)),
        "walking one": walking,
        "walking zero": ~walking,
        "addresses": place * np.uint64(0x9E3779B97F4A7C15),
    }
    for name, pattern in patterns.items():
        hosts = [pattern ^ np.uint64(k if name == "addresses" else 0) for k in range(_BLOCKS)]
        blocks = [_core.from_numpy(host, None, device) for host in hosts]
        wrong = sum(int((b.numpy() != h).sum()) for b, h in zip(blocks, hosts, strict=True))
        if wrong:
            raise Failed(f"pattern {name!r}: {wrong} words came back changed: memory or link is "
                          "faulty, take the device out of service")  # fmt: skip
    return f"{len(patterns)} patterns over {_BLOCKS * _BLOCK >> 20} MiB kept"


def matmul_types(device: Device) -> str:
    """One product of whole numbers, exact in any order, for each type that the device declares."""
    declared = _core.ops(device).get("matmul", {}).get("dtypes", [])
    rng = np.random.default_rng(11)
    a, b = rng.integers(-1, 2, (65, 127)), rng.integers(-1, 2, (127, 33))
    done = []
    for name in declared:
        if name.startswith("complex") or name == "bool":
            continue
        x, y = (_core.from_numpy(_whole(part, name), None, device) for part in (a, b))
        if name.startswith("u"):
            want = np.asarray(np.abs(a) @ np.abs(b))
        else:
            want = np.asarray(a @ b)
        kind = dtypes.float32 if name == "bfloat16" else None
        if kind is not None:
            x, y = (_core.astype(part, dtypes.bfloat16) for part in (x, y))
        got = _core.matmul(x, y)
        found = (_core.astype(got, kind) if kind is not None else got).numpy()
        if wrong := int((found != want).sum()):
            raise Failed(f"{name}: {wrong} of {want.size} elements are wrong")
        done.append(name)
    return f"exact for {', '.join(done)}" if done else "no product is declared"


def _whole(data: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    return (np.abs(data) if name.startswith("u") else data).astype(
        np.float32 if name == "bfloat16" else name
    )


def bandwidth(device: Device) -> str:
    """The best of five copies each way; only a fault is below the floor, not a busy link."""
    host = pattern(2 * _N)
    best = [0.0, 0.0]
    for _ in range(5):
        begin = time.perf_counter()
        there = _core.from_numpy(host, None, device)
        _core.synchronize(device)
        middle = time.perf_counter()
        there.numpy()
        end = time.perf_counter()
        for k, span in enumerate((middle - begin, end - middle)):
            best[k] = max(best[k], host.size / max(span, 1e-9))
    if min(best) < _FLOOR and not simulated(device):
        raise Failed(f"copies run at {best[0] / 1e6:.0f} and {best[1] / 1e6:.0f} MB/s, below "
                      f"{_FLOOR / 1e6:.0f}: check the slot and the link's width")  # fmt: skip
    return f"to the device {best[0] / 1e9:.2f} GB/s, back {best[1] / 1e9:.2f} GB/s"
