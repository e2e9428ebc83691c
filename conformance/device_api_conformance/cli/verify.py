# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api verify``: is an archive a certificate? Offline."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from device_api_conformance import certificate, signing
from device_api_conformance.cli._shared import FAILED, PASSED, Refused, console, parse, refuse


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api verify",
        description="Check a certificate: hashes, signature, and every report in it.",
        epilog="Exit codes: 0 it is a certificate, 1 it is not: every reason is printed, 2 it "
        "could not be checked.",
    )
    found.add_argument("archive", type=Path, metavar="FILE", help="what `certificate` made")
    found.add_argument(
        "--key", type=Path, metavar="PEM", help="public Ed25519 key that must have signed it"
    )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = parse(parser(), arguments)
    if isinstance(options, int):
        return options
    if not options.archive.is_file():
        return refuse("verify", Refused(f"there is no file {options.archive}", "check the path"))
    out = console()
    try:
        found = certificate.verify(options.archive, datetime.now(UTC).date(), options.key)
    except signing.BadKey as error:
        return refuse("verify", Refused(str(error), "give a public key in PEM"))
    except certificate.CertificateError as error:
        count = len(error.reasons)
        words = "1 reason" if count == 1 else f"{count} reasons"
        out.print(f"[red]no certificate[/red]: {words}", highlight=False)
        for reason in error.reasons:
            out.print(f"  {reason}", highlight=False, markup=False, soft_wrap=True)
        return FAILED
    manifest = found.manifest
    out.print(
        f"[green]a certificate[/green] of {manifest['product']} ({manifest['vendor']})",
        highlight=False,
    )
    out.print(
        f"suite {manifest['suite']['version']}, {len(found.reports)} runs, "
        f"waivers: {', '.join(manifest['waivers']) or 'none'}",
        highlight=False,
        markup=False,
    )
    signer = f"signed by the key with SHA-256 {found.signer}" if found.signer else "not signed"
    doubt = (
        ": compare it with the maker's, or give --key" if found.signer and not options.key else ""
    )
    out.print(signer + doubt, highlight=False, soft_wrap=True)
    return PASSED
