# SPDX-License-Identifier: Apache-2.0
"""Paddle with settings that cannot work: the import must go on without the device."""

import json

import paddle

types = paddle.device.get_all_custom_device_type()
print(json.dumps({"types": types, "cpu": paddle.ones([2]).tolist()}))
