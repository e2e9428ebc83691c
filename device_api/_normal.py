# SPDX-License-Identifier: Apache-2.0
"""The quantile function of the normal distribution, from arithmetic, log and sqrt alone.

Rational approximations of M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988),
477-484; relative accuracy about 1e-16 in exact arithmetic.
"""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor

# Numerators and denominators, highest power first; the denominators end in 1.
_CENTRE = (
    (2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080),
    (5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
     5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0),
)  # fmt: skip
_MIDDLE = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550,
     4.63033784615654529590, 1.42343711074968357734),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940,
     2.05319162663775882187, 1.0),
)  # fmt: skip
_FAR = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580,
     5.46378491116411436990, 6.65790464350110377720),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0),
)  # fmt: skip

_SPLIT = 0.425  # |p - 1/2| up to which the centre's approximation holds
_FAR_FROM = 5.0  # sqrt(-log p) from which the far tail's does


def _polynomial(x: Tensor, coefficients: tuple[float, ...]) -> Tensor:
    result = _core.add(_core.multiply(x, coefficients[0]), coefficients[1])
    for coefficient in coefficients[2:]:
        result = _core.add(_core.multiply(result, x), coefficient)
    return result


def _ratio(x: Tensor, pair: tuple[tuple[float, ...], tuple[float, ...]]) -> Tensor:
    return _core.divide(_polynomial(x, pair[0]), _polynomial(x, pair[1]))


def quantile(centred: Tensor) -> Tensor:
    """Return z with P(Z <= z) = centred + 1/2 for -1/2 <= centred <= 1/2 (float32 or float64).

    The ends give the quantiles of 2**-33 (6.2 sigma) instead of infinities.
    """
    size = _core.abs(centred)
    inner = _core.subtract(_SPLIT * _SPLIT, _core.multiply(centred, centred))
    centre = _core.multiply(centred, _ratio(inner, _CENTRE))
    tail = _core.maximum(_core.subtract(0.5, size), 2.0**-33)
    depth = _core.sqrt(_core.negative(_core.log(tail)))
    middle = _ratio(_core.subtract(depth, 1.6), _MIDDLE)
    far = _ratio(_core.subtract(depth, _FAR_FROM), _FAR)
    outer = _core.where(_core.less_equal(depth, _FAR_FROM), middle, far)
    signed = _core.where(_core.less(centred, 0), _core.negative(outer), outer)
    return _core.where(_core.less_equal(size, _SPLIT), centre, signed)
