# SPDX-License-Identifier: Apache-2.0
"""Devices with a planted defect: the suite's own test objects.

`libdevice_api_planted.so` puts itself between a plugin and its host: it opens the plugin's library,
takes its table and changes what one plant says. To the suite it is a device like any other. A plant
is chosen by its id; ``DEVICE_API_CONFORMANCE_PLANT`` names it for worker processes.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from device_api import _core, plugins, simulation
from device_api_abi.optable import DTYPES, dtype_mask
from device_api_conformance.device_handle import DeviceHandle, with_companion

VARIABLE = "DEVICE_API_CONFORMANCE_PLANT"
"""Names the plant of a worker process."""
HANDLE = "device_api_conformance.planted:open_planted"
"""The factory of planted devices, as `certify --handle` takes it."""
LIBRARY = Path(__file__).parent / "lib" / "libdevice_api_planted.so"


class PlantError(ValueError):
    """A plant that cannot be put in place: why."""


@dataclass(frozen=True)
class Plant:
    """One planted defect: id, letter of the chapter that has to see it, words, public source, ops.

    `ops` are the ops that it may change; none: it is no defect of single ops. `dtypes` are the
    types of the key operand that it may change; none: all.
    """

    id: str
    chapter: str
    words: str
    source: str
    ops: tuple[str, ...]
    dtypes: tuple[str, ...] = ()


@cache
def _library() -> ctypes.CDLL:
    if not LIBRARY.is_file():
        raise PlantError(f"{LIBRARY} is missing: install device-api-conformance from its wheel")
    found = ctypes.CDLL(str(LIBRARY), mode=os.RTLD_LOCAL)
    found.planted_error.restype = ctypes.c_char_p
    found.planted_strikes.restype = ctypes.c_uint64
    found.planted_types.restype = ctypes.c_uint64
    found.planted_prepare.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64]
    return found


def plants() -> list[Plant]:
    """All plants in their order."""
    found: list[Plant] = []
    texts = [ctypes.c_char_p() for _ in range(4)]
    letter = ctypes.c_char()
    row = _library().planted_row
    while row(len(found), ctypes.byref(texts[0]), ctypes.byref(letter), ctypes.byref(texts[1]),
              ctypes.byref(texts[2]), ctypes.byref(texts[3])) == 0:  # fmt: skip
        name, words, source, ops = (text.value.decode() if text.value else "" for text in texts)
        mask = _library().planted_types(len(found))
        types = tuple(n for n in DTYPES if dtype_mask((n,)) & mask)
        found.append(Plant(name, letter.value.decode(), words, source, tuple(ops.split()), types))
    return found


def put(device_type: str, plant: str, seed: int = 0) -> None:
    """Load a type's plugin with a plant in it; before the first use of the type in the process.

    Raises:
        PlantError: no such plant, or the type is in use.
    """
    kind = plugins.canonical(device_type)
    if kind in plugins.loaded():
        raise PlantError(f"{kind} is in use in this process: plant in a new one")
    backend = plugins.describe(kind)
    library = _library()
    if library.planted_prepare(os.fsencode(backend["library"]), plant.encode(), seed):
        raise PlantError(library.planted_error().decode(errors="replace"))
    options = dict(backend.get("options") or {})
    options |= simulation.prepare(kind, backend.get("simulator"))
    if kind != plugins.HOST_TYPE:
        plugins.load(plugins.HOST_TYPE)  # as for every other type: host memory has its owner
    _core.load_backend(kind, str(LIBRARY), options)


def strikes() -> int:
    """How often the plant of this process has struck."""
    return int(_library().planted_strikes())


class _Planted(DeviceHandle):
    def notes(self) -> dict[str, Any]:
        return {"strikes": strikes()}


def open_planted(device: str) -> DeviceHandle:
    """A handle of a device whose plugin has the plant that the environment names."""
    plant = os.environ.get(VARIABLE, "")
    if not plant:
        raise PlantError(f"{VARIABLE} names no plant (`device-api plants --list`)")
    with_companion(device)
    put(device.partition(":")[0], plant)
    return _Planted(device)
