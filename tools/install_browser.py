# SPDX-License-Identifier: Apache-2.0
"""Make sure that Chromium is there: with apt where that is allowed, else say what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser")
REMEDY = "install Chromium with your system's package manager (Debian: apt-get install chromium)"


def main() -> int:
    """0 when a browser is there in the end."""
    if any(map(shutil.which, NAMES)):
        return 0
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"no browser found: {REMEDY}", file=sys.stderr)
        return 1
    settings = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            ["apt-get", "-qq", *words], env=settings, capture_output=True, text=True, check=False
        )
        if done.returncode:
            print(f"apt-get {words[0]} failed: {done.stderr[-500:]}\n{REMEDY}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
