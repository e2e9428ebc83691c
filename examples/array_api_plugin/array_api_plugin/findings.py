# SPDX-License-Identifier: Apache-2.0
"""What the suite found in libraries of arrays: ``python -m array_api_plugin.findings REPORT``.

`findings.toml` has one row for each finding: the cases that show it, and one line of the library
alone that shows it too. The command counts a report's failures by finding and prints those that no
finding explains (exit code 1). ``--table LIBRARY`` prints the findings as Markdown.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

FAILING = ("FAIL", "FLAKY", "CRASH", "HANG")
KINDS = {
    "fault": "contradicts the array API, IEEE 754, the library's own words or its other results",
    "choice": "the op table asks for more than the array API",
}
"""What a finding may be."""


@dataclass(frozen=True)
class Finding:
    """One finding. `plain` is an expression of the library alone, `gives` its repr, `right` what
    is right in words; `where` names the machines where it shows, if it is not all."""

    library: str
    what: str
    kind: str
    cases: tuple[str, ...]
    plain: str
    gives: str
    right: str
    where: str = ""

    def explains(self, library: str, case: str) -> bool:
        """Whether a failing case shows this finding."""
        return library == self.library and any(fnmatchcase(case, p) for p in self.cases)


def _file() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("findings.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def versions() -> dict[str, str]:
    """The version of each library in which the findings were made."""
    return dict(_file()["versions"])


def load() -> list[Finding]:
    """All findings, in the order of the file."""
    return [Finding(**row | {"cases": tuple(row["cases"])}) for row in _file()["finding"]]


def reproduced(finding: Finding, xp: Any, compat: Any) -> str:
    """The repr of what the library alone gives, with its array_api_compat namespace beside it."""
    names = {"xp": xp, "compat": compat, "np": np, "inf": np.inf, "nan": np.nan, "raised": _raised}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return repr(eval(finding.plain, names))


def _raised(call: Callable[[], Any]) -> str:
    try:
        call()
    except Exception as error:  # noqa: BLE001 - its name is asked for
        return type(error).__name__
    return "nothing"


def sort(report: dict[str, Any], known: Iterable[Finding]) -> tuple[Counter[str], list[str]]:
    """Failures of a report by finding, and the ids of those that none explains."""
    library, found = report["device"]["vendor"], list(known)
    counts: Counter[str] = Counter()
    unexplained = []
    for row in report["cases"]:
        if row["verdict"] not in FAILING:
            continue
        what = next((f.what for f in found if f.explains(library, row["id"])), None)
        if what is None:
            unexplained.append(row["id"])
        else:
            counts[what] += 1
    return counts, unexplained


_SHORT = {"PyTorch CPU": "torch", "NumPy": "np", "JAX CPU": "jnp"}


def table(library: str) -> str:
    """The findings of one library as a Markdown table."""
    lines = ["| finding | kind | alone | gives | right |", "|---|---|---|---|---|"]
    for f in load():
        if f.library == library:
            where = f" ({f.where})" if f.where else ""
            plain = f.plain.replace("xp.", _SHORT[library] + ".").replace("|", "\\|")
            lines.append(f"| {f.what}{where} | {f.kind} | `{plain}` | `{f.gives}` | {f.right} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="array_api_plugin.findings", description=__doc__)
    parser.add_argument("report", nargs="?", type=Path, help="folder of a report")
    parser.add_argument("--table", metavar="LIBRARY", help="print the findings of a library")
    options = parser.parse_args()
    if options.table:
        print(table(options.table), end="")
        return 0
    if options.report is None:
        parser.error("name the folder of a report")
    report = json.loads((options.report / "report.json").read_text(encoding="utf-8"))
    counts, unexplained = sort(report, load())
    for what, n in counts.most_common():
        print(f"{n:6} {what}")
    for case in unexplained:
        print(f"not explained: {case}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
