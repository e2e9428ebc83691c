# SPDX-License-Identifier: Apache-2.0
"""Reductions, scans, sorting, windows and normalisation of a device with the core ops only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import bringup_devices
import bringup_samples as samples
import numpy as np
import pytest
from bringup_reference import REFERENCES

import device_api as xp
from device_api import _core
from device_api._core import Tensor
from device_api_abi import optable

TABLE = optable.by_name()


@dataclass(frozen=True)
class Case:
    """One call: shapes of the inputs, attributes, shape of the output; how inputs are made."""

    op: str
    shapes: tuple[tuple[int, ...], ...]
    attributes: tuple[float, ...]
    shape: tuple[int, ...] | None = None
    inputs: str = "plain"  # plain, ties (few values, NaN and zeros among them), near 1
    dtypes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        shapes = "_".join("x".join(map(str, shape)) for shape in self.shapes)
        return f"{self.op}-{shapes}-{'_'.join(map(str, self.attributes))}"


def _reductions() -> list[Case]:
    found = []
    for op in ("min", "prod", "any", "all"):
        inputs = "near 1" if op == "prod" else "ties"
        for shape, axes, left in (
            ((5, 7, 3), 0b010, (5, 3)),
            ((4, 33), 0b11, ()),
            ((2, 3, 4), 0b101, (3,)),
            ((9,), 0b1, ()),
        ):
            found.append(Case(op, (shape,), (axes,), left, inputs))
    for op in ("argmax", "argmin"):
        found.append(Case(op, ((5, 17),), (1,), (5,), "ties"))
        found.append(Case(op, ((8, 3),), (0,), (3,), "ties"))
    for op in ("cumsum", "cumprod"):
        inputs = "near 1" if op == "cumprod" else "plain"
        found += [Case(op, (shape,), (axis,), shape, inputs)
                  for shape, axis in (((3, 37), 1), ((8, 2, 3), 0), ((1,), 0))]  # fmt: skip
    return found


def _sorts() -> list[Case]:
    found = []
    for flag in (0, 1):
        for shape, axis in (((4, 19), 1), ((16, 3), 0), ((1,), 0), ((2, 5, 3), 1), ((300,), 0)):
            found += [Case(op, (shape,), (axis, flag), shape, "ties") for op in ("sort", "argsort")]
            k = (shape[axis] + 1) // 2
            short = (*shape[:axis], k, *shape[axis + 1 :])
            found.append(Case("topk", (shape,), (axis, flag), short, "ties"))
        found.append(Case("searchsorted", ((23,), (4, 6)), (flag,), (4, 6), "ties"))
        found.append(Case("searchsorted", ((1,), (5,)), (flag,), (5,), "ties"))
    for shape, indices, axis in (((7, 3), (12, 3), 0), ((2, 9), (2, 4), 1), ((5,), (1,), 0)):
        found.append(Case("put_along_axis", (shape, indices, indices), (axis,), shape))
    return found


def _windows() -> list[Case]:
    conv, pool, mean = "convolution", "max_pool", "avg_pool"
    return [
        Case(conv, ((2, 3, 8), (4, 3, 3)), (1, 1, 1, 0, 0, 1, 1, 1, 1, 1), (2, 4, 8)),
        Case(conv, ((2, 4, 7, 6), (6, 2, 3, 2)), (1, 2, 1, 0, 1, 2, 1, 1, 2, 2), (2, 6, 4, 8)),
        Case(conv, ((1, 3, 5, 5), (3, 1, 2, 2)), (1, 2, 2, 0, 0, 0, 1, 2, 2, 3), (1, 3, 2, 2)),
        Case(conv, ((1, 2, 4, 4, 3), (2, 2, 2, 3, 1)), (2, 1, 1, 1, 1, 0, 1, 1, 1, 1),
             (1, 2, 3, 4, 3)),
        Case(pool, ((2, 3, 9),), (1, 1, 3, 1, 1, 2, 0, 0, 1, 1, 1, 1), (2, 3, 5), "ties"),
        Case(pool, ((1, 2, 6, 7),), (1, 2, 3, 1, 2, 2, 0, 1, 0, 1, 1, 2), (1, 2, 4, 2), "ties"),
        Case(pool, ((1, 1, 2),), (1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1), (1, 1, 4), "ties"),
        Case(mean, ((2, 3, 9),), (1, 1, 3, 1, 1, 2, 0, 0, 1, 0), (2, 3, 5)),
        Case(mean, ((1, 2, 6, 7),), (1, 2, 3, 1, 2, 2, 0, 1, 1, 1), (1, 2, 4, 5)),
        Case(mean, ((1, 2, 4, 4, 4),), (2, 2, 2, 2, 2, 2, 0, 0, 0, 0), (1, 2, 2, 2, 2)),
        Case("attention", ((2, 5, 4), (2, 6, 4), (2, 6, 3)), (0.5, 0), (2, 5, 3)),
        Case("attention", ((2, 2, 5, 4), (2, 2, 5, 4), (2, 2, 5, 4)), (0.25, 1), (2, 2, 5, 4)),
    ]  # fmt: skip


def _normalizations() -> list[Case]:
    found = []
    for op in ("softmax", "log_softmax"):
        found += [Case(op, (shape,), (axis,), shape, "wide") for shape, axis in
                  (((4, 33), 1), ((7, 3, 2), 0), ((2, 1), 1))]  # fmt: skip
    found.append(Case("layer_norm", ((3, 5, 16), (16,), (16,)), (1e-5,), (3, 5, 16)))
    found.append(Case("rms_norm", ((3, 5, 16), (16,)), (1e-5,), (3, 5, 16)))
    return found


CASES = [
    (case, dtype)
    for case in [*_reductions(), *_sorts(), *_windows(), *_normalizations()]
    for dtype in TABLE[case.op].dtypes
]


def _values(case: Case, shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Any:
    if dtype == "bool":
        return rng.integers(0, 2, shape) > 0
    if dtype in optable.COMPLEX:
        parts = rng.integers(-3, 4, (2, *shape)) / 2 if case.inputs != "ties" else (
            rng.integers(0, 2, (2, *shape)))  # fmt: skip
        return parts[0] + 1j * parts[1]
    if case.inputs == "ties":
        if "float" in dtype:
            return rng.choice([1.0, 2.0, -3.0, 0.0, -0.0, np.inf, -np.inf, np.nan, 7.0], shape)
        return rng.choice(samples.integers(dtype, rng)[:12], shape)
    if "int" in dtype:
        return rng.integers(0, 100, shape).astype(dtype)
    if case.inputs == "near 1":
        return rng.uniform(0.8, 1.25, shape) * rng.choice([1, -1], shape)
    return rng.normal(size=shape) * (40 if case.inputs == "wide" else 1)


def _inputs(case: Case, dtype: str, rng: np.random.Generator) -> list[Tensor]:
    """Make the inputs on the CPU; those that must be in order are."""
    made = [samples.upload(_values(case, shape, dtype, rng), dtype, "cpu") for shape in case.shapes]
    if case.op == "searchsorted":
        made[0] = _core.apply("sort", [made[0]], attributes=(0, 0))
    if case.op == "put_along_axis":
        n = case.shapes[0][int(case.attributes[0])]
        kind = rng.choice(["int32", "int64"])
        made[1] = samples.upload(rng.integers(0, n, case.shapes[1]).astype(kind), kind, "cpu")
    return made


def _reference(case: Case, inputs: list[Tensor]) -> Tensor | Any:
    if case.op in REFERENCES:
        wide = [samples.as_wide(x) for x in inputs]
        with np.errstate(invalid="ignore"):
            return REFERENCES[case.op](*wide, case.shape, *case.attributes)
    assert _core.has_op(_core.as_device("cpu"), case.op, inputs[0].dtype)
    return samples.as_wide(
        _core.apply(case.op, inputs, shape=case.shape, attributes=case.attributes)
    )


def _allowed(case: Case, inputs: list[Tensor], wanted: Any, dtype: str) -> Any:
    """Return the allowed distance: units of the result, or of the sum of magnitudes."""
    op = TABLE[case.op]
    if op.error == "exact":
        return 0.0
    narrow = dtype in ("float16", "bfloat16")
    if op.error == "ulp":
        return op.ulp[1 if narrow else 0] * samples.spacing(wanted, dtype)
    if case.op in ("convolution", "avg_pool", "cumsum"):
        size = _reference(case, [_core.abs(x) for x in inputs])
    else:
        size = np.maximum(np.abs(wanted), 1.0 if op.kind == "normalize" else 0.1)
    return 8 * samples.spacing(np.asarray(size), dtype)


@pytest.mark.parametrize(("case", "dtype"), CASES, ids=[f"{case}-{dtype}" for case, dtype in CASES])
def test_composite_agrees(case: Case, dtype: str) -> None:
    rng = np.random.default_rng(TABLE[case.op].id)
    device = bringup_devices.bare()
    inputs = _inputs(case, dtype, rng)
    with xp.fallback_policy("error"):
        got = _core.apply(
            case.op, [x.to_device(device) for x in inputs], case.shape, attributes=case.attributes
        )
    assert got.shape == case.shape
    if got.dtype.name in optable.COMPLEX:
        # Small halves: exact, but for long products.
        np.testing.assert_allclose(samples.as_wide(got), _reference(case, inputs), rtol=1e-6)
        return
    precise = inputs
    if got.dtype.kind == "f" and TABLE[case.op].error != "exact":
        precise = [_core.astype(x, _core.dtypes["float64"]) for x in inputs]
    wanted = _reference(case, precise)
    signs = case.op in ("sort", "put_along_axis")
    allowed = _allowed(case, precise, wanted, got.dtype.name) if got.dtype.kind == "f" else 0.0
    bad = samples.wrong(got, wanted, allowed, signs=signs)
    shown = [(samples.as_wide(got).ravel()[i], np.asarray(wanted).ravel()[i]) for i in bad[:5]]
    assert not len(bad), f"{len(bad)} differ, like (got, wanted) {shown}"


@pytest.mark.parametrize("n", [1, 4, 1003])
@pytest.mark.parametrize(("seed", "offset"), [(0, 0), (2**64 - 1, 2**64 - 100), (12345, 2**32 - 7)])
def test_random_bits_are_those_of_the_cpu(n: int, seed: int, offset: int) -> None:
    device = _core.as_device(bringup_devices.bare())
    with xp.fallback_policy("error"):
        got = _core.random_bits(n, seed, offset, device)
    wanted = _core.random_bits(n, seed, offset, _core.as_device("cpu"))
    assert got.device == device
    np.testing.assert_array_equal(got.numpy(), wanted.numpy())
