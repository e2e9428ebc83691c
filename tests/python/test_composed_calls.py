# SPDX-License-Identifier: Apache-2.0
"""What the core makes of a composite's answers: results, refusals, exceptions, circles, threads.

Each case sets a composer of its own in a process of its own, on a simulated chip and an op that it
lacks; the composites of the package are tested elsewhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

PRELUDE = """
import sys, threading
import device_api as xp
from device_api import _core, errors
xp.set_device("npu")
xp.fallback_policy("error")
here = _core.current_device()
lacking = [
    (name, dtype)
    for name, row in _core.op_info().items() if row["kind"] == "unary" and row["result"] == "key"
    for dtype in ("float64", "complex64", "complex128")
    if dtype in row["dtypes"] and not _core.has_op(here, name, dtype)
    and _core.has_op(here, "copy", dtype)
]
(op, dtype), (second, also) = lacking[0], next(x for x in lacking if x[1] == lacking[0][1]
                                               and x[0] != lacking[0][0])
x = _core.apply("copy", [_core.full((2, 3), 1, dtype)])

def composer(function):
    _core.set_hook("compose", function)

def call(name=None):
    return _core.apply(name or op, [x])
"""


def run(program: str) -> str:
    """Run a program to its clean end and return what it printed."""
    environment = os.environ | {"DEVICE_API_SIMULATE": "npu"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-P", "-c", PRELUDE + textwrap.dedent(program)],
        capture_output=True, text=True, env=environment, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def test_the_composer_is_asked_and_its_result_is_the_ops() -> None:
    out = run("""
        def compose(name, inputs, attributes, shape, wanted):
            assert (name, attributes, wanted) == (op, (), x.dtype), (name, attributes, wanted)
            assert [t.shape for t in inputs] == [shape] and shape == (6,)
            assert _core.current_device() == x.device
            return _core.apply("copy", [_core.full(shape, 7, wanted)])
        composer(compose)
        _core.reset_accounts()
        result = call()
        assert result.shape == (2, 3) and result.dtype == x.dtype
        print(result.numpy().real.sum(), _core.composed_counts(here) == {op: 1})
    """)
    assert out == "42.0 True"


def test_none_means_that_there_is_no_composite() -> None:
    out = run("""
        composer(lambda *_: None)
        try:
            call()
        except errors.FallbackError as error:
            print(error.op == op, _core.composed_counts(here))
    """)
    assert out == "True {}"


def test_a_wrong_result_is_told() -> None:
    out = run("""
        for wrong in (1, xp.ones(6), xp.ones(2), x.to_device("cpu")):
            composer(lambda *_: wrong)
            try:
                call()
            except errors.InternalError as error:
                print("composite of" in str(error), end=" ")
    """)
    assert out == "True True True True"


def test_exceptions_come_out_as_they_are() -> None:
    out = run("""
        class Own(Exception):
            pass
        mine = Own("gave up")
        def compose(*_):
            raise mine
        composer(compose)
        before = sys.getrefcount(mine)
        for _ in range(50):
            try:
                call()
            except Own as error:
                assert error is mine
        assert sys.getrefcount(mine) == before
        assert op in mine.__notes__[0] and "npu:0" in mine.__notes__[0]
        composer(lambda *_: xp.ones((2, 3)) @ xp.ones((2, 3)))
        try:
            call()
        except errors.ShapeError as error:
            print(error.op, len(error.__notes__))
    """)
    assert out == "matmul 1"


def test_circles_end_in_an_error_that_names_them() -> None:
    out = run("""
        composer(lambda name, inputs, *_: _core.apply(second if name == op else op, inputs))
        try:
            call()
        except errors.FallbackError as error:
            print(f"{op} -> {second} -> {op}" in str(error))
    """)
    assert out == "True"


def test_composites_run_in_threads_that_hold_no_lock() -> None:
    out = run("""
        x = _core.apply("copy", [_core.full((300, 300), 1, dtype)])  # large: the lock is given up
        composer(lambda name, inputs, *_: _core.apply("copy", inputs))
        done = []
        def work():
            for _ in range(5):
                done.append(call().shape)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(done), set(done))
    """)
    assert out == "15 {(300, 300)}"
