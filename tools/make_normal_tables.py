# SPDX-License-Identifier: Apache-2.0
"""Writes device_api/data/normal{32,64}.npy: polynomials for normal numbers.

`python tools/make_normal_tables.py` (needs mpmath). Each table has the shape (degree + 1, 8 *
octaves); column 8 * e + k interpolates the normal quantile z(p) of upper tail probabilities
p = q / 2**(e + 1), q from 1/2 + k/16 to 1/2 + (k + 1)/16, at Chebyshev points, as powers of
t = 16 * (q - 1/2) - k.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mpmath
import numpy as np

TABLES = {"normal32.npy": ("<f4", 4, 32), "normal64.npy": ("<f8", 10, 64)}
PARTS = 8


def quantile(p: Any) -> Any:
    """Return z with upper tail probability p, by Newton's method on log(tail)."""
    if p > mpmath.mpf("0.02"):
        return mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * p)
    z = mpmath.sqrt(-2 * mpmath.log(p))
    while True:
        tail = mpmath.erfc(z / mpmath.sqrt(2)) / 2
        density = mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)
        step = mpmath.log(tail / p) * tail / density
        z += step
        if abs(step) < mpmath.mpf(10) ** -34:
            return z


def column(e: int, k: int, degree: int) -> list[Any]:
    """Return the coefficients of one piece, constant first."""
    n = degree + 1
    points = [(1 + mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * n))) / 2 for i in range(n)]
    values = [quantile((8 + k + t) / 16 / mpmath.mpf(2) ** (e + 1)) for t in points]
    powers = mpmath.matrix([[t**j for j in range(n)] for t in points])
    return list(mpmath.lu_solve(powers, mpmath.matrix(values)))


def main() -> None:
    """Write both tables."""
    mpmath.mp.prec = 160
    folder = Path(__file__).parent.parent / "device_api" / "data"
    for name, (dtype, degree, octaves) in TABLES.items():
        columns = [column(e, k, degree) for e in range(octaves) for k in range(PARTS)]
        table = np.array([[float(c) for c in one] for one in columns], dtype=dtype).T
        np.save(folder / name, np.ascontiguousarray(table), allow_pickle=False)


if __name__ == "__main__":
    main()
