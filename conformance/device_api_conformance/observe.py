# SPDX-License-Identifier: Apache-2.0
"""Compare what came back with the truth: observations only, no verdict."""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api_conformance import ulp
from device_api_conformance.expectation import Expected
from device_api_conformance.formats import FORMATS, PARTS, Array, Host, decode

BIG = 1e300
"""Stands for infinity, which JSON lacks."""

EDGES = (0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 8, 16, 64)
"""Lower ends of the classes of `ulp_counts`; the last class has no upper end."""

POINTS = 16
"""Largest errors kept with their inputs, of functions of one argument."""


def observe(want: Expected, got: Host, operands: list[Host]) -> dict[str, Any]:
    """Observations of one result.

    Keys: `kind` (exact, ulp, bound), `count`, `form` (text when type or shape are wrong),
    `mismatches`, `ulp`, `excess`, `zero_signs`, the same with `_subnormal` for elements that touch
    the subnormal range, and `worst`. Complex results are compared part by part. For people only,
    not judged: `ulp_counts` (elements by class of error, see `EDGES`) and `ulp_points` (the largest
    errors that are no mere rounding, as pairs of input and error in ULP).
    """
    kind = "exact" if want.exact is not None else "bound" if want.bounded is not None else "ulp"
    found: dict[str, Any] = {"kind": kind, "count": int(got.data.size)}
    if got.dtype != want.dtype or got.shape != tuple(want.shape):
        found["form"] = f"got {got.dtype}{list(got.shape)}, want {want.dtype}{list(want.shape)}"
        return found
    if not got.data.size:
        return found | {"mismatches": 0}
    compare = {"exact": _exact, "ulp": _ulp, "bound": _bound}[kind]
    return found | compare(want, got.parts(), operands, _touches_subnormal(want, operands))


def _touches_subnormal(want: Expected, operands: list[Host]) -> Array:
    high = _reference_values(want)
    mask = np.zeros(np.shape(high), dtype=np.bool_)
    if want.real in FORMATS:
        # The smallest normal number may be rounded up from a subnormal one, which is flushed first.
        mask |= (high != 0) & (np.abs(high) <= FORMATS[want.real].smallest_normal)
    for operand in operands:
        if operand.dtype in FORMATS and operand.shape == tuple(want.shape):
            values = np.abs(operand.exact())
            tiny = (values != 0) & (values < FORMATS[operand.dtype].smallest_normal)
            mask |= tiny if tiny.shape == mask.shape else tiny[..., None]
    return mask


def _reference_values(want: Expected) -> Array:
    if want.exact is not None:
        return want.exact.exact()
    assert want.reference is not None
    return want.reference.high


def _exact(want: Expected, got: Host, operands: list[Host], subnormal: Array) -> dict[str, Any]:
    assert want.exact is not None
    bad = got.bits() != want.exact.bits()
    if want.real in FORMATS:
        values, truth = decode(got.dtype, got.data), decode(want.real, want.exact.data)
        if not want.payload:
            bad &= ~(np.isnan(values) & np.isnan(truth))
        if want.zero_either is not None:
            bad &= ~((values == 0) & (truth == 0) & want.zero_either)
    if want.free is not None:
        bad &= ~want.free
    found: dict[str, Any] = {
        "mismatches": int(np.count_nonzero(bad & ~subnormal)),
        "mismatches_subnormal": int(np.count_nonzero(bad & subnormal)),
    }
    if bad.any():
        shown = bad & ~subnormal if (bad & ~subnormal).any() else bad
        at = np.unravel_index(int(np.argmax(shown)), bad.shape)
        where = tuple(int(i) for i in at)
        found["worst"] = _row(want, at, _text(want.exact, where), got, operands)
    return found


def _ulp(want: Expected, got: Host, operands: list[Host], subnormal: Array) -> dict[str, Any]:
    assert want.reference is not None
    values = decode(got.dtype, got.data)
    error = _allowed_for(want, values, ulp.errors(want.real, values, want.reference, want.at))
    high = want.reference.high
    zero = (high == 0) & (want.reference.low == 0) & (values == 0)
    wrong_zero = zero & (np.signbit(high) != np.signbit(values))
    if want.zero_either is not None:
        wrong_zero &= ~want.zero_either
    size = np.minimum(np.abs(error), BIG)
    at = np.unravel_index(int(np.argmax(size)), size.shape)
    return {
        "ulp": _statistics(size, error),
        "ulp_counts": _counts(size),
        "ulp_points": _points(size, operands),
        "ulp_max": _maximum(size, ~subnormal),
        "ulp_max_subnormal": _maximum(size, subnormal),
        "zero_signs": int(np.count_nonzero(wrong_zero)),
        "worst": _row(want, at, high[at], got, operands) | {"ulp": float(size[at])},
    }


