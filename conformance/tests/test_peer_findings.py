# SPDX-License-Identifier: Apache-2.0
"""What the suite found in NumPy and PyTorch: each finding shows in the library alone, too.

PyTorch is in the tox environment "torch". DEVICE_API_WRITE_DOCS=1 writes the tables of
docs/certifying_peers.md instead of comparing them.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import array_api_compat.numpy
import numpy as np
import pytest

from array_api_plugin import findings
from device_api_conformance.cases import generate, select
from device_api_conformance.cli import certify as cli

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "certifying_peers.md"
KNOWN = findings.load()
PACKAGES = {"NumPy": "numpy", "PyTorch CPU": "torch", "JAX CPU": "jax"}
SAMPLE = ["E/*/float32/*", "E/add/*", "N/*/bfloat16/*", "L/*/float16/*", "F", "R"]


def need_torch():
    if os.environ.get("DEVICE_API_TESTS_NEED_TORCH"):
        return import_module("torch")
    return pytest.importorskip("torch", reason="PyTorch is not installed: tox -e torch has it")


def need_version(library: str) -> None:
    asked, found = findings.versions()[library], version(PACKAGES[library])
    if not found.startswith(asked + "."):
        pytest.skip(f"the findings are of {library} {asked}, and this is {found}")


def names(library: str) -> list:
    return [pytest.param(f, id=f.what) for f in KNOWN if f.library == library]


def test_findings_are_told_fully():
    assert {f.library for f in KNOWN} == set(findings.versions())
    known = generate("smoke")
    for f in KNOWN:
        assert f.kind in findings.KINDS, f.what
        for pattern in f.cases:
            assert select(known, [pattern]), f"{f.what}: {pattern} matches no case"


@pytest.mark.parametrize("library", sorted(PACKAGES))
def test_the_page_has_the_findings(library):
    text = PAGE.read_text(encoding="utf-8")
    begin, end = f"<!-- {library}: begin -->\n", f"<!-- {library}: end -->\n"
    old = text.split(begin)[1].split(end)[0]
    new = findings.table(library)
    if os.environ.get("DEVICE_API_WRITE_DOCS"):
        PAGE.write_text(text.replace(begin + old + end, begin + new + end), encoding="utf-8")
        return
    assert old == new, "DEVICE_API_WRITE_DOCS=1 writes the table"


@pytest.mark.parametrize("finding", names("NumPy"))
def test_numpy_alone_shows_it(finding):
    need_version("NumPy")
    assert findings.reproduced(finding, np, array_api_compat.numpy) == finding.gives


@pytest.mark.parametrize("finding", names("PyTorch CPU"))
def test_torch_alone_shows_it(finding):
    torch = need_torch()
    need_version("PyTorch CPU")
    compat = import_module("array_api_compat.torch")
    found = findings.reproduced(finding, torch, compat)
    if finding.where and found != finding.gives:
        pytest.skip(f"not here: {finding.where}")
    assert found == finding.gives


@pytest.mark.parametrize("finding", names("JAX CPU"))
def test_jax_alone_shows_it(finding):
    xp = pytest.importorskip("jax.numpy", reason="JAX is not installed, in no environment of tox")
    need_version("JAX CPU")
    assert findings.reproduced(finding, xp, xp) == finding.gives


def test_failures_of_a_report_are_sorted():
    other = "N/add/float32/contiguous/257/ordinary"
    rows = [("E/add/complex64/contiguous/edges", "FAIL"), (other, "FAIL"),
            ("E/sub/complex64/contiguous/edges", "PASS")]  # fmt: skip
    report = {"device": {"vendor": "PyTorch CPU"},
              "cases": [{"id": i, "verdict": v} for i, v in rows]}  # fmt: skip
    counts, unexplained = findings.sort(report, KNOWN)
    assert sum(counts.values()) == 1
    assert unexplained == [other]


def test_a_sample_of_pytorch_has_no_failure_but_the_known_ones(tmp_path, monkeypatch):
    need_torch()
    need_version("PyTorch CPU")
    folder = str(ROOT / "examples" / "array_api_plugin")
    known = os.environ.get("PYTHONPATH", "")
    # No empty entry: it would be the working directory.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [folder, known])))
    some = [f"--only={pattern}" for pattern in SAMPLE]
    handle = ["--handle", "array_api_plugin:open_torch"]
    cli.main(["torch:0", *handle, *some, "--jobs", "2", "--report", str(tmp_path)])
    report = json.loads((tmp_path / "report.json").read_text())
    counts, unexplained = findings.sort(report, KNOWN)
    assert not unexplained
    assert counts["gelu of +inf is NaN for all types but float64"] > 0
    assert report["counts"]["PASS"] > 300
    assert not report["counts"]["NOTRUN"]
