# SPDX-License-Identifier: Apache-2.0
"""Running programs that use Paddle: each in its own process, since Paddle takes devices once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = Path(__file__).parent / "programs"


class Child:
    """What a program left behind: its answer (JSON in the last line), output and exit code."""

    def __init__(self, finished: subprocess.CompletedProcess[str]) -> None:
        self.code = finished.returncode
        self.output = finished.stdout
        self.errors = finished.stderr

    @property
    def answer(self) -> Any:
        assert self.code == 0, f"exit code {self.code}\n{self.output}\n{self.errors}"
        return json.loads(self.output.splitlines()[-1])


@cache  # two tests may look at one run
def start(name: str, *arguments: str, simulate: str = "npu", **environment: str) -> Child:
    """Run tests/programs/NAME.py to its end."""
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("DEVICE_API_", "CUSTOM_"))}
    settings |= {"GLOG_minloglevel": "2", "DEVICE_API_SIMULATE": simulate} | environment
    return Child(
        subprocess.run(
            [sys.executable, "-W", "ignore", str(PROGRAMS / f"{name}.py"), *arguments],
            env=settings,
            capture_output=True,
            text=True,
            timeout=240,
        )
    )


@pytest.fixture
def child() -> Callable[..., Child]:
    """Run a program of tests/programs in a new process."""
    return start
