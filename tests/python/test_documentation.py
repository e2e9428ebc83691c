# SPDX-License-Identifier: Apache-2.0
"""Every ``python`` block of the README and of docs/ runs as it is written.

Each block runs in a process of its own, with a simulated chip, in an empty folder. A block that is
no program on its own is told here what stands around it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# What a block takes from the text around it -> the lines that stand for that.
CONTEXT = {
    "step(x)": "import device_api as xp\nx, step = xp.ones((3,)), xp.exp",
    "model(x)": "import device_api as xp\nxp.set_device('npu')\nx, model = xp.ones((3,)), xp.exp",
    '@composes("silu"': (
        "from collections.abc import Callable\n"
        "from device_api._core import Tensor\n"
        "from device_api.composites.neural import _gated, _shares, w\n"
        "def composes(*names: str, **options: object) -> Callable[..., object]:\n"
        "    return lambda function: function"  # the op has its composite already
    ),
}


def blocks() -> list[tuple[str, str]]:
    """Return the name and text of each block."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for i, match in enumerate(re.finditer(r"^```python\n(.*?)^```$", text, re.S | re.M)):
            found.append((f"{page.relative_to(ROOT)}-{i}", match[1]))
    return found


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEVICE_API_SIMULATE": "npu"}
    environment.pop("DEVICE_API_DEVICE", None)
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(("name", "block"), blocks(), ids=[name for name, _ in blocks()])
def test_a_block_runs(name: str, block: str, tmp_path: Path) -> None:
    before = [lines for sign, lines in CONTEXT.items() if sign in block]
    done = run("\n".join([*before, block]), tmp_path)
    assert done.returncode == 0, f"{name}:\n{block}\n{done.stderr}"


def test_the_blocks_are_found_and_their_contexts_are_needed() -> None:
    texts = [text for _, text in blocks()]
    assert any(name == "README.md-0" for name, _ in blocks())
    for sign in CONTEXT:
        assert any(sign in text for text in texts), f"no block has {sign}"


def test_ten_lines_of_the_readme_say_what_they_promise(tmp_path: Path) -> None:
    (block,) = (text for name, text in blocks() if name == "README.md-0")
    assert len(block.strip().splitlines()) <= 10
    shown = run(block, tmp_path).stdout
    assert "npu:0" in shown
    assert "bytes at most" in shown
