# SPDX-License-Identifier: Apache-2.0
"""Every backend of device_api as a PaddlePaddle custom device.

Choose the device type before Paddle is imported; from then on it is one of Paddle's own::

    import device_api_paddle
    device_api_paddle.enable("npu")

    import paddle
    paddle.set_device("npu")

Paddle takes its custom devices while it is being imported, and only then: this is why the order
matters. The bridge is bound to one exact version of Paddle, see :data:`PADDLE_VERSION`.
"""

from device_api_paddle._bridge import Libraries, last_error, libraries, native_ops
from device_api_paddle._settings import PADDLE_VERSION, enable, enabled, environment
from device_api_paddle.errors import (
    PaddleBridgeError,
    PaddleNotInstalledError,
    PaddleOrderError,
    PaddleVersionError,
)

__version__ = "0.1.0"

__all__ = [
    "PADDLE_VERSION",
    "Libraries",
    "PaddleBridgeError",
    "PaddleNotInstalledError",
    "PaddleOrderError",
    "PaddleVersionError",
    "enable",
    "enabled",
    "environment",
    "last_error",
    "libraries",
    "native_ops",
]
