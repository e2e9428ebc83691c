# SPDX-License-Identifier: Apache-2.0
"""Waivers: known failures of a device, told apart from new ones. A waived case still runs.

A file in TOML with any number of tables ``[[waiver]]``. Keys, all required but `versions`:

id       a name of its own
cases    list of ids or shell patterns; each must match a case of the run
devices  list of device names, exactly as the report gives them ("cpu0 ...", no patterns)
versions table of facts of the report's device (driver, runtime, ...) with the exact text, or a
         list of texts; a device that says something else is not covered
kind     driver-bug, hardware-limit, suite-bug or spec-issue
issue    address of the public discussion
reason, owner
expires  a date, at most 180 days ahead when the run starts
expect   the code of the finding that is waived (C103): another failure is not hidden

A waived failure gets the verdict WAIVED; one that passes gets XPASS, so that the waiver goes away.
After its expiry a waiver does nothing. No waiver changes a tolerance.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from device_api_conformance.case import Case
from device_api_conformance.handle import Identity
from device_api_conformance.judge import CODES, FAILING, Verdict

KINDS = ("driver-bug", "hardware-limit", "suite-bug", "spec-issue")
LONGEST = timedelta(days=180)
_TEXTS = ("id", "kind", "issue", "reason", "owner", "expect")
_LISTS = ("cases", "devices")
_KEYS = {*_TEXTS, *_LISTS, "versions", "expires"}


class WaiverError(ValueError):
    """A waiver file that cannot be used: which file, which waiver, and what to do."""


@dataclass(frozen=True)
class Waiver:
    """One known failure."""

    id: str
    cases: tuple[str, ...]
    devices: tuple[str, ...]
    versions: dict[str, tuple[str, ...]]
    kind: str
    issue: str
    reason: str
    owner: str
    expires: date
    expect: str

    def covers(self, case: Case, identity: Identity | None) -> bool:
        """Whether it speaks of this case on this device."""
        if identity is None or identity.name not in self.devices:
            return False
        facts = identity.facts
        if any(str(facts.get(k)) not in allowed for k, allowed in self.versions.items()):
            return False
        return any(matches(case.id, pattern) for pattern in self.cases)

    def as_dict(self, today: date) -> dict[str, Any]:
        """The waiver as plain data for the report."""
        return {
            "id": self.id, "cases": list(self.cases), "devices": list(self.devices),
            "versions": {k: list(v) for k, v in self.versions.items()}, "kind": self.kind,
            "issue": self.issue, "reason": self.reason, "owner": self.owner,
            "expires": self.expires.isoformat(), "expect": self.expect,
            "expired": self.expires < today,
        }  # fmt: skip


def matches(case_id: str, pattern: str) -> bool:
    """An id, or a shell pattern over all of it; never a part."""
    return case_id == pattern or fnmatchcase(case_id, pattern)


@dataclass(frozen=True)
class Waivers:
    """The waivers of a run; `today` decides what has expired."""

    rows: tuple[Waiver, ...] = ()
    today: date = field(default_factory=lambda: datetime.now(UTC).date())

    def apply(self, case: Case, verdict: Verdict, identity: Identity | None) -> Verdict:
        """The verdict after waivers."""
        if verdict.verdict not in FAILING and verdict.verdict != "PASS":
            return verdict
        for row in self.rows:
            if not row.covers(case, identity):
                continue
            if row.expires < self.today:
                text = f"{verdict.reason} (waiver {row.id} expired on {row.expires})"
                return Verdict(verdict.verdict, verdict.code, text) if verdict.failed else verdict
            if verdict.verdict == "PASS":
                text = f"passes: take waiver {row.id} away"
                return Verdict("XPASS", verdict.code, text)
            if verdict.code == row.expect:
                return Verdict("WAIVED", verdict.code, f"{verdict.reason} (waiver {row.id})")
        return verdict

    def check(self, cases: Iterable[Case]) -> None:
        """Every pattern must match a case.

        Raises:
            WaiverError: names the waiver and the pattern that matches none.
        """
        ids = [case.id for case in cases]
        for row in self.rows:
            for pattern in row.cases:
                if not any(matches(i, pattern) for i in ids):
                    raise WaiverError(
                        f"waiver {row.id}: {pattern!r} matches no case of this run; correct it, "
                        "or take it away (`device-api certify DEVICE --list` prints the ids)"
                    )

    def as_list(self) -> list[dict[str, Any]]:
        """The waivers as plain data for the report."""
        return [row.as_dict(self.today) for row in self.rows]


def load(path: Path, today: date | None = None) -> Waivers:
    """The waivers of a file.

    Raises:
        WaiverError: the file cannot be read, is no TOML, or a waiver is not as it should be.
    """
    day = today or datetime.now(UTC).date()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise WaiverError(f"{path} cannot be used: {cause}") from error
    extra = sorted(set(data) - {"waiver"})
    tables = data.get("waiver", [])
    if extra or not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise WaiverError(f"{path}: give tables [[waiver]] and nothing else{_named(extra)}")
    rows = tuple(_waiver(f"{path}, waiver {n}", t, day) for n, t in enumerate(tables, start=1))
    ids = [row.id for row in rows]
    if len(set(ids)) != len(ids):
        raise WaiverError(f"{path}: two waivers have one id")
    return Waivers(rows, day)


def _named(keys: list[str]) -> str:
    return f" (not known: {', '.join(keys)})" if keys else ""


def _waiver(where: str, table: dict[str, Any], today: date) -> Waiver:
    missing = sorted(_KEYS - set(table) - {"versions"})
    unknown = sorted(set(table) - _KEYS)
    if missing or unknown:
        lacks = f"lacks {', '.join(missing)}" if missing else ""
        knows = f"has keys that are not known: {', '.join(unknown)}" if unknown else ""
        raise WaiverError(f"{where} {' and '.join(t for t in (lacks, knows) if t)}")
    for key in _TEXTS:
        if not isinstance(table[key], str) or not table[key].strip():
            raise WaiverError(f"{where}: {key} is to be a text")
    lists = {key: _texts(f"{where}: {key}", table[key]) for key in _LISTS}
    versions = table.get("versions", {})
    if not isinstance(versions, dict):
        raise WaiverError(f"{where}: versions is to be a table of texts")
    exact = {k: _texts(f"{where}: versions.{k}", [v] if isinstance(v, str) else v)
             for k, v in versions.items()}  # fmt: skip
    if table["kind"] not in KINDS:
        raise WaiverError(f"{where}: kind {table['kind']!r} is none of {', '.join(KINDS)}")
    if table["expect"] not in CODES or table["expect"] == "C000":
        raise WaiverError(f"{where}: expect {table['expect']!r} is no code of a finding")
    expires = table["expires"]
    if not isinstance(expires, date) or isinstance(expires, datetime):
        raise WaiverError(f"{where}: expires is to be a date, as 2030-01-31")
    if expires - today > LONGEST:
        raise WaiverError(f"{where} expires on {expires}: at most {LONGEST.days} days from now")
    texts = {key: table[key] for key in _TEXTS}
    return Waiver(**texts, cases=lists["cases"], devices=lists["devices"], versions=exact,
                  expires=expires)  # fmt: skip


def _texts(where: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise WaiverError(f"{where} is to be a list of texts, with one at least")
    return tuple(value)
