# SPDX-License-Identifier: Apache-2.0
"""``python -m device_api_conformance.cli certify npu:0``: the commands without ``device-api``."""

from __future__ import annotations

import sys

from device_api_conformance import cli

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in cli.COMMANDS:
        sys.exit(cli.run(sys.argv[1], sys.argv[2:]))
    print(f"usage: name a command: {', '.join(cli.COMMANDS)}", file=sys.stderr)
    sys.exit(2)
