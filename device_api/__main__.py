# SPDX-License-Identifier: Apache-2.0
"""``python -m device_api``: the command ``device-api``."""

from device_api.cli import main

main()
