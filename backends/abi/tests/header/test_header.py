# SPDX-License-Identifier: Apache-2.0
"""The contract's headers: they compile as C11 and C++17, and their layout never moves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import device_api_abi
from device_api_abi import generate, optable

HERE = Path(__file__).parent
INCLUDE = Path(device_api_abi.get_include())
CONTRACT = ("backend.h", "collective.h", "telemetry.h")
HEADERS = ("types.h", "ops.h", *CONTRACT, "simctl.h")
STRICT = ("-pedantic", "-Wall", "-Wextra", "-Werror")


def compiler(name: str, variable: str) -> str:
    """The compiler of this machine; without one nothing here can be tested."""
    found = os.environ.get(variable) or shutil.which(name)
    assert found, f"no compiler '{name}' found; install one or set {variable}"
    return found


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    ("name", "variable", "standard", "language"),
    [("cc", "CC", "-std=c11", "c"), ("c++", "CXX", "-std=c++17", "c++")],
)
def test_each_header_compiles_by_itself(
    header: str, name: str, variable: str, standard: str, language: str, tmp_path: Path
) -> None:
    source = tmp_path / "alone.src"
    # Twice: the include guard is part of the promise.
    source.write_text(f'#include "device_api/{header}"\n' * 2 + "int alone;\n")
    command = [compiler(name, variable), standard, *STRICT, "-fsyntax-only", f"-I{INCLUDE}"]
    done = subprocess.run(
        [*command, "-x", language, str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_layout_is_the_golden_one(tmp_path: Path) -> None:
    program = tmp_path / "layout"
    command = [compiler("cc", "CC"), "-std=c11", *STRICT, f"-I{INCLUDE}"]
    subprocess.run([*command, str(HERE / "layout.c"), "-o", str(program)], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    golden = (HERE / "layout.golden").read_text()
    assert printed == golden, (
        "the layout of the contract changed: members may only be appended, and then "
        "layout.golden gets new lines and keeps all old ones"
    )


def test_layout_program_names_every_member() -> None:
    files = "".join((INCLUDE / "device_api" / name).read_text() for name in CONTRACT)
    text = re.sub(r"/\*.*?\*/", "", files, flags=re.S)
    listed = (HERE / "layout.c").read_text()
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, flags=re.S):
        members = re.findall(r"^ +\w+ \(\*(\w+)\)\(", body, flags=re.M)
        plain = re.sub(r"[^;]*\(\*\w+\)\([^;]*;", "", body, flags=re.S)
        members += re.findall(r"(\w+)(?:\[\d+\])?;", plain)
        for member in members:
            if member != "reserved":
                assert f"AT({name}, {member});" in listed


def test_ops_header_is_what_the_table_makes() -> None:
    assert (INCLUDE / "device_api/ops.h").read_text() == generate.header(), (
        "ops.h is out of date: "
        "python -m device_api_abi.generate backends/abi/include/device_api/ops.h"
    )


def test_every_op_of_the_first_version_keeps_its_identity() -> None:
    # The hash of the first 33 ops: another value means that a published op changed its meaning.
    assert optable.prefix_hashes()[33] == 0xE3455B7620B64C14


def test_core_ops_are_25() -> None:
    assert sum(op.core for op in optable.load()) == 25
