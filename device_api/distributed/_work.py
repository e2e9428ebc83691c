# SPDX-License-Identifier: Apache-2.0
"""Handles of collectives that are under way."""

from __future__ import annotations

from typing import Any, Protocol

from device_api import _core


class Work(Protocol):
    """A collective under way. The arrays it uses are not to be touched before :meth:`wait`."""

    def wait(self) -> None:
        """Order what this thread does next on the arrays after the collective.

        On an accelerator the current stream waits, not the caller; on the CPU the caller does.
        """

    def is_completed(self) -> bool:
        """Tell, without waiting, whether it is done."""

    def synchronize(self, timeout: float | None = None) -> None:
        """Wait until it is done; raises its failure, or DeviceTimeoutError after ``timeout`` s."""


class DeviceWork:
    """Work on a stream of an accelerator."""

    def __init__(self, stream: _core.Stream, event: _core.Event) -> None:
        self._stream, self._event = stream, event

    def wait(self) -> None:
        """See :class:`Work`."""
        _core.current_stream(self._stream.device).wait_event(self._event)

    def is_completed(self) -> bool:
        """See :class:`Work`."""
        return self._event.query()

    def synchronize(self, timeout: float | None = None) -> None:
        """See :class:`Work`; the stream is waited for, which reports the failure."""
        self._stream.synchronize(timeout)


class DoneWork:
    """Nothing was to be done."""

    def wait(self) -> None:
        """See :class:`Work`."""

    def is_completed(self) -> bool:
        """See :class:`Work`."""
        return True

    def synchronize(self, timeout: float | None = None) -> None:
        """See :class:`Work`."""


def wait_all(works: list[Any]) -> None:
    """Wait for each of several handles."""
    for work in works:
        work.wait()
