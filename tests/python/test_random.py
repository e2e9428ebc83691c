# SPDX-License-Identifier: Apache-2.0
"""Random numbers: published vectors, the same on every device, the right distributions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

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


ARGUMENTS = {
    "rand": ((1000,),),
    "uniform": ((1000,), -2.0, 5.0),
    "randn": ((1000,),),
    "normal": ((1000,), 1.5, 0.25),
    "randint": (-3, 50, (1000,)),
    "permutation": (1000,),
    "bernoulli": ((1000,), 0.3),
    "dropout_mask": ((1000,), 0.1),
}


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_seed_gives_the_same_bits_on_every_device(name: str, dtype: str) -> None:
    typed = {"dtype": dtype} if name in ("rand", "uniform", "randn", "normal") else {}
    with xp.fallback_policy("allow"):
        drawn = [
            getattr(random.Generator(7), name)(*ARGUMENTS[name], device=where, **typed).numpy()
            for where in ("cpu", "npu:0")
        ]
    assert drawn[0].tobytes() == drawn[1].tobytes()


PINNED = (
    ["-0x1.b0f00a0000000p+0", "-0x1.5995840000000p-1", "0x1.34612e0000000p+0"],
    [72, 612, 130, 247],
    [3, 2, 1, 4, 0, 5],
)


def test_the_numbers_of_a_seed_never_change(device: str) -> None:
    """Programs keep their results from release to release, on every device."""
    with xp.fallback_policy("allow"):
        g = random.Generator(7)
        got = [x.hex() for x in g.randn((3,)).tolist()]
        whole = g.randint(0, 1000, (4,)).tolist()
        order = g.permutation(6).tolist()
    assert (got, whole, order) == PINNED


def test_a_generator_has_its_device() -> None:
    generator = random.Generator(1, device="npu:0")
    assert str(generator.device) == "npu:0"
    with xp.fallback_policy("allow"):
        assert str(generator.rand((3,)).device) == "npu:0"
        assert str(generator.rand((3,), device="cpu").device) == "cpu:0"
    assert random.Generator(1).device is None


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


def test_normal_numbers_are_quantiles(cpu: str) -> None:
    """Against the error function's inverse in SciPy, over the centre and both tails."""
    from device_api._normal import normal

    words = np.random.default_rng(0).integers(-(2**31), 2**31, 5000, dtype=np.int64)
    words = np.concatenate([words, [0, 1, -1, -2, 2**31 - 1, -(2**31), 2**30]]).astype(np.int32)
    size = np.where(words < 0, -1 - words.astype(np.int64), words)
    sign = np.where(words < 0, -1, 1)
    z = normal(xp.asarray(words), None).numpy()
    expected = -special.ndtri((size + 0.5) / 2**32) * sign
    assert (abs(z - expected) <= 2.0**-22 * np.maximum(1, abs(expected))).all()
    low = np.random.default_rng(1).integers(-(2**31), 2**31, len(words)).astype(np.int32)
    z = normal(xp.asarray(words), xp.asarray(low)).numpy()
    tail = (size + (low + 2.0**31 + 0.5) * 2.0**-32) * 2.0**-32
    expected = -special.ndtri(tail) * sign
    assert (abs(z - expected) <= 2.0**-48 * np.maximum(1, abs(expected))).all()


STREAMS = 12
LEAST = 1e-4  # of some 150 fixed draws; a wrong generator gives far less


@pytest.mark.parametrize("seed", range(STREAMS))
def test_streams_are_uniform(cpu: str, seed: int) -> None:
    words = random.Generator(seed).bits(40000).numpy()
    for shift in (0, 8, 16, 24):
        counts = np.bincount((words >> np.uint32(shift)) & np.uint32(255), minlength=256)
        assert stats.chisquare(counts).pvalue > LEAST
    pairs = np.histogram2d(words[::2] / 2**32, words[1::2] / 2**32, 16)[0]
    assert stats.chisquare(pairs.ravel()).pvalue > LEAST
    unit = random.Generator(seed).rand((40000,), dtype="float64").numpy()
    assert stats.kstest(unit, "uniform").pvalue > LEAST
    assert stats.kstest(np.sort(unit[:-1] + unit[1:])[::7], "triang", (0.5, 0, 2)).pvalue > LEAST


