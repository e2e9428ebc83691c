# SPDX-License-Identifier: Apache-2.0
"""End the process in the middle of things: live tensors, streams, pending work."""

import sys

import device_api_paddle

device_api_paddle.enable("npu")

import paddle  # noqa: E402

paddle.set_device("npu:0")
kept = [paddle.full([128, 128], float(i)) for i in range(8)]
stream = paddle.device.Stream("npu:0")
event = paddle.device.Event()
with paddle.device.stream_guard(stream):
    for _ in range(20):
        kept.append(paddle.matmul(kept[-1], kept[0]))
    event.record()
if sys.argv[1] == "exit":
    sys.exit(7)
if sys.argv[1] == "raise":
    raise RuntimeError("on purpose")
