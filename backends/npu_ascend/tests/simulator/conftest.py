# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the simulator's tests: a client of the simulated CANN, reset before each test."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cann_client import Client, library_copy


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A private copy of the simulator's engine library."""
    return library_copy(tmp_path_factory.mktemp("sim"))


@pytest.fixture
def fresh(library: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A client before aclInit, with nothing set up."""
    for name in ("DEVICE_API_SIM_NPU_CHIP", "ASCEND_RT_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)
    client = Client(library)
    client.reset()
    yield client
    client.reset()


@pytest.fixture
def cann(fresh: Client) -> Client:
    """A client after aclInit and aclrtSetDevice(0), on two devices of 64 MiB."""
    fresh.setup(devices=2, memory_bytes=64 << 20)
    fresh.ok(fresh.aclInit(None))
    fresh.ok(fresh.aclrtSetDevice(0))
    return fresh


@pytest.fixture
def on_chip(fresh: Client):
    """Call with the name of a chip: a client on that chip, after aclrtSetDevice(0)."""

    def choose(name: str) -> Client:
        os.environ["DEVICE_API_SIM_NPU_CHIP"] = name
        fresh.reset()
        fresh.ok(fresh.aclInit(None))
        fresh.ok(fresh.aclrtSetDevice(0))
        return fresh

    before = os.environ.get("DEVICE_API_SIM_NPU_CHIP")
    yield choose
    os.environ.pop("DEVICE_API_SIM_NPU_CHIP", None)
    if before is not None:
        os.environ["DEVICE_API_SIM_NPU_CHIP"] = before
