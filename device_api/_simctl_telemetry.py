# SPDX-License-Identifier: Apache-2.0
"""What the sensors of simulated chips see: das_control.set_telemetry through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int32, c_uint32, c_uint64

from device_api._simctl import Control
from device_api._simctl_abi import Sized

_AMBIENT, _LOAD, _ECC, _CODE = 1, 2, 4, 8


class Telemetry(Sized):
    _fields_ = (
        ("size", ctypes.c_size_t), ("device", c_int32), ("set", c_uint32), ("ambient_c", c_double),
        ("load", c_double), ("advance_s", c_double), ("ecc_corrected", c_uint64),
        ("ecc_uncorrected", c_uint64), ("code", c_uint32), ("severity", c_int32),
    )  # fmt: skip


def set_telemetry(
    control: Control,
    device: int,
    *,
    ambient: float | None,
    load: float | None,
    advance: float,
    ecc_corrected: int,
    ecc_uncorrected: int,
    code: int | None,
    severity: int,
) -> None:
    """Do what ``device_api.simulation.set_telemetry`` says."""
    chosen = Telemetry(device=device, advance_s=advance)
    if ambient is not None:
        chosen.set, chosen.ambient_c = chosen.set | _AMBIENT, ambient
    if load is not None:
        chosen.set, chosen.load = chosen.set | _LOAD, load
    if ecc_corrected or ecc_uncorrected:
        chosen.set |= _ECC
        chosen.ecc_corrected, chosen.ecc_uncorrected = ecc_corrected, ecc_uncorrected
    if code is not None:
        chosen.set, chosen.code, chosen.severity = chosen.set | _CODE, code, severity
    function = control._newer("set_telemetry")
    control.check(function(ctypes.byref(chosen)), "set_telemetry")
