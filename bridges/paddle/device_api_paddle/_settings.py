# SPDX-License-Identifier: Apache-2.0
"""Choosing a device type for Paddle: checks, and the environment that the library reads."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

from device_api import plugins
from device_api.errors import PluginBrokenError
from device_api_paddle import _backend
from device_api_paddle.errors import (
    PaddleNotInstalledError,
    PaddleOrderError,
    PaddleVersionError,
)

#: The one version of paddlepaddle that the bridge is compiled against.
PADDLE_VERSION = "3.3.1"

#: The folder that Paddle searches for custom devices.
ROOT = Path(__file__).resolve().parent / "lib"
LIBRARY = ROOT / "libpaddle-custom-device_api.so"

TYPE = "DEVICE_API_PADDLE_TYPE"
PLUGIN = "DEVICE_API_PADDLE_PLUGIN"
OPTIONS = "DEVICE_API_PADDLE_OPTIONS"
FOLDER = "CUSTOM_DEVICE_ROOT"

_enabled: list[str] = []  # at most one: Paddle takes one type from one library


def enabled() -> str | None:
    """Return the device type that was enabled in this process, or None."""
    return _enabled[0] if _enabled else None


def enable(device_type: str) -> None:
    """Make a device type of device_api one of Paddle's, for this process and those it starts.

    Must be called before ``import paddle``. Calling it again for the same type does nothing.

    Raises PaddleNotInstalledError, PaddleVersionError, PaddleOrderError (Paddle is imported
    already, or another type is enabled), and what :func:`device_api.set_device` raises when the
    type's plugin is missing, broken, or finds no driver or device.
    """
    name = plugins.canonical(device_type)
    if _enabled == [name]:
        return
    _check_order(name)
    settings = environment(name)
    _backend.require_device(name)
    os.environ.update(settings)
    _enabled.append(name)


def environment(device_type: str) -> dict[str, str]:
    """Return the environment variables with which a process without Python gets the device.

    A C++ program on Paddle Inference, for example, is started with them; :func:`enable` sets them
    in this process. Opens no device. Raises like :func:`enable`, but for the order.
    """
    name = plugins.canonical(device_type)
    _check_paddle()
    _check_folder()
    backend = _backend.describe(name)
    options = "\n".join(f"{key}={value}" for key, value in backend.options.items())
    return {FOLDER: str(ROOT), TYPE: name, PLUGIN: backend.library, OPTIONS: options}


def _check_paddle() -> None:
    remedy = f"pip install paddlepaddle=={PADDLE_VERSION}"
    try:
        version = metadata.version("paddlepaddle")
    except metadata.PackageNotFoundError:
        raise PaddleNotInstalledError(
            "the package paddlepaddle is not installed in this environment", remedy
        ) from None
    if version != PADDLE_VERSION:
        raise PaddleVersionError(
            f"paddlepaddle {version} is installed, but this bridge is compiled against "
            f"{PADDLE_VERSION} and Paddle's C++ interface differs between versions",
            remedy,
        )


def _check_order(name: str) -> None:
    if _enabled:
        raise PaddleOrderError(
            f"device type {_enabled[0]!r} is enabled already, so {name!r} cannot be",
            "use one device type of device_api in one Paddle process",
        )
    if "paddle" in sys.modules:
        raise PaddleOrderError(
            "paddle is imported already, and it takes custom devices only while it is imported",
            f"call device_api_paddle.enable({name!r}) before the first `import paddle`",
        )
    root = os.environ.get(FOLDER)
    if root and Path(root).resolve() != ROOT:
        raise PaddleOrderError(
            f"{FOLDER} is set to {root}, so Paddle would load the custom devices there instead",
            f"unset {FOLDER}; it is set by device_api_paddle.enable()",
        )


def _check_folder() -> None:
    if not LIBRARY.is_file():
        raise PluginBrokenError(
            f"the bridge's library is missing: {LIBRARY}",
            "reinstall it: pip install --force-reinstall device-api-paddle",
        )
