# SPDX-License-Identifier: Apache-2.0
"""Streams and events of Paddle's own, and forked data loading beside the device."""

import json

import device_api_paddle

device_api_paddle.enable("npu")

import numpy as np  # noqa: E402
import paddle  # noqa: E402


class Numbers(paddle.io.Dataset):
    """Sixteen rows of known numbers."""

    def __len__(self) -> int:
        return 16

    def __getitem__(self, index: int) -> np.ndarray:
        return np.full([4], index, dtype="float32")


paddle.set_device("npu:0")
x = paddle.full([256, 256], 1.0)
stream = paddle.device.Stream("npu:0")
start, end = (paddle.device.Event(enable_timing=True) for _ in range(2))
stream.wait_stream(paddle.device.current_stream())
with paddle.device.stream_guard(stream):
    start.record()
    y = paddle.matmul(x, x)
    for _ in range(5):
        y = y + x
    end.record()
end.synchronize()
stream.synchronize()
finished = [end.query(), stream.query()]
paddle.device.synchronize()
on_stream = [float(y.min().numpy()), float(y.max().numpy())]

total = paddle.zeros([4])
for rows in paddle.io.DataLoader(Numbers(), batch_size=4, num_workers=2):
    total = total + rows.sum(axis=0)

print(json.dumps({"finished": finished, "on_stream": on_stream, "loaded": total.tolist()}))
