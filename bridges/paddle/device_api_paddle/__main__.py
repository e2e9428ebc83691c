# SPDX-License-Identifier: Apache-2.0
"""``python -m device_api_paddle npu`` prints shell settings for a program without Python.

eval "$(python -m device_api_paddle npu)"
./my_paddle_inference_program
"""

from __future__ import annotations

import argparse
import shlex
import sys

from device_api.errors import DeviceApiError
from device_api_paddle import environment


def main(arguments: list[str] | None = None) -> int:
    """Print ``export NAME=value`` lines; return 0, or 1 with the reason on the error stream."""
    parser = argparse.ArgumentParser(prog="python -m device_api_paddle", description=__doc__)
    parser.add_argument("type", help="device type, for example npu")
    try:
        settings = environment(parser.parse_args(arguments).type)
    except DeviceApiError as error:
        print(error, file=sys.stderr)
        return 1
    for name, value in settings.items():
        print(f"export {name}={shlex.quote(value)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
