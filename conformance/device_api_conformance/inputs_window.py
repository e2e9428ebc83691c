# SPDX-License-Identifier: Apache-2.0
"""Inputs of convolutions and pools; the values of a case name the geometry, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from device_api_conformance.case import Case
from device_api_conformance.formats import Array, Host, decode, rounded
from device_api_conformance.values import Inputs, ordinary
from device_api_conformance.windows import Geometry

CONVOLUTIONS: dict[str, tuple[int, int, int, int, int, int]] = {
    # window, stride, pad, dilation, groups, more padding after x than before it
    "ordinary": (3, 1, 0, 1, 1, 0),
    "padded": (3, 1, 1, 1, 1, 0),
    "strided": (3, 2, 1, 1, 1, 0),
    "dilated": (2, 1, 2, 3, 1, 0),
    "grouped": (3, 1, 1, 1, 2, 0),
    "depthwise": (3, 2, 2, 1, 0, 0),
    "pointwise": (1, 1, 0, 1, 1, 0),
    "uneven": (2, 1, 0, 1, 1, 1),
    "integers": (3, 1, 1, 1, 1, 0),
    "nan": (3, 1, 1, 1, 1, 0),
    "tall": (256, 1, 0, 1, 0, 0),
}
"""Geometries by name; 0 groups stand for as many as there are channels."""

_OUTPUTS = {"uneven": 35, "pointwise": 17}
"""Numbers of output channels, where it is not 6 (3 for each group)."""

POOLS: dict[str, tuple[int, int, int, int]] = {
    # window, stride, pad, dilation
    "ordinary": (2, 2, 0, 1),
    "padded": (3, 2, 1, 1),
    "counted": (3, 2, 1, 1),
    "overlapping": (3, 1, 1, 1),
    "dilated": (2, 1, 1, 2),
    "negative": (3, 1, 1, 1),
    "nan": (3, 1, 1, 1),
    "outside": (2, 2, 4, 1),
    "ceil": (2, 2, 0, 1),
}
"""Geometries of pools by name."""


def _geometry(n: int, window: int, stride: int, pad: int, dilation: int) -> Geometry:
    """Numbers that differ by dimension where that is possible: the last ones grow."""
    return Geometry(
        tuple(window + (i % 2 if window > 1 else 0) for i in range(n)),
        tuple(stride + (i % 2 if stride > 1 else 0) for i in range(n)),
        tuple(pad + (i % 2 if pad else 0) for i in range(n)),
        tuple(dilation + (i % 2 if dilation > 1 else 0) for i in range(n)),
    )


def _spoilt(dtype: str, data: Array) -> Array:
    """One NaN and one infinity, away from each other."""
    flat = data.reshape(-1)
    flat[flat.size // 3] = rounded(dtype, np.array(np.nan))
    flat[-1] = rounded(dtype, np.array(-np.inf))
    return data


def convolution(case: Case, rng: np.random.Generator) -> Inputs:
    """x and weight; the case's shape is that of x."""
    x_shape = case.shape or ()
    window, stride, pad, dilation, groups, more = CONVOLUTIONS[case.values]
    spatial, channels = x_shape[2:], x_shape[1]
    geometry = _geometry(len(spatial), window, stride, pad, dilation)
    if case.values == "tall":
        geometry = replace(geometry, window=(window, *(1,) * (len(spatial) - 1)))
    groups = groups or channels
    outputs = 3 * groups if groups > 1 else _OUTPUTS.get(case.values, 6)
    shapes = (x_shape, (outputs, channels // groups, *geometry.window))
    if case.values == "integers":
        data = [rounded(case.dtype, rng.integers(-7, 8, s).astype(np.float64)) for s in shapes]
    else:
        data = [np.asarray(ordinary(case.dtype, s, rng, "convolution")) for s in shapes]
    if case.values == "nan":
        data[0] = _spoilt(case.dtype, data[0])
    shape = (x_shape[0], outputs, *geometry.positions(spatial, (more + 1,) * len(spatial)))
    attributes: dict[str, Any] = geometry.attributes(False, True)
    attributes |= {"groups": groups, "shape": shape}
    return Inputs([Host(case.dtype, d) for d in data], attributes)


def pool(case: Case, rng: np.random.Generator) -> Inputs:
    """x of a pool."""
    x_shape = case.shape or ()
    spatial = x_shape[2:]
    average = case.op == "avg_pool"
    geometry = _geometry(len(spatial), *POOLS[case.values])
    data = np.asarray(ordinary(case.dtype, x_shape, rng, "avg_pool"))
    if case.values == "negative":
        data = rounded(case.dtype, -0.25 - np.abs(decode(case.dtype, data)))
    if case.values == "nan":
        data = _spoilt(case.dtype, data)
    attributes: dict[str, Any] = geometry.attributes(True, not average)
    if average:
        attributes["count_pad"] = int(case.values in ("counted", "ceil"))
    more = geometry.stride if case.values == "ceil" else None  # last windows end outside x
    attributes["shape"] = (*x_shape[:2], *geometry.positions(spatial, more))
    return Inputs([Host(case.dtype, data)], attributes)
