# SPDX-License-Identifier: Apache-2.0
"""The structs of simctl.h (device-api-abi) for ctypes."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any


class Sized(Structure):
    """A struct whose first member is its size, filled in here."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **members)


class Setup(Sized):
    _fields_ = [
        ("size", c_size_t), ("seed", c_uint64), ("memory_bytes", c_uint64), ("devices", c_int32),
        ("reserved", c_int32), ("name_suffix", c_char * 64),
    ]  # fmt: skip


class Schedule(Sized):
    _fields_ = [
        ("size", c_size_t), ("mode", c_int32), ("max_delay_us", c_uint32), ("seed", c_uint64),
        ("strategy", c_int32), ("reserved", c_int32),
    ]  # fmt: skip


class Latency(Sized):
    _fields_ = [
        ("size", c_size_t), ("launch_us", c_double), ("copy_gbps", c_double),
        ("memory_gbps", c_double), ("peer_gbps", c_double), ("gflops", c_double),
        ("realtime", c_double),
    ]  # fmt: skip


class Launch(Sized):
    _fields_ = [
        ("size", c_size_t), ("sequence", c_uint64), ("bytes", c_uint64), ("device", c_int32),
        ("stream", c_uint32), ("kind", c_uint32), ("reserved", c_uint32), ("name", c_char * 64),
    ]  # fmt: skip


class Fault(Sized):
    _fields_ = [
        ("size", c_size_t), ("kind", c_int32), ("device", c_int32), ("skip", c_uint64),
        ("count", c_uint64), ("probability", c_double), ("value", c_double), ("seed", c_uint64),
        ("code", c_int32), ("reserved", c_int32), ("name", c_char * 64), ("min_bytes", c_uint64),
        ("max_bytes", c_uint64), ("after_s", c_double), ("until_s", c_double),
        ("stream", c_uint32), ("reserved2", c_uint32),
    ]  # fmt: skip


class Memory(Sized):
    _fields_ = [
        ("size", c_size_t), ("total", c_uint64), ("used", c_uint64), ("peak", c_uint64),
        ("live", c_uint64), ("allocations", c_uint64), ("pinned", c_uint64),
        ("pinned_live", c_uint64),
    ]  # fmt: skip


class Table(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("version", c_uint32),
        ("reserved", c_uint32),
        ("vendor", c_char_p),
        ("message", CFUNCTYPE(c_char_p)),
        ("setup", CFUNCTYPE(c_int, POINTER(Setup))),
        ("reset", CFUNCTYPE(c_int)),
        ("set_schedule", CFUNCTYPE(c_int, POINTER(Schedule))),
        ("set_latency", CFUNCTYPE(c_int, POINTER(Latency))),
        ("launch_count", CFUNCTYPE(c_uint64, c_uint32)),
        ("launch_read", CFUNCTYPE(c_int, c_uint64, POINTER(Launch))),
        ("launch_kept", CFUNCTYPE(c_uint64)),
        ("launch_clear", CFUNCTYPE(c_int)),
        ("fault_add", CFUNCTYPE(c_int, POINTER(Fault))),
        ("fault_remove", CFUNCTYPE(c_int, c_int)),
        ("fault_strikes", CFUNCTYPE(c_int, c_int, POINTER(c_uint64))),
        ("device_count", CFUNCTYPE(c_int)),
        ("memory", CFUNCTYPE(c_int, c_int, POINTER(Memory))),
        ("device_lose", CFUNCTYPE(c_int, c_int)),
        ("misuse_count", CFUNCTYPE(c_uint64)),
        ("misuse_read", CFUNCTYPE(c_int, c_uint64, c_char_p, c_size_t)),
        ("misuse_clear", CFUNCTYPE(c_int)),
        ("live", CFUNCTYPE(c_int64, c_char_p)),
        ("set_checks", CFUNCTYPE(c_int, c_uint32)),
        ("leak_count", CFUNCTYPE(c_uint64)),
        ("leak_read", CFUNCTYPE(c_int, c_uint64, c_char_p, c_size_t)),
        ("rule_read", CFUNCTYPE(c_int, c_uint64, POINTER(c_char_p), POINTER(c_char_p))),
        ("fault_text", CFUNCTYPE(c_int, c_char_p, c_int)),
        ("set_telemetry", CFUNCTYPE(c_int, c_void_p)),
        ("set_chip", CFUNCTYPE(c_int, c_char_p)),
        ("chip_read", CFUNCTYPE(c_int, c_char_p, c_int32, c_char_p, c_size_t)),
    ]
