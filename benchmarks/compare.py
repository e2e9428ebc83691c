# SPDX-License-Identifier: Apache-2.0
"""Compare device_api with NumPy and PyTorch: `python benchmarks/compare.py [--rounds N]`.

One process for each library, all alive at once and pinned to one core; they take turns, so that a
change of the machine's speed meets all of them. The figure of a case is the minimum over the
rounds; what counts is the ratio. Needs numpy, rich and, for its column, torch.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cases import CASES, Case
from libraries import LIBRARIES

EAGER_SECONDS = 0.02
"""How long one measurement of a call of nanoseconds goes on."""


def measure(run: object, case: Case, repeat: int) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    for _ in range(repeat):
        run()  # type: ignore[operator]
    return (time.perf_counter() - start) / repeat


def serve(name: str) -> None:
    """In the child: measure each case that a line of standard input names by its number."""
    library = LIBRARIES[name]()
    runs: dict[int, tuple[object, int]] = {}
    for line in sys.stdin:
        number = int(line)
        case = CASES[number]
        if number not in runs:
            try:
                run = case.make(library)
            except NotImplementedError:
                print("null", flush=True)
                continue
            run()
            once = max(measure(run, case, 1), 1e-8)
            runs.clear()  # one case's arrays at a time
            runs[number] = run, 1 if case.large else max(1, int(EAGER_SECONDS / once))
        run, repeat = runs[number]
        print(json.dumps(measure(run, case, repeat)), flush=True)


def start(name: str) -> subprocess.Popen[str]:
    """A child for one library, on one core and with one thread."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                                "DEVICE_API_CPU_THREADS": "1"}  # fmt: skip
    for variable in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        environment.pop(variable, None)  # they slow a current NumPy
    core = max(os.sched_getaffinity(0))
    return subprocess.Popen(
        [sys.executable, __file__, "--serve", name],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )  # fmt: skip


def ask(child: subprocess.Popen[str], number: int) -> float:
    """One measurement of a case by a child; NaN where its library has no such function."""
    assert child.stdin and child.stdout
    child.stdin.write(f"{number}\n")
    child.stdin.flush()
    seconds = json.loads(child.stdout.readline())
    return math.nan if seconds is None else float(seconds)


def show(results: dict[str, dict[str, float]], names: list[str]) -> int:
    """Print the table; the number of limits that are not met."""
    from rich.console import Console
    from rich.table import Table

    table = Table("case", *names, "/ numpy", *(["/ torch"] if "torch" in names else []), "limit")
    missed = 0
    for case in CASES:
        if case.name not in results:
            continue
        row = results[case.name]
        unit, scale = ("ms", 1e3) if case.large else ("ns", 1e9)
        digits = 2 if case.large else 0
        others = {n: row[n] for n in names if n != "device_api" and not math.isnan(row[n])}
        peer = min(others.values()) if case.peer == "best" else others.get(case.peer, math.nan)
        known = case.limit is not None and not math.isnan(peer)
        met = not known or row["device_api"] / peer <= case.limit
        missed += not met
        cells = [f"{row[n] * scale:.{digits}f} {unit}" if n in (*others, "device_api") else ""
                 for n in names]  # fmt: skip
        for name in names:
            if name != "device_api":
                cells.append(f"{row['device_api'] / row[name]:.2f}" if name in others else "")
        limit = f"{case.limit:.2f} {'met' if met else 'MISSED'} ({case.peer})" if known else ""
        table.add_row(case.name, *cells, limit)
    Console(width=130).print(table)
    return missed


def main() -> int:
    """Run all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=15, help="measurements of each case")
    parser.add_argument("--json", type=Path, help="also write the figures (seconds) to this file")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return 0
    names = [n for n in LIBRARIES if n != "torch" or importlib.util.find_spec("torch")]
    children = {name: start(name) for name in names}
    results: dict[str, dict[str, float]] = {}
    for number, case in enumerate(CASES):
        if arguments.only not in case.name:
            continue
        rounds = [{n: ask(c, number) for n, c in children.items()} for _ in range(arguments.rounds)]
        results[case.name] = {n: min(r[n] for r in rounds) for n in names}
    for child in children.values():
        child.communicate()
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    return 1 if show(results, names) else 0


if __name__ == "__main__":
    sys.exit(main())
