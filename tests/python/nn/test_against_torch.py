# SPDX-License-Identifier: Apache-2.0
"""Every function of nn.functional agrees with PyTorch's within its bound.

PyTorch computes in float64 from the same rounded numbers. It is large, so that the ordinary
environment lacks it; the tox environment "torch" has it and sets DEVICE_API_TESTS_NEED_TORCH, with
which its absence is an error.
"""

from __future__ import annotations

import os
from types import ModuleType

import pytest
from nn import comparing
from nn.cases import BOUNDS, Case
from nn.cases_images import CASES

if os.environ.get("DEVICE_API_TESTS_NEED_TORCH"):
    import torch
else:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: tox -e torch has it")
from nn import torch_reference, torch_reference_images

torch.set_num_threads(1)


def module_of(function: str) -> ModuleType:
    return torch_reference if hasattr(torch_reference, function) else torch_reference_images


def test_every_function_is_compared() -> None:
    compared = {name for name in BOUNDS if hasattr(module_of(name), name)}
    assert compared == set(BOUNDS)
    assert {case.function for case in CASES} == compared


@pytest.mark.parametrize("case", CASES, ids=str)
def test_results_are_those_of_pytorch(device: str, case: Case) -> None:
    for dtype in comparing.DTYPES:
        comparing.check(case, dtype, getattr(module_of(case.function), case.function))
