# SPDX-License-Identifier: Apache-2.0
"""The fixture of the packaging tests: a new virtual environment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from environments import WHEELHOUSE, Environment


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Environment]:
    """Make an empty virtual environment, as on a fresh machine."""
    assert list(WHEELHOUSE.glob("device_api-*.whl")), (
        f"no wheels in {WHEELHOUSE}; build them first: ./dev tox run -e wheels"
    )
    folder = tmp_path / "venv"
    subprocess.run(
        [sys.executable, "-m", "virtualenv", "--quiet", "--no-download", str(folder)], check=True
    )
    yield Environment(folder)
