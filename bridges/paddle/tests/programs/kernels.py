# SPDX-License-Identifier: Apache-2.0
"""Every native kernel by data type and layout on the device and on Paddle's CPU, compared."""

import json
from collections.abc import Callable, Iterator

import device_api_paddle

device_api_paddle.enable("npu")

import numpy as np  # noqa: E402
import paddle  # noqa: E402

Case = tuple[str, Callable[[], paddle.Tensor]]
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
REALS = ("float16", "bfloat16", "float32", "float64")


def tensor(*shape: int, dtype: str = "float32") -> paddle.Tensor:
    """Make whole numbers from -8 to 8 (0 to 16 when unsigned): exact in every type."""
    numbers = np.random.default_rng(sum(shape)).integers(-8, 9, shape)
    return paddle.to_tensor(numbers + 8 * (dtype == "uint8")).astype(dtype)


def changed(base: paddle.Tensor, change: Callable[[paddle.Tensor], object]) -> paddle.Tensor:
    """Apply an in-place change and return the tensor that it must reach."""
    change(base)
    return base


def adds() -> Iterator[Case]:
    shapes = (((3, 4), (3, 4)), ((2, 1, 4), (3, 1)), ((), (3,)), ((5,), ()), ((0, 3), (3,)))
    for dtype in ("int32", "int64", "float32", "float16", "bfloat16", "float64"):
        for a, b in shapes:
            yield (
                f"add {dtype} {a} {b}",
                lambda a=a, b=b, d=dtype: tensor(*a, dtype=d) + tensor(*b, dtype=d),
            )
    yield "add transposed", lambda: tensor(3, 4).t() + tensor(4, 3)
    yield "add sliced", lambda: tensor(6, 6)[1:5:2, ::3] + tensor(2, 2)
    yield "add in place", lambda: changed(tensor(3, 4), lambda t: t.add_(tensor(3, 4)))
    yield "add in place on a view", lambda: changed(tensor(4, 4), lambda t: t[1:3].add_(t[0:2] * 1))


def products() -> Iterator[Case]:
    shapes = (
        ((3, 4), (4, 2)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (4,)),
        ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((0, 4), (4, 3)), ((3, 0), (0, 4)), ((1, 1), (1, 1)),
    )  # fmt: skip
    for dtype in ("float32", "float16", "float64"):
        for a, b in shapes:
            yield (
                f"matmul {dtype} {a} {b}",
                lambda a=a, b=b, d=dtype: paddle.matmul(tensor(*a, dtype=d), tensor(*b, dtype=d)),
            )
    for tx, ty in ((True, False), (False, True), (True, True)):
        x, y = (4, 3) if tx else (3, 4), (2, 4) if ty else (4, 2)
        yield (
            f"matmul {tx} {ty}",
            lambda x=x, y=y, tx=tx, ty=ty: paddle.matmul(tensor(*x), tensor(*y), tx, ty),
        )


def fills() -> Iterator[Case]:
    for dtype in ("bool", *INTEGERS, *REALS):
        yield f"full {dtype}", lambda d=dtype: paddle.full([2, 3], 1, dtype=d)
    yield "full rank 0", lambda: paddle.full([], 2.5)
    yield "full empty", lambda: paddle.full([0, 3], 2.5)
    yield "full infinite", lambda: paddle.full([2], float("-inf"))
    yield "full large integer", lambda: paddle.full([2], 2**53 + 1, dtype="int64")
    yield "fill a tensor", lambda: changed(tensor(2, 3), lambda t: t.fill_(4.0))
    yield "fill a view", lambda: changed(tensor(4, 4), lambda t: t[1:3].fill_(4.0))
    yield "fill a transposed view", lambda: changed(tensor(2, 3), lambda t: t.t().fill_(4.0))


def views() -> Iterator[Case]:
    for dtype in ("bool", *INTEGERS, *REALS, "complex64", "complex128"):
        yield f"contiguous {dtype}", lambda d=dtype: tensor(3, 5).astype(d).t().contiguous()
    yield "contiguous sliced", lambda: tensor(6, 6)[1:5, ::2].contiguous()
    yield "contiguous permuted", lambda: tensor(2, 3, 4).transpose([2, 0, 1]).contiguous()
    yield "write into a view", lambda: changed(tensor(3, 4), lambda t: t.t().scale_(3.0))
    yield "read a view", lambda: tensor(4, 4)[1:3, ::2]


def value(make: Callable[[], paddle.Tensor], device: str) -> np.ndarray:
    paddle.set_device(device)
    result = make()
    narrow = str(result.dtype) == "paddle.bfloat16"
    return (result.astype("float32") if narrow else result).numpy()


wrong, cases = [], [*adds(), *products(), *fills(), *views()]
for name, make in cases:
    try:
        got, expected = value(make, "npu"), value(make, "cpu")
    except Exception as error:
        wrong.append([name, type(error).__name__, str(error)[:300]])
        continue
    if got.dtype != expected.dtype or not np.array_equal(got, expected):
        wrong.append([name, str(got), str(expected)])
print(json.dumps({"wrong": wrong, "cases": len(cases), "native": device_api_paddle.native_ops()}))
