# SPDX-License-Identifier: Apache-2.0
"""Parts of complex numbers, through views as pairs of real ones."""

from __future__ import annotations

from device_api import _core
from device_api._core import Tensor
from device_api.composites import _words as w
from device_api.composites._registry import composes


@composes("real", uses="", complex_uses="copy:part")
def real(x: Tensor) -> Tensor:
    """Return a copy of the real parts."""
    return _core.copy(w.parts(x)[0])


@composes("imag", uses="", complex_uses="copy:part")
def imag(x: Tensor) -> Tensor:
    """Return a copy of the imaginary parts."""
    return _core.copy(w.parts(x)[1])


@composes("conj", uses="", complex_uses="copy:part neg:part")
def conj(x: Tensor) -> Tensor:
    """Return the number with its imaginary part negated."""
    first, second = w.parts(x)
    return w.from_parts(first, w.neg(second))


@composes("magnitude", uses="", complex_uses="hypot:part")
def magnitude(x: Tensor) -> Tensor:
    """Return the hypotenuse of the parts."""
    return _core.hypot(*w.parts(x))


@composes("make_complex", uses="copy copy:whole")
def make_complex(x1: Tensor, x2: Tensor) -> Tensor:
    """Return a complex number of its parts."""
    return w.from_parts(x1, x2)
