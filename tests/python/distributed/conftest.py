# SPDX-License-Identifier: Apache-2.0
"""Shared fixtures of the tests of collectives."""

from __future__ import annotations

import socket

import pytest


@pytest.fixture
def port() -> str:
    """A port of this machine that nobody uses now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])
