# SPDX-License-Identifier: Apache-2.0
"""The fft extension: NumPy's values for all sizes, axes and norms, in both precisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

RNG = np.random.default_rng(9)
REAL = RNG.normal(size=(3, 8, 5))
COMPLEX = REAL + 1j * RNG.normal(size=(3, 8, 5))
NORMS = ("backward", "ortho", "forward")

ONE: dict[str, Any] = {
    "fft": COMPLEX, "ifft": COMPLEX, "rfft": REAL, "irfft": COMPLEX, "hfft": COMPLEX, "ihfft": REAL,
}  # fmt: skip
SEVERAL: dict[str, Any] = {"fftn": COMPLEX, "ifftn": COMPLEX, "rfftn": REAL, "irfftn": COMPLEX}


def _check(got: xp.Tensor, expected: Any, single: bool) -> None:
    kind = "complex" if np.iscomplexobj(expected) else "float"
    width = {"complex": 64, "float": 32}[kind] * (1 if single else 2)
    assert got.dtype.name == f"{kind}{width}"
    assert got.device == xp.current_device()
    tolerance = 2e-5 if single else 1e-12
    np.testing.assert_allclose(got.numpy(), expected, rtol=tolerance, atol=tolerance)


def _single(x: Any) -> Any:
    return x.astype(np.complex64 if np.iscomplexobj(x) else np.float32)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
def test_one_axis(device: str, name: str, norm: str, single: bool) -> None:
    given = ONE[name]
    x = xp.asarray(_single(given) if single else given)
    for n, axis in ((None, -1), (None, 1), (4, -1), (9, 0)):
        got = getattr(xp.fft, name)(x, n=n, axis=axis, norm=norm)
        _check(got, getattr(np.fft, name)(given, n=n, axis=axis, norm=norm), single)


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("norm", NORMS)
def test_several_axes(device: str, name: str, norm: str) -> None:
    given = SEVERAL[name]
    for s, axes in ((None, None), (None, (0, 2)), ((4, 6), (1, 2)), ((6, 4), (-1, 0))):
        got = getattr(xp.fft, name)(xp.asarray(given), s=s, axes=axes, norm=norm)
        _check(got, getattr(np.fft, name)(given, s=s, axes=axes, norm=norm), False)
    got = getattr(xp.fft, name)(xp.asarray(given), s=(4, 6), norm=norm)
    _check(got, getattr(np.fft, name)(given, s=(4, 6), axes=(1, 2), norm=norm), False)


@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_frequencies_and_shifts(device: str, n: int) -> None:
    for name in ("fftfreq", "rfftfreq"):
        got = getattr(xp.fft, name)(n, d=0.1, dtype=xp.float64)
        np.testing.assert_allclose(got.numpy(), getattr(np.fft, name)(n, d=0.1), rtol=1e-15)
        assert getattr(xp.fft, name)(n).dtype == xp.float32
    x = np.arange(3 * n).reshape(3, n)
    for name in ("fftshift", "ifftshift"):
        for axes in (None, 0, (1,), (0, 1)):
            got = getattr(xp.fft, name)(xp.asarray(x), axes=axes)
            np.testing.assert_array_equal(got.numpy(), getattr(np.fft, name)(x, axes=axes))


WRONG: list[tuple[str, Callable[[], Any], type[Exception]]] = [
    ("type", lambda: xp.fft.irfft(xp.ones((4,))), xp.DTypeError),
    ("integers", lambda: xp.fft.fft(xp.ones((4,), dtype=xp.int32)), xp.DTypeError),
    ("complex to rfft", lambda: xp.fft.rfft(xp.ones((4,), dtype=xp.complex64)), xp.DTypeError),
    ("size", lambda: xp.fft.rfft(xp.ones((4,)), n=0), xp.InvalidArgumentError),
    ("axis", lambda: xp.fft.rfft(xp.ones((4,)), axis=3), xp.InvalidArgumentError),
    ("norm", lambda: xp.fft.rfft(xp.ones((4,)), norm="half"), xp.InvalidArgumentError),  # type: ignore[arg-type]
    ("frequencies", lambda: xp.fft.fftfreq(0), xp.InvalidArgumentError),
    ("frequency type", lambda: xp.fft.fftfreq(4, dtype=xp.int32), xp.DTypeError),
]


@pytest.mark.parametrize(("name", "call", "error"), WRONG, ids=[w[0] for w in WRONG])
def test_wrong_arguments(device: str, name: str, call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_the_host_is_counted(cpu: str) -> None:
    xp.reset_op_counts()
    with xp.fallback_policy("allow"):
        xp.fft.rfft(xp.ones((8,), device="npu:0"))
    assert [(r["op"], r["bytes"]) for r in xp.fallback_report()] == [("fft.rfft", 32 + 40)]
    with xp.fallback_policy("error"), pytest.raises(xp.FallbackError, match=r"fft\.fft"):
        xp.fft.fft(xp.ones((8,), device="npu:0"))
