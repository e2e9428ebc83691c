# SPDX-License-Identifier: Apache-2.0
"""The linalg extension: values of NumPy, shapes of stacks, types, errors, and what is counted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

RNG = np.random.default_rng(8)
STACK = RNG.normal(size=(2, 3, 4, 4)) + 3 * np.eye(4)
TALL = RNG.normal(size=(5, 3))
WIDE = RNG.normal(size=(2, 3, 5))
COMPLEX = STACK + 1j * RNG.normal(size=(2, 3, 4, 4))
POSITIVE = STACK @ STACK.swapaxes(-1, -2)
HERMITIAN = COMPLEX + COMPLEX.conj().swapaxes(-1, -2)

VALUES: dict[str, tuple[Callable[[Any, Any], Any], list[np.ndarray[Any, Any]]]] = {
    "cholesky": (lambda m, x: m.cholesky(x), [POSITIVE]),
    "cholesky upper": (lambda m, x: m.cholesky(x, upper=True), [POSITIVE]),
    "det": (lambda m, x: m.det(x), [STACK, COMPLEX]),
    "eigvalsh": (lambda m, x: m.eigvalsh(x), [POSITIVE, HERMITIAN]),
    "inv": (lambda m, x: m.inv(x), [STACK, COMPLEX, np.zeros((2, 0, 0))]),
    "pinv": (lambda m, x: m.pinv(x), [TALL, WIDE, COMPLEX]),
    "pinv rtol": (lambda m, x: m.pinv(x, rtol=0.4), [TALL, WIDE]),
    "matrix_rank": (lambda m, x: m.matrix_rank(x), [TALL, WIDE, np.ones((3, 4, 4))]),
    "matrix_power": (lambda m, x: m.matrix_power(x, 3), [STACK, COMPLEX]),
    "matrix_power 0": (lambda m, x: m.matrix_power(x, 0), [STACK]),
    "matrix_power -2": (lambda m, x: m.matrix_power(x, -2), [STACK]),
    "slogdet": (lambda m, x: m.slogdet(x), [STACK, COMPLEX, np.zeros((3, 3))]),
    "solve": (lambda m, x: m.solve(x, x[..., :2]), [STACK, COMPLEX]),
    "svdvals": (lambda m, x: m.svdvals(x), [TALL, WIDE, COMPLEX]),
    "diagonal": (lambda m, x: m.diagonal(x), [TALL, WIDE, STACK]),
    "diagonal +2": (lambda m, x: m.diagonal(x, offset=2), [TALL, WIDE, STACK]),
    "diagonal -1": (lambda m, x: m.diagonal(x, offset=-1), [TALL, WIDE, STACK]),
    "diagonal 9": (lambda m, x: m.diagonal(x, offset=9), [TALL]),
    "trace": (lambda m, x: m.trace(x), [TALL, WIDE, COMPLEX]),
    "trace +1": (lambda m, x: m.trace(x, offset=1), [WIDE]),
    "cross": (lambda m, x: m.cross(x, x[..., ::-1]), [TALL, TALL + 1j]),
    "outer": (lambda m, x: m.outer(x[0], x[1]), [TALL, TALL + 1j]),
    "matrix_norm": (lambda m, x: m.matrix_norm(x), [TALL, WIDE, COMPLEX]),
    **{
        f"matrix_norm {o} {k}": (
            lambda m, x, o=o, k=k: m.matrix_norm(x, ord=o, keepdims=k),
            [TALL, WIDE, COMPLEX],
        )
        for o in ("nuc", 1, -1, 2, -2, math.inf, -math.inf)
        for k in (False, True)
    },
    **{
        f"vector_norm {o}": (
            lambda m, x, o=o: m.vector_norm(x, axis=-1, ord=o, keepdims=True),
            [TALL, WIDE, COMPLEX, np.zeros((2, 3))],
        )
        for o in (0, 1, 2, 3, 0.5, math.inf, -math.inf)
    },
    "vector_norm all": (lambda m, x: m.vector_norm(x), [TALL, COMPLEX, np.zeros((0,))]),
    "vector_norm axes": (lambda m, x: m.vector_norm(x, axis=(0, 2)), [WIDE, STACK]),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("wide", [True, False], ids=["double", "single"])
def test_values(device: str, name: str, wide: bool) -> None:
    function, inputs = VALUES[name]
    for given in inputs:
        x = given if wide else given.astype(np.complex64 if given.dtype.kind == "c" else "f4")
        got, expected = function(xp.linalg, xp.asarray(x)), function(np.linalg, x)
        if not isinstance(got, tuple):
            got, expected = (got,), (expected,)
        for one, other in zip(got, expected, strict=True):
            assert one.device == xp.current_device()
            assert one.dtype.name == str(np.asarray(other).dtype)
            tolerance = 1e-9 if wide else 2e-3
            np.testing.assert_allclose(one.numpy(), other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("given", [TALL, WIDE, COMPLEX, np.zeros((2, 0, 3))], ids=str)
def test_decompositions_multiply_to_the_matrix(device: str, given: Any) -> None:
    x = xp.asarray(given)
    for full in (False, True):
        u, s, vh = xp.linalg.svd(x, full_matrices=full)
        k = s.shape[-1]
        product = (u[..., :k].numpy() * s.numpy()[..., None, :]) @ vh.numpy()[..., :k, :]
        np.testing.assert_allclose(product, given, atol=1e-12)
    for mode in ("reduced", "complete"):
        q, r = xp.linalg.qr(x, mode=mode)
        np.testing.assert_allclose(xp.matmul(q, r).numpy(), given, atol=1e-12)


def test_eigenvectors(device: str) -> None:
    values, vectors = xp.linalg.eigh(xp.asarray(HERMITIAN))
    assert values.dtype == xp.float64
    product = vectors.numpy() * values.numpy()[..., None, :]
    np.testing.assert_allclose(HERMITIAN @ vectors.numpy(), product, atol=1e-9)
    for given in (POSITIVE, STACK):  # real eigenvalues too come as complex numbers
        found = xp.linalg.eig(xp.asarray(given))
        assert found.eigenvalues.dtype == xp.complex128
        product = found.eigenvectors.numpy() * found.eigenvalues.numpy()[..., None, :]
        np.testing.assert_allclose(given @ found.eigenvectors.numpy(), product, atol=1e-9)
        assert xp.linalg.eigvals(xp.asarray(given)).dtype == xp.complex128


def test_names_of_the_results(cpu: str) -> None:
    x = xp.asarray(STACK)
    assert xp.linalg.svd(x)._fields == ("U", "S", "Vh")
    assert xp.linalg.qr(x)._fields == ("Q", "R")
    assert xp.linalg.eigh(xp.asarray(POSITIVE))._fields == ("eigenvalues", "eigenvectors")
    assert xp.linalg.slogdet(x)._fields == ("sign", "logabsdet")


def test_solve_broadcasts(device: str) -> None:
    x = xp.asarray(STACK)
    one = xp.asarray(TALL[:4, 0])
    np.testing.assert_allclose(
        xp.linalg.solve(x, one).numpy(), np.linalg.solve(STACK, TALL[:4, 0]), rtol=1e-9
    )
    mixed = xp.linalg.solve(xp.astype(x, xp.float32), xp.asarray(STACK[0, 0]))
    assert (mixed.dtype, mixed.shape) == (xp.float64, (2, 3, 4, 4))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_sixteen_bit_floats_keep_their_type(device: str, dtype: str) -> None:
    x = xp.astype(xp.asarray(POSITIVE[0, 0]), dtype)
    for result in (xp.linalg.inv(x), xp.linalg.cholesky(x), xp.linalg.vector_norm(x)):
        assert result.dtype.name == dtype
    assert float(xp.linalg.vector_norm(xp.full((4,), 200.0, dtype="float16"))) == 400


def test_the_diagonal_is_a_view(device: str) -> None:
    x = xp.zeros((3, 4))
    xp.linalg.diagonal(x, offset=1)[...] = xp.ones((3,))
    assert x.numpy().sum() == 3
    part = xp.reshape(xp.arange(24), (2, 3, 4))[:, 1:, ::-1]
    np.testing.assert_array_equal(
        xp.linalg.diagonal(part, offset=1).numpy(), np.linalg.diagonal(part.numpy(), offset=1)
    )


WRONG: list[tuple[str, Callable[[], Any], type[Exception]]] = [
    ("not square", lambda: xp.linalg.inv(xp.ones((2, 3))), xp.ShapeError),
    ("vector", lambda: xp.linalg.svd(xp.ones((2,))), xp.ShapeError),
    ("integers", lambda: xp.linalg.det(xp.ones((2, 2), dtype=xp.int32)), xp.DTypeError),
    ("singular", lambda: xp.linalg.inv(xp.zeros((2, 2))), xp.InvalidArgumentError),
    ("negative", lambda: xp.linalg.cholesky(-xp.eye(2)), xp.InvalidArgumentError),
    ("shapes", lambda: xp.linalg.solve(xp.eye(2), xp.ones((3, 1))), xp.InvalidArgumentError),
    ("mode", lambda: xp.linalg.qr(xp.eye(2), mode="r"), xp.InvalidArgumentError),
    ("order", lambda: xp.linalg.matrix_norm(xp.eye(2), ord=3), xp.InvalidArgumentError),
    ("cross size", lambda: xp.linalg.cross(xp.ones((2,)), xp.ones((2,))), xp.ShapeError),
    ("cross axis", lambda: xp.linalg.cross(xp.ones((3,)), xp.ones((3,)), axis=1), IndexError),
    ("outer", lambda: xp.linalg.outer(xp.ones((2, 2)), xp.ones((2,))), xp.ShapeError),
]


@pytest.mark.parametrize(("name", "call", "error"), WRONG, ids=[w[0] for w in WRONG])
def test_wrong_arguments(device: str, name: str, call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_the_host_is_counted_and_can_be_forbidden() -> None:
    x = xp.asarray(STACK[0, 0], device="npu:0")
    xp.reset_op_counts()
    with xp.fallback_policy("allow"):
        xp.linalg.inv(x)
        xp.linalg.inv(x)
    records = [r for r in xp.fallback_report() if r["op"] == "linalg.inv"]
    assert [(r["dtype"], r["device"], r["count"], r["bytes"]) for r in records] == [
        ("float64", "npu:0", 2, 2 * 2 * 16 * 8)
    ]
    with xp.fallback_policy("error"), pytest.raises(xp.FallbackError, match=r"linalg\.inv"):
        xp.linalg.inv(x)
    with xp.fallback_policy("warn"), pytest.warns(xp.FallbackWarning, match=r"linalg\.det"):
        xp.linalg.det(x)
    xp.reset_op_counts()
    assert not xp.fallback_report()
    with xp.fallback_policy("error"):  # arrays of the CPU are on the host already
        xp.linalg.inv(xp.asarray(STACK, device="cpu"))
    assert not xp.fallback_report()


def test_operands_on_two_devices() -> None:
    with pytest.raises(xp.DeviceMismatchError, match=r"cpu:0 and npu:0"):
        xp.linalg.solve(xp.eye(2, device="cpu"), xp.ones(2, device="npu:0"))
