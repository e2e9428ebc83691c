# SPDX-License-Identifier: Apache-2.0
"""Tells the watchdog when a case needs the device no more: from there on the suite itself works."""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[], None]] = []


def listen(listener: Callable[[], None]) -> None:
    """Call this one from now on."""
    _listeners[:] = [listener]


def device_is_done() -> None:
    """What is slow after this is the truth, and no fault of the device."""
    for listener in _listeners:
        listener()
