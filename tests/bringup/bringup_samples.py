# SPDX-License-Identifier: Apache-2.0
"""Inputs for every op on every type, and the comparison of results with the op table's bounds."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from device_api import _core
from device_api._core import Tensor
from device_api_abi.optable import Op

Array = npt.NDArray[np.generic]

_DIGITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
_LEAST = {"float16": -24, "bfloat16": -133, "float32": -149, "float64": -1074}
_MOST = {"float16": 16, "bfloat16": 128, "float32": 128, "float64": 1024}
_PARTS = {"complex64": "float32", "complex128": "float64"}

SHIFTS = ("shift_left", "shift_right")


def upload(values: Array, dtype: str, device: str) -> Tensor:
    """Put values on a device in a type, which is bfloat16 perhaps."""
    with np.errstate(all="ignore"):
        return _core.from_numpy(values, _core.dtypes[dtype], _core.as_device(device))


def floats(dtype: str, rng: np.random.Generator) -> Array:
    """Return edge values and numbers of all magnitudes, as float64."""
    most, least, digits = _MOST[dtype], _LEAST[dtype], _DIGITS[dtype]
    top = (2.0 - 2.0 ** (1 - digits)) * 2.0 ** (most - 1)
    normal = 2.0 ** (2 - most)
    edges = [0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 5.0, np.pi / 4, np.pi / 2, np.pi, 20.0, 87.0, 1e4]
    edges += [np.inf, np.nan, 2.0**least, 3 * 2.0**least, normal, normal / 2, 2 * normal]
    edges += [normal - 2.0**least, top, top / 2, 1 + 2.0 ** (1 - digits), 1 - 2.0**-digits, 1e-3]
    edges += [2.0**k for k in range(-12, 13)] + [2.0 ** (digits - 1) + 1, 2.0**digits]
    sizes = np.exp(rng.uniform(np.log(2.0) * (least + 2), np.log(2.0) * (most - 1), 40))
    plain = np.concatenate([rng.normal(size=60), rng.uniform(0, 12, 40), rng.uniform(0, 1, 40)])
    with np.errstate(over="ignore"):
        values = np.concatenate([edges, sizes, np.abs(plain)])
        return np.concatenate([values, -values])


def integers(dtype: str, rng: np.random.Generator) -> Array:
    """Return the ends of the range, small numbers and random bits."""
    info = np.iinfo(dtype)
    small = [v for v in range(-5, 6) if v >= info.min]
    ends = [info.min, info.min + 1, info.max, info.max - 1, info.max // 2, info.max // 3]
    bits = rng.integers(0, 256, (40, info.bits // 8), dtype=np.uint8).view(dtype).ravel()
    some = rng.integers(max(-100, info.min), 101, 20)
    return np.concatenate([np.array([*small, *ends, *some], dtype=dtype), bits])


def values(dtype: str, rng: np.random.Generator) -> Array:
    """Return values of any type, those of floats as float64."""
    if dtype == "bool":
        return np.array([True, False, True, True, False])
    if dtype in _PARTS:
        part = floats(_PARTS[dtype], rng)
        edges = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan])
        grid = np.zeros((edges.size, edges.size), np.complex128)
        grid.real, grid.imag = np.meshgrid(edges, edges)
        made = np.empty(part.size, np.complex128)
        made.real, made.imag = part, rng.permutation(part)
        return np.concatenate([grid.ravel(), made])
    return floats(dtype, rng) if "float" in dtype else integers(dtype, rng)


def operands(op: Op, dtype: str, rng: np.random.Generator) -> list[Array]:
    """Return the inputs of an elementwise op: all pairs of few values, and random pairs."""
    single = values(dtype, rng)
    if len(op.inputs) == 1:
        return [single]
    few = single[:28] if single.size > 28 else single
    if "float" in dtype:
        few = np.concatenate([few, -few])
    a, b = (part.ravel() for part in np.meshgrid(few, few))
    more = [rng.permutation(single), rng.permutation(single)]
    if op.name in SHIFTS:
        bits = np.iinfo(dtype).bits
        counts = np.array([0, 1, 2, 3, bits // 2, bits - 1, bits, bits + 3, 100], dtype=dtype)
        a, b = (part.ravel() for part in np.meshgrid(single, counts))
        more = [single[:0], single[:0]]
    return [np.concatenate([a, more[0]]), np.concatenate([b, more[1]])]


def spacing(wanted: Array, dtype: str) -> Array:
    """Return the distance between neighbouring numbers of a type at the size of each value."""
    with np.errstate(all="ignore"):
        exponent = np.frexp(np.where(np.isfinite(wanted), wanted, 1.0))[1] - _DIGITS[dtype]
    return np.ldexp(1.0, np.maximum(exponent, _LEAST[dtype]))


def as_wide(x: Tensor) -> Array:
    """Return a tensor's values on the host, floats as float64."""
    name = x.dtype.name
    if name in _DIGITS:
        return _core.astype(x.to_device("cpu"), _core.dtypes["float64"]).numpy()
    return x.to_device("cpu").numpy()


def wrong(got: Tensor, wanted: Array, allowed: Array | float, *, signs: bool = True) -> Array:
    """Return where a result differs by more than the allowed distance, or in a zero's sign."""
    found, dtype = as_wide(got), got.dtype.name
    if dtype not in _DIGITS:
        return np.flatnonzero(found.ravel() != np.asarray(wanted).ravel())
    # What rounds to infinity in the type, with the slack of the bound, may be infinite.
    top = (2.0 - 2.0 ** (1 - _DIGITS[dtype])) * 2.0 ** (_MOST[dtype] - 1)
    with np.errstate(all="ignore"):
        near = np.abs(found - wanted) <= allowed
        over = (np.abs(wanted) + allowed >= top) & np.isinf(found) & (found * wanted > 0)
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
        good = same | over | (near & np.isfinite(wanted))
        if signs:
            zero = (found == 0) & (wanted == 0)
            good &= ~zero | (np.signbit(found) == np.signbit(wanted))
    return np.flatnonzero(~good.ravel())
