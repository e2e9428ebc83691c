# SPDX-License-Identifier: Apache-2.0
"""Reading a report: only one that keeps the schema of this version of the suite is used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema

from device_api_conformance.report import SCHEMA_VERSION, schema


class ReportError(ValueError):
    """A report that cannot be used: which file, why, and what to do."""


@dataclass(frozen=True)
class Loaded:
    """A report, where it came from, and the SHA-256 of its bytes."""

    path: Path
    report: dict[str, Any]
    digest: str


def load(path: Path) -> Loaded:
    """Read ``report.json``, or the folder that holds it.

    Raises:
        ReportError: it cannot be read, is cut or no JSON, of another version, or breaks the schema.
    """
    file = path / "report.json" if path.is_dir() else path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ReportError(f"{file} cannot be read: {error}") from error
    try:
        report = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ReportError(f"{file} is no JSON, or was cut: {error}") from error
    if not isinstance(report, dict) or "schema_version" not in report:
        raise ReportError(f"{file} is no report of the conformance suite")
    version = report["schema_version"]
    if version != SCHEMA_VERSION:
        raise ReportError(
            f"{file} has version {version} of the report, this suite reads {SCHEMA_VERSION}: "
            "use the suite that wrote it, or run again"
        )
    try:
        jsonschema.validate(report, schema())
    except jsonschema.ValidationError as error:
        where = "/".join(map(str, error.absolute_path)) or "the top"
        raise ReportError(f"{file} breaks the report's schema at {where}: {error.message}") from (
            error
        )
    return Loaded(file, report, hashlib.sha256(data).hexdigest())
