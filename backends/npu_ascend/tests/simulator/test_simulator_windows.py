# SPDX-License-Identifier: Apache-2.0
"""What phase 1 of sorts, norms, convolution and pools refuses, and their optional operands."""

import numpy as np
import pytest
from cann_client import BF16
from operands import Out, check
from operator_cases import F32, FORMATS, KERNEL, X, layer_norm

INVALID, NO_KERNEL = 161002, 561003
IMAGE = np.ones((1, 4, 5, 6), np.float32)


def image(c, array, fmt=FORMATS[4]):
    return c.tensor(c.to_device(array), array.shape, array.dtype, fmt=fmt)


def convolve(c, out, stride=(1, 1), pads=(0, 0), transposed=False, groups=2, fmt=0, cube=0):
    lists = [c.ints(*stride), c.ints(*pads), c.ints(1, 1)]
    return (image(c, IMAGE, fmt), image(c, KERNEL), None, *lists, transposed, c.ints(0, 0), groups,
            image(c, np.zeros(out, np.float32)), cube)  # fmt: skip


def pool(c, out, pads=(0, 0), dilation=1, auto_pad=0, ceil=0):
    return (image(c, IMAGE), c.ints(2, 2), c.ints(2, 2), auto_pad, c.ints(*pads),
            c.ints(dilation, dilation), ceil, image(c, np.zeros(out, np.float32)))  # fmt: skip


def up(c, *shape, dtype="float32"):
    return c.upload(np.zeros(shape, dtype))


REFUSALS = {
    "GeluV2": [(INVALID, "approximate", lambda c: (up(c, 2), 2, up(c, 2)))],
    "Cumsum": [(INVALID, "dtype", lambda c: (up(c, 2), 0, 9, up(c, 2))),
               (INVALID, "dim 1", lambda c: (up(c, 2), 1, F32, up(c, 2)))],
    "Cumprod": [(INVALID, "f32", lambda c: (up(c, 2), c.scalar(0, "float32"), F32, up(c, 2)))],
    "ProdDim": [(INVALID, "shape", lambda c: (up(c, 2, 3), 0, False, F32, up(c, 2)))],
    "Sort": [
        (INVALID, "f64", lambda c: (up(c, 2, dtype="float64"), True, 0, False,
                                    up(c, 2, dtype="float64"), up(c, 2, dtype="int64"))),
        (INVALID, "indicesOut", lambda c: (up(c, 2), True, 0, False, up(c, 2),
                                           up(c, 2, dtype="int32"))),
        (INVALID, "size 1", lambda c: (c.tensor(c.malloc(64), (3, 1), BF16), True, 1, False,
                                       c.tensor(c.malloc(64), (3, 1), BF16),
                                       up(c, 3, 1, dtype="int64")))],
    "Topk": [
        (INVALID, "k is 3", lambda c: (up(c, 2), 3, 0, True, True, up(c, 3),
                                       up(c, 3, dtype="int64"))),
        (INVALID, "sorted", lambda c: (up(c, 2), 1, 0, True, False, up(c, 1),
                                       up(c, 1, dtype="int64")))],
    "SearchSorted": [
        (INVALID, "outInt32", lambda c: (up(c, 2), up(c, 3), True, False, None,
                                         up(c, 3, dtype="int64"))),
        (NO_KERNEL, "rank 1", lambda c: (up(c, 2, 2), up(c, 2, 3), False, False, None,
                                         up(c, 2, 3, dtype="int64")))],
    "Scatter": [(NO_KERNEL, "reduce 2", lambda c: (up(c, 2), 0, up(c, 2, dtype="int64"), up(c, 2),
                                                   2, up(c, 2)))],
    "LayerNorm": [(INVALID, "normalizedShape", lambda c: (up(c, 2, 3), c.ints(2), None, None, 0.1,
                                                          up(c, 2, 3), None, None)),
                  (INVALID, "meanOut", lambda c: (up(c, 2, 3), c.ints(3), None, None, 0.1,
                                                  up(c, 2, 3), up(c, 2), None))],
    "RmsNorm": [(INVALID, "gamma", lambda c: (up(c, 2, 3), up(c, 2), 0.1, up(c, 2, 3),
                                              up(c, 2, 1)))],
    "Convolution": [
        (INVALID, "shape", lambda c: convolve(c, (1, 6, 4, 5))),
        (INVALID, "format", lambda c: convolve(c, (1, 6, 3, 5), fmt=2)),
        (INVALID, "groups", lambda c: convolve(c, (1, 6, 3, 5), groups=1)),
        (INVALID, "stride", lambda c: convolve(c, (1, 6, 3, 5), stride=(0, 1))),
        (INVALID, "padding", lambda c: convolve(c, (1, 6, 3, 5), pads=(0, 0, 0))),
        (INVALID, "cubeMathType", lambda c: convolve(c, (1, 6, 3, 5), cube=9)),
        (NO_KERNEL, "transposed", lambda c: convolve(c, (1, 6, 3, 5), transposed=True))],
    "MaxPool": [
        (INVALID, "dilations", lambda c: pool(c, (1, 4, 2, 3), dilation=2)),
        (INVALID, "autoPad", lambda c: pool(c, (1, 4, 2, 3), auto_pad=1)),
        (INVALID, "shape", lambda c: pool(c, (1, 4, 2, 3), ceil=1))],
}  # fmt: skip


@pytest.mark.parametrize(
    ("op", "row"), [(op, i) for op in REFUSALS for i in range(len(REFUSALS[op]))]
)
def test_refusals(cann, op, row):
    code, says, arguments = REFUSALS[op][row]
    cann.refuses(op, *arguments(cann), code=code, says=says)


def test_optional_operands(cann):
    out = Out(cann, X.shape)
    cann.run("LayerNorm", cann.upload(X), cann.ints(4), None, None, 0.5, out.tensor, None, None)
    check(out.read(), layer_norm(X, 1, 0)[0])


def test_rounding_up_adds_a_window_that_begins_inside(cann):
    out = Out(cann, (1, 4, 3, 3))
    place = cann.tensor(out.address, out.shape, "float32", fmt=FORMATS[4])
    cann.run("MaxPool", *pool(cann, (1, 4, 3, 3), ceil=1)[:-1], place)
    assert (out.read() == 1).all()


def test_first_generation_convolves_nothing_and_pools_halves(on_chip):
    cann = on_chip("Ascend910A")
    cann.refuses("Convolution", *convolve(cann, (1, 6, 3, 5)), code=NO_KERNEL)
    cann.refuses("MaxPool", *pool(cann, (1, 4, 2, 3)), says="f32")
