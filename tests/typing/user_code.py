# SPDX-License-Identifier: Apache-2.0
"""What a user may write: passes mypy --strict against the package's types, and runs."""

from __future__ import annotations

import device_api as xp
from device_api import Tensor


def softmax(x: Tensor) -> Tensor:
    powers = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return powers / xp.sum(powers, axis=-1, keepdims=True)


def use(seed: int) -> float:
    device: xp.Device = xp.set_device("cpu")
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=xp.float32, device=device)
    x[0] = 2.0
    x += 1.0
    y = softmax(x) @ x.T * 2.0 - 1
    rows: tuple[int, ...] = y[None, ..., :1].shape
    stream = xp.Stream()
    with xp.stream_guard(stream), xp.fallback_policy("error"):
        z = xp.where(y > 0, y, 0.0)
    for record in xp.fallback_report():
        print(record["op"], record["count"] + 1)
    report = xp.run_check("cpu")
    noise = xp.random.Generator(seed).normal((2, 2), device="cpu")
    mask = xp.isfinite(z)
    picked: Tensor = z[mask]
    return float(xp.mean(z + noise)) + len(rows) + report.steps[0].seconds + picked.size


def standard(x: Tensor) -> complex:
    """Functions of the array API standard with results that are no plain arrays."""
    values, counts = xp.unique_counts(x)
    everything = xp.unique_all(x)
    order: Tensor = xp.argsort(values, descending=True, stable=True)
    place: Tensor = xp.searchsorted(values, 2.0, side="right")
    rows: tuple[Tensor, ...] = xp.unstack(xp.meshgrid(x, order, indexing="ij")[0])
    z = xp.linspace(0, 1 + 1j, 5) * 2j + xp.full((5,), 1j)
    steps = xp.cumulative_sum(counts, include_initial=True)
    inside: Tensor = xp.isin(everything.inverse_indices, 1) | xp.isin(steps, counts)[:1]
    info = xp.__array_namespace_info__()
    way = xp.op_support("cpu")["exp"]["float32"] == "native" or info.native("exp", xp.float32)
    number = complex(xp.sum(xp.conj(z) * xp.real(z))) + len(rows) + int(place) + inside.ndim
    return number if way and info.default_dtypes()["complex floating"] == z.dtype else 0j
