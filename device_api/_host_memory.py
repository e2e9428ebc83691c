# SPDX-License-Identifier: Apache-2.0
"""Memory for tables of indices that are made on the host: too little of it is our own error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from device_api import errors


@contextmanager
def host_memory(function: str) -> Iterator[None]:
    """Raise OutOfMemoryError where NumPy finds no memory on the host in this block."""
    try:
        yield
    except MemoryError as error:
        if isinstance(error, errors.DeviceApiError):
            raise
        raise errors.OutOfMemoryError(
            f"{function}: not enough host memory: {error}",
            "make a smaller result, or make it in parts",
            op=function,
        ) from error
