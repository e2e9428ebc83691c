# SPDX-License-Identifier: Apache-2.0
"""Which of our distributions are installed, and whether their files are those of the wheels.

A wheel's RECORD (Python packaging, "Recording installed projects") names the SHA-256 of every file.
A file that is another one now was changed by hand: such an installation certifies nothing.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
from importlib.metadata import Distribution
from typing import Any

OURS = ("device-api", "device-api-abi", "device-api-cpu", "device-api-conformance")


def installed(device: str) -> list[dict[str, Any]]:
    """Our distributions and the one that has the device's plugin: name, version, digest, state.

    `digest` is the SHA-256 over paths and hashes of all recorded files; `changed` are files that
    differ from their record, `unrecorded` says that there is no record to compare with.
    """
    found = {name: _of(name) for name in OURS}
    for point in importlib.metadata.entry_points(group="device_api"):
        if point.name == device.partition(":")[0] and point.dist is not None:
            found[point.dist.name] = point.dist
    return [_described(name, dist) for name, dist in sorted(found.items())]


def _of(name: str) -> Distribution | None:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _described(name: str, dist: Distribution | None) -> dict[str, Any]:
    if dist is None:
        return {"name": name, "version": "", "digest": "", "changed": [], "unrecorded": True}
    rows, changed = [], []
    for file in dist.files or ():
        if file.hash is None or str(file).endswith(".pyc"):
            continue
        rows.append(f"{file}={file.hash.mode}:{file.hash.value}")
        if _hash(dist, file, file.hash.mode) != file.hash.value:
            changed.append(str(file))
    digest = hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()
    return {"name": name, "version": dist.version, "digest": digest, "changed": changed[:20],
            "unrecorded": not rows}  # fmt: skip


def _hash(dist: Distribution, file: importlib.metadata.PackagePath, mode: str) -> str:
    """The hash of a file as it is now, as RECORD writes it; "" when it cannot be read."""
    try:
        with open(str(dist.locate_file(file)), "rb") as opened:
            digest = hashlib.file_digest(opened, mode).digest()
    except (OSError, ValueError):
        return ""
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
