# SPDX-License-Identifier: Apache-2.0
"""Makes the fake devices importable beside the tests, here and in worker processes."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
