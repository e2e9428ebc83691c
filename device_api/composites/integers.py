# SPDX-License-Identifier: Apache-2.0
"""Bits of integers, read from the top: the top bit is a sign, and doubling brings the next one.

Unsigned numbers are converted to the signed type of their width for it, and back.
"""

from __future__ import annotations

from collections.abc import Sequence

from device_api import _core
from device_api._core import Device, DType, Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes

UINT32, UINT64 = _core.dtypes["uint32"], _core.dtypes["uint64"]
FLOAT64 = _core.dtypes["float64"]
_AND = "cast cast:signed less:signed logical_and add:signed"


def signed(x: Tensor) -> Tensor:
    """Return the bits of x as the signed type of its width."""
    return _core.astype(x, _core.dtypes[f"int{x.dtype.itemsize * 8}"], False)


def bit(condition: Tensor, dtype: DType) -> Tensor:
    """Return a condition as 1 and 0."""
    return _core.astype(condition, dtype)


def _common_bits(x1: Tensor, x2: Tensor) -> Tensor:
    a, b = signed(x1), signed(x2)
    found = w.filled(a, 0)
    for _ in range(x1.dtype.itemsize * 8):
        common = bit(w.both(w.less(a, 0), w.less(b, 0)), a.dtype)
        found = w.add(w.add(found, found), common)
        a, b = w.add(a, a), w.add(b, b)
    return _core.astype(found, x1.dtype, False)


@composes("bitwise_and", uses=_AND)
def bitwise_and(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the common bits."""
    return _common_bits(x1, x2)


@composes("bitwise_or", uses=f"{_AND} add neg")
def bitwise_or(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the sum, in which common bits count once."""
    return w.sub(w.add(x1, x2), _common_bits(x1, x2))


@composes("bitwise_xor", uses=f"{_AND} add neg")
def bitwise_xor(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the sum less what both have."""
    common = _common_bits(x1, x2)
    return w.sub(w.add(x1, x2), w.add(common, common))


@composes("bitwise_not", uses="add neg")
def bitwise_not(x: Tensor) -> Tensor:
    """Return -1 - x."""
    ones = -1 if x.dtype.kind == "i" else 2 ** (x.dtype.itemsize * 8) - 1
    return w.add(w.neg(x), w.like(x, ones))


@composes("shift_left", uses="mul pow")
def shift_left(x1: Tensor, x2: Tensor) -> Tensor:
    """Return x1 * 2 ** x2; the power wraps to 0 from the width on."""
    return w.mul(x1, _core.pow(w.like(x1, 2), x2))


@composes("shift_right", uses="less where add cast:signed less:signed add:signed")
def shift_right(x1: Tensor, x2: Tensor) -> Tensor:
    """Return the upper bits: all but the last x2 are read, after copies of the sign."""
    width = x1.dtype.itemsize * 8
    bits = signed(x1)
    found = w.filled(x1, 0)
    if x1.dtype.kind == "i":
        found = w.where(w.less(x1, 0), w.like(x1, -1), found)
    for step in range(width):
        longer = w.add(w.add(found, found), bit(w.less(bits, 0), x1.dtype))
        found = w.where(w.less(x2, width - step), longer, found)
        bits = w.add(bits, bits)
    return found


# ---- random bits -------------------------------------------------------------------------------

_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)


def _low_word(x: Tensor) -> Tensor:
    return _core.astype(_core.astype(x, UINT32), UINT64)


def _high_word(x: Tensor, low: Tensor) -> Tensor:
    """Return x >> 32: what is left without the lower word has 32 bits, which float64 holds."""
    upper = _core.astype(w.sub(x, low), FLOAT64)
    return _core.astype(w.mul(upper, 2.0**-32), UINT64)


def _words_of(x: Tensor) -> tuple[Tensor, Tensor]:
    low = _low_word(x)
    return _high_word(x, low), low


def _xor(a: Tensor, b: Tensor) -> Tensor:
    """Return the exclusive or of words."""
    found = _core.bitwise_xor(_core.astype(a, UINT32), _core.astype(b, UINT32))
    return _core.astype(found, UINT64)


@composes(
    "random_bits",
    uses="bitwise_xor add:uint64 neg:uint64 mul:uint64 iota:uint64 cast:uint64 fill:uint64 "
    "mul:float64 cast:float64",
    shaped=True,
)
def random_bits(seed: int, offset: int, *, shape: tuple[int, ...]) -> Tensor:
    """Return words of Philox 4x32-10, in 64-bit arithmetic."""
    device = _core.current_device()
    blocks = (shape[0] + 3) // 4
    counter = w.add(
        _core.iota(blocks, 0, 1, UINT64, device), _core.full((), offset, UINT64, device)
    )
    high, low = _words_of(counter)
    zero = _core.full((blocks,), 0, UINT64, device)
    # Words 0 and 2 of all blocks, one after the other, and words 1 and 3.
    even, odd = _core.concat([low, zero]), _core.concat([high, zero])
    multipliers = _pair(_MULTIPLIERS, blocks, device)
    keys = [seed % 2**32, seed >> 32]
    for _ in range(10):
        high, low = (_swapped(part) for part in _words_of(w.mul(even, multipliers)))
        even, odd = _xor(_xor(high, odd), _pair(keys, blocks, device)), low
        keys = [(key + step) % 2**32 for key, step in zip(keys, _KEY_STEPS, strict=True)]
    words = [_core.reshape(_core.astype(part, UINT32), (2, blocks, 1)) for part in (even, odd)]
    ordered = _core.permute_dims(_core.concat(words, 2), (1, 0, 2))
    return _core.reshape(ordered, (blocks * 4,))[: shape[0]]


def _pair(values: Sequence[int], n: int, device: Device) -> Tensor:
    """Return n times the first value, then n times the second."""
    return _core.concat([_core.full((n,), value, UINT64, device) for value in values])


def _swapped(x: Tensor) -> Tensor:
    """Return the second half, then the first."""
    n = x.shape[0] // 2
    return _core.concat([x[n:], x[:n]])
