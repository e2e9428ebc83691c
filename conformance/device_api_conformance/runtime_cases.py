# SPDX-License-Identifier: Apache-2.0
"""All runtime cases (memory, streams, events, failures) under one roof."""

from __future__ import annotations

from typing import Any

from device_api_abi import optable
from device_api_conformance import (
    collective_cases,
    concurrency_cases,
    failure_cases,
    health_cases,
    interop_cases,
    interop_library_cases,
    invalid_cases,
    leak_cases,
    memory_cases,
    memory_copies_cases,
    memory_figures_cases,
    peer_cases,
    performance_cases,
    plugin_cases,
    soak_cases,
    soak_rounds,
    stream_cases,
    stream_clock_cases,
    stream_lives_cases,
    telemetry_cases,
)
from device_api_conformance.case import Case
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.record import Record

CHECKS = (
    failure_cases.CHECKS
    | invalid_cases.CHECKS
    | memory_cases.CHECKS
    | memory_copies_cases.CHECKS
    | memory_figures_cases.CHECKS
    | stream_cases.CHECKS
    | stream_clock_cases.CHECKS
    | stream_lives_cases.CHECKS
    | telemetry_cases.CHECKS
    | concurrency_cases.CHECKS
    | interop_cases.CHECKS
    | leak_cases.CHECKS
    | peer_cases.CHECKS
    | collective_cases.CHECKS
    | performance_cases.CHECKS
    | plugin_cases.CHECKS
    | health_cases.CHECKS
    | soak_cases.CHECKS
    | soak_rounds.CHECKS
)
"""Checks of the runtime by name."""


def cases(level: str = "smoke") -> list[Case]:
    """All runtime cases of a level in their order."""
    if level == "health":
        return health_cases.cases()
    dtypes = optable.DTYPES
    last = Case("R", "exit")  # answered by the runner: the worker ends with status 0
    failures = [*failure_cases.cases(), *plugin_cases.cases(level), *invalid_cases.cases()]
    return [
        last,
        *failures,
        *memory_cases.cases(dtypes),
        *memory_figures_cases.cases(),
        *memory_copies_cases.cases(),
        *stream_cases.cases(),
        *stream_clock_cases.cases(),
        *stream_lives_cases.cases(),
        *telemetry_cases.cases(),
        *interop_cases.cases(),
        *health_cases.chapter(),
        *(_deeper(level) if level != "smoke" else ()),
    ]


def _deeper(level: str) -> list[Case]:
    """What the reduced levels leave out."""
    return [
        *concurrency_cases.cases(),
        *leak_cases.cases(),
        *peer_cases.cases(),
        *collective_cases.cases(level),
        *interop_library_cases.more_cases(),
        *performance_cases.cases(floors=level == "full"),
        *(soak_cases.cases() if level == "soak" else ()),
    ]


def run(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Observations of one runtime case."""
    record = Record()
    try:
        CHECKS[case.check](handle, case, seed, record)
    except Lacks as missing:
        record.skip(str(missing))
    except handle.error("fallback") as error:
        # An op that the device never claimed is no finding; one that it claimed is.
        op = getattr(error, "op", None)
        if not op or op in handle.capabilities():
            raise
        record.skip(f"the device declares no {op}, which the case needs")
    return record.observations()
