# SPDX-License-Identifier: Apache-2.0
"""Which cases of a level run: by pattern, and by fraction of the whole."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from device_api_conformance.case import Case
from device_api_conformance.cases import select


@dataclass(frozen=True)
class Fraction:
    """Part `part` of `parts`, 1 .. parts."""

    part: int = 1
    parts: int = 1

    @classmethod
    def parse(cls, text: str) -> Fraction:
        """Read ``2/5``.

        Raises:
            ValueError: it is no such fraction.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ValueError(f"{text!r} is no fraction of a run; write 1/3, 2/3 and 3/3")
        return cls(int(found[1]), int(found[2]))

    def takes(self, case_id: str) -> bool:
        """Whether a case belongs to it; stable when cases are added."""
        digest = hashlib.sha256(case_id.encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.parts == self.part - 1

    def __str__(self) -> str:
        return f"{self.part}/{self.parts}"


@dataclass(frozen=True)
class Selection:
    """What a run was to try. `digest` names the set of ids, whatever their order."""

    only: tuple[str, ...] = ()
    fraction: Fraction = Fraction()
    planned: int = 0
    digest: str = ""

    @classmethod
    def of(
        cls, ids: Iterable[str], only: Sequence[str] = (), fraction: Fraction | None = None
    ) -> Selection:
        """The selection that came to these ids."""
        names = sorted(ids)
        digest = hashlib.sha256("\n".join(names).encode()).hexdigest()
        return cls(tuple(only), fraction or Fraction(), len(names), digest)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Selection:
        """The selection that a report tells."""
        fraction = Fraction.parse(data["fraction"])
        return cls(tuple(data["only"]), fraction, data["planned"], data["digest"])

    @property
    def whole(self) -> bool:
        """Whether it is the whole level."""
        return not self.only and self.fraction.parts == 1

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the report."""
        return {"only": list(self.only), "fraction": str(self.fraction), "planned": self.planned,
                "whole": self.whole, "digest": self.digest}  # fmt: skip


def choose(
    cases: Iterable[Case], only: Sequence[str], fraction: Fraction
) -> tuple[list[Case], Selection]:
    """The chosen cases in their order, and what they were chosen by."""
    found = [c for c in select(cases, only) if fraction.takes(c.id)]
    return found, Selection.of((c.id for c in found), only, fraction)
