# SPDX-License-Identifier: Apache-2.0
"""Lines of code of the parts, without blank lines and comments: `python tools/count_lines.py`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "contract header (backend.h, types.h)": [
        "backends/abi/include/device_api/backend.h",
        "backends/abi/include/device_api/types.h",
    ],
    "core (libdevice_api)": ["device_api/native/src", "device_api/native/include"],
    "Python extension": ["device_api/native/binding"],
    "Python face and command line": ["device_api/*.py", "device_api/cli"],
    "CPU backend": ["backends/cpu/src", "backends/cpu/device_api_cpu"],
    "simulated-chip engine": ["backends/abi/engine/src", "backends/abi/engine/include"],
    "simulated CANN": ["backends/npu_ascend/simulator"],
    "CANN declarations": ["backends/npu_ascend/include"],
    "Ascend adapter": ["backends/npu_ascend/src", "backends/npu_ascend/device_api_npu"],
    "SIMT kernels": ["backends/abi/simt/kernels"],
    "shared SIMT adapter": ["backends/abi/simt/adapter", "backends/abi/simt/include"],
    "CUDA declarations": ["backends/cuda/include"],
    "CUDA binding": ["backends/cuda/src", "backends/cuda/device_api_cuda"],
    "Paddle bridge": ["bridges/paddle/src", "bridges/paddle/device_api_paddle"],
    "conformance": ["conformance/device_api_conformance"],
    "tests of all parts": [
        "tests", "*/*/tests", "*/tests", "device_api/native/tests", "backends/abi/engine/tests",
    ],
}  # fmt: skip
SUFFIXES = {".py", ".h", ".hpp", ".c", ".cpp", ".inc"}


def code_lines(path: Path) -> int:
    """Lines of a file that hold code; docstrings count as comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        text = re.sub(r'^\s*(r?""")(?s:.*?)"""\s*$', "", text, flags=re.M)
        return sum(1 for line in text.splitlines() if line.strip() and line.strip()[0] != "#")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"//.*", "", text)
    return sum(1 for line in text.splitlines() if line.strip())


def files(patterns: list[str]) -> set[Path]:
    """The source files that patterns name: files, or folders with all below them."""
    found = {p for pattern in patterns for p in ROOT.glob(pattern)}
    below = {f for p in found if p.is_dir() for f in p.rglob("*")}
    return {p for p in found | below if p.is_file() and p.suffix in SUFFIXES}


def main() -> None:
    """Print a row for each part."""
    for part, patterns in PARTS.items():
        sources = files(patterns)
        print(f"{sum(map(code_lines, sources)):7,}  in {len(sources):3} files  {part}")


if __name__ == "__main__":
    main()
