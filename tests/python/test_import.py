# SPDX-License-Identifier: Apache-2.0
"""Importing is quick and opens nothing; the namespace is complete and typed."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from plugin_site import Site

import device_api as xp

TIME = """
import sys, time
import numpy
begin = time.process_time()
import device_api
print(time.process_time() - begin)
"""

HEAVY = ("pluggy", "rich", "typer", "ctypes.util", "importlib.metadata", "sklearn", "mpmath")


def test_import_takes_less_than_150_ms_beyond_numpys(site: Site) -> None:
    """In processor time, which a busy machine does not change."""
    spans = [float(site.python(TIME)) for _ in range(7)]
    assert min(spans) < 0.15, spans


def test_import_leaves_out_what_few_programs_need(site: Site) -> None:
    loaded = site.python(
        f"""
        import sys, numpy
        before = set(sys.modules)
        import device_api
        print(sorted(set({HEAVY!r}) & (set(sys.modules) - before)))
        """
    )
    assert loaded.strip() == "[]"


def test_import_opens_no_backend(site: Site) -> None:
    """Only the core's own libraries are mapped after import."""
    mapped = site.python(
        """
        import device_api
        lines = open("/proc/self/maps").read().split()
        print({p for p in lines if "device_api_" in p and p.endswith(".so")})
        """
    )
    assert mapped.strip() == "set()"


def test_every_public_function_has_a_docstring() -> None:
    missing = [
        name
        for name in dir(xp)
        if callable(getattr(xp, name)) and not (getattr(xp, name).__doc__ or "").strip()
    ]
    assert missing == []


# What the array API standard 2025.12 asks for and this version composes or runs natively.
STANDARD = """
    e inf nan newaxis pi
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like
    tril triu zeros zeros_like
    astype broadcast_arrays broadcast_to can_cast finfo iinfo isdtype result_type
    bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64
    abs add bitwise_invert ceil clip divide equal exp floor floor_divide greater greater_equal
    isfinite isinf isnan less less_equal log logical_and logical_not logical_or logical_xor maximum
    minimum multiply negative not_equal positive pow reciprocal remainder round sign sqrt square
    subtract tanh trunc
    take take_along_axis matmul matrix_transpose tensordot vecdot
    concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack
    argmax argmin count_nonzero nonzero where
    cumulative_sum max mean min prod std sum var all any
    __array_namespace_info__ __array_api_version__
"""


def test_the_namespace_has_what_it_promises() -> None:
    assert [name for name in STANDARD.split() if not hasattr(xp, name)] == []


USER_CODE = (Path(__file__).parents[1] / "typing" / "user_code.py").read_text()

WRONG_CODE = """
import device_api as xp
xp.zeros((2, 3), dtyp=xp.float32)
xp.set_device(3)
xp.zeros(2).no_such_member
xp.fallback_policy("never")
text: str = xp.sum(xp.zeros(2))
"""


def checked(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Check a text with mypy against the installed package, in a folder of its own."""
    (folder / "user.py").write_text(textwrap.dedent(text))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "user.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_user_code_passes_mypy_strict(tmp_path: Path) -> None:
    ended = checked(tmp_path, USER_CODE)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_wrong_user_code_does_not(tmp_path: Path) -> None:
    ended = checked(tmp_path, WRONG_CODE)
    assert ended.stdout.count("error:") == 5, ended.stdout


def test_user_code_runs() -> None:
    scope: dict[str, object] = {}
    exec(compile(USER_CODE, "user.py", "exec"), scope)
    use = scope["use"]
    assert callable(use)
    assert use(0) > 0
    standard = scope["standard"]
    assert callable(standard)
    assert standard(xp.asarray([3.0, 1.0, 3.0], device="cpu")) == 12.5 + 12.5j


def test_stubs_name_what_the_module_has() -> None:
    """Every function and class in _core.pyi exists, and every one that exists is in the stubs."""
    import ast

    from device_api import _core

    text = Path(xp.__file__ or "").with_name("_core.pyi").read_text()
    known = {
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    has = {n for n in dir(_core) if callable(getattr(_core, n)) and not n.startswith("_")}
    assert known == has
