# SPDX-License-Identifier: Apache-2.0
"""Every function of nn.functional has PaddlePaddle's signature and gives what PaddlePaddle gives.

PaddlePaddle computes in float32 on its CPU. It is large, so that the ordinary environment lacks
it; the tox environment "paddle" has it and sets DEVICE_API_TESTS_NEED_PADDLE, with which its
absence is an error.
"""

from __future__ import annotations

import inspect
import os
from typing import Any

import numpy as np
import pytest
from nn import comparing
from nn.cases import BOUNDS, Case, Host
from nn.cases_images import CASES

import device_api.nn.functional as functional

if os.environ.get("DEVICE_API_TESTS_NEED_PADDLE"):
    import paddle
else:
    paddle = pytest.importorskip(
        "paddle", reason="PaddlePaddle is not installed: tox -e paddle has it"
    )
import paddle.nn.functional as F

paddle.device.set_device("cpu")

NOT_THERE = {"rms_norm"}  # Paddle has a kernel for GPUs only
# Where ours differs on purpose: see docs/nn.md.
DIFFERENT = {
    ("relu", "nan"): "Paddle loses NaN",
    ("gelu", "nan"): "Paddle gives NaN for -inf",
    ("silu", "nan"): "Paddle gives NaN for -inf",
    ("mish", "nan"): "Paddle gives NaN for -inf",
    ("max_pool2d", "nan"): "Paddle's result depends on the order of elements",
    ("adaptive_max_pool2d", "nan"): "Paddle loses NaN",
    ("log_softmax", "huge"): "Paddle cuts logarithms off at -64",
    ("cross_entropy", "huge"): "Paddle cuts logarithms off at -64",
}


def plain(x: Any) -> Any:
    return x.numpy() if isinstance(x, paddle.Tensor) else x


def by_paddle(case: Case) -> tuple[tuple[Host, ...], dict[str, Any]]:
    """Return Paddle's results, and its arrays, which may have been written into."""
    given = {
        name: paddle.to_tensor(a.astype(np.float32) if a.dtype.kind == "f" else a)
        for name, a in case.arrays.items()
    }
    result = getattr(F, case.function)(**given, **case.options)
    results = result if isinstance(result, list | tuple) else (result,)
    return tuple(plain(r) for r in results), given


COMPARED = [
    c for c in CASES if c.function not in NOT_THERE and (c.function, c.note) not in DIFFERENT
]


def test_most_cases_are_compared() -> None:
    assert {case.function for case in COMPARED} == set(BOUNDS) - NOT_THERE
    assert len(COMPARED) >= len(CASES) - 15


@pytest.mark.parametrize("case", COMPARED, ids=str)
def test_results_are_those_of_paddle(cpu: str, case: Case) -> None:
    given = {name: comparing.on_device(a, "float32") for name, a in case.arrays.items()}
    result = getattr(functional, case.function)(**given, **case.options)
    results = result if isinstance(result, tuple) else (result,)
    expected, written = by_paddle(case)
    for got, want in zip(results, expected, strict=True):
        assert got.shape == want.shape
        np.testing.assert_allclose(got.numpy(), want, rtol=2e-5, atol=2e-6)
        assert got.dtype.kind != "f" or got.dtype.name == str(want.dtype)
    for name in set(comparing.UPDATED) & set(given):
        np.testing.assert_allclose(given[name].numpy(), written[name].numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", [*BOUNDS, "dropout"])
def test_signatures_are_those_of_paddle(name: str) -> None:
    theirs = inspect.signature(inspect.unwrap(getattr(F, name)), eval_str=False)
    ours = inspect.signature(getattr(functional, name))
    assert list(ours.parameters) == list(theirs.parameters)
    for parameter, other in zip(ours.parameters.values(), theirs.parameters.values(), strict=True):
        assert parameter.default == other.default, parameter
        assert parameter.kind == other.kind, parameter
