# SPDX-License-Identifier: Apache-2.0
"""Printing arrays: NumPy's text of the host copy, with the device named unless it is the CPU.

The rule of ``repr``: NumPy's text; ``dtype=bfloat16`` where NumPy, which lacks that type, shows the
float32 host copy; and before the closing parenthesis ``device='type:index'``, after ", " or, where
the line would grow past NumPy's line width, on a line of its own under the first element. ``str``
is NumPy's text. Both wait for the array's data. NumPy's print options apply.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from device_api import _core, dtypes
from device_api._core import Tensor

_INDENT = "\n" + " " * len("array(")


def _append(text: str, item: str) -> str:
    """Add an item to a call's text that lacks its closing parenthesis, as NumPy adds a dtype."""
    width: int = np.get_printoptions()["linewidth"]
    last = len(text) - (text.rfind("\n") + 1)
    wraps = last + 1 + len(" ") + len(item) + len(")") > width
    return f"{text},{_INDENT if wraps else ' '}{item}"


def _host(x: Tensor) -> np.ndarray[Any, Any]:
    """Return the host copy: of bfloat16, which NumPy lacks, converted to float32 on the CPU."""
    if x.dtype.name == "bfloat16":
        x = _core.astype(_core.to_device(x, _core.Device("cpu", 0)), dtypes.float32, False)
    return x.numpy()


def tensor_repr(x: Tensor) -> str:
    """Return the text of ``repr(x)``."""
    text = repr(_host(x))
    if x.dtype.name == "bfloat16":
        head = text.removesuffix("dtype=float32)").rstrip().removesuffix(",")
        text = _append(head, "dtype=bfloat16") + ")"
    if x.device.type == "cpu":
        return text
    return _append(text.removesuffix(")"), f"device='{x.device}'") + ")"


def tensor_str(x: Tensor) -> str:
    """Return the text of ``str(x)``."""
    return str(_host(x))
