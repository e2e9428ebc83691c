# SPDX-License-Identifier: Apache-2.0
"""Random numbers: published vectors, the same on every device, the right distributions."""

from __future__ import annotations

import numpy as np
import pytest

import device_api as xp
from device_api import random

# Philox 4x32-10 of the Random123 distribution (kat_vectors): counter 0, key 0.
KNOWN = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


def test_bits_are_philox(device: str) -> None:
    assert random.Generator(0).bits(4).tolist() == KNOWN


def test_drawing_in_parts_goes_on_where_the_last_ended(device: str) -> None:
    parts, whole = random.Generator(5), random.Generator(5)
    joined = np.concatenate([parts.bits(8).numpy(), parts.bits(3).numpy(), parts.bits(4).numpy()])
    expected = whole.bits(16).numpy()
    np.testing.assert_array_equal(joined, np.concatenate([expected[:11], expected[12:16]]))


@pytest.mark.parametrize("name", ["rand", "uniform", "randint", "permutation"])
def test_a_seed_gives_the_same_numbers_on_every_device(name: str) -> None:
    arguments = {"randint": (3, 50, (1000,)), "permutation": (1000,)}.get(name, ((1000,),))
    with xp.fallback_policy("allow"):
        drawn = [
            getattr(random.Generator(7), name)(*arguments, device=where).numpy()
            for where in ("cpu", "npu:0")
        ]
    np.testing.assert_array_equal(*drawn)


def test_normals_agree_between_devices_up_to_rounding() -> None:
    with xp.fallback_policy("allow"):
        drawn = [
            random.Generator(7).randn((4096,), device=where).numpy() for where in ("cpu", "npu:0")
        ]
    np.testing.assert_allclose(*drawn, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_uniform_numbers(device: str, dtype: str) -> None:
    drawn = xp.astype(random.Generator(1).rand((20000,), dtype=dtype), xp.float64).numpy()
    assert drawn.min() >= 0.0
    assert drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.01
    assert abs(np.histogram(drawn, 10, (0, 1))[0] / 2000 - 1).max() < 0.1


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_normal_numbers(device: str, dtype: str) -> None:
    drawn = random.Generator(2).normal((20000,), 3.0, 2.0, dtype=dtype).numpy()
    assert drawn.dtype == dtype
    standard = (drawn.astype(np.float64) - 3.0) / 2.0
    assert np.isfinite(standard).all()
    assert abs(standard.mean()) < 0.03
    assert abs(standard.std() - 1) < 0.02
    for sigma, share in ((1, 0.6827), (2, 0.9545), (3, 0.9973)):
        assert abs((abs(standard) < sigma).mean() - share) < 0.01


def test_quantiles_are_those_of_the_normal_distribution(cpu: str) -> None:
    """Against bisection of the error function, over the centre and both tails."""
    from math import erf, erfc, sqrt

    from device_api._normal import quantile

    centred = np.concatenate([np.linspace(-0.4999999, 0.4999999, 201), [-0.5 + 2.0**-32, 0.0]])
    got = quantile(xp.asarray(centred)).numpy()
    for p, z in zip(centred, got, strict=True):
        tail = 0.5 - abs(p)
        back = erfc(abs(z) / sqrt(2)) / 2 if tail < 0.2 else 0.5 - erf(abs(z) / sqrt(2)) / 2
        assert back == pytest.approx(tail, rel=1e-12)
        assert z == 0 or (z > 0) == (p > 0)


def test_whole_numbers_and_permutations(device: str) -> None:
    drawn = random.Generator(3).randint(-2, 5, (7000,)).numpy()
    counts = np.bincount(drawn + 2, minlength=7)
    assert len(counts) == 7
    assert abs(counts - 1000).max() < 150
    order = random.Generator(3).permutation(100)
    assert sorted(order.tolist()) == list(range(100))
    assert order.tolist() != list(range(100))


def test_state_and_seed(device: str) -> None:
    random.seed(11)
    first = random.rand((4,)).tolist()
    state = random.get_state()
    second = random.rand((4,)).tolist()
    random.set_state(state)
    assert random.rand((4,)).tolist() == second
    random.seed(11)
    assert random.rand((4,)).tolist() == first
    assert first != second


def test_wrong_arguments(device: str) -> None:
    with pytest.raises(xp.InvalidArgumentError, match="range"):
        random.randint(5, 5)
    with pytest.raises(xp.DTypeError):
        random.rand((2,), dtype=xp.int32)
    with pytest.raises(xp.InvalidArgumentError, match="negative"):
        random.normal((2,), std=-1.0)
    with pytest.raises(xp.ShapeError):
        random.rand((-1,))
