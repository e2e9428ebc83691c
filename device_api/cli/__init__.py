# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api``; what it needs is imported when it runs, not with the package."""

from __future__ import annotations


def main() -> None:
    """Run the command line; ends the process with the command's exit code."""
    from device_api.cli.app import app

    app(prog_name="device-api")
