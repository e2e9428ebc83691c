# SPDX-License-Identifier: Apache-2.0
"""A Python file run as ``__main__`` inside this process, for the commands that watch programs."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from dataclasses import dataclass
from typing import Any


@dataclass
class Ended:
    """How a program ended: what it raised as text, or "", and its global names."""

    failure: str
    names: dict[str, Any]

    def forget(self) -> None:
        """Drop the program's global names."""
        self.names.clear()


def run(program: str, arguments: tuple[str, ...]) -> Ended:
    """Run a program to its end; nothing that it raises but KeyboardInterrupt comes through."""
    sys.argv = [program, *arguments]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(program))]
    try:
        return Ended("", runpy.run_path(program, run_name="__main__"))
    except SystemExit as end:
        clean = end.code in (None, 0)
        return Ended("" if clean else f"the program ended with exit code {end.code}", {})
    except Exception:  # noqa: BLE001 - whatever the program raised, it is told
        return Ended(traceback.format_exc(), {})
