# SPDX-License-Identifier: Apache-2.0
"""How far two results of one op may lie apart: the op table's bounds, in NumPy.

Each of the two may be off by the table's bound, so they may differ by twice that. A sum's bound
grows with its terms and with the sum of their magnitudes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from device_api_abi import optable

if TYPE_CHECKING:
    from device_api_abi.optable import Op

Floats: TypeAlias = npt.NDArray[np.float64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Shape: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Format:
    """A floating-point type: bits of its significand, least exponent, roundoff of its sums."""

    precision: int
    least: int
    roundoff: float

    @property
    def smallest_normal(self) -> float:
        """The smallest number with a whole significand."""
        return float(np.ldexp(1.0, self.least))

    def unit(self, values: Floats) -> Floats:
        """The unit in the last place of each value."""
        exponents = np.maximum(
            np.frexp(np.where(np.isfinite(values), values, 1.0))[1] - 1, self.least
        )
        return np.asarray(np.ldexp(1.0, exponents - (self.precision - 1)))


FORMATS = {
    "float16": Format(11, -14, 2.0**-24),
    "bfloat16": Format(8, -126, 2.0**-24),
    "float32": Format(24, -126, 2.0**-24),
    "float64": Format(53, -1022, 2.0**-53),
}
PARTS = {"complex64": "float32", "complex128": "float64"}
_COMPLEX = {"mul": 4.0, "sign": 4.0}  # of ops that are exact or rounded for real numbers
_TERMS = {"hardsigmoid": 0.5}
"""Size of the terms whose difference a result may be: units are not taken of less."""


@cache
def op(name: str) -> Op:
    """Return the row of the op table."""
    return optable.by_name()[name]


def units(name: str, key: str) -> float:
    """Return by how many units in the last place two results may differ, sums aside."""
    row = op(name)
    if key in PARTS:
        limit = _COMPLEX.get(name, 2 * row.ulp[0] or (0.5 if row.error == "rounded" else 0.0))
    elif row.error == "ulp":
        limit = row.ulp[1] if key in ("float16", "bfloat16") else row.ulp[0]
    else:
        limit = 0.0 if row.error == "exact" else 0.5
    return 2 * limit


def units_of(name: str, form: Format, want: npt.NDArray[Any]) -> Floats:
    """Return the unit in the last place at each expected value; that of a complex number's larger
    part counts for both parts."""
    size = np.maximum(np.abs(want.real), np.abs(want.imag))
    return form.unit(np.maximum(size, _TERMS.get(name, 0.0)))


def is_sum(name: str) -> bool:
    """Tell whether an op's bound is that of a sum."""
    return op(name).error == "sum"


def has_magnitudes(name: str) -> bool:
    """Tell whether the op of magnitudes bounds the terms: it is a sum or product of inputs."""
    return op(name).kind not in ("normalize", "attention")


def terms(name: str, shapes: list[Shape]) -> float:
    """Return a bound for the terms of each element, from the shapes of inputs and output."""
    sizes = [max(prod(shape), 1) for shape in shapes]
    match op(name).kind:
        case "reduce":
            return sizes[0] / sizes[-1]
        case "matmul":
            return shapes[0][-1]
        case "convolution":
            return sizes[1] / max(shapes[1][0], 1)
        case "attention":
            return shapes[0][-1] + shapes[1][-2]
        case "normalize":
            return max(shapes[0], default=1)
        case "scan":
            return max(shapes[0], default=1)
        case _:
            return max(sizes)


def unspecified(name: str, inputs: list[npt.NDArray[Any]], output: str) -> Truths | None:
    """Return where the table does not say what the result is, or None."""
    if name in ("shift_left", "shift_right"):
        return np.asarray(inputs[1] < 0)
    if name == "cast" and output.startswith(("int", "uint")) and inputs[0].dtype.kind == "f":
        low, high = np.iinfo(output).min, np.iinfo(output).max
        with np.errstate(invalid="ignore"):
            return np.asarray(~((inputs[0] > low - 1.0) & (inputs[0] < high + 1.0)))
    return None


def apart(got: Floats, want: Floats, unit: Floats) -> Floats:
    """Return the distance in units in the last place; equal values and two NaN are 0 apart."""
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(got - want) / unit
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance))


def slack_of_sum(name: str, shapes: list[Shape], magnitudes: Floats, roundoff: float) -> Floats:
    """Return by how much two sums may differ, whatever their order of addition."""
    return 2.0 * (terms(name, shapes) + 2.0) * roundoff * np.abs(magnitudes)
