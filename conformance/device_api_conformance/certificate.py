# SPDX-License-Identifier: Apache-2.0
"""Certificates: an archive of reports with a manifest of their hashes, signed where asked."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema

from device_api_conformance import __version__, signing
from device_api_conformance.load import Loaded
from device_api_conformance.report import now, schema
from device_api_conformance.requirements import objections

FORMAT = 1
MANIFEST, SIGNATURE, STATEMENT = "manifest.json", "signature.json", "statement.txt"
LARGEST = 1 << 30
"""Bytes that an archive may unpack to."""
_SAME = ("suite", "capabilities", "policy", "waivers")
_UNIT = ("uuid", "pci_bus_id", "device")
"""Facts in which two units of one product differ."""


class CertificateError(ValueError):
    """Reports that make no certificate, or an archive that is none: all the reasons."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = list(reasons)


@dataclass(frozen=True)
class Certificate:
    """What a good archive says."""

    manifest: dict[str, Any]
    reports: list[dict[str, Any]]
    signer: str
    """Fingerprint of the key that signed it; "" when it is not signed."""


def make(
    parts: list[Loaded], out: Path, today: date, key: Path | None = None, statement: str = ""
) -> dict[str, Any]:
    """Write the archive of one or more runs of one product; returns its manifest.

    Raises:
        CertificateError: a report does not certify, or two of them are not of one product.
        signing.BadKey: the key cannot be used.
        OSError: the archive cannot be written.
    """
    reasons = _reasons([(str(p.path), p.report) for p in parts], today)
    if reasons:
        raise CertificateError(reasons)
    files = {f"report-{n}.json": p.path.read_bytes() for n, p in enumerate(parts, start=1)}
    if statement:
        files[STATEMENT] = statement.encode()
    manifest = _manifest([p.report for p in parts], files)
    text = (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode()
    files[MANIFEST] = text
    if key is not None:
        files[SIGNATURE] = signing.sign(text, key).encode()
    _write(out, files)
    return manifest


def _manifest(reports: list[dict[str, Any]], files: dict[str, bytes]) -> dict[str, Any]:
    first = reports[0]
    return {
        "certificate": FORMAT,
        "suite": first["suite"],
        "made": now(),
        "made_by": __version__,
        "product": first["device"]["name"],
        "vendor": first["device"]["vendor"],
        "installed": first["environment"]["installed"],
        "runs": [
            {"device": r["device"]["device"], "seed": r["seed"], "started": r["started"],
             "counts": {k: n for k, n in r["counts"].items() if n}} for r in reports
        ],
        "waivers": [w["id"] for w in first["waivers"]],
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())},
    }  # fmt: skip


def _write(out: Path, files: dict[str, bytes]) -> None:
    """The same files give the same bytes: names sorted, no times."""
    part = out.with_name(out.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    part.replace(out)


def _reasons(named: list[tuple[str, dict[str, Any]]], today: date) -> list[str]:
    found = [f"{name}: {text}" for name, r in named for text in objections(r, today)]
    if found:
        return found
    (first, one), *others = named
    for name, other in others:
        found += [f"{first} and {name} are not of one product: {text}"
                  for text in _differences(one, other)]  # fmt: skip
    return found


def _differences(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    names = [key for key in _SAME if a[key] != b[key]]
    pairs = [(a["device"], b["device"]), (a["device"]["facts"], b["device"]["facts"])]
    for one, two in pairs:
        names += [k for k in one if k not in (*_UNIT, "facts") and one[k] != two.get(k)]
    if a["environment"]["installed"] != b["environment"]["installed"]:
        names.append("installed")
    return [f"{name} differs" for name in names]


def verify(path: Path, today: date, key: Path | None = None) -> Certificate:
    """Check an archive offline.

    Raises:
        CertificateError: it is no archive of this kind, bytes were changed, a report does not
            certify, waivers have expired, or it is not signed by `key`.
        signing.BadKey: the key cannot be used.
    """
    files = _read(path)
    manifest = _checked_manifest(path, files)
    signer = _signer(files, key)
    reports = [(n, _report(n, files[n])) for n in sorted(files) if n.startswith("report-")]
    if not reports:
        raise CertificateError([f"{path} holds no report"])
    reasons = _reasons(reports, today)
    told = _manifest([r for _, r in reports], {n: files[n] for n in manifest["files"]})
    for name in ("suite", "product", "vendor", "installed", "runs", "waivers"):
        if not reasons and told[name] != manifest.get(name):
            reasons.append(f"the manifest's {name} is not that of its reports")
    if reasons:
        raise CertificateError(reasons)
    return Certificate(manifest, [r for _, r in reports], signer)


def _read(path: Path) -> dict[str, bytes]:
    """All files of an archive; nothing is unpacked to disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            rows = archive.infolist()
            if sum(row.file_size for row in rows) > LARGEST:
                raise CertificateError([f"{path} is larger than any certificate"])
            if len({row.filename for row in rows}) != len(rows):
                raise CertificateError([f"{path} holds two files of one name"])
            return {row.filename: archive.read(row) for row in rows}
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise CertificateError([f"{path} is no archive that can be read: {error}"]) from error


def _checked_manifest(path: Path, files: dict[str, bytes]) -> dict[str, Any]:
    try:
        manifest = json.loads(files[MANIFEST])
        names = dict(manifest["files"])
        form = manifest["certificate"]
    except (KeyError, TypeError, ValueError) as error:
        raise CertificateError([f"{path} holds no manifest of a certificate"]) from error
    if form != FORMAT:
        raise CertificateError([f"{path} has form {form}, this suite reads {FORMAT}"])
    found = {n: hashlib.sha256(d).hexdigest() for n, d in files.items()
             if n not in (MANIFEST, SIGNATURE)}  # fmt: skip
    changed = sorted(n for n in names if n in found and found[n] != names[n])
    reasons = [f"{n} was changed" for n in changed]
    reasons += [f"{n} is missing" for n in sorted(set(names) - set(found))]
    reasons += [f"{n} is not in the manifest" for n in sorted(set(found) - set(names))]
    if reasons:
        raise CertificateError(reasons)
    plain: dict[str, Any] = manifest
    return plain


def _signer(files: dict[str, bytes], key: Path | None) -> str:
    wanted = signing.public_fingerprint(key) if key is not None else ""
    if SIGNATURE not in files:
        if wanted:
            raise CertificateError(["it is not signed"])
        return ""
    try:
        signer = signing.check(files[MANIFEST], files[SIGNATURE].decode(errors="replace"))
    except signing.BadKey as error:
        raise CertificateError([str(error)]) from error
    if wanted and signer != wanted:
        raise CertificateError([f"it is signed by {signer}, not by the key that was given"])
    return signer


def _report(name: str, data: bytes) -> dict[str, Any]:
    try:
        report = json.loads(data)
        jsonschema.validate(report, schema())
    except (ValueError, jsonschema.ValidationError) as error:
        raise CertificateError([f"{name} is no report of this suite: {error}"]) from error
    plain: dict[str, Any] = report
    return plain
