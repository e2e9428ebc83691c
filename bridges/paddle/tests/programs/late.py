# SPDX-License-Identifier: Apache-2.0
"""Enabling a device after Paddle was imported is too late, and says so."""

import json

import paddle  # noqa: F401

import device_api_paddle

try:
    device_api_paddle.enable("npu")
except device_api_paddle.PaddleOrderError as error:
    print(json.dumps({"cause": error.cause, "remedy": error.remedy}))
