# SPDX-License-Identifier: Apache-2.0
"""Every function of nn.functional gives what its formula says, in every type, on every device."""

from __future__ import annotations

import inspect

import pytest
from nn import comparing, reference, reference_images
from nn.cases import BOUNDS, Case
from nn.cases_images import CASES

import device_api.nn.functional as functional

PUBLIC = {name for name, f in vars(functional).items() if inspect.isfunction(f)}


def test_every_function_has_cases_and_a_bound() -> None:
    assert {case.function for case in CASES} | {"dropout"} == PUBLIC
    assert set(BOUNDS) | {"dropout"} == PUBLIC


@pytest.mark.parametrize("case", CASES, ids=str)
def test_results_are_those_of_the_formula(device: str, case: Case) -> None:
    of = reference if hasattr(reference, case.function) else reference_images
    for dtype in comparing.DTYPES:
        comparing.check(case, dtype, getattr(of, case.function))
