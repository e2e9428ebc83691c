# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops of a device that has the core ops only, against the CPU's kernels.

Narrow floats are compared with the CPU's float64 kernels, so that the bound is that of the op
table; float64 with the CPU's float64, whose own error comes on top.
"""

from __future__ import annotations

import bringup_devices
import bringup_samples as samples
import numpy as np
import pytest

import device_api as xp
from device_api import _core
from device_api_abi import optable
from device_api_abi.optable import Op

KINDS = ("unary", "binary", "compare", "logical", "activation")
OPS = [op for op in optable.load() if not op.core and op.kind in KINDS]
ATTRIBUTES = {
    "hardsigmoid": (0.1875, 0.5),
    "softplus": (1.5, 20.0),
    "leaky_relu": (0.01171875,),
    "elu": (1.5,),
}
# Zeros whose sign the op table leaves open.
ANY_ZERO = {"minimum", "sign", "relu", "gelu", "gelu_tanh", "silu", "mish", "hardswish", "hypot"}
ANY_ZERO |= {"hardsigmoid", "softplus", "elu", "leaky_relu", "logaddexp", "rsqrt"}
CANCELS = {"logaddexp"}  # near 0 its error is one of its operands
_WIDER = {"float16": "float64", "bfloat16": "float64", "float32": "float64"}
_WIDER["complex64"] = "complex128"
CASES = [(op, dtype) for op in OPS for dtype in op.dtypes]


def bound(op: Op, dtype: str) -> float:
    """Return the allowed distance in units in the last place."""
    if op.name == "sign" and dtype in optable.COMPLEX:
        return 2.0  # of a quotient
    narrow = dtype in ("float16", "bfloat16")
    if op.error == "ulp":
        return op.ulp[1 if narrow else 0]
    return 0.5 if op.error == "rounded" else 0.0


@pytest.mark.parametrize(("op", "dtype"), CASES, ids=[f"{op.name}-{dtype}" for op, dtype in CASES])
def test_composite_agrees_with_the_kernel(op: Op, dtype: str) -> None:
    rng = np.random.default_rng(op.id)
    device = bringup_devices.bare()
    inputs = [samples.upload(x, dtype, "cpu") for x in samples.operands(op, dtype, rng)]
    if op.name == "hardswish":  # x times up to 6 may overflow on the way, or not
        inputs = [_core.where(_core.less(_core.abs(x), 1e37), x, 1.0) for x in inputs]
    attributes = ATTRIBUTES.get(op.name, ())
    with xp.fallback_policy("error"):
        got = _core.apply(op.name, [x.to_device(device) for x in inputs], attributes=attributes)
    key = inputs[0].dtype.kind
    wide = _WIDER.get(dtype) if op.error != "exact" else None
    if wide:
        inputs = [_core.astype(x, _core.dtypes[wide]) for x in inputs]
    assert _core.has_op(_core.as_device("cpu"), op.name, inputs[0].dtype)
    known = _core.apply(op.name, inputs, attributes=attributes)
    size = samples.as_wide(known)
    if got.dtype.name in optable.COMPLEX:
        got, known = _core.view_as_real(got), _core.view_as_real(known)
        # Bounded by the larger part.
        parts = np.nan_to_num(np.abs(samples.as_wide(known)), posinf=0)
        size = np.broadcast_to(parts.max(-1, keepdims=True), parts.shape)
    wanted = samples.as_wide(known)
    allowed = 0.0
    if got.dtype.kind == "f":
        scale = samples.spacing(size, got.dtype.name)
        if op.name in CANCELS:
            largest = [np.nan_to_num(np.abs(samples.as_wide(x))) for x in inputs]
            scale = np.maximum(scale, samples.spacing(np.maximum.reduce(largest), got.dtype.name))
        allowed = bound(op, dtype) * (1 if wide else 2) * scale
    signs = op.name not in ANY_ZERO and (op.name, key) != ("reciprocal", "c")
    bad = samples.wrong(got, wanted, allowed, signs=signs)
    shown = [
        (*(samples.as_wide(x).ravel()[i] for x in inputs if x.size == wanted.size),
         samples.as_wide(got).ravel()[i], wanted.ravel()[i])
        for i in bad[:6]
    ]  # fmt: skip
    assert not len(bad), f"{len(bad)} of {wanted.size} differ, like (x, got, wanted) {shown}"
