# SPDX-License-Identifier: Apache-2.0
"""Memory: statistics on both sides, out of memory, and that the process goes on after it."""

import json

import device_api
import device_api_paddle
from device_api import simulation

simulation.enable("npu", memory="1GiB")
device_api_paddle.enable("npu")

import paddle  # noqa: E402

paddle.set_device("npu:0")
place = paddle.CustomPlace("npu", 0)


def reserved() -> int:
    """Return the bytes that the core holds from the backend for this device."""
    return device_api.memory_reserved("npu:0")


before = reserved()
block = paddle.full([4, 1024, 1024], 1.0)  # 16 MiB
with_block = reserved()
paddle_allocated = paddle.device.memory_allocated(place)
del block
paddle.device.empty_cache()
after = reserved()

try:
    paddle.full([1024, 1024, 1024], 1.0)  # 4 GiB
    refused = ""
except Exception as error:
    refused = f"{type(error).__name__}: {error}"
last_error = device_api_paddle.last_error()
still_works = paddle.full([8], 2.0).sum().tolist()

print(
    json.dumps(
        {
            "grown": with_block - before,
            "paddle_allocated": paddle_allocated,
            "given_back": with_block - after,
            "refused": refused,
            "last_error": last_error,
            "still_works": still_works,
        }
    )
)
