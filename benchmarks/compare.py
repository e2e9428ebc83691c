# SPDX-License-Identifier: Apache-2.0
"""Compare device_api with NumPy, PyTorch and JAX: `python benchmarks/compare.py [--rounds N]`.

One process for each library, all alive at once and pinned to one core; they take turns, so that a
change of the machine's speed meets all of them. The figure of a case is the minimum over the
rounds; what counts is the ratio. Needs numpy, rich and, for their columns, torch and jax. A limit
against JAX is replaced, where JAX is not installed, by one against another library, as shown.
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
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cases import CASES, Case
from libraries import LIBRARIES, OPTIONAL, Library

EAGER_SECONDS = 0.02
"""How long one measurement of a call of nanoseconds goes on."""


def measure(run: Callable[[], object], repeat: int) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    for _ in range(repeat):
        run()
    return (time.perf_counter() - start) / repeat


def prepare(library: Library, case: Case) -> Callable[[], object]:
    """The call to measure; a large one ends when its result is there."""
    run = case.make(library)
    if not case.large or library.wait is None:
        return run
    wait = library.wait
    return lambda: wait(run())


def serve(name: str) -> None:
    """In the child: measure each case that a line of standard input names by its number."""
    library = LIBRARIES[name]()
    runs: dict[int, tuple[Callable[[], object], int]] = {}
    for line in sys.stdin:
        number = int(line)
        case = CASES[number]
        if number not in runs:
            try:
                run = prepare(library, case)
            except NotImplementedError:
                print("null", flush=True)
                continue
            run()
            once = max(measure(run, 1), 1e-8)
            runs.clear()  # one case's arrays at a time
            runs[number] = run, 1 if case.large else max(1, int(EAGER_SECONDS / once))
        run, repeat = runs[number]
        print(json.dumps(measure(run, repeat)), flush=True)


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


def judge(case: Case, row: dict[str, float]) -> tuple[str, bool]:
    """What the table says of the case's limit, and whether it is missed."""
    limit, name, note = case.limit, case.peer, ""
    if limit is None:
        return "", False
    if name not in row and case.otherwise:
        note = f"; no {name}"
        limit, name = case.otherwise
    peers = {n: seconds for n, seconds in row.items() if n != "device_api"}
    peer = min(peers.values()) if name == "best" else peers.get(name)
    if peer is None:
        return "", False
    met = row["device_api"] / peer <= limit
    return f"{limit:.3g} {'met' if met else 'MISSED'} ({name}{note})", not met


def show(results: dict[str, dict[str, float]], names: list[str]) -> int:
    """Print the table; the number of limits that are not met."""
    from rich.console import Console
    from rich.table import Table

    peers = [n for n in names if n != "device_api"]
    table = Table("case", *names, *(f"/ {n}" for n in peers), "limit")
    missed = 0
    for case in CASES:
        if case.name not in results:
            continue
        row = {n: t for n, t in results[case.name].items() if not math.isnan(t)}
        unit, scale, digits = ("ms", 1e3, 2) if case.large else ("ns", 1e9, 0)
        times = [f"{row[n] * scale:.{digits}f} {unit}" if n in row else "" for n in names]
        ratios = [f"{row['device_api'] / row[n]:.3f}" if n in row else "" for n in peers]
        limit, miss = judge(case, row)
        missed += miss
        table.add_row(case.name, *times, *ratios, limit)
    Console(width=150).print(table)
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
    names = [n for n in LIBRARIES if n not in OPTIONAL or importlib.util.find_spec(n)]
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
