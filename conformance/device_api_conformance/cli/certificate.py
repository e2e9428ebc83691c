# SPDX-License-Identifier: Apache-2.0
"""The command ``device-api certificate``: an archive of reports that certify, signed or not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from device_api_conformance import certificate, signing
from device_api_conformance.cli._shared import PASSED, Refused, console, parse, refuse
from device_api_conformance.load import ReportError, load


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="device-api certificate",
        description="Make a certificate from one or more reports of one product: whole runs of "
        "the level `full` on real devices in which nothing failed.",
        epilog="Exit codes: 0 made, 2 refused: every reason is printed.",
    )
    found.add_argument(
        "reports", type=Path, nargs="+", metavar="REPORT", help="report.json or folder"
    )
    found.add_argument("--out", type=Path, required=True, metavar="FILE", help="the archive (zip)")
    found.add_argument(
        "--key",
        type=Path,
        metavar="PEM",
        help="private Ed25519 key to sign with, PKCS 8 without password",
    )
    found.add_argument(
        "--statement",
        default="",
        metavar="TEXT",
        help="what the certificate covers, in the vendor's words",
    )
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    options = parse(parser(), arguments)
    if isinstance(options, int):
        return options
    today = datetime.now(UTC).date()
    try:
        parts = [load(path) for path in options.reports]
        made = certificate.make(parts, options.out, today, options.key, options.statement)
    except certificate.CertificateError as error:
        told = "no certificate:\n  " + "\n  ".join(error.reasons)
        return refuse(
            "certificate",
            Refused(
                told,
                "run `device-api certify DEVICE --level full` "
                "on the real device, from installed wheels",
            ),
        )
    except (ReportError, signing.BadKey, OSError) as error:
        return refuse("certificate", Refused(str(error), "correct what the message names"))
    signed = "signed" if options.key else "not signed"
    console().print(
        f"certificate of {made['product']}: {options.out} ({signed})",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    return PASSED
