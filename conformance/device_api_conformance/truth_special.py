# SPDX-License-Identifier: Apache-2.0
"""Results of complex functions at poles, infinities and NaN (C99 annex G; the array API).

Each function answers for the quadrant of positive parts; `special` adds the signs. A part that the
tables leave open is None. `INFINITE` stands for a result of which some part is infinite: which one,
and of what sign, is open there.
"""

from __future__ import annotations

import math
from collections.abc import Callable

VALUE, INFINITE, FREE = 0, 1, 2

INF, NAN, PI = math.inf, math.nan, math.pi
Answer = tuple[int, float | None, float | None]
ANY: Answer = (FREE, None, None)
BOUNDLESS: Answer = (INFINITE, None, None)


def special(name: str, row: list[float]) -> Answer | None:
    """The result for these operands (parts in a row), or None where it has to be calculated."""
    finite = all(math.isfinite(v) for v in row)
    if name in _BINARY:
        return _BINARY[name](row, finite)
    x, y = row
    if name in ("sign", "reciprocal"):
        return _simple(name, x, y, finite)
    turned = {"sin": "sinh", "tan": "tanh", "asin": "asinh", "atan": "atanh"}.get(name)
    if turned:  # f(z) = -i g(iz)
        found = special(turned, [-y, x])
        return None if found is None else (found[0], found[2], _minus(found[1]))
    if name == "cos":
        return special("cosh", [-y, x])
    if finite and not _pole(name, x, y):
        return None
    return _signed(name, x, y)


def _minus(v: float | None) -> float | None:
    return None if v is None else -v


def _pole(name: str, x: float, y: float) -> bool:
    if y != 0:
        return False
    return (
        (name in ("log", "log2", "log10") and x == 0)
        or (name == "log1p" and x == -1)
        or (name == "atanh" and abs(x) == 1)
    )


def _signed(name: str, x: float, y: float) -> Answer:
    """Use the symmetries: f(conj z) = conj f(z), and for odd functions f(-z) = -f(z)."""
    function = _FIRST[{"log2": "log", "log10": "log"}.get(name, name)]
    below = math.copysign(1.0, y) < 0
    left = math.copysign(1.0, x) < 0
    if name in ("sinh", "tanh", "asinh", "atanh"):
        kind, re, im = function(abs(x), abs(y))
        return kind, _minus(re) if left else re, _minus(im) if below else im
    if name == "cosh":
        kind, re, im = function(abs(x), abs(y))
        return kind, re, _minus(im) if below != left else im
    kind, re, im = function(x, abs(y))
    if name in ("log2", "log10") and im is not None:
        im = im / math.log(2 if name == "log2" else 10)
    return kind, re, _minus(im) if below else im


def _ray(y: float) -> Answer:
    """inf * (cos y + i sin y) for finite y."""
    if y == 0:
        return VALUE, INF, 0.0
    return VALUE, math.copysign(INF, math.cos(y)), math.copysign(INF, math.sin(y))


def _exp(x: float, y: float) -> Answer:
    if x == -INF:
        return VALUE, 0.0, 0.0
    if x == INF:
        return _ray(y) if math.isfinite(y) else BOUNDLESS
    return (VALUE, NAN, 0.0) if y == 0 else (VALUE, NAN, NAN)


def _expm1(x: float, y: float) -> Answer:
    return (VALUE, -1.0, 0.0) if x == -INF else _exp(x, y)


def _log(x: float, y: float) -> Answer:
    if x == 0 and y == 0:
        return VALUE, -INF, PI if math.copysign(1.0, x) < 0 else 0.0
    return _angle(x, y)


def _log1p(x: float, y: float) -> Answer:
    return (VALUE, -INF, 0.0) if x == -1 and y == 0 else _angle(x, y)


def _angle(x: float, y: float) -> Answer:
    """Infinity in the direction of x + iy."""
    if math.isinf(x) and math.isinf(y):
        return VALUE, INF, PI / 4 if x > 0 else 3 * PI / 4
    if math.isinf(y) and x == x:
        return VALUE, INF, PI / 2
    if math.isinf(x) and y == y:
        return VALUE, INF, 0.0 if x > 0 else PI
    if math.isinf(x) or math.isinf(y):
        return VALUE, INF, NAN
    return VALUE, NAN, NAN


def _sqrt(x: float, y: float) -> Answer:
    if y == INF:
        return VALUE, INF, INF
    if x == -INF:
        return (VALUE, 0.0, INF) if y == y else BOUNDLESS
    if x == INF:
        return VALUE, INF, 0.0 if y == y else NAN
    return VALUE, NAN, NAN


