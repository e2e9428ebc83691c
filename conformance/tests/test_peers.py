# SPDX-License-Identifier: Apache-2.0
"""Libraries of arrays as devices: registered handles, NumPy through the example, a broken one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from array_api_plugin import open_numpy
from array_api_plugin.handle import ArrayHandle, Library
from device_api_conformance import handles
from device_api_conformance.case import Case
from device_api_conformance.cli import certify as cli
from device_api_conformance.judge import judge
from device_api_conformance.opening import DEFAULT_HANDLE
from device_api_conformance.worker import observe_case

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "array_api_plugin"
NUMPY = "array_api_plugin:open_numpy"
SOME = [
    "N/add/float32/*", "N/matmul/float64/*", "E/exp/float64/*", "L/copy/float32/*", "R/identity",
    "M/roundtrip/513", "S/callbacks", "F/error_does_not_stick", "F/native_account",
    "I/dlpack_out/float32", "N/exp/bfloat16/*",
]  # fmt: skip
DEEPER = (
    Case("C", "as_serial"), Case("C", "race", values="matmul"), Case("K", "leak_exceptions"),
    Case("U", "peer_pairs"), Case("P", "launch"),
    Case("D", "again_3", "add", "float32", layout="contiguous", shape=(257,), values="ordinary"),
)  # fmt: skip
"""Cases of higher levels, which run in this process."""


def certify(folder: Path, *arguments: str) -> dict:
    cli.main([*arguments, "--report", str(folder)])
    return json.loads((folder / "report.json").read_text())


def verdict(report: dict, prefix: str) -> set[str]:
    return {row["verdict"] for row in report["cases"] if row["id"].startswith(prefix)}


@pytest.fixture
def example(monkeypatch):
    """Workers find the example, and this folder."""
    known = os.environ.get("PYTHONPATH", "")
    # No empty entry: it would be the working directory.
    folders = [str(EXAMPLE), str(HERE), known]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))


@pytest.fixture
def registered(tmp_path, monkeypatch):
    """An installed distribution that registers handles, also one for a type of device_api."""
    info = tmp_path / "handles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: handles\nVersion: 1.0\n")
    rows = [f"[{handles.GROUP}]", f"numpy = {NUMPY}", "cpu = array_api_plugin:open_torch"]
    (info / "entry_points.txt").write_text("\n".join(rows) + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_registered_handle_serves_its_type(registered):
    assert handles.resolve("numpy:0") == NUMPY
    assert handles.resolve("numpy:0", "asked:for") == "asked:for"
    assert handles.resolve("cpu") == DEFAULT_HANDLE, "types of device_api come first"
    assert handles.resolve("unheard:0") == DEFAULT_HANDLE


def test_numpy_gets_a_report(tmp_path, example, registered):
    report = certify(tmp_path, "numpy:0", *(f"--only={pattern}" for pattern in SOME))
    assert report["device"]["vendor"] == "NumPy"
    assert report["passed"], [r for r in report["cases"] if r["verdict"] not in ("PASS", "SKIPPED")]
    for prefix in ("N/add", "N/matmul", "E/exp", "L/copy", "I/", "F/"):
        assert verdict(report, prefix) == {"PASS"}, prefix
    assert verdict(report, "N/exp/bfloat16") == {"UNSUPPORTED"}, "NumPy has no bfloat16"
    skipped = {r["id"]: r["reason"] for r in report["cases"] if r["verdict"] == "SKIPPED"}
    assert skipped["M/roundtrip/513"] == "a library of arrays has no raw memory"
    assert skipped["S/callbacks"] == "a library of arrays has no streams"


@pytest.mark.parametrize("case", DEEPER, ids=lambda case: case.id)
def test_numpy_answers_cases_of_higher_levels(case):
    found = observe_case(open_numpy("numpy:0"), case, 0)
    skipped = case.chapter == "U"
    assert judge(case, found).verdict == ("SKIPPED" if skipped else "PASS"), found


def open_broken(device: str) -> ArrayHandle:
    """NumPy with a sum that is one too large, sorting that fails and a sqrt that changes x."""
    from array_api_compat import numpy as xp

    def spoilt(xp, x, a):
        found = xp.sqrt(x[0])
        x[0][...] = 0
        return found

    def failing(xp, x, a):
        raise ArithmeticError("no order today")

    broken = {
        "add": lambda xp, x, a: x[0] + x[1] + 1,
        "argsort": failing,
        "sqrt": spoilt,
        "erf": lambda xp, x, a: xp.not_there(x[0]),
    }
    return ArrayHandle(device, Library("Broken", "1", xp, broken))


def test_a_broken_library_is_found_out(tmp_path, example):
    handle = f"{HERE / 'test_peers.py'}:open_broken"
    ops = ("add/int32", "argsort/int32", "sqrt/float64", "erf/float64", "sub/int32")
    some = [f"N/{op}/*" for op in ops]
    report = certify(tmp_path, "broken:0", "--handle", handle, *(f"--only={p}" for p in some))
    codes = {(row["params"]["op"], row["verdict"], row["code"]) for row in report["cases"]}
    assert ("add", "FAIL", "C102") in codes
    assert ("sqrt", "FAIL", "C201") in codes, "an input was changed"
    assert ("argsort", "UNSUPPORTED", "C306") in codes, "what no small call takes is not declared"
    assert ("erf", "UNSUPPORTED", "C306") in codes
    assert {v for op, v, _ in codes if op == "sub"} == {"PASS"}
    assert not report["passed"]


def test_an_unknown_library_is_told(tmp_path, example, capsys):
    code = cli.main(["numpy:0", "--handle", "array_api_plugin:open_nothing", "--only", "N/add"])
    assert code == cli.COULD_NOT_RUN
    assert "open_nothing" in capsys.readouterr().err
