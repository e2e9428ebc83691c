# SPDX-License-Identifier: Apache-2.0
"""Observations of a runtime case: rows of what was got and what is wanted; the judge compares."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np


class Record:
    """Collects rows; nothing here decides."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.values: dict[str, Any] = {}
        self.skipped = ""
        self.timed: dict[str, Any] = {}

    def equal(self, what: str, got: Any, want: Any) -> None:
        """`got` should be equal to `want`."""
        self._row(what, "equal", got, want)

    def at_most(self, what: str, got: Any, want: Any) -> None:
        """`got` should not be above `want`; what is not a finite number is neither."""
        self._ordered(what, "at most", got, want)

    def at_least(self, what: str, got: Any, want: Any) -> None:
        """`got` should not be below `want`; what is not a finite number is neither."""
        self._ordered(what, "at least", got, want)

    def raises(self, what: str, wanted: type[BaseException], call: Callable[[], Any]) -> None:
        """`call` should raise `wanted` or a subtype of it, with a message."""
        try:
            call()
        except Exception as error:  # noqa: BLE001 - the type is what is observed
            name = wanted.__name__ if isinstance(error, wanted) else type(error).__name__
            self.equal(what, name, wanted.__name__)
            self.equal(f"{what}: the message says something", bool(str(error).strip()), True)
        else:
            self.equal(what, "no error", wanted.__name__)

    def becomes(self, what: str, condition: Callable[[], bool], seconds: float = 10.0) -> None:
        """`condition` should come true within `seconds` (a generous limit, not a measurement)."""
        end = time.monotonic() + seconds
        while not (met := condition()) and time.monotonic() < end:
            time.sleep(0.0005)
        self.equal(what, met, True)

    def note(self, name: str, value: Any) -> None:
        """Keep a value for the report."""
        self.values[name] = value

    def note_sensors(self, reading: dict[str, Any] | None) -> None:
        """Keep a reading of the device's sensors, where it has any, with the time of day."""
        if reading is not None:
            names = ("temperature", "clock_mhz", "power", "throttle")
            self.note("sensors", {"at": time.time()} | {n: reading.get(n) for n in names})

    def performance(self, unit: str, better: str, samples: list[float]) -> None:
        """Keep times or rates for `compare`; `better` is "less" or "more"."""
        self.timed = {"unit": unit, "better": better, "samples": samples}

    def skip(self, reason: str) -> None:
        """The case does not apply to this device."""
        self.skipped = reason

    def observations(self) -> dict[str, Any]:
        """What goes into the report."""
        if self.skipped:
            return {"ended": "skipped", "detail": self.skipped}
        found: dict[str, Any] = {"expect": self.rows, "values": self.values}
        return found | ({"performance": self.timed} if self.timed else {})

    def _ordered(self, what: str, relation: str, got: Any, want: Any) -> None:
        if isinstance(got, float) and not math.isfinite(got):  # which JSON lacks
            self._row(what, "equal", str(got), "a finite number")
        else:
            self._row(what, relation, got, want)

    def _row(self, what: str, relation: str, got: Any, want: Any) -> None:
        self.rows.append({"what": what, "relation": relation, "got": got, "want": want})


def different_bytes(got: bytes, want: bytes) -> int:
    """Number of bytes that differ; a difference in length counts too."""
    both = min(len(got), len(want))
    a, b = (np.frombuffer(data, dtype=np.uint8, count=both) for data in (got, want))
    return int(np.count_nonzero(a != b)) + abs(len(got) - len(want))