def _sinh(x: float, y: float) -> Answer:
    if x == 0:
        return VALUE, 0.0, NAN
    if x == INF:
        return _ray(y) if math.isfinite(y) else BOUNDLESS
    return (VALUE, NAN, 0.0) if y == 0 else (VALUE, NAN, NAN)


def _cosh(x: float, y: float) -> Answer:
    if x == 0 and not math.isfinite(y):
        return VALUE, NAN, 0.0
    if x == INF:
        return _ray(y) if math.isfinite(y) else BOUNDLESS
    return (VALUE, NAN, 0.0) if y == 0 else (VALUE, NAN, NAN)


def _tanh(x: float, y: float) -> Answer:
    if x == 0:
        return VALUE, None, NAN  # 0 since a correction of the standard, NaN before
    if x == INF:
        return VALUE, 1.0, 0.0
    return (VALUE, NAN, 0.0) if y == 0 else (VALUE, NAN, NAN)


def _asinh(x: float, y: float) -> Answer:
    if x == INF:
        return VALUE, INF, PI / 4 if y == INF else NAN if y != y else 0.0
    if y == INF:
        return (VALUE, INF, PI / 2) if x == x else BOUNDLESS
    return (VALUE, NAN, 0.0) if y == 0 else (VALUE, NAN, NAN)


def _acosh(x: float, y: float) -> Answer:
    if x == 0 and y != y:
        return VALUE, NAN, None  # pi / 2 since a correction of the standard, NaN before
    return _angle(x, y)


def _atanh(x: float, y: float) -> Answer:
    if x == 1 and y == 0:
        return VALUE, INF, 0.0
    if y == INF:
        return VALUE, 0.0, PI / 2
    if x == INF:
        return VALUE, 0.0, NAN if y != y else PI / 2
    return (VALUE, 0.0, NAN) if x == 0 else (VALUE, NAN, NAN)


def _acos(x: float, y: float) -> Answer:
    if math.isinf(x) and y != y:
        return BOUNDLESS
    if x == 0 and y != y:
        return VALUE, PI / 2, NAN
    kind, re, im = _angle(x, y)
    return kind, im, _minus(re)


_FIRST: dict[str, Callable[[float, float], Answer]] = {
    "exp": _exp, "expm1": _expm1, "log": _log, "log1p": _log1p, "sqrt": _sqrt, "sinh": _sinh,
    "cosh": _cosh, "tanh": _tanh, "asinh": _asinh, "acosh": _acosh, "atanh": _atanh, "acos": _acos,
}  # fmt: skip


# ---- arithmetic ------------------------------------------------------------------------------


def _simple(name: str, x: float, y: float, finite: bool) -> Answer | None:
    zero, infinite = x == 0 and y == 0, math.isinf(x) or math.isinf(y)
    if name == "reciprocal":
        if zero:
            return BOUNDLESS
        return None if finite else (VALUE, 0.0, 0.0) if infinite else ANY
    return (VALUE, 0.0, 0.0) if zero else None if finite else ANY


def _kinds(row: list[float]) -> list[tuple[bool, bool, bool]]:
    """Of both operands: infinite, zero, finite."""
    return [
        (math.isinf(a) or math.isinf(b), a == 0 and b == 0, math.isfinite(a) and math.isfinite(b))
        for a, b in (row[:2], row[2:])
    ]


def _mul(row: list[float], finite: bool) -> Answer | None:
    if finite:
        return None
    (inf1, zero1, fin1), (inf2, zero2, fin2) = _kinds(row)
    factor1, factor2 = inf1 or (fin1 and not zero1), inf2 or (fin2 and not zero2)
    return BOUNDLESS if (inf1 and factor2) or (inf2 and factor1) else ANY


def _div(row: list[float], finite: bool) -> Answer | None:
    (inf1, zero1, fin1), (inf2, zero2, fin2) = _kinds(row)
    if zero2 and ((fin1 and not zero1) or inf1):
        return BOUNDLESS
    if inf1 and fin2:
        return BOUNDLESS
    if fin1 and inf2:
        return VALUE, 0.0, 0.0
    return None if finite and not zero2 else ANY


def _pow(row: list[float], finite: bool) -> Answer | None:
    (_, zero1, _), (_, zero2, _) = _kinds(row)
    if finite and zero2:
        return VALUE, 1.0, 0.0
    if finite and zero1:
        return (VALUE, 0.0, 0.0) if row[2] > 0 else ANY
    return None if finite else ANY


_BINARY = {"mul": _mul, "div": _div, "pow": _pow}
