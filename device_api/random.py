# SPDX-License-Identifier: Apache-2.0
"""Random numbers: counter-based (Philox 4x32-10), so that a seed gives the same on every device.

All numbers agree bit by bit between devices: they are made of bits by steps that every device
rounds alike. The module's functions draw from one process-wide generator, which starts with seed
0; :class:`Generator` makes further ones. Shapes are as in ``zeros``; ``device=None`` means the
generator's device, or else the current one.
"""

from __future__ import annotations

import math
import operator
import os
import threading

from device_api import _core, dtypes, errors
from device_api._core import Device, Tensor
from device_api._normal import normal as normal_numbers
from device_api.creation import Shape, as_shape
from device_api.devices import DeviceLike, optional_device
from device_api.dtypes import DType, DTypeLike

_BLOCK = 4  # words that one count of the Philox counter gives

_lock = threading.Lock()  # of all counters; held for no longer than it takes to add
os.register_at_fork(  # a forked child would find it taken for ever
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


class Generator:
    """A source of random numbers: a seed and how far its counter has come. Thread-safe.

    ``device``: where its numbers are made unless a call says otherwise (default: the current
    device at the time of the call). The numbers do not depend on it.
    """

    def __init__(self, seed: int = 0, *, device: DeviceLike | None = None) -> None:
        self._device = optional_device(device)
        self.seed(seed)

    @property
    def device(self) -> Device | None:
        """The device that was given, or None."""
        return self._device

    def seed(self, seed: int) -> None:
        """Start anew from a seed, an integer; its low 64 bits count."""
        self._seed = operator.index(seed) % 2**64
        self._offset = 0

    def get_state(self) -> tuple[int, int]:
        """Return the state: seed and counter."""
        return self._seed, self._offset

    def set_state(self, state: tuple[int, int]) -> None:
        """Go on from a state that ``get_state`` returned; InvalidArgumentError for others."""
        if (
            not isinstance(state, list | tuple)
            or len(state) != 2
            or not all(isinstance(n, int) and 0 <= n < 2**64 for n in state)
        ):
            raise errors.InvalidArgumentError(
                f"set_state: {state!r} is no state", "give what get_state returned"
            )
        self._seed, self._offset = state

    def bits(self, n: int, *, device: DeviceLike | None = None) -> Tensor:
        """Return n random words: uint32, rank 1. Advances the counter by n / 4, rounded up."""
        (n,) = as_shape(n)
        with _lock:
            offset = self._offset
            self._offset = (offset + -(-n // _BLOCK)) % 2**64
        where = self._device if device is None else optional_device(device)
        return _core.random_bits(n, self._seed, offset, where)

    def rand(
        self, shape: Shape, *, dtype: DTypeLike = None, device: DeviceLike | None = None
    ) -> Tensor:
        """Return numbers uniform in [0, 1), floating, float32 by default."""
        sizes, wanted = as_shape(shape), _floating(dtype)
        n = math.prod(sizes)
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
        n = math.prod(sizes)
        word = _core.astype(self.bits(n, device=device), dtypes.int32)
        low = None
        if wanted == dtypes.float64:
            low = _core.astype(self.bits(n, device=device), dtypes.int32)
        return _core.reshape(_core.astype(normal_numbers(word, low), wanted, False), sizes)

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

        The range may be at most 2**63; a number's chance is even to one part in 2**63 times the
        range. Raises InvalidArgumentError for an empty range or one that the type does not hold.
        """
        if high is None:
            low, high = 0, low
        span = high - low
        wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
        if wanted.kind not in "iu":
            raise errors.DTypeError(f"randint of type {wanted.name}", "use an integer type")
        limits = dtypes.iinfo(wanted)
        if not 0 < span <= 2**63 or low < limits.min or high - 1 > limits.max:
            raise errors.InvalidArgumentError(
                f"randint: no range of {wanted.name} from {low} to {high}",
                "give low < high <= low + 2**63, within the type",
            )
        sizes = as_shape(shape)
        whole = self._whole(math.prod(sizes), device)
        if span < 2**63:
            whole = _core.remainder(whole, span)
        # A wider start wraps, and the sum wraps back into the type.
        start = low if low < 2**63 else low - 2**64
        whole = _core.add(whole, start)
        return _core.reshape(_core.astype(whole, wanted, False), sizes)

    def _whole(self, n: int, device: DeviceLike | None) -> Tensor:
        """Return n random integers of 63 bits: int64, rank 1."""
        words = _core.astype(self.bits(2 * n, device=device), dtypes.int64)
        high = _core.multiply(_core.remainder(words[:n], 2**31), 2**32)
        return _core.add(high, words[n:])

    def permutation(self, n: int, *, device: DeviceLike | None = None) -> Tensor:
        """Return the integers 0 .. n-1 in random order, int64."""
        if n < 0:
            raise errors.InvalidArgumentError(f"permutation of {n}", "give 0 or more")
        keys = self._whole(n, device)
        return _core.apply("argsort", (keys,), (n,), dtypes.int64, (0, 0)) if n else keys

    def bernoulli(
        self,
        shape: Shape,
        p: float = 0.5,
        *,
        dtype: DTypeLike = None,
        device: DeviceLike | None = None,
    ) -> Tensor:
        """Return 1 with probability p, else 0: bool by default, or any other type.

        The probability is exact to one part in 2**63. Raises InvalidArgumentError unless p lies
        in [0, 1].
        """
        sizes = as_shape(shape)
        if not isinstance(p, int | float) or not 0 <= p <= 1:
            raise errors.InvalidArgumentError(f"bernoulli: p is {p}", "give a number from 0 to 1")
        whole = self._whole(math.prod(sizes), device)
        hit = _core.less_equal(whole, int(p * 2**63) - 1)
        wanted = dtypes.bool_ if dtype is None else dtypes.as_dtype(dtype)
        return _core.reshape(_core.astype(hit, wanted, False), sizes)

    def dropout_mask(
        self, shape: Shape, p: float = 0.5, *, device: DeviceLike | None = None
    ) -> Tensor:
        """Return a bool mask of what dropout keeps: true with probability 1 - p."""
        return self.bernoulli(shape, 1 - p, device=device)


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
bernoulli = default_generator.bernoulli
dropout_mask = default_generator.dropout_mask
