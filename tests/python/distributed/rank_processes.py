# SPDX-License-Identifier: Apache-2.0
"""Programs of several ranks, each a process of its own, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAM = Path(__file__).with_name("rank_program.py")
PRELUDE = """
import os, sys, threading, time
import numpy as np
import device_api as xp
from device_api import distributed as dist
from device_api import simulation
RANK = int(os.environ["RANK"])
simulation.enable("npu")
def start(**more):
    dist.init_process_group("npu", device="npu:0", **{"timeout": 60, **more})
    xp.set_device("npu:0")
"""


def environment(**more: str) -> dict[str, str]:
    """The environment of a child that finds device_api as this process does."""
    found = os.environ | {"PYTHONSAFEPATH": "1"} | more
    found["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    return found


def start_ranks(n: int, arguments: list[str], **more: str) -> list[subprocess.Popen[str]]:
    """Start n ranks of a program; the environment tells each its place."""
    return [
        subprocess.Popen(
            [sys.executable, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(RANK=str(rank), WORLD_SIZE=str(n), **more),
        )
        for rank in range(n)
    ]  # fmt: skip


def results(children: list[subprocess.Popen[str]], timeout: float = 120) -> list[tuple[int, str]]:
    """Wait for all; return each one's exit status and all that it wrote."""
    found = []
    try:
        for child in children:
            out, err = child.communicate(timeout=timeout)
            found.append((child.returncode, out + err))
    finally:
        for child in children:
            child.kill()
    return found


def run_ranks(n: int, program: str, **more: str) -> list[str]:
    """Run a program (after PRELUDE) as n ranks that all end well; return what each wrote."""
    children = start_ranks(n, ["-c", PRELUDE + textwrap.dedent(program)], **more)
    ended = results(children)
    for status, text in ended:
        assert status == 0, text
    return [text.strip() for _, text in ended]
