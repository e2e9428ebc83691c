# SPDX-License-Identifier: Apache-2.0
"""The house rules: arrows between parts, no vendor named in the core, small files, licences."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import architecture_rules as rules
import pytest

ROOT = Path(__file__).resolve().parent.parent
PYTHON_ROOTS = {
    "device_api": ".",
    "device_api_abi": "backends/abi",
    "device_api_cpu": "backends/cpu",
    "device_api_npu": "backends/npu_ascend",
    "device_api_cuda": "backends/cuda",
    "device_api_conformance": "conformance",
}
SOURCE_FOLDERS = (
    "device_api",
    "backends",
    "conformance",
    "bridges",
    "tests",
    "tools",
    "examples",
    "benchmarks",
    "cmake",
)
LONG_FILE = 400
TOO_LONG_FILE = 600
# Extras of other people's packages -> the first of them.
THIRD_PARTY_EXTRAS = {"safetensors": "safetensors", "distributed": "mpi4py"}


def lint_imports(search_path: list[Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter with the repository's contracts over the packages on a search path."""
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert command, "import-linter is not installed beside this Python"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, search_path))}
    shutil.copy(ROOT / "pyproject.toml", folder)
    return subprocess.run(
        [command, "--no-cache"],
        cwd=folder, env=environment, text=True, capture_output=True, check=False,
    )  # fmt: skip


def test_python_imports_follow_the_arrows(tmp_path: Path) -> None:
    run = lint_imports([ROOT / folder for folder in PYTHON_ROOTS.values()], tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("package", "imported"),
    [
        ("device_api", "device_api_npu"),
        ("device_api_cpu", "device_api"),
        ("device_api_npu", "device_api_cpu"),
        ("device_api_abi", "device_api"),
        ("device_api_conformance", "device_api_npu"),
    ],
)
def test_an_import_against_the_arrows_is_found(tmp_path: Path, package: str, imported: str) -> None:
    for name in PYTHON_ROOTS:
        (tmp_path / name).mkdir()
        text = f"import {imported}\n" if name == package else ""
        (tmp_path / name / "__init__.py").write_text(text)
    run = lint_imports([tmp_path], tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    assert f"{package} -> {imported}" in run.stdout


def test_native_includes_follow_the_arrows() -> None:
    assert rules.forbidden_includes() == []


@pytest.mark.parametrize(
    ("source", "header", "owner"),
    [
        ("device_api/native/binding/bind.cpp", "device_api/native/src/tensor.hpp", "core"),
        (
            "backends/npu_ascend/src/run.cpp",
            "backends/npu_ascend/simulator/chip.hpp",
            "npu-simulator",
        ),
        ("backends/npu_ascend/src/run.cpp", "backends/abi/engine/include/engine.hpp", "engine"),
        ("backends/abi/include/device_api/a.h", "device_api/native/include/host.h", "host-api"),
        ("backends/cpu/src/add.cpp", "device_api/native/include/host.h", "host-api"),
    ],
)
def test_an_include_against_the_arrows_is_found(
    tmp_path: Path, source: str, header: str, owner: str
) -> None:
    name = Path(header).name
    for path, text in ((header, "\n"), (source, f'#include "{name}"\n')):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert rules.forbidden_includes(tmp_path) == [f"{source}: includes {name} ({owner})"]


def test_every_native_file_belongs_to_a_layer() -> None:
    native = [
        p
        for f in ("device_api", "backends", "bridges")
        for p in rules.files(f, rules.NATIVE_SUFFIXES)
    ]
    assert native
    assert [str(p.relative_to(ROOT)) for p in native if rules.layer_of(p) is None] == []


@pytest.mark.parametrize("folder", ["device_api", "conformance"])
def test_no_vendor_is_named_above_the_backends(folder: str) -> None:
    assert rules.files(folder, {".py"})
    assert rules.vendor_words(folder) == []


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("a.py", '"""Use set_device("npu:1")."""\n# a gpu\nx = 1\n', 0),
        ("a.py", 'x = "npu"\n', 1),
        ("a.py", '"""Works on Ascend."""\n', 1),
        ("a.cpp", "// as on a gpu\nint x;\n", 0),
        ("a.cpp", 'const char *x = "cuda";\n', 1),
        ("a.hpp", "/* aclrtMalloc */\n", 1),
    ],
)
def test_a_vendors_name_is_found(tmp_path: Path, name: str, text: str, count: int) -> None:
    (tmp_path / "device_api").mkdir()
    (tmp_path / "device_api" / name).write_text(text)
    assert len(rules.vendor_words("device_api", tmp_path)) == count


def test_files_have_one_subject_and_so_are_short() -> None:
    lengths = {
        str(p.relative_to(ROOT)): len(p.read_text().splitlines())
        for folder in SOURCE_FOLDERS
        for p in rules.files(folder, rules.SOURCE_SUFFIXES - {".toml"})
    }
    long = {name: n for name, n in lengths.items() if n > LONG_FILE}
    if long:
        warnings.warn(f"files over {LONG_FILE} lines: {long}", stacklevel=1)
    assert {name: n for name, n in lengths.items() if n > TOO_LONG_FILE} == {}


def test_every_source_file_names_its_licence() -> None:
    sources = [p for f in SOURCE_FOLDERS for p in rules.files(f, rules.SOURCE_SUFFIXES | {".md"})]
    sources += rules.files("docs", {".md"})
    unmarked = [
        str(p.relative_to(ROOT))
        for p in sources
        if "SPDX-License-Identifier: Apache-2.0" not in "".join(p.read_text().splitlines(True)[:3])
    ]
    assert sources
    assert unmarked == []


def distribution_folders() -> list[Path]:
    """Return the folder of every distribution of this repository."""
    return [*sorted(p.parent for p in ROOT.glob("*/*/pyproject.toml")), ROOT, ROOT / "conformance"]


@pytest.mark.parametrize("folder", distribution_folders(), ids=lambda p: p.name)
def test_each_distribution_carries_the_licence_and_one_version(folder: Path) -> None:
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    root = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    assert project["version"] == root["version"]


def test_each_extra_names_its_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    for extra in set(extras) - {"all"} - set(THIRD_PARTY_EXTRAS):
        assert extras[extra][0].startswith(f"device-api-{extra}>=")
    for extra, package in THIRD_PARTY_EXTRAS.items():
        assert [r.split(">=")[0] for r in extras[extra]] == [package]
    assert all(extra in extras for extra in project["entry-points"]["device_api.types"].values())
    assert set(extras) - {"all"} == set(extras["all"][0].split("[")[1].rstrip("]").split(","))


def test_the_dependency_groups_hold_what_the_wheels_need() -> None:
    """Third-party packages are installed from the groups, by name, before wheels with no index."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    needed = {
        requirement
        for folder in distribution_folders()
        if folder.name != "paddle"
        for requirement in tomllib.loads((folder / "pyproject.toml").read_text())["project"][
            "dependencies"
        ]
        if not requirement.startswith("device-api")
    }
    assert needed == {*groups["runtime"], *groups["conformance-runtime"], *groups["peers"]}
