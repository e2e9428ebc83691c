# SPDX-License-Identifier: Apache-2.0
"""What the native core asks of Python: printing, indexing with arrays, plugins, fallbacks.

Each hook is called by name from the core; modules that a short program never needs are imported
when their hook is first called.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from device_api import _core
from device_api._core import Tensor


def _repr(x: Tensor) -> str:
    from device_api import printing

    return printing.tensor_repr(x)


def _str(x: Tensor) -> str:
    from device_api import printing

    return printing.tensor_str(x)


def _getitem(x: Tensor, key: Any) -> Tensor:
    from device_api import indexing

    return indexing.getitem(x, key)


def _setitem(x: Tensor, key: Any, value: Any) -> None:
    from device_api import indexing

    indexing.setitem(x, key, value)


def _namespace() -> ModuleType:
    return sys.modules["device_api"]


def _missing_device(device_type: str) -> str:
    from device_api import plugins

    return plugins.missing_device(device_type)


def _default_device() -> None:
    from device_api import devices, fallback

    fallback.check_environment()
    devices.apply_environment()


def _fallback(op: str, dtype: str, device: str, reason: str) -> None:
    from device_api import fallback

    fallback.warn(op, dtype, device, reason)


def _compose(*call: Any) -> Tensor | None:
    from device_api import composites

    _core.set_hook("compose", composites.compose)  # from now on without this step
    return composites.compose(*call)


_HOOKS: dict[str, Callable[..., Any]] = {
    "repr": _repr,
    "str": _str,
    "getitem": _getitem,
    "setitem": _setitem,
    "namespace": _namespace,
    "missing_device": _missing_device,
    "default_device": _default_device,
    "fallback": _fallback,
    "compose": _compose,
}

for _name, _function in _HOOKS.items():
    _core.set_hook(_name, _function)
