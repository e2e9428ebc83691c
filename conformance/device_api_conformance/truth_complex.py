# SPDX-License-Identifier: Apache-2.0
"""Truth of elementwise ops on complex numbers.

Finite operands go through mpmath; a zero part is replaced by a number of its sign that is far too
small to matter, so that branch cuts see the sign. The results of operands that are not finite come
from the tables of C99 annex G and the array API (`truth_special`). Results are judged by the
distance of each part from the truth in units of the larger part; the sign of a zero is not judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from device_api_abi.optable import Op
from device_api_conformance import truth_float
from device_api_conformance.expectation import Expected, exactly, truths
from device_api_conformance.formats import FORMATS, PARTS, Array, Host, parts_of, rounded
from device_api_conformance.truth_float import PRECISION, split
from device_api_conformance.truth_special import FREE, INFINITE, special
from device_api_conformance.ulp import Reference

_TINY = mpmath.ldexp(1, -20000)


def elementwise(op: Op, dtype: str, operands: list[Host]) -> Expected:
    """Expected result of a unary, binary or compare op with complex operands."""
    if op.name in _TESTS:
        return truths(_TESTS[op.name](*(h.data for h in operands)))
    part = PARTS[dtype]
    if op.name in ("add", "sub"):
        a, b = (h.parts().exact() for h in operands)
        return exactly(dtype, truth_float.rounded_result(op.name, part, a, b))
    pairs = parts_of(operands[0].data)
    if op.name in ("real", "imag"):
        return exactly(part, pairs[..., 0 if op.name == "real" else 1])
    if op.name == "magnitude":
        x = operands[0].parts().exact()
        found = truth_float.reference("hypot", part, x[..., 0], x[..., 1])
        return Expected(part, found.high.shape, reference=found)
    if op.name in _BY_PART:
        wide = _BY_PART[op.name](operands[0].parts().exact())
        return exactly(dtype, rounded(part, wide))
    return _function(op.name, dtype, operands)


def made(op: Op, dtype: str, operands: list[Host]) -> Expected:
    """make_complex"""
    target = "complex64" if dtype == "float32" else "complex128"
    return exactly(target, np.stack([h.data for h in operands], axis=-1))


_TESTS: dict[str, Callable[..., Any]] = {
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b, "isnan": np.isnan,
    "isfinite": np.isfinite, "isinf": np.isinf,
}  # fmt: skip

_BY_PART: dict[str, Callable[[Array], Array]] = {
    "neg": lambda x: -x,
    "round": np.rint,
    "conj": lambda x: np.stack([x[..., 0], -x[..., 1]], axis=-1),
}


# ---- functions, judged by distance -----------------------------------------------------------


def _function(name: str, dtype: str, operands: list[Host]) -> Expected:
    part = PARTS[dtype]
    rows = np.concatenate([h.parts().exact() for h in operands], axis=-1)
    shape = rows.shape[:-1]
    flat = np.ascontiguousarray(rows.reshape(-1, rows.shape[-1]))
    _, first, back = np.unique(flat.view(np.uint64), axis=0, return_index=True, return_inverse=True)
    answers = [_answer(name, flat[i].tolist()) for i in first]
    table = np.array(answers, dtype=np.float64).reshape(-1, 6)[back.reshape(-1)]
    high = table[:, 0:2].reshape(*shape, 2)
    rest = table[:, 2:4].reshape(*shape, 2)
    kind = table[:, 4].reshape(shape)
    masks = np.array([[(int(v) >> i) & 1 for i in (0, 1)] for v in table[:, 5]], dtype=np.bool_)
    with np.errstate(over="ignore"):
        overflow = (np.abs(high) > FORMATS[part].largest) & np.isfinite(rows).all(-1, keepdims=True)
    infinite = (kind == INFINITE) | overflow.any(axis=-1)
    free = masks.reshape(*shape, 2) | (kind == FREE)[..., None]
    finite = np.where(np.isfinite(high), np.abs(high), 0.0)
    at = np.broadcast_to(finite.max(axis=-1, keepdims=True), high.shape)
    reference = Reference(high, rest) if part == "float64" else Reference.of(part, high, 0.0)
    either = np.ones(high.shape, dtype=np.bool_)
    return Expected(dtype, shape, reference=reference, at=at, free=free, infinite=infinite,
                    zero_either=either)  # fmt: skip


def _answer(name: str, row: list[float]) -> tuple[float, ...]:
    """Parts of the result, their rests in units, the kind of the result, mask of free parts."""
    given = special(name, row)
    if given is not None:
        kind, re, im = given
        free = (re is None) + 2 * (im is None)
        return (re or 0.0, im or 0.0, 0.0, 0.0, kind, free)
    with mpmath.workprec(PRECISION):
        numbers = [_number(row[i], row[i + 1]) for i in range(0, len(row), 2)]
        if name in _ODD and abs(numbers[0]) < _NEAR_ZERO:
            value = numbers[0]  # but for terms of the third power
        else:
            value = mpmath.mpc(_FUNCTIONS[name](*numbers))
        (re, re_rest), (im, im_rest) = split(value.real), split(value.imag)
    return (re, im, re_rest, im_rest, 0, 0)


def _number(re: float, im: float) -> Any:
    return mpmath.mpc(*(mpmath.mpf(v) if v else _TINY * np.copysign(1.0, v) for v in (re, im)))


def _pow(z: Any, w: Any) -> Any:
    return mpmath.exp(w * mpmath.log(z))


def _acosh(z: Any) -> Any:
    """By its definition, with digits enough beside its branch point: mpmath 1.3 errs there."""
    with mpmath.workprec(PRECISION + 40 + min(max(-mpmath.mag(z - 1), 0), _AT_BRANCH)):
        return mpmath.log(z + mpmath.sqrt(z + 1) * mpmath.sqrt(z - 1))


def _acos(z: Any) -> Any:
    """From acosh, which is i acos(z) above the real line and -i acos(z) below it."""
    found = _acosh(z)
    return (
        mpmath.mpc(found.imag, -found.real) if z.imag > 0 else mpmath.mpc(-found.imag, found.real)
    )


_AT_BRANCH = 2400
"""More bits than 1 + x takes for any x of float64, and for any root of it."""

_ODD = ("expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh")
_NEAR_ZERO = mpmath.ldexp(1, -120)

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "mul": lambda a, b: a * b, "div": lambda a, b: a / b, "pow": _pow,
    "sign": lambda z: z / abs(z), "reciprocal": lambda z: 1 / z,
    "exp": mpmath.exp, "expm1": mpmath.expm1, "log": mpmath.log, "log1p": mpmath.log1p,
    "log2": lambda z: mpmath.log(z) / mpmath.log(2),
    "log10": lambda z: mpmath.log(z) / mpmath.log(10), "sqrt": mpmath.sqrt,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin,
    "acos": _acos, "atan": mpmath.atan, "sinh": mpmath.sinh, "cosh": mpmath.cosh,
    "tanh": mpmath.tanh, "asinh": mpmath.asinh, "acosh": _acosh, "atanh": mpmath.atanh,
}  # fmt: skip
