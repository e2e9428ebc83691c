# SPDX-License-Identifier: Apache-2.0
"""Makes the fake devices importable beside the tests, here and in worker processes."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

# A background process ignores Ctrl-C, and so would the children that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
