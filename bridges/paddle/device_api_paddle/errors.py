# SPDX-License-Identifier: Apache-2.0
"""What can be wrong between device_api and PaddlePaddle; part of device_api's hierarchy."""

from __future__ import annotations

from device_api.errors import DeviceApiError, VersionMismatchError


class PaddleBridgeError(DeviceApiError):
    """Base of the errors of this package."""


class PaddleNotInstalledError(PaddleBridgeError):
    """PaddlePaddle is not installed."""


class PaddleVersionError(PaddleBridgeError, VersionMismatchError):
    """PaddlePaddle is installed in a version that the bridge was not built for."""


class PaddleOrderError(PaddleBridgeError, RuntimeError):
    """Paddle was imported, or another device type enabled, before this call."""
