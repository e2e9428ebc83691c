# SPDX-License-Identifier: Apache-2.0
"""Catch rates of the broken adapters: python catch_rates.py [seeds], default 100.

Builds the library that breaks calls and the program of main.cpp with the C++ compiler ($CXX, c++),
against the adapter and the simulator of the installed device-api-npu. Prints a Markdown table; ends
with 1 when an adapter is caught in less than 99 % of the seeds, or the good one at all.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
INCLUDES = (HERE.parents[1] / "include", HERE.parents[2] / "abi" / "include")
SONAMES = ("ascendcl", "acl_rt", "nnopbase", "opapi", "opapi_math", "opapi_nn")
SIMULATOR = "libdevice_api_sim_npu.so"


@dataclass
class Rate:
    """How often an adapter was caught, by what, and the first finding in words."""

    name: str
    defect: str
    caught: int
    seeds: int
    finding: str
    ways: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether that is what is asked of it."""
        if self.name == "none":
            return self.caught == 0
        return self.caught * 100 >= self.seeds * 99


def installed() -> Path:
    """The folder of the adapter's library: DEVICE_API_NPU_LIB, or the installed package's."""
    if folder := os.environ.get("DEVICE_API_NPU_LIB"):
        return Path(folder)
    spec = find_spec("device_api_npu")
    for place in spec.submodule_search_locations or [] if spec else []:
        if (folder := Path(place) / "lib").is_dir():
            return folder
    raise FileNotFoundError("install device-api-npu, or set DEVICE_API_NPU_LIB")


def compiled(folder: Path, lib: Path) -> list[str]:
    """Build into the folder; return the command line of the program, without the variant."""
    broken = folder / "cann"
    broken.mkdir()
    compiler = [*shlex.split(os.environ.get("CXX", "c++")), "-std=c++17", "-O1", "-pthread"]
    compiler += [f"-I{path}" for path in INCLUDES]
    shared = [*compiler, "-shared", "-fPIC", "-fvisibility=hidden", "-Wl,--no-as-needed"]
    between = [str(HERE / f"between_{part}.cpp") for part in ("memory", "operators", "runtime")]
    engine = [str(lib / "sim" / SIMULATOR), f"-Wl,-rpath,{lib / 'sim'}"]
    program = [str(HERE / f"{part}.cpp") for part in ("main", "program_base", "program_parts")]
    (folder / "empty.cpp").write_text("")
    forward = [str(folder / "empty.cpp"), str(broken / "libnpu_between.so"), "-Wl,-rpath,$ORIGIN"]

    def build(*command: str) -> None:
        subprocess.run(command, check=True)

    build(*shared, *between, *engine, "-ldl", "-o", str(broken / "libnpu_between.so"))
    for name in SONAMES:
        target = f"lib{name}.so"
        build(*shared, *forward, f"-Wl,-soname,{target}", "-o", str(broken / target))
    build(*compiler, *program, "-ldl", "-o", str(folder / "program"))
    return [
        str(folder / "program"),
        str(lib / "libdevice_api_npu.so"),
        str(lib / "sim"),
        str(broken),
    ]


def rates(seeds: int) -> list[Rate]:
    """Play every adapter with the seeds 1, 2, ..."""
    with tempfile.TemporaryDirectory() as folder:
        command = compiled(Path(folder), installed())

        def ask(*arguments: str) -> list[list[str]]:
            done = subprocess.run(
                [*command, *arguments], capture_output=True, text=True, check=False
            )
            return [line.split("\t") for line in done.stdout.splitlines()]

        def rate(row: list[str]) -> Rate:
            name, defect = row
            (_, caught, played, finding), *ways = ask(name, "1", str(seeds))
            return Rate(name, defect, int(caught), int(played), finding, [w[1] for w in ways])

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(rate, ask("list")))


def table(found: list[Rate]) -> str:
    """The rates as a Markdown table."""
    lines = ["| adapter | defect | caught | by (seeds) |", "|---|---|---|---|"]
    for rate in found:
        ways = "; ".join(rate.ways)
        lines.append(f"| {rate.name} | {rate.defect} | {rate.caught} of {rate.seeds} | {ways} |")
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    found = rates(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    print(table(found))
    return 0 if all(rate.good for rate in found) else 1


if __name__ == "__main__":
    sys.exit(main())
