# SPDX-License-Identifier: Apache-2.0
"""The commands of the suite: ``device-api certify``, ``judge`` and others."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

COMMANDS = ("certify", "judge", "merge", "compare", "certificate", "verify", "plants",
            "bench-model")  # fmt: skip
"""Commands; each is a module here with a function ``main(arguments) -> exit code``."""


def run(command: str, arguments: Sequence[str]) -> int:
    """Run a command of the suite; returns its exit code."""
    if command not in COMMANDS:
        raise ValueError(f"no command {command!r}; there are: {', '.join(COMMANDS)}")
    module = importlib.import_module(f"{__name__}.{command.replace('-', '_')}")
    return int(module.main(arguments))