def _allowed_for(want: Expected, values: Array, error: Array) -> Array:
    """Errors without those that are none: free parts, infinities of complex numbers."""
    if want.free is not None:
        error = np.where(want.free, 0.0, error)
    if want.infinite is not None:
        reached = np.isinf(values).any(axis=-1, keepdims=True)
        mask = want.infinite[..., None]
        error = np.where(mask, np.where(reached, 0.0, np.inf), error)
    return error


def _maximum(size: Array, mask: Array) -> float:
    return float(size[mask].max()) if mask.any() else 0.0


def _statistics(size: Array, error: Array) -> dict[str, float]:
    finite = error[np.isfinite(error)]
    return {
        "max": float(size.max()),
        "p999": float(np.quantile(size, 0.999)),
        "mean": float(np.clip(finite.mean(), -BIG, BIG)) if finite.size else 0.0,
    }


def _counts(size: Array) -> list[int]:
    found = np.bincount(np.searchsorted(EDGES, size.ravel(), side="right") - 1)
    return [int(n) for n in found] + [0] * (len(EDGES) - len(found))


def _points(size: Array, operands: list[Host]) -> list[list[float]]:
    """The largest errors beyond half a unit, with their finite inputs."""
    if len(operands) != 1 or operands[0].dtype not in FORMATS or operands[0].shape != size.shape:
        return []
    inputs, flat = operands[0].exact().ravel(), size.ravel()
    usable = np.flatnonzero((flat > 0.5) & np.isfinite(inputs))
    at = usable[np.argsort(flat[usable])[::-1][:POINTS]]
    return [[float(f"{float(inputs[i]):.6g}"), float(f"{float(flat[i]):.4g}")] for i in at]


def _bound(want: Expected, got: Host, operands: list[Host], subnormal: Array) -> dict[str, Any]:
    """Excess: error beyond the last rounding, in roundoffs of the accumulator times magnitude."""
    assert want.bounded is not None and want.reference is not None
    values = decode(got.dtype, got.data)
    error = np.abs(ulp.errors(want.real, values, want.reference))
    step = ulp.unit(FORMATS[want.real], want.reference.high)
    accumulator = FORMATS["float64" if want.real == "float64" else "float32"].roundoff
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        beyond = np.maximum(error - 0.5, 0.0) * step
        excess = np.where(beyond == 0, 0.0, beyond / (accumulator * want.bounded.magnitude))
    excess = np.minimum(np.where(np.isnan(excess), BIG, excess), BIG)
    at = np.unravel_index(int(np.argmax(excess)), excess.shape)
    size = np.minimum(error, BIG)
    worst = _row(want, at, want.reference.high[at], got, [])
    return {
        "ulp": _statistics(size, error),
        "excess": float(excess.max()),
        "terms": want.bounded.terms,
        "worst": worst | {"excess": float(excess[at])},
    }


def _row(
    want: Expected, at: tuple[Any, ...], wanted: Any, got: Host, operands: list[Host]
) -> dict[str, Any]:
    """One element in words: where, the bits of the inputs and of the result, what was wanted."""
    where = tuple(int(i) for i in at)
    element = where[: len(want.shape)]
    inputs = [_text(h, element) for h in operands if h.shape == tuple(want.shape)]
    return {"index": list(where), "inputs": inputs, "got": _text(got, where), "want": str(wanted)}


def _text(host: Host, at: tuple[int, ...]) -> str:
    bits = host.bits()[at]
    if host.dtype in PARTS:
        return f"{host.data[at]} ({', '.join(f'{int(b):#x}' for b in bits)})"
    value = decode(host.dtype, host.data)[at] if host.dtype in FORMATS else host.data[at]
    return f"{value} (0x{int(bits):0{host.data.itemsize * 2}x})"
