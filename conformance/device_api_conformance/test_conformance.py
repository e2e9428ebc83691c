# SPDX-License-Identifier: Apache-2.0
"""Collected by ``pytest --pyargs device_api_conformance --device NAME``: one test per case."""

from __future__ import annotations

from typing import Any

import pytest

from device_api_conformance.case import Case
from device_api_conformance.report import replay


def test_case(conformance_case: Case, conformance_results: Any) -> None:
    """The verdict of the case is PASS, or says why it does not apply."""
    runner, result = conformance_results.runner, conformance_results.of(conformance_case.id)
    verdict = result.verdict
    line = replay(runner.device, conformance_case.id, runner.seed, runner.level)
    if verdict.failed or verdict.verdict == "NOTRUN":
        told = f"{verdict.verdict} {verdict.code}: {verdict.reason}\nreplay: {line}"
        pytest.fail(told, pytrace=False)
    if verdict.verdict != "PASS":
        pytest.skip(f"{verdict.verdict}: {verdict.reason}")
