# SPDX-License-Identifier: Apache-2.0
"""The decompositions of the ``linalg`` extension, computed by NumPy on the host.

All take stacks of matrices ``(..., M, N)`` of a floating type; see :mod:`device_api._host` for
what that means on other devices. Source: Python array API standard 2025.12, "linalg".
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api._host import call

Real = dict[str, dtypes.DType]
_PARTS: Real = {"complex64": dtypes.float32, "complex128": dtypes.float64}


class EigResult(NamedTuple):
    """Eigenvalues ``(..., M)`` and eigenvectors ``(..., M, M)``, which are the columns."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """``Q`` with orthonormal columns and the upper triangular ``R``, whose product is x."""

    Q: Tensor
    R: Tensor


class SlogdetResult(NamedTuple):
    """Sign (or phase) and logarithm of the absolute value of determinants."""

    sign: Tensor
    logabsdet: Tensor


class SVDResult(NamedTuple):
    """``U``, the singular values ``S`` in descending order, and the rows ``Vh``."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def matrices(x: Tensor, name: str, square: bool = False) -> Tensor:
    """Return x if it is a stack of (square) matrices of a floating type.

    Raises ShapeError for other shapes, DTypeError for other types.
    """
    if x.ndim < 2:
        raise errors.ShapeError(f"{name}: {x.ndim} dimensions", "give two or more", op=name)
    if square and x.shape[-1] != x.shape[-2]:
        raise errors.ShapeError(
            f"{name}: matrices of {x.shape[-2]} by {x.shape[-1]}", "they must be square", op=name
        )
    return floating(x, name)


def floating(x: Tensor, name: str) -> Tensor:
    """Return x if its type is real or complex floating; raises DTypeError."""
    if x.dtype.kind not in "fc":
        raise errors.DTypeError(
            f"{name} is not defined for {x.dtype.name}", "convert with astype", op=name
        )
    return x


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """Return L with L Lᴴ = x (upper: U with Uᴴ U = x) of positive-definite matrices.

    Raises InvalidArgumentError where a matrix is not positive-definite.
    """
    name = "linalg.cholesky"
    return call(name, lambda a: np.linalg.cholesky(a, upper=upper), matrices(x, name, True))[0]


def det(x: Tensor, /) -> Tensor:
    """Return the determinants ``(...)`` of square matrices."""
    return call("linalg.det", np.linalg.det, matrices(x, "linalg.det", True))[0]


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Return sign and logarithm of the absolute value of the determinants of square matrices."""
    name = "linalg.slogdet"
    return SlogdetResult(*call(name, np.linalg.slogdet, matrices(x, name, True)))


def _complex(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return values as complex numbers: NumPy gives real ones where all happen to be real."""
    return values.astype(np.result_type(values.dtype, np.complex64), copy=False)


def eig(x: Tensor, /) -> EigResult:
    """Return eigenvalues and eigenvectors, complex, of square matrices."""

    def both(a: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
        values, vectors = np.linalg.eig(a)
        return _complex(values), _complex(vectors)

    return EigResult(*call("linalg.eig", both, matrices(x, "linalg.eig", True)))


def eigvals(x: Tensor, /) -> Tensor:
    """Return the eigenvalues ``(..., M)``, complex, of square matrices."""
    name = "linalg.eigvals"
    return call(name, lambda a: _complex(np.linalg.eigvals(a)), matrices(x, name, True))[0]


def eigh(x: Tensor, /) -> EigResult:
    """Return eigenvalues, real and ascending, and eigenvectors of Hermitian matrices.

    Only the lower triangle of x is read.
    """
    return EigResult(*call("linalg.eigh", np.linalg.eigh, matrices(x, "linalg.eigh", True)))


def eigvalsh(x: Tensor, /) -> Tensor:
    """Return the eigenvalues ``(..., M)``, real and ascending, of Hermitian matrices."""
    name = "linalg.eigvalsh"
    return call(name, np.linalg.eigvalsh, matrices(x, name, True))[0]


def inv(x: Tensor, /) -> Tensor:
    """Return the inverses of square matrices; InvalidArgumentError where one is singular."""
    return call("linalg.inv", np.linalg.inv, matrices(x, "linalg.inv", True))[0]


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return the Moore-Penrose inverses ``(..., N, M)`` of matrices.

    Singular values up to ``rtol`` (a number or ``(...)``; default max(M, N) times the type's eps)
    times the largest one count as zero.
    """
    name = "linalg.pinv"
    x, limit = matrices(x, name), _tolerance(x, rtol)
    if isinstance(limit, Tensor):
        return call(name, lambda a, r: np.linalg.pinv(a, rcond=r), x, limit)[0]
    return call(name, lambda a: np.linalg.pinv(a, rcond=limit), x)[0]


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return how many singular values of each matrix count as nonzero, int64; rtol as in pinv."""
    x = matrices(x, "linalg.matrix_rank")
    values = svdvals(x)
    if values.shape[-1] == 0:
        return _core.full(values.shape[:-1], 0, dtypes.int64, x.device)
    limit = _tolerance(x, rtol)
    scale = _core.expand_dims(limit, -1) if isinstance(limit, Tensor) else limit
    largest = _core.max(values, axis=-1, keepdims=True)
    return _core.sum(
        _core.astype(_core.greater(values, _core.multiply(largest, scale)), dtypes.int64), axis=-1
    )


def _tolerance(x: Tensor, rtol: float | Tensor | None) -> float | Tensor:
    if rtol is not None:
        return rtol
    return max(x.shape[-2:]) * float(dtypes.finfo(_PARTS.get(x.dtype.name, x.dtype)).eps)


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Return Q and R of matrices: reduced ``(..., M, K)`` and ``(..., K, N)``, or complete."""
    if mode not in ("reduced", "complete"):
        raise errors.InvalidArgumentError(f"qr: mode {mode!r}", "use 'reduced' or 'complete'")

    def both(a: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], ...]:
        q, r = np.linalg.qr(a, mode=mode)
        return q, r

    return QRResult(*call("linalg.qr", both, matrices(x, "linalg.qr")))


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Return X with x1 X = x2, for square ``(..., M, M)`` and ``(M,)`` or ``(..., M, K)``.

    A stack broadcasts with the other. Raises InvalidArgumentError for a singular matrix.
    """
    name = "linalg.solve"
    common = dtypes.result_type(x1, x2)
    left = matrices(_core.astype(x1, common, False), name, True)
    right = floating(_core.astype(x2, common, False), name)
    return call(name, np.linalg.solve, left, right)[0]


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """Return U, S and Vh of matrices: full, or reduced to K = min(M, N) vectors."""
    name = "linalg.svd"
    found = call(
        name, lambda a: tuple(np.linalg.svd(a, full_matrices=full_matrices)), matrices(x, name)
    )
    return SVDResult(*found)


def svdvals(x: Tensor, /) -> Tensor:
    """Return the singular values ``(..., K)`` of matrices, real, in descending order."""
    name = "linalg.svdvals"
    return call(name, lambda a: np.linalg.svd(a, compute_uv=False), matrices(x, name))[0]
