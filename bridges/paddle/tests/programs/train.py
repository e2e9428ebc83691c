# SPDX-License-Identifier: Apache-2.0
"""Train one small network from the same numbers on Paddle's CPU and on the device."""

import json
import sys

import device_api_paddle
from device_api import simulation

device_api_paddle.enable("npu")

import numpy as np  # noqa: E402
import paddle  # noqa: E402

STEPS = 40


def train(device: str, optimizer: str) -> list[float]:
    """Return the loss of every step."""
    paddle.set_device(device)
    numbers = np.random.default_rng(0)
    network = paddle.nn.Sequential(
        paddle.nn.Linear(16, 32), paddle.nn.Tanh(), paddle.nn.Linear(32, 4)
    )
    for parameter in network.parameters():
        start = numbers.standard_normal(parameter.shape) * 0.3
        parameter.set_value(paddle.to_tensor(start.astype("float32")))
    inputs = numbers.standard_normal((64, 16)).astype("float32")
    labels = numbers.integers(0, 4, 64)
    stepper = getattr(paddle.optimizer, optimizer)(0.05, parameters=network.parameters())
    losses = []
    for _ in range(STEPS):
        logits = network(paddle.to_tensor(inputs))
        loss = paddle.nn.functional.cross_entropy(logits, paddle.to_tensor(labels))
        loss.backward()
        stepper.step()
        stepper.clear_grad()
        losses.append(float(loss.numpy()))
    return losses


optimizer = sys.argv[1]
cpu = train("cpu", optimizer)
before = device_api_paddle.native_ops()
npu = train("npu", optimizer)
print(
    json.dumps(
        {
            "cpu": cpu,
            "npu": npu,
            "before": before,
            "native": device_api_paddle.native_ops(),
            "launched": simulation.launch_count("npu"),
            "kernels": sorted({launch.name for launch in simulation.launch_log("npu")}),
            "misuse": simulation.control("npu").misuse(),
        }
    )
)
