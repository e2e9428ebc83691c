# SPDX-License-Identifier: Apache-2.0
"""Every native kernel by data type and layout on the device and on Paddle's CPU, compared."""

import json
from collections.abc import Callable, Iterator

import device_api_paddle
from device_api import simulation

device_api_paddle.enable("npu")

import numpy as np  # noqa: E402
import paddle  # noqa: E402

Make = Callable[[str], paddle.Tensor]
Case = tuple[str, str, Make]  # name, data type, what makes the result in a data type
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
HALVES = ("float16", "bfloat16")  # Paddle's CPU computes hardly anything in these
REALS = (*HALVES, "float32", "float64")


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
    for dtype in ("int32", "int64", *REALS):
        for a, b in shapes:
            yield (
                f"add {a} {b}",
                dtype,
                lambda d, a=a, b=b: tensor(*a, dtype=d) + tensor(*b, dtype=d),
            )
    for name, make in {
        "add transposed": lambda: tensor(3, 4).t() + tensor(4, 3),
        "add sliced": lambda: tensor(6, 6)[1:5:2, ::3] + tensor(2, 2),
        "add in place": lambda: changed(tensor(3, 4), lambda t: t.add_(tensor(3, 4))),
        "add to itself": lambda: changed(tensor(3, 4), lambda t: t.add_(t)),
        "add in place on a view": lambda: changed(
            tensor(4, 4), lambda t: t[1:3].add_(tensor(2, 4))
        ),
    }.items():
        yield name, "float32", lambda d, make=make: make()


def products() -> Iterator[Case]:
    shapes = (
        ((3, 4), (4, 2)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (4,)),
        ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((0, 4), (4, 3)), ((3, 0), (0, 4)), ((1, 1), (1, 1)),
    )  # fmt: skip
    for dtype in REALS:
        for a, b in shapes:
            if 0 in a and 0 in b and dtype in HALVES:
                continue  # Paddle leaves a cast of an empty tensor on its CPU
            yield (
                f"matmul {a} {b}",
                dtype,
                lambda d, a=a, b=b: paddle.matmul(tensor(*a, dtype=d), tensor(*b, dtype=d)),
            )
    for tx, ty in ((True, False), (False, True), (True, True)):
        x, y = (4, 3) if tx else (3, 4), (2, 4) if ty else (4, 2)
        yield (
            f"matmul {tx} {ty}",
            "float32",
            lambda d, x=x, y=y, tx=tx, ty=ty: paddle.matmul(
                tensor(*x, dtype=d), tensor(*y, dtype=d), tx, ty
            ),
        )


def fills() -> Iterator[Case]:
    for dtype in ("bool", *INTEGERS, *REALS):
        yield "full", dtype, lambda d: paddle.full([2, 3], 1, dtype=d)
    for name, dtype, make in (
        ("full of rank 0", "float32", lambda d: paddle.full([], 2.5, dtype=d)),
        ("full and empty", "float32", lambda d: paddle.full([0, 3], 2.5, dtype=d)),
        ("full of infinity", "float32", lambda d: paddle.full([2], float("-inf"), dtype=d)),
        ("full of a large integer", "int64", lambda d: paddle.full([2], 2**53 + 1, dtype=d)),
        ("fill", "float32", lambda d: changed(tensor(2, 3), lambda t: t.fill_(4.0))),
        ("fill a view", "float32", lambda d: changed(tensor(4, 4), lambda t: t[1:3].fill_(4.0))),
        ("fill across", "float32", lambda d: changed(tensor(2, 3), lambda t: t.t().fill_(4.0))),
    ):
        yield name, dtype, make


def views() -> Iterator[Case]:
    for dtype in ("bool", *INTEGERS, *REALS, "complex64", "complex128"):
        yield "contiguous", dtype, lambda d: tensor(3, 5).astype(d).t().contiguous()
    for name, make in {
        "contiguous, sliced": lambda: tensor(6, 6)[1:5, ::2].contiguous(),
        "contiguous, permuted": lambda: tensor(2, 3, 4).transpose([2, 0, 1]).contiguous(),
        "read a view": lambda: tensor(4, 4)[1:3, ::2],
        "write across": lambda: changed(tensor(3, 4), lambda t: t.t().scale_(3.0)),
    }.items():
        yield name, "float32", lambda d, make=make: make()


def value(make: Make, dtype: str, device: str) -> np.ndarray:
    """Compute on a device; the halves come back, and are computed by the CPU, as float32."""
    paddle.set_device(device)
    half = dtype in HALVES
    result = make("float32" if half and device == "cpu" else dtype)
    return (result.astype("float32") if half else result).numpy()


wrong, cases = [], [*adds(), *products(), *fills(), *views()]
for name, dtype, make in cases:
    try:
        got, expected = value(make, dtype, "npu"), value(make, dtype, "cpu")
    except Exception as error:
        wrong.append([name, dtype, type(error).__name__, str(error)[:300]])
        continue
    if (
        got.dtype != expected.dtype
        or got.shape != expected.shape
        or not np.array_equal(got, expected)
    ):
        wrong.append([name, dtype, str(got), str(expected)])
print(
    json.dumps(
        {
            "wrong": wrong,
            "cases": len(cases),
            "native": device_api_paddle.native_ops(),
            "launched": simulation.launch_count("npu"),
            "misuse": simulation.control("npu").misuse(),
        }
    )
)
