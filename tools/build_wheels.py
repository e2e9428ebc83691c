# SPDX-License-Identifier: Apache-2.0
"""Build the wheels of this repository into wheelhouse/, in dependency order and without an index.

Third-party packages must be installed beforehand, by name. Builds are not isolated, so CMake finds
the contract package in this environment; each distribution keeps its build folder under
build/wheels/, so a rebuild after touching one source file compiles that file only.

    python tools/build_wheels.py                       every distribution of the table below
    python tools/build_wheels.py device-api-cpu ...    some of them
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Distribution:
    """One distribution: its name, its folder, and whether later builds need it installed."""

    name: str
    folder: str
    needed_by_builds: bool = False
    by_default: bool = True


# In dependency order. The bridge needs a host framework to build, so it is built by name only.
DISTRIBUTIONS = (
    Distribution("device-api-abi", "backends/abi", needed_by_builds=True),
    Distribution("device-api-cpu", "backends/cpu"),
    Distribution("device-api-npu", "backends/npu_ascend"),
    Distribution("device-api-cuda", "backends/cuda"),
    Distribution("device-api", "."),
    Distribution("device-api-conformance", "conformance"),
    Distribution("device-api-paddle", "bridges/paddle", by_default=False),
)


def pip_environment() -> dict[str, str]:
    """Return an environment in which pip knows no index and no folder but those on its command."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2))
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    # The build tools of this environment, also when it is not activated.
    environment["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), environment["PATH"]))
    return environment


def pip(*arguments: str) -> None:
    """Run pip in this environment; stop the program when it fails."""
    command = [sys.executable, "-m", "pip", *arguments]
    finished = subprocess.run(command, cwd=ROOT, env=pip_environment(), check=False)
    if finished.returncode:
        sys.exit(f"build_wheels: failed: {' '.join(command)}")


def wheel_stem(name: str) -> str:
    """Return how the file name of a distribution's wheel begins."""
    return name.replace("-", "_") + "-"


def build(distribution: Distribution, wheelhouse: Path, verbose: bool) -> Path:
    """Build one wheel, replacing older ones of the same distribution; return its path."""
    staging = ROOT / "build" / "wheels" / "staging"
    shutil.rmtree(staging, ignore_errors=True)
    pip(
        "wheel", "--no-build-isolation", "--no-index", "--no-deps", "--no-cache-dir",
        "--wheel-dir", str(staging),
        "--config-settings", f"build-dir={ROOT / 'build' / 'wheels' / distribution.name}",
        *(["--verbose"] if verbose else ["--quiet"]),
        str(ROOT / distribution.folder),
    )  # fmt: skip
    (built,) = staging.glob("*.whl")
    for old in wheelhouse.glob(wheel_stem(distribution.name) + "*.whl"):
        old.unlink()
    return Path(shutil.move(built, wheelhouse / built.name))


def digest(path: Path) -> str:
    """Return a hash of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def snapshot(package: Path) -> dict[Path, tuple[str, int]]:
    """Return content hash and modification time of every file below a folder."""
    files = (p for p in package.rglob("*") if p.is_file())
    return {p: (digest(p), p.stat().st_mtime_ns) for p in files}


def install_for_builds(name: str, wheel: Path) -> None:
    """Install a wheel that later builds need, leaving the times of unchanged files as they were.

    A new time on an unchanged header would make every later build start from nothing.
    """
    package = Path(sysconfig.get_path("purelib")) / name.replace("-", "_")
    before = snapshot(package)
    pip(
        "install", "--no-index", "--no-deps", "--force-reinstall", "--no-compile", "--quiet",
        "--root-user-action", "ignore", str(wheel),
    )  # fmt: skip
    for path, (content, modified) in before.items():
        if path.is_file() and digest(path) == content:
            os.utime(path, ns=(modified, modified))


def chosen(names: list[str]) -> list[Distribution]:
    """Return the distributions to build, in dependency order."""
    known = {d.name for d in DISTRIBUTIONS}
    unknown = sorted(set(names) - known)
    if unknown:
        sys.exit(f"build_wheels: unknown: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    return [d for d in DISTRIBUTIONS if (d.name in names if names else d.by_default)]


def main() -> None:
    """Build the wheels asked for and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="distributions (default: all but the bridges)")
    parser.add_argument("--wheelhouse", type=Path, default=ROOT / "wheelhouse")
    parser.add_argument("--verbose", action="store_true", help="show what the compilers say")
    options = parser.parse_args()
    wheelhouse = options.wheelhouse.resolve()
    wheelhouse.mkdir(parents=True, exist_ok=True)

    total = time.monotonic()
    for distribution in chosen(options.names):
        begin = time.monotonic()
        wheel = build(distribution, wheelhouse, options.verbose)
        if distribution.needed_by_builds:
            install_for_builds(distribution.name, wheel)
        seconds, kibibytes = time.monotonic() - begin, wheel.stat().st_size / 1024
        print(f"{seconds:7.1f} s  {kibibytes:8.0f} KiB  {wheel.name}", flush=True)
    print(f"{time.monotonic() - total:7.1f} s  in all", flush=True)


if __name__ == "__main__":
    main()
