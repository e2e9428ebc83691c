# SPDX-License-Identifier: Apache-2.0
"""Functions that NumPy computes on the host: decompositions and Fourier transforms.

Arrays of other devices are copied there and back, which the fallback policy governs and the
fallback report counts; arrays of the CPU are already there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors, fallback
from device_api._core import Tensor
from device_api._host_memory import host_memory

_REASON = "this function is computed by NumPy on the host"


def call(name: str, function: Callable[..., Any], *arrays: Tensor) -> tuple[Tensor, ...]:
    """Apply a NumPy function to arrays of one device and return its results on that device.

    16-bit floats are computed in float32, and real or complex results of theirs keep the type
    they were given where there is one. Raises FallbackError when the policy forbids the host,
    InvalidArgumentError for what NumPy refuses (a singular matrix, shapes), DeviceMismatchError
    for arrays of two devices.
    """
    first = arrays[0]
    for other in arrays[1:]:
        if other.device != first.device:
            raise errors.DeviceMismatchError(
                f"{name}: the operands are on different devices: {first.device} and {other.device}",
                "move one with to_device()",
                op=name,
            )
    on_device = first.device.type != "cpu"
    if on_device:
        fallback.require(name, first.dtype.name, first.device, _REASON)
    start = time.perf_counter()
    inputs = [_to_numpy(x) for x in arrays]
    try:
        with host_memory(name):
            found = function(*inputs)
    except (np.linalg.LinAlgError, ValueError, IndexError) as error:
        raise errors.InvalidArgumentError(
            f"{name}: {error}", "see which shapes and values the function takes", op=name
        ) from error
    results = found if isinstance(found, tuple) else (found,)
    outputs = tuple(_from_numpy(np.asarray(r), first) for r in results)
    if on_device:
        moved = sum(x.nbytes for x in inputs) + sum(np.asarray(r).nbytes for r in results)
        seconds = time.perf_counter() - start
        fallback.account(name, first.dtype.name, first.device, moved, seconds, _REASON)
    return outputs


def _to_numpy(x: Tensor) -> np.ndarray[Any, Any]:
    narrow = x.dtype.kind == "f" and x.dtype.itemsize == 2
    return (_core.astype(x, dtypes.float32) if narrow else x).numpy()


def _from_numpy(result: np.ndarray[Any, Any], like: Tensor) -> Tensor:
    out = _core.from_numpy(result, None, like.device)
    narrow = like.dtype.kind == "f" and like.dtype.itemsize == 2
    return _core.astype(out, like.dtype) if narrow and out.dtype.kind == "f" else out
