# SPDX-License-Identifier: Apache-2.0
"""The array-API test suite on a planted backend, through device_api's namespace."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import device_api
from device_api_abi import optable
from device_api_conformance import planted
from device_api_conformance.planted import Plant

EVERYWHERE = frozenset(
    {"copy", "cast", "fill", "iota", "where", "equal", "not_equal", "any", "all", "isnan", "sum"}
)
"""Ops that tests of other functions use as well: a plant in them gets the whole suite."""
WHOLE = 5
"""The whole suite is run with one WHOLE-th of the examples."""


@dataclass(frozen=True)
class Found:
    """Whether a plant was killed (None: no end in time), by which test, and how often it struck."""

    killed: bool | None
    by: str
    strikes: int


def chosen(plant: Plant) -> str | None:
    """The ``-k`` expression of the tests that can see a plant; "" for all, None for no test."""
    table = optable.by_name()
    if not plant.ops or EVERYWHERE & set(plant.ops):
        return ""
    names = [table[op].api for op in plant.ops if hasattr(device_api, table[op].api or "?")]
    return " or ".join(names) if names else None


def tried(plant: Plant, folder: Path, examples: int, limit: float) -> Found:
    """Run the tests that can see a plant until one fails. A crash is a kill, too."""
    which = chosen(plant)
    if which is None:
        return Found(False, "", 0)
    command = [
        sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "yardstick.planted_process",
        "-x", "-q", "--tb=line", "--disable-deadline", "array_api_tests",
        "--max-examples", str(examples if which else max(examples // WHOLE, 1)),
        *(["-k", which] if which else []),
    ]  # fmt: skip
    here = str(Path(__file__).resolve().parent.parent)
    paths = [here, str(folder), os.environ.get("PYTHONPATH", "")]
    with tempfile.TemporaryDirectory() as temporary:
        told = Path(temporary) / "strikes"
        environment = os.environ | {
            planted.VARIABLE: plant.id, "YARDSTICK_STRIKES": str(told), "PYTHONSAFEPATH": "1",
            "PYTHONPATH": os.pathsep.join(paths), "ARRAY_API_TESTS_MODULE": "device_api",
            "ARRAY_API_TESTS_VERSION": "2025.12",
        }  # fmt: skip
        try:
            ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True,
                                   text=True, timeout=limit, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return Found(None, f"no end in {limit:g} s", 0)
        strikes = int(told.read_text()) if told.exists() else 0
    if ended.returncode in (0, 5):
        return Found(False, "", strikes)
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Found(True, lines[0][:160] if lines else f"exit status {ended.returncode}", strikes)


def version(folder: Path) -> str:
    """The commit of a checkout."""
    command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
