# SPDX-License-Identifier: Apache-2.0
"""Sizes that no array can have raise errors of the hierarchy, whoever would notice first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import device_api as xp
import device_api.nn.functional as F
from device_api import errors, fft, random
from device_api._host_memory import host_memory

VAST, HUGE = 2**63, 2**62
z = xp.zeros

MISTAKES: dict[str, Callable[[], object]] = {
    "size beside 0": lambda: z((VAST, 0)),
    "repeat": lambda: xp.repeat(z(5), VAST),
    "repeat one": lambda: xp.repeat(z(1), VAST),
    "repeat by an array": lambda: xp.repeat(z(5), xp.asarray([HUGE] * 5)),
    "tile": lambda: xp.tile(z(5), (VAST,)),
    "tile beside 0": lambda: xp.tile(z((0, 2)), (1, VAST)),
    "meshgrid": lambda: xp.meshgrid(*[z(1000)] * 8, *[z(10**6)] * 8),
    "no sizes": lambda: xp.broadcast_shapes((-1,), (1,)),
    "letters": lambda: xp.broadcast_shapes("a", (1,)),  # type: ignore[arg-type]
    "linspace": lambda: xp.linspace(0, 10**400, 3),
    "fftfreq": lambda: fft.fftfreq(VAST),
    "rfftfreq": lambda: fft.rfftfreq(HUGE),
    "fft of a scalar": lambda: fft.fft(z(())),
    "fft along no axis": lambda: fft.fft(z(3), axis=VAST),
    "permutation": lambda: random.permutation(VAST),
    "bits": lambda: random.default_generator.bits(HUGE),
    "bernoulli the wrong way round": lambda: random.bernoulli(0.5, (3,)),  # type: ignore[arg-type]
    "state": lambda: random.set_state("x"),  # type: ignore[arg-type]
    "longer state": lambda: random.Generator().set_state((1, 2, 3)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", MISTAKES)
def test_absurd_arguments(device: str, name: str) -> None:
    with pytest.raises(xp.InvalidArgumentError) as caught:
        MISTAKES[name]()
    assert caught.value.remedy
    assert "broadcast" not in caught.value.cause


def test_numbers_in_a_row_are_real(device: str) -> None:
    for dtype in (xp.bool, xp.complex64):
        with pytest.raises(xp.DTypeError, match="arange is not defined for"):
            xp.arange(0, 3, dtype=dtype)


FUNCTIONS = [
    xp.mean, xp.var, xp.std, xp.positive, xp.real, xp.sort, xp.argsort, xp.unique_values,
    xp.unique_all, xp.matrix_transpose, F.relu, F.softplus,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_lists_are_no_arrays(function: Callable[..., object]) -> None:
    with pytest.raises(xp.DTypeError, match="expected a Tensor, not list") as caught:
        function([1.0])
    assert "asarray" in caught.value.remedy


def test_axes_that_arrays_lack(device: str) -> None:
    with pytest.raises(xp.OutOfRangeError):
        xp.tensordot(z(3), z(3), axes=VAST)
    with pytest.raises(xp.OutOfRangeError):
        fft.fftshift(z(3), axes=VAST)


def test_of_nothing_there_may_be_many(device: str) -> None:
    assert xp.repeat(z((0, 2)), VAST, axis=0).shape == (0, 2)
    assert xp.tile(z((0, 2)), (VAST, 3)).shape == (0, 6)
    assert xp.repeat(z((3, 2)), 0, axis=1).shape == (3, 0)
    assert xp.tile(z((3, 2)), (2, 0)).shape == (6, 0)


def test_shapes_broadcast_by_the_rule() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        shapes = [tuple(rng.integers(0, 4, rng.integers(0, 4)).tolist()) for _ in range(3)]
        try:
            expected = np.broadcast_shapes(*shapes)
        except ValueError:
            with pytest.raises(xp.ShapeError, match="do not broadcast"):
                xp.broadcast_shapes(*shapes)
        else:
            assert xp.broadcast_shapes(*shapes) == expected
    assert xp.broadcast_shapes() == ()
    assert xp.broadcast_shapes((HUGE, 1), (1, HUGE)) == (HUGE, HUGE)


def test_too_little_memory_on_the_host_is_an_error_of_ours() -> None:
    enough = pytest.raises(xp.OutOfMemoryError, match="repeat: not enough")
    with enough as caught, host_memory("repeat"):
        np.empty(2**58, np.int64)
    assert caught.value.remedy
    first = errors.OutOfMemoryError("it", "that")
    with pytest.raises(xp.OutOfMemoryError) as caught, host_memory("repeat"):
        raise first
    assert caught.value is first
