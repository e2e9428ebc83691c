# SPDX-License-Identifier: Apache-2.0
"""A chip that refuses a launch, and one whose kernel fails later: what Paddle's user is told."""

import json
import sys

import device_api_paddle
from device_api import simulation

device_api_paddle.enable("npu")

import paddle  # noqa: E402

paddle.set_device("npu")
x = paddle.full([4, 4], 1.0)
before = paddle.matmul(x, x).tolist()
with simulation.inject("npu", sys.argv[1], op="*Mm*") as fault:
    try:
        paddle.matmul(x, x).numpy()
        told = ""
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
    strikes = fault.strikes
print(
    json.dumps(
        {
            "told": told,
            "strikes": strikes,
            "last_error": device_api_paddle.last_error(),
            "same_after": paddle.matmul(x, x).tolist() == before,
        }
    )
)
