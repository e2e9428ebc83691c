# SPDX-License-Identifier: Apache-2.0
"""All runtime cases (memory, streams, events, failures) under one roof."""

from __future__ import annotations

from typing import Any

from device_api_abi import optable
from device_api_conformance import (
    failure_cases,
    invalid_cases,
    memory_cases,
    stream_cases,
    telemetry_cases,
)
from device_api_conformance.case import Case
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record

CHECKS = (
    failure_cases.CHECKS
    | invalid_cases.CHECKS
    | memory_cases.CHECKS
    | stream_cases.CHECKS
    | telemetry_cases.CHECKS
)
"""Checks of the runtime by name."""


def cases() -> list[Case]:
    """All runtime cases in their order."""
    dtypes = optable.DTYPES
    last = Case("R", "exit")  # answered by the runner: the worker ends with status 0
    failures = [*failure_cases.cases(), *invalid_cases.cases()]
    return [
        last,
        *failures,
        *memory_cases.cases(dtypes),
        *stream_cases.cases(),
        *telemetry_cases.cases(),
    ]


def run(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Observations of one runtime case."""
    record = Record()
    CHECKS[case.check](handle, case, seed, record)
    return record.observations()
