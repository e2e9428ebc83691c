# SPDX-License-Identifier: Apache-2.0
"""Other suites on the planted defects: `python benchmarks/yardsticks.py --array-api-tests DIR`.

A sample of the plants of numerics, edge values, layouts and shapes is put into the CPU backend, one
after the other. Who sees it: this project's suite at `smoke` and `standard`, the array-API test
suite (a checkout is given) and ONNX's node tests with their own tolerance, both through
device_api's namespace. Needs device-api-conformance, onnx, and what array-api-tests needs
(hypothesis, ndindex, pytest-json-report). Prints a table; `--json FILE` keeps the rows, and a run
that is cut off goes on from there.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from yardstick import array_api, onnx_nodes

from device_api_conformance import __version__, mutation
from device_api_conformance.planted import Plant, plants

CHAPTERS = "NELX"
SUITES = ("smoke", "standard", "array-api-tests", "onnx")
WORDS = {True: "killed", False: "-", None: "no end"}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    add = found.add_argument
    add("--array-api-tests", type=Path, metavar="DIR", required=True,
        help="checkout of the array-API test suite, with its submodule")  # fmt: skip
    add("--every", type=int, default=6, metavar="N", help="try each N-th plant (default 6)")
    add("--only", action="append", default=[], metavar="ID", help="plants by id, in place of that")
    add("--examples", type=int, default=100, metavar="N",
        help="examples for each test of array-api-tests (default 100)")  # fmt: skip
    add("--limit", type=float, default=900.0, metavar="S", help="seconds for one plant and suite")
    add("--json", type=Path, metavar="FILE", help="where the rows are kept")
    return found


def sample(every: int, only: list[str]) -> list[Plant]:
    """Each N-th plant of the chapters, or those that are named."""
    known = [p for p in plants() if p.chapter in CHAPTERS]
    by_id = {plant.id: plant for plant in plants()}
    return [by_id[name] for name in only] if only else known[::every]


def ours(plant: Plant, level: str, limit: float) -> dict[str, Any]:
    """This suite: its right chapter first, until the first finding."""
    found = mutation.trial(plant, mutation.Settings("cpu", level, limit=min(limit, 60.0)))
    return {"killed": found.outcome == mutation.KILLED, "by": found.case,
            "applies": found.outcome != mutation.IDLE}  # fmt: skip


def by_onnx(
    plant: Plant, tests: list[onnx_nodes.Test], clean: onnx_nodes.Outcome, limit: float
) -> dict[str, Any]:
    """ONNX's node tests: those that pass on the clean backend."""
    found = onnx_nodes.run(tests, plant.id, "cpu", limit)
    if found is None:
        return {"killed": True, "by": "the process ended", "strikes": 0}
    failed = sorted(set(found.failed) - set(clean.failed))
    return {"killed": bool(failed), "by": failed[0] if failed else "", "strikes": found.strikes}


def row_of(
    plant: Plant, options: argparse.Namespace, tests: list[onnx_nodes.Test],
    clean: onnx_nodes.Outcome,
) -> dict[str, Any]:  # fmt: skip
    """What each suite makes of one plant."""
    row: dict[str, Any] = {"id": plant.id, "words": plant.words, "seconds": {}}
    for suite in SUITES:
        begin = time.monotonic()
        if suite == "onnx":
            row[suite] = by_onnx(plant, tests, clean, options.limit)
        elif suite == "array-api-tests":
            found = array_api.tried(plant, options.array_api_tests, options.examples, options.limit)
            row[suite] = asdict(found)
        elif suite == "standard" and row["smoke"]["killed"]:  # it has all cases of smoke
            row[suite] = row["smoke"]
        else:
            row[suite] = ours(plant, suite, options.limit)
        row["seconds"][suite] = round(time.monotonic() - begin, 1)
    return row


def versions(folder: Path) -> dict[str, str]:
    """What was measured."""
    return {"device-api-conformance": __version__, "onnx": version("onnx"),
            "array-api-tests": array_api.version(folder), "numpy": version("numpy")}  # fmt: skip


def tell(rows: list[dict[str, Any]], known: dict[str, Any]) -> None:
    """Print the table and its sums."""
    out = Console()
    table = Table("plant", *SUITES)
    for row in rows:
        table.add_row(row["id"], *(WORDS[row[suite]["killed"]] for suite in SUITES))
    sums = [sum(row[suite]["killed"] is True for row in rows) for suite in SUITES]
    table.add_section()
    table.add_row(f"of {len(rows)}", *(str(n) for n in sums))
    out.print(table)
    out.print(", ".join(f"{name} {value}" for name, value in known.items()), highlight=False)


def main() -> int:
    """Run all suites on all plants of the sample."""
    options = parser().parse_args()
    chosen = sample(options.every, options.only)
    kept: dict[str, Any] = {}
    if options.json is not None and options.json.exists():
        kept = {row["id"]: row for row in json.loads(options.json.read_text())["rows"]}
    tests = onnx_nodes.tests()
    clean = onnx_nodes.run(tests, "", "cpu", options.limit)
    if clean is None:
        raise SystemExit("the tests of ONNX do not run on the clean backend")
    known = versions(options.array_api_tests) | {
        "onnx tests": f"{len(clean.ran) - len(clean.failed)} of {len(tests)} single nodes",
        "examples": str(options.examples),
    }
    rows: list[dict[str, Any]] = []
    for plant in chosen:
        rows.append(kept.get(plant.id) or row_of(plant, options, tests, clean))
        if options.json is not None:
            options.json.write_text(json.dumps({"versions": known, "rows": rows}, indent=1) + "\n")
    tell(rows, known)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
