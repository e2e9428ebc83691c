# SPDX-License-Identifier: Apache-2.0
"""Number formats on the host: storage, bits, decoding to float64, correct rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: `precision` counts the implicit bit."""

    name: str
    precision: int
    emin: int
    emax: int

    @property
    def largest(self) -> float:
        """The largest finite value."""
        return float(np.ldexp(2.0 - 2.0 ** (1 - self.precision), self.emax))

    @property
    def smallest_normal(self) -> float:
        """The smallest normal value."""
        return float(np.ldexp(1.0, self.emin))

    @property
    def smallest(self) -> float:
        """The smallest subnormal value."""
        return float(np.ldexp(1.0, self.emin - self.precision + 1))

    @property
    def roundoff(self) -> float:
        """Half the spacing at 1: the largest relative error of one rounding."""
        return float(2.0**-self.precision)


FORMATS = {
    "float16": Format("float16", 11, -14, 15),
    "bfloat16": Format("bfloat16", 8, -126, 127),
    "float32": Format("float32", 24, -126, 127),
    "float64": Format("float64", 53, -1022, 1023),
}


PARTS = {"complex64": "float32", "complex128": "float64"}
"""The type of the parts of a complex type."""


@dataclass
class Host:
    """Values on the host: `data` in the storage type of `dtype` (bfloat16 is kept as uint16)."""

    dtype: str
    data: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.data.shape

    def bits(self) -> Array:
        """The values as unsigned integers of the same width (of the parts, where complex)."""
        return bits_of(self.data)

    def parts(self) -> Host:
        """A complex array as real one, with a last axis for real and imaginary part."""
        return Host(PARTS[self.dtype], parts_of(self.data)) if self.dtype in PARTS else self

    def exact(self) -> Array:
        """The values as float64 (floating), complex128 (complex) or Python integers (others)."""
        if self.dtype in PARTS:
            return self.data.astype(np.complex128)
        if self.dtype in FORMATS:
            return decode(self.dtype, self.data)
        return (
            self.data.astype(object)
            if self.dtype != "bool"
            else self.data.astype(int).astype(object)
        )


def storage(dtype: str) -> np.dtype[Any]:
    """The NumPy type in which values of `dtype` are kept."""
    return np.dtype("uint16" if dtype == "bfloat16" else dtype)


def bits_of(data: Array) -> Array:
    """The bytes of each element (or of each part, on a last axis) as one unsigned integer."""
    real = parts_of(data) if data.dtype.kind == "c" else data
    contiguous = np.ascontiguousarray(real).reshape(real.shape)
    return contiguous.view(np.dtype(f"u{real.dtype.itemsize}"))


def parts_of(data: Array) -> Array:
    """Complex numbers as real ones, with a last axis for real and imaginary part."""
    flat = np.ascontiguousarray(data).reshape(-1)
    return flat.view(flat.real.dtype).reshape(*data.shape, 2)


def joined(parts: Array) -> Array:
    """The complex numbers whose parts lie on the last axis."""
    kind = np.dtype("complex64" if parts.dtype == np.float32 else "complex128")
    return np.ascontiguousarray(parts).reshape(-1).view(kind).reshape(parts.shape[:-1])


def decode(dtype: str, data: Array) -> Array:
    """Stored floating-point values as float64; exact for every format."""
    if dtype == "bfloat16":
        wide = np.ascontiguousarray(data).reshape(data.shape).astype(np.uint32) << np.uint32(16)
        return quiet(wide.view(np.float32))
    return quiet(data)


def quiet(values: Array) -> Array:
    """To float64 with no warning for signalling NaNs."""
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64)


def encode(dtype: str, values: Array) -> Array:
    """Store float64 values that are representable in `dtype`.

    The result has the storage type. Values that are not representable must go through `rounded`.
    """
    if dtype == "float64":
        return np.asarray(values, dtype=np.float64)
    narrow = np.asarray(values, dtype=np.float64).astype(np.float32)
    if dtype == "float32":
        return narrow
    if dtype == "float16":
        return narrow.astype(np.float16)
    return (bits_of(narrow) >> np.uint32(16)).astype(np.uint16)


def round_to_odd(high: Array, low: Array) -> Array:
    """Make one float64 of `high + low` that rounds into any narrower format as the sum would.

    `high` is the sum rounded to nearest and `low` the rest (only its sign matters). The last bit of
    the result is set when bits were lost, so a second rounding cannot be misled (Boldo and
    Melquiond, "When double rounding is odd", 2005).
    """
    high = np.array(high, dtype=np.float64)
    bits = high.view(np.uint64)
    inexact = np.isfinite(high) & (low != 0) & ((bits & np.uint64(1)) == 0)
    outward = np.signbit(low) == np.signbit(high)
    adjusted = np.where(outward, bits | np.uint64(1), (bits - np.uint64(1)) | np.uint64(1))
    return np.where(inexact, adjusted, bits).view(np.float64)


def rounded(dtype: str, high: Array, low: Array | None = None) -> Array:
    """Round `high + low` (float64 each) to `dtype`, half to even, overflow to infinity.

    The result is stored in the format. Written without the host's own narrowing conversions.
    """
    high = np.asarray(high, dtype=np.float64)
    if dtype == "float64":
        return high
    if low is not None:
        high = round_to_odd(high, np.asarray(low, dtype=np.float64))
    fmt = FORMATS[dtype]
    _, exponent = np.frexp(high)
    unit = np.ldexp(1.0, np.clip(exponent - 1, fmt.emin, fmt.emax) - fmt.precision + 1)
    with np.errstate(invalid="ignore"):
        nearest = np.rint(high / unit) * unit
    overflow = np.abs(nearest) > fmt.largest
    return encode(dtype, np.where(overflow, np.copysign(np.inf, high), nearest))


def wrapped(dtype: str, values: Array) -> Array:
    """Python integers reduced modulo 2^width into the storage type of an integer `dtype`."""
    kind = storage(dtype)
    width = kind.itemsize * 8
    mask = (1 << width) - 1
    flat = [int(v) & mask for v in np.asarray(values, dtype=object).ravel()]
    unsigned = np.array(flat, dtype=f"u{kind.itemsize}")
    return unsigned.view(kind).reshape(np.shape(values))
