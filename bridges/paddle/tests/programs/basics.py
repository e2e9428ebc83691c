# SPDX-License-Identifier: Apache-2.0
"""The first steps of a user: choose the device, make tensors, compute, ask what happened."""

import json

import device_api_paddle
from device_api import simulation

simulation.enable("npu", devices=2)
device_api_paddle.enable("npu")

import numpy as np  # noqa: E402
import paddle  # noqa: E402

paddle.set_device("npu")
x = paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3))
product = paddle.matmul(x, x, transpose_y=True)
total = product + paddle.full([2, 2], 0.5)
on_second = paddle.to_tensor([1.0, 2.0], place=paddle.CustomPlace("npu", 1))

print(
    json.dumps(
        {
            "types": paddle.device.get_all_custom_device_type(),
            "devices": paddle.device.get_available_custom_device(),
            "device": paddle.get_device(),
            "place": str(total.place),
            "total": total.tolist(),
            "second": [str(on_second.place), (on_second + on_second).tolist()],
            "moved": [str(on_second.to("npu:0").place), on_second.to("npu:0").tolist()],
            "native": device_api_paddle.native_ops(),
            "libraries": device_api_paddle.libraries()._asdict(),
            "last_error": device_api_paddle.last_error(),
        }
    )
)
