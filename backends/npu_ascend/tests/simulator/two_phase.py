# SPDX-License-Identifier: Apache-2.0
"""Short ways into the two phases, shared by their tests."""

import numpy as np


def vector(cann, n=4, dtype="float32"):
    return cann.upload(np.arange(n).astype(dtype))


def add(cann, n=4):
    """Phase 1 of an addition: executor, and the tensors (self, other, out) with alpha."""
    a, b = vector(cann, n), vector(cann, n)
    out = cann.tensor(cann.malloc(4 * n), (n,), "float32")
    alpha = cann.scalar(1.0)
    status, size, executor = cann.phase1("Add", a, b, alpha, out)
    cann.ok(status)
    assert size == 0
    return executor, (a, b, out, alpha)


def strided_add(cann):
    """Phase 1 of an addition that asks for a workspace: size, executor, address of out."""
    a = cann.tensor(cann.to_device(np.ones(8, np.float32)), (4,), "float32", (2,), storage=8)
    p = cann.malloc(16)
    out = cann.tensor(p, (4,), "float32")
    status, size, executor = cann.phase1("Add", a, vector(cann), cann.scalar(1.0), out)
    cann.ok(status)
    assert size > 0
    return size, executor, p


def misuse_grows(cann, function):
    before = cann.control.misuse_count()
    function()
    assert cann.control.misuse_count() > before
