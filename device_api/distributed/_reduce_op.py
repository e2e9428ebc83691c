# SPDX-License-Identifier: Apache-2.0
"""What a reduction over ranks can be."""

from __future__ import annotations

from enum import IntEnum


class ReduceOp(IntEnum):
    """A reduction over ranks, numbered as in PaddlePaddle 3.3.

    ``SUM`` and ``AVG``: numbers, complex too (``AVG``: floating-point and complex only). ``PROD``:
    real numbers. ``MAX`` and ``MIN``: real numbers, and bool, where they are any and all.
    """

    SUM = 0
    MAX = 1
    MIN = 2
    PROD = 3
    AVG = 4
