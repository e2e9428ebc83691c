# SPDX-License-Identifier: Apache-2.0
"""Arrays of more than 2**31 elements, and sums over very many: nothing wraps, accuracy is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import device_api as xp

GIB = 2**30
N = 2**31 + 24


def _available() -> int:
    """Bytes that programs can have, the page cache's included."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


@pytest.fixture
def room(cpu: str) -> Iterator[None]:
    """Enough memory for three such arrays, all given back in the end."""
    xp.empty_cache()
    if _available() < 8 * GIB:
        pytest.skip("needs 8 GiB of free memory")
    yield
    xp.empty_cache()


def test_more_elements_than_32_bits_count(room: None) -> None:
    x = xp.zeros((N,), dtype=xp.uint8)
    x[-1] = 9
    x[2**31] = 3
    assert x.size == N
    assert int(xp.sum(x)) == 12
    assert int(xp.max(x)) == 9
    assert int(xp.argmax(x)) == N - 1
    assert x[2**31 - 1 : 2**31 + 2].tolist() == [0, 3, 0]
    assert int(xp.take(x, xp.asarray([N - 1]), axis=0)[0]) == 9
    x += 1  # in place
    assert (int(x[0]), int(x[-1]), int(x[2**31])) == (1, 10, 4)
    back = x[::-1]
    assert int(back[0]) == 10
    y = xp.astype(x, xp.bool)
    assert bool(xp.all(y))
    del y
    high = xp.maximum(x, back)  # a fresh array from a negative stride
    assert (int(high[0]), int(high[N - 1 - 2**31]), int(high[5])) == (10, 4, 1)
    del high
    square = xp.reshape(x, (2, N // 2))
    assert xp.sum(square, axis=1).tolist() == [N // 2, N // 2 + 12]
    del square, back
    joined = xp.concat([x[-2:], x[2**31 :]])
    assert joined.shape == (26,)
    assert int(xp.count_nonzero(xp.greater(x, 3))) == 2


def test_indices_beyond_32_bits(room: None) -> None:
    x = xp.broadcast_to(xp.asarray([1], dtype=xp.int8), (2**33,))
    assert x.size == 2**33
    assert int(x[2**33 - 1]) == 1
    assert x[2**32 :: 2**31].shape == (2,)
    assert xp.reshape(x[: 2**32], (2**16, 2**16)).shape == (2**16, 2**16)
    with pytest.raises(xp.OutOfMemoryError):
        xp.empty((2**50,), dtype=xp.uint8)
    with pytest.raises((xp.InvalidArgumentError, xp.ShapeError, xp.OutOfMemoryError)):
        xp.empty((2**62, 4), dtype=xp.float64)


@pytest.fixture(scope="module")
def tenths() -> Iterator[xp.Tensor]:
    """10**8 numbers of float32, all near 0.1."""
    with xp.device_guard("cpu"):
        x = xp.full((10**8,), 0.1, dtype=xp.float32)
        x[::7] = 0.3
        yield x
        del x
        xp.empty_cache()


EXACT = float(np.float32(0.1)) * (10**8 - 14285715) + float(np.float32(0.3)) * 14285715


def test_sums_over_very_many_elements(tenths: xp.Tensor) -> None:
    """Within a few roundings, as pairwise sums are; adding one by one would be wrong by 1e-2."""
    assert float(xp.sum(tenths)) == pytest.approx(EXACT, rel=4e-7)
    assert float(xp.mean(tenths)) == pytest.approx(EXACT / 1e8, rel=4e-7)
    rows = xp.reshape(tenths, (10**6, 100))
    assert float(xp.sum(xp.sum(rows, axis=0))) == pytest.approx(EXACT, rel=1e-6)
    assert float(xp.sum(xp.reshape(tenths, (100, 10**6)), axis=1)[3]) == pytest.approx(
        EXACT / 100, rel=1e-6
    )
    spread = float(np.float32(0.3)) - float(np.float32(0.1))
    share = 14285715 / 1e8
    assert float(xp.var(tenths)) == pytest.approx(spread**2 * share * (1 - share), rel=1e-5)


def test_cumulative_sums_over_very_many_elements(tenths: xp.Tensor) -> None:
    last = xp.cumulative_sum(tenths)[-1]
    assert float(last) == pytest.approx(EXACT, rel=4e-7)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sixteen_bit_floats_are_summed_in_float32(device: str, dtype: str) -> None:
    """In 16 bits the sum would stop growing at 2**11 (or 2**8)."""
    x = xp.full((300, 100), 1.0, dtype=dtype)
    assert float(xp.sum(x[:, :50])) == pytest.approx(15000, rel=2**-8)
    assert xp.sum(x, axis=0).tolist() == [300] * 100
    assert float(xp.mean(x)) == 1
    assert float(xp.cumulative_sum(x[:, 0])[-1]) == 300
    ones = xp.ones((2, 4096), dtype=dtype)
    assert float(xp.matmul(ones, xp.matrix_transpose(ones))[0, 1]) == 4096