@pytest.mark.parametrize("seed", range(STREAMS))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_streams_are_normal(cpu: str, seed: int, dtype: str) -> None:
    drawn = random.Generator(seed).randn((40000,), dtype=dtype).numpy()
    assert stats.kstest(drawn, "norm").pvalue > LEAST
    assert (
        stats.chisquare(np.bincount(stats.norm.cdf(drawn).__mul__(64).astype(int))).pvalue > LEAST
    )
    correlation = stats.pearsonr(drawn[:-1], drawn[1:])
    assert correlation.pvalue > LEAST


@pytest.mark.parametrize("seed", range(STREAMS))
def test_streams_of_whole_numbers(cpu: str, seed: int) -> None:
    generator = random.Generator(seed)
    for span in (3, 10, 255):
        counts = np.bincount(generator.randint(span, shape=(20000,)).numpy(), minlength=span)
        assert stats.chisquare(counts).pvalue > LEAST
    wide = generator.randint(-(2**62), 2**62, (20000,)).numpy()
    assert stats.kstest(wide / 2.0**63 + 0.5, "uniform").pvalue > LEAST
    hits = int(generator.bernoulli((20000,), 0.3).numpy().sum())
    assert stats.binomtest(hits, 20000, 0.3).pvalue > LEAST
    firsts = [int(generator.permutation(5).numpy()[0]) for _ in range(500)]
    assert stats.chisquare(np.bincount(firsts, minlength=5)).pvalue > LEAST


def test_streams_do_not_depend_on_each_other(cpu: str) -> None:
    """Neighbouring seeds, and numbers of one seed far apart."""
    drawn = np.stack(
        [random.Generator(s).rand((20000,), dtype="float64").numpy() for s in range(8)]
    )
    for i in range(7):
        assert stats.pearsonr(drawn[i], drawn[i + 1]).pvalue > LEAST
    assert stats.kstest((drawn[0] + drawn[1]) % 1, "uniform").pvalue > LEAST


def test_whole_numbers_and_permutations(device: str) -> None:
    drawn = random.Generator(3).randint(-2, 5, (7000,)).numpy()
    counts = np.bincount(drawn + 2, minlength=7)
    assert len(counts) == 7
    assert abs(counts - 1000).max() < 150
    order = random.Generator(3).permutation(100)
    assert sorted(order.tolist()) == list(range(100))
    assert order.tolist() != list(range(100))
    assert random.permutation(0).shape == (0,)
    assert random.randint(-(2**63), 0, (50,)).numpy().max() < 0
    assert random.randint(2**63, 2**64, (50,), dtype="uint64").numpy().min() >= 2**63
    assert set(random.randint(-128, 128, (9000,), dtype="int8").tolist()) == set(range(-128, 128))


def test_chances(device: str) -> None:
    assert random.bernoulli((100,), 1.0).tolist() == [True] * 100
    assert random.bernoulli((100,), 0.0).tolist() == [False] * 100
    kept = random.Generator(4).dropout_mask((10000,), 0.2).numpy().mean()
    assert abs(kept - 0.8) < 0.02
    assert random.bernoulli((3,), 1, dtype="float32").dtype == xp.float32


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
    with pytest.raises(xp.InvalidArgumentError, match="int8"):
        random.randint(0, 1000, dtype="int8")
    with pytest.raises(xp.InvalidArgumentError, match="0 to 1"):
        random.bernoulli((2,), 1.5)
    with pytest.raises(xp.DTypeError):
        random.randint(0, 5, dtype="float32")
    with pytest.raises(xp.DTypeError):
        random.rand((2,), dtype=xp.int32)
    with pytest.raises(xp.InvalidArgumentError, match="negative"):
        random.normal((2,), std=-1.0)
    with pytest.raises(xp.ShapeError):
        random.rand((-1,))
