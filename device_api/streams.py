# SPDX-License-Identifier: Apache-2.0
"""Streams and events: queues of work on a device, and marks in them.

Work of one stream runs in order; work of two streams runs in any order unless an event links them.
Names as in PaddlePaddle 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from device_api import _core
from device_api.devices import DeviceLike, optional_device

Stream = _core.Stream
Event = _core.Event


def current_stream(device: DeviceLike | None = None) -> Stream:
    """Return the stream that this thread uses on a device (default: the current device)."""
    return _core.current_stream(optional_device(device))


def set_stream(stream: Stream) -> Stream:
    """Make a stream the one that this thread uses on the stream's device; return the former."""
    return _core.set_current_stream(stream)


@contextmanager
def stream_guard(stream: Stream | None) -> Iterator[Stream | None]:
    """Use a stream inside a ``with`` block; afterwards the former one is used again.

    With None nothing changes. Raises TypeError for anything else than a stream.
    """
    if stream is None:
        yield None
        return
    before = _core.set_current_stream(stream)
    try:
        yield stream
    finally:
        _core.set_current_stream(before)
