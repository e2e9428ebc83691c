# SPDX-License-Identifier: Apache-2.0
"""Build the native tests with AddressSanitizer and UndefinedBehaviorSanitizer, and run them.

python tools/sanitize.py [CTEST ARGUMENTS]

The build folder is build/sanitize; the Python extension is left out. The CPU backend of the wheel
is tested by the same programs, at every instruction-set level, when its build folder is there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "sanitize"
CPU_WHEEL = ROOT / "build" / "wheels" / "device-api-cpu"
CONFIGURE = (
    "-GNinja",
    "--no-warn-unused-cli",
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
    "-DCMAKE_C_FLAGS_DEBUG=-O1",
    "-DDEVICE_API_DEVELOPER=ON",
    "-DDEVICE_API_PYTHON=OFF",
    "-DDEVICE_API_SANITIZE=address,undefined",
    # One of the CPU backend's levels: the others are the same sources for wider registers.
    "-DDEVICE_API_CPU_LEVELS=v3",
)
CTEST = ("--output-on-failure", "--no-tests=error")
OPTIONS = {
    "ASAN_OPTIONS": "abort_on_error=0:detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def main() -> None:
    """Configure, build and test; stop at the first failing step."""
    environment = OPTIONS | os.environ
    jobs = str(os.cpu_count() or 2)
    definitions = (
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DCMAKE_PREFIX_PATH={Path(sys.prefix)}",
        f"-DDEVICE_API_CPU_RELEASE={CPU_WHEEL if CPU_WHEEL.is_dir() else ''}",
    )
    steps = (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), *CONFIGURE, *definitions],
        ["cmake", "--build", str(BUILD), "--parallel", jobs],
        ["ctest", "--test-dir", str(BUILD), "--parallel", jobs, *CTEST, *sys.argv[1:]],
    )
    for step in steps:
        status = subprocess.run(step, env=environment, check=False).returncode
        if status:
            sys.exit(f"sanitize: failed: {' '.join(step)}")


if __name__ == "__main__":
    main()
