# SPDX-License-Identifier: Apache-2.0
"""Every variant of every kernel through NVIDIA's own compiler, for three generations of chips.

No GPU is needed. Registers and spills go into a table: DEVICE_API_TESTS_CUDA_REPORT names the file.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import nvidia_wheels as wheels
import pytest
from nvrtc import Nvrtc, recorded, sections

ROOT = Path(__file__).parents[4]
ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
MOST_REGISTERS = 255
NEEDED = os.environ.get("DEVICE_API_TESTS_NEED_CUDA_WHEELS") == "1"

pytestmark = [
    pytest.mark.skipif(
        not NEEDED and wheels.library(13, "libnvrtc.so.13") is None,
        reason="NVIDIA's wheels are not installed here; tox -e cuda_vendor has them",
    ),
    pytest.mark.timeout(3600),
]


@pytest.fixture(scope="session")
def variants(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Files with the source and the options of each variant, as the adapter asks for them."""
    build, folder = tmp_path_factory.mktemp("build"), tmp_path_factory.mktemp("variants")
    for command in (
        ["cmake", "-S", str(ROOT / "backends/abi"), "-B", str(build), "-DDEVICE_API_ABI_TESTS=ON",
         "-DCMAKE_BUILD_TYPE=Debug"],
        ["cmake", "--build", str(build), "--target", "device_api_simt_record", "-j2"],
        [str(build / "simt" / "device_api_simt_record"), str(folder)],
    ):  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)
    distinct = {}
    for path in sorted(folder.glob("*.cu"), key=lambda p: int(p.stem)):
        distinct.setdefault(hashlib.sha256(path.read_bytes()).digest(), path)
    return list(distinct.values())


_compilers: dict[int, Nvrtc] = {}


def compile_one(job: tuple[Path, str, int]) -> dict[str, Any]:
    """Compile one variant in a process of the pool; what the test needs of it."""
    path, arch, major = job
    compiler = _compilers.setdefault(major, Nvrtc(major))
    source, options, entries = recorded(path)
    # As on a real chip: conversions of 16-bit floats by instructions of its own.
    options += [f"--gpu-architecture={arch}", "-DDA_HARDWARE_HALF=1"]
    done = compiler.compile(source, options)
    missing = set()
    if done.result == 0:
        missing = {f".text.{e}" for e in entries} - sections(done.code)
    return {
        "options": [o for o in options if o.startswith("-D")],
        "entry": ", ".join(sorted(entries)),
        "problem": done.log if done.result or "warning" in done.log else ", ".join(missing),
        "registers": done.registers,
        "spilled": done.spilled,
        "stack": done.stack,
    }


def compile_all(paths: list[Path], arch: str, major: int) -> list[dict[str, Any]]:
    """Compile on all cores."""
    jobs = [(p, arch, major) for p in paths]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compile_one, jobs, chunksize=8))


def write_report(arch: str, outcomes: list[dict[str, Any]]) -> None:
    """Add an architecture's figures, by kernel, to the report."""
    path = os.environ.get("DEVICE_API_TESTS_CUDA_REPORT")
    if not path:
        return
    table: dict[str, dict[str, int]] = defaultdict(
        lambda: {"variants": 0, "most registers": 0, "spilling": 0, "most spilled bytes": 0}
    )
    for o in outcomes:
        row = table[o["entry"]]
        row["variants"] += 1
        row["most registers"] = max(row["most registers"], o["registers"])
        row["spilling"] += o["spilled"] > 0
        row["most spilled bytes"] = max(row["most spilled bytes"], o["spilled"])
    report = json.loads(Path(path).read_text()) if Path(path).exists() else {}
    report[arch] = dict(sorted(table.items()))
    Path(path).write_text(json.dumps(report, indent=2) + "\n")


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_variant_compiles(variants: list[Path], arch: str) -> None:
    outcomes = compile_all(variants, arch, 13)
    write_report(arch, outcomes)
    problems = [f"{o['options']}\n{o['problem']}" for o in outcomes if o["problem"]]
    assert not problems, f"{len(problems)} of {len(outcomes)}:\n" + "\n".join(problems[:5])
    assert len(outcomes) > 1000
    assert all(0 < o["registers"] <= MOST_REGISTERS for o in outcomes)
    # What spills at all is double arithmetic with long polynomials; a little of it is no harm.
    spilling = [o for o in outcomes if o["spilled"] > 64]
    assert not spilling, f"{len(spilling)} variants spill: {spilling[:5]}"


@pytest.mark.parametrize("arch", ["sm_70", "sm_90"])
def test_variants_compile_with_the_older_compiler(variants: list[Path], arch: str) -> None:
    outcomes = compile_all(variants[::9], arch, 12)
    problems = [o for o in outcomes if o["problem"] and "deprecated" not in o["problem"]]
    assert not problems, problems[:3]


def test_a_kernel_that_is_wrong_is_told(variants: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "0.cu"
    broken.write_text(variants[0].read_text().replace("put(", "putt(", 1))
    outcome = compile_one((broken, "sm_90", 13))
    assert "putt" in outcome["problem"]
