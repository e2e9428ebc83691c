# SPDX-License-Identifier: Apache-2.0
"""Random numbers: counter-based (Philox 4x32-10), so that a seed gives the same on every device.

Bits, uniforms and integers agree bit by bit between devices; normals agree up to the rounding of
``log`` and ``sqrt``. The module's functions draw from one process-wide generator, which starts
with seed 0; :class:`Generator` makes further ones. Shapes are as in ``zeros``; ``device=None``
means the current device.
"""

from __future__ import annotations

import operator
import os
import threading
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api._normal import quantile
from device_api.creation import Shape, as_shape
from device_api.devices import DeviceLike, optional_device
from device_api.dtypes import DType, DTypeLike

_BLOCK = 4  # words that one count of the Philox counter gives

_lock = threading.Lock()  # of all counters; held for no longer than it takes to add
os.register_at_fork(  # a forked child would find it taken for ever
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


class Generator:
    """A source of random numbers: a seed and how far its counter has come. Thread-safe."""

    def __init__(self, seed: int = 0) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start anew from a seed, an integer; its low 64 bits count."""
        self._seed = operator.index(seed) % 2**64
        self._offset = 0

    def get_state(self) -> tuple[int, int]:
        """Return the state: seed and counter."""
        return self._seed, self._offset

    def set_state(self, state: tuple[int, int]) -> None:
        """Go on from a state that ``get_state`` returned."""
        self._seed, self._offset = state

    def bits(self, n: int, *, device: DeviceLike | None = None) -> Tensor:
        """Return n random words: uint32, rank 1. Advances the counter by n / 4, rounded up."""
        with _lock:
            offset = self._offset
            self._offset = (offset + -(-n // _BLOCK)) % 2**64
        return _core.random_bits(n, self._seed, offset, optional_device(device))

    def rand(
        self, shape: Shape, *, dtype: DTypeLike = None, device: DeviceLike | None = None
    ) -> Tensor:
        """Return numbers uniform in [0, 1), floating, float32 by default."""
        sizes, wanted = as_shape(shape), _floating(dtype)
        n = int(np.prod(sizes, dtype=np.int64))
        if wanted == dtypes.float64:
            words = _core.astype(self.bits(2 * n, device=device), dtypes.float64)
            high, low = words[:n], words[n:]
            unit = _core.add(_core.multiply(high, 2.0**-32), _core.multiply(low, 2.0**-64))
        else:
            words = _core.astype(self.bits(n, device=device), dtypes.float32)
            unit = _core.multiply(words, 2.0**-32)
        # Rounding may have reached 1: the largest number below it stands for that.
        unit = _core.astype(unit, wanted, False)
        unit = _core.minimum(unit, 1 - dtypes.finfo(wanted).eps / 2)
        return _core.reshape(unit, sizes)

    def uniform(
        self,
        shape: Shape,
        low: float = 0.0,
        high: float = 1.0,
        *,
        dtype: DTypeLike = None,
        device: DeviceLike | None = None,
    ) -> Tensor:
        """Return numbers uniform between low and high, floating, float32 by default."""
        unit = self.rand(shape, dtype=dtype, device=device)
        return _core.add(_core.multiply(unit, high - low), low)

    def randn(
        self, shape: Shape, *, dtype: DTypeLike = None, device: DeviceLike | None = None
    ) -> Tensor:
        """Return numbers of the standard normal distribution, floating, float32 by default."""
        sizes, wanted = as_shape(shape), _floating(dtype)
        n = int(np.prod(sizes, dtype=np.int64))
        wide = dtypes.float64 if wanted == dtypes.float64 else dtypes.float32
        word = _core.astype(self.bits(n, device=device), dtypes.int32)
        centred = _core.multiply(_core.astype(word, wide), 2.0**-32)
        if wide == dtypes.float64:
            fine = _core.astype(self.bits(n, device=device), wide)
            centred = _core.add(centred, _core.multiply(fine, 2.0**-64))
        return _core.reshape(_core.astype(quantile(centred), wanted, False), sizes)

    def normal(
        self,
        shape: Shape,
        mean: float = 0.0,
        std: float = 1.0,
        *,
        dtype: DTypeLike = None,
        device: DeviceLike | None = None,
    ) -> Tensor:
        """Return normally distributed numbers, floating, float32 by default."""
        if std < 0:
            raise errors.InvalidArgumentError(f"normal: std {std} is negative", "give 0 or more")
        drawn = self.randn(shape, dtype=dtype, device=device)
        return _core.add(_core.multiply(drawn, std), mean)

    def randint(
        self,
        low: int,
        high: int | None = None,
        shape: Shape = (),
        *,
        dtype: DTypeLike = None,
        device: DeviceLike | None = None,
    ) -> Tensor:
        """Return integers uniform in [low, high), or [0, low) without high; int64 by default.

        The range may be at most 2**32; a number's chance is then even to one part in 2**32 times
        the range. Computed in float64, which a device may lack: it then falls back.
        """
        if high is None:
            low, high = 0, low
        span = high - low
        if not 0 < span <= 2**32:
            raise errors.InvalidArgumentError(
                f"randint: no range from {low} to {high}", "give low < high <= low + 2**32"
            )
        sizes = as_shape(shape)
        wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
        words = self.bits(int(np.prod(sizes, dtype=np.int64)), device=device)
        scaled = _core.multiply(_core.astype(words, dtypes.float64), span * 2.0**-32)
        whole = _core.add(_core.astype(_core.floor(scaled), dtypes.int64), low)
        return _core.reshape(_core.astype(whole, wanted, False), sizes)

    def permutation(self, n: int, *, device: DeviceLike | None = None) -> Tensor:
        """Return the integers 0 .. n-1 in random order, int64; the order is found on the host."""
        words: np.ndarray[Any, Any] = self.bits(2 * n, device="cpu").numpy().astype(np.uint64)
        order = np.argsort(words[:n] << np.uint64(32) | words[n:], kind="stable")
        return _core.from_numpy(order.astype(np.int64), None, optional_device(device))


def _floating(dtype: DTypeLike) -> DType:
    wanted = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
    if wanted.kind != "f":
        raise errors.DTypeError(f"random numbers of type {wanted.name}", "use randint or a float")
    return wanted


default_generator = Generator(0)

seed = default_generator.seed
get_state = default_generator.get_state
set_state = default_generator.set_state
rand = default_generator.rand
randn = default_generator.randn
uniform = default_generator.uniform
normal = default_generator.normal
randint = default_generator.randint
permutation = default_generator.permutation
