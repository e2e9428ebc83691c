# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api``; what it needs is imported when it runs, not with the package."""

from __future__ import annotations

import errno
import os
import sys


def main() -> None:
    """Run the command line; ends the process with the command's exit code."""
    from device_api.cli.app import app

    try:
        app(prog_name="device-api")
    except BrokenPipeError:
        _give_up("")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _give_up(f"device-api: the output cannot be written: {error.strerror}")


def _give_up(text: str) -> None:
    """End with exit code 1, without another try to write what is left."""
    if text:
        print(text, file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(1)
