# SPDX-License-Identifier: Apache-2.0
"""Real wheels in new virtual environments, with no index: an extra brings its device."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from environments import ROOT, WHEELHOUSE, Environment

USE_NPU = """
import device_api as xp
xp.set_device("npu")
x = xp.asarray([1.0, 2.0, 3.0], dtype=xp.float32)
print(xp.get_device(), float(xp.sum(x * x)))
"""


USE_CPU = "import device_api as xp; xp.set_device('cpu'); print(xp.ones(2))"


def test_the_extra_makes_the_device_usable_and_its_removal_takes_it_away(
    environment: Environment,
) -> None:
    environment.install("device-api[npu]")
    environment.run("python", "-m", "pip", "check")
    assert environment.run("python", "-c", USE_NPU).splitlines()[-1] == "npu:0 14.0"
    assert "npu" in environment.run("device-api", "devices")

    environment.run("python", "-m", "pip", "uninstall", "--yes", "--quiet", "device-api-npu")
    message = environment.run("python", "-c", USE_NPU, ok=False)
    assert "device-api[npu]" in message
    environment.run("python", "-c", USE_CPU)


def test_without_the_extra_the_error_names_it(environment: Environment) -> None:
    environment.install("device-api")
    message = environment.run("python", "-c", USE_NPU, ok=False)
    assert re.search(r"pip install '?\"?device-api\[npu\]", message), message
    installed = environment.run("python", "-m", "pip", "list")
    assert "device-api-npu" not in installed


def wheel_file(pattern: str) -> Path:
    """Return the one wheel that a pattern matches."""
    (wheel,) = WHEELHOUSE.glob(pattern)
    return wheel


@pytest.mark.parametrize(
    ("pattern", "tag"),
    [
        ("device_api_abi-*.whl", r"py3-none-linux_\w+"),
        ("device_api_cpu-*.whl", r"py3-none-linux_\w+"),
        ("device_api_npu-*.whl", r"py3-none-linux_\w+"),
        ("device_api_conformance-*.whl", r"py3-none-linux_\w+"),
        ("device_api-*.whl", r"cp3\d+-cp3\d+-linux_\w+"),
    ],
)
def test_a_wheel_is_tagged_by_what_it_holds(pattern: str, tag: str) -> None:
    wheel = wheel_file(pattern)
    assert re.fullmatch(r"\w+-[\d.]+-" + tag + r"\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    native = [n for n in names if n.endswith((".so", ".a"))]
    bound_to_python = [n for n in names if ".cpython-" in n]
    assert bool(native) == ("linux" in tag), names
    assert bool(bound_to_python) == tag.startswith("cp"), names


def test_the_core_wheel_holds_the_core_and_no_backend() -> None:
    with zipfile.ZipFile(wheel_file("device_api-*.whl")) as archive:
        names = set(archive.namelist())
    assert "device_api/lib/libdevice_api.so" in names
    headers = {p.name for p in (ROOT / "device_api/native/include/device_api").glob("*.h")}
    assert {f"device_api/include/device_api/{name}" for name in headers} <= names
    package = ROOT / "device_api"  # every module, and the tables that random numbers need
    files = [p for pattern in ("*.py", "*.pyi", "*.npy") for p in package.rglob(pattern)]
    assert {p.parent.name for p in files} > {"composites", "data", "functional"}
    assert {p.relative_to(ROOT).as_posix() for p in files} <= names
    assert "device_api/py.typed" in names
    top = {n.split("/")[0] for n in names}
    assert {t for t in top if not t.endswith(".dist-info")} == {"device_api"}
    assert not [n for n in names if "/native/" in n or n.endswith((".cpp", ".hpp"))]


@pytest.mark.parametrize(
    ("pattern", "library", "exports"),
    [
        ("device_api-*.whl", "device_api/lib/libdevice_api.so", r"dah_\w+"),
        ("device_api_cpu-*.whl", "device_api_cpu/lib/libdevice_api_cpu.so", "device_api_backend"),
        ("device_api_npu-*.whl", "device_api_npu/lib/libdevice_api_npu.so", "device_api_backend"),
    ],
)
def test_a_library_exports_its_interface_and_nothing_else(
    tmp_path: Path, pattern: str, library: str, exports: str
) -> None:
    with zipfile.ZipFile(wheel_file(pattern)) as archive:
        path = archive.extract(library, tmp_path)
    nm = subprocess.run(
        ["nm", "-D", "--defined-only", path], text=True, capture_output=True, check=True
    )
    names = [line.split()[-1] for line in nm.stdout.splitlines()]
    assert names
    assert [n for n in names if not re.fullmatch(exports, n)] == []


def test_each_wheel_carries_the_licence() -> None:
    for wheel in WHEELHOUSE.glob("device_api*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        assert any(n.endswith(".dist-info/licenses/LICENSE") for n in names), wheel.name
