# SPDX-License-Identifier: Apache-2.0
"""Time of `import device_api` beyond NumPy's own: `python benchmarks/import_time.py`.

Each import in a process of its own, the two in turn; the minimum of each counts.
"""

from __future__ import annotations

import subprocess
import sys

ROUNDS = 15
PROGRAM = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def seconds(modules: str) -> float:
    """Seconds that an import takes in a new process."""
    command = [sys.executable, "-P", "-c", PROGRAM.format(modules)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    """Print both times and their difference."""
    rounds = [(seconds("numpy"), seconds("numpy, device_api")) for _ in range(ROUNDS)]
    numpy, both = (min(values) for values in zip(*rounds, strict=True))
    print(f"numpy {numpy:.3f} s, device_api beyond it {both - numpy:.3f} s (limit 0.15 s)")


if __name__ == "__main__":
    main()
