# SPDX-License-Identifier: Apache-2.0
"""One case of the suite: plain data with a stable id."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

CHAPTERS = {
    "R": "runtime",
    "M": "memory",
    "S": "streams and events",
    "N": "numerics",
    "E": "edge values",
    "L": "layouts",
    "X": "shapes",
    "F": "failure handling and fallback accounts",
    "D": "determinism",
    "G": "random",
    "T": "telemetry",
    "C": "concurrency",
    "K": "leaks and lifetime",
    "P": "performance",
    "U": "several devices",
    "A": "collectives",
    "I": "interchange with other libraries",
    "H": "health",
    "O": "soak",
    "B": "deployment figures of a model",
}
"""Chapters by the first letter of a case's id."""


@dataclass(frozen=True)
class Case:
    """What is checked. `check` names the function; the rest are its parameters.

    `draw` numbers cases that differ in their random values only.
    """

    chapter: str
    check: str
    op: str = ""
    dtype: str = ""
    other: str = ""
    layout: str = ""
    shape: tuple[int, ...] | None = None
    axes: tuple[int, ...] | None = None
    values: str = ""
    draw: int = 1

    @cached_property
    def id(self) -> str:
        """Stable id, e.g. ``L/sum/float32/transposed/5x7x3@0,2/ordinary``."""
        parts = [self.chapter, self.op or self.check]
        if self.op and self.check != "numeric":
            parts.append(self.check)
        if self.dtype:
            parts.append(f"{self.dtype}-{self.other}" if self.other else self.dtype)
        if self.layout:
            parts.append(self.layout)
        if self.shape is not None:
            axes = "" if self.axes is None else "@" + ",".join(map(str, self.axes))
            parts.append(("x".join(map(str, self.shape)) or "scalar") + axes)
        if self.values:
            parts.append(self.values + (f"~{self.draw}" if self.draw > 1 else ""))
        return "/".join(parts)

    @classmethod
    def of(cls, chapter: str, check: str, params: dict[str, Any]) -> Case:
        """The case that a row of a report describes."""
        plain: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in params.items()
        }
        return cls(chapter, check, **plain)

    def params(self) -> dict[str, object]:
        """The parameters that are set, for the report."""
        names = ("op", "dtype", "other", "layout", "values")
        found: dict[str, object] = {n: getattr(self, n) for n in names if getattr(self, n)}
        for name in ("shape", "axes"):
            value = getattr(self, name)
            if value is not None:
                found[name] = list(value)
        if self.draw > 1:
            found["draw"] = self.draw
        return found
