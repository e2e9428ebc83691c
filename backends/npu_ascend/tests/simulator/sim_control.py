# SPDX-License-Identifier: Apache-2.0
"""The structs of simctl.h, the control table of a simulated chip, for ctypes."""

import ctypes as C


class Setup(C.Structure):
    """das_setup of simctl.h."""

    _fields_ = [
        ("size", C.c_size_t), ("seed", C.c_uint64), ("memory_bytes", C.c_uint64),
        ("devices", C.c_int32), ("reserved", C.c_int32), ("name_suffix", C.c_char * 64),
    ]  # fmt: skip


class Launch(C.Structure):
    """das_launch of simctl.h."""

    _fields_ = [
        ("size", C.c_size_t), ("sequence", C.c_uint64), ("bytes", C.c_uint64),
        ("device", C.c_int32), ("stream", C.c_uint32), ("kind", C.c_uint32),
        ("reserved", C.c_uint32), ("name", C.c_char * 64),
    ]  # fmt: skip


class Fault(C.Structure):
    """das_fault of simctl.h."""

    _fields_ = [
        ("size", C.c_size_t), ("kind", C.c_int32), ("device", C.c_int32), ("skip", C.c_uint64),
        ("count", C.c_uint64), ("probability", C.c_double), ("value", C.c_double),
        ("seed", C.c_uint64), ("code", C.c_int32), ("reserved", C.c_int32),
        ("name", C.c_char * 64),
    ]  # fmt: skip


class Control(C.Structure):
    """das_control of simctl.h."""

    _fields_ = [
        ("size", C.c_size_t), ("version", C.c_uint32), ("reserved", C.c_uint32),
        ("vendor", C.c_char_p),
        ("message", C.CFUNCTYPE(C.c_char_p)),
        ("setup", C.CFUNCTYPE(C.c_int, C.POINTER(Setup))),
        ("reset", C.CFUNCTYPE(C.c_int)),
        ("set_schedule", C.CFUNCTYPE(C.c_int, C.c_void_p)),
        ("set_latency", C.CFUNCTYPE(C.c_int, C.c_void_p)),
        ("launch_count", C.CFUNCTYPE(C.c_uint64, C.c_uint32)),
        ("launch_read", C.CFUNCTYPE(C.c_int, C.c_uint64, C.POINTER(Launch))),
        ("launch_kept", C.CFUNCTYPE(C.c_uint64)),
        ("launch_clear", C.CFUNCTYPE(C.c_int)),
        ("fault_add", C.CFUNCTYPE(C.c_int, C.POINTER(Fault))),
        ("fault_remove", C.CFUNCTYPE(C.c_int, C.c_int)),
        ("fault_strikes", C.CFUNCTYPE(C.c_int, C.c_int, C.c_void_p)),
        ("device_count", C.CFUNCTYPE(C.c_int)),
        ("memory", C.CFUNCTYPE(C.c_int, C.c_int, C.c_void_p)),
        ("device_lose", C.CFUNCTYPE(C.c_int, C.c_int)),
        ("misuse_count", C.CFUNCTYPE(C.c_uint64)),
        ("misuse_read", C.CFUNCTYPE(C.c_int, C.c_uint64, C.c_char_p, C.c_size_t)),
        ("misuse_clear", C.CFUNCTYPE(C.c_int)),
        ("live", C.CFUNCTYPE(C.c_int64, C.c_char_p)),
        ("set_checks", C.CFUNCTYPE(C.c_int, C.c_uint32)),
        ("leak_count", C.CFUNCTYPE(C.c_uint64)),
        ("leak_read", C.CFUNCTYPE(C.c_int, C.c_uint64, C.c_char_p, C.c_size_t)),
        (
            "rule_read",
            C.CFUNCTYPE(C.c_int, C.c_uint64, C.POINTER(C.c_char_p), C.POINTER(C.c_char_p)),
        ),
    ]  # fmt: skip
