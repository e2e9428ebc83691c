# SPDX-License-Identifier: Apache-2.0
"""What errors carry, and the page of them: docs/errors.md.

DEVICE_API_WRITE_DOCS=1 writes the page's table instead of comparing it.
"""

from __future__ import annotations

import inspect
import os
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from plugin_site import Site

import device_api as xp
from device_api import errors, simulation

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errors.md"
BEGIN, END = "<!-- errors: begin -->\n", "<!-- errors: end -->\n"
TYPES = ROOT / "backends" / "abi" / "include" / "device_api" / "types.h"


@pytest.fixture(autouse=True)
def npu() -> Iterator[None]:
    with xp.device_guard("npu:0"):
        yield
        simulation.control("npu").mend()


# ---- the page -----------------------------------------------------------------------------------


def classes() -> list[type[errors.DeviceApiError]]:
    """All of them, bases before what derives from them."""
    found: list[type[errors.DeviceApiError]] = []

    def add(kind: type[errors.DeviceApiError]) -> None:
        if kind.__module__ == errors.__name__ and kind not in found:
            found.append(kind)
            for derived in kind.__subclasses__():
                add(derived)

    add(errors.DeviceApiError)
    return found


def statuses() -> dict[str, str]:
    """Kind of the core's errors -> the status of the contract that it stands for."""
    text = TYPES.read_text(encoding="utf-8").partition("enum da_status {")[2].partition("}")[0]
    return {
        name.lower(): f"`DA_{name}` {number}"
        for name, number in re.findall(r"^    DA_([A-Z_]+) = (\d+)\b", text, re.M)
    }


def row(kind: type[errors.DeviceApiError]) -> str:
    codes = statuses()
    kinds = [name for name, of in errors._KINDS.items() if of is kind]
    named = [codes[name] for name in kinds if name in codes]
    remedies = [errors._REMEDIES[name] for name in kinds if name in errors._REMEDIES]
    bases = [base.__name__ for base in kind.__bases__ if base is not errors.DeviceApiError]
    meaning = (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")
    cells = [
        f"`{kind.__name__}`",
        ", ".join(f"`{name}`" for name in bases if name != "Exception"),
        ", ".join(named),
        meaning,
        remedies[0] if remedies else "",
    ]
    return f"| {' | '.join(cells)} |\n"


def test_the_table_of_the_docs() -> None:
    made = "| exception | also a | status | meaning | remedy, if none is nearer |\n"
    made += "|---|---|---|---|---|\n" + "".join(row(kind) for kind in classes())
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    table, after = rest.split(END)
    if os.environ.get("DEVICE_API_WRITE_DOCS") == "1":
        PAGE.write_text(before + BEGIN + made + END + after, encoding="utf-8")
    else:
        assert table == made


def test_every_status_of_the_contract_has_its_exception() -> None:
    assert set(statuses()) - {"ok"} <= set(errors._KINDS)


def test_all_are_public_and_have_words() -> None:
    for kind in classes():
        assert kind is errors.DeviceApiError or getattr(xp, kind.__name__) is kind
        assert inspect.getdoc(kind)


# ---- what they carry ----------------------------------------------------------------------------


def caught(work: Callable[[], object]) -> errors.DeviceApiError:
    with pytest.raises(errors.DeviceApiError) as found:
        work()
    return found.value


def injected(kind: str, work: Callable[[], object], **given: object) -> errors.DeviceApiError:
    with simulation.inject("npu", kind, **given):  # type: ignore[arg-type]
        return caught(work)


def test_an_op_that_is_refused() -> None:
    x = xp.ones((8,))
    error = injected("launch", lambda: x + 1, op="aclnnAdd*")
    assert (error.op, error.device, error.vendor_code) == ("add", "npu:0", 507000)
    assert error.stream == xp.current_stream().id
    assert "aclnnAdd" in error.vendor_text
    assert error.status == 10
    assert error.remedy


def test_out_of_memory() -> None:
    error = injected("out_of_memory", lambda: xp.empty((1 << 29,)), count=0)
    assert isinstance(error, errors.OutOfMemoryError)
    assert (error.device, error.status, error.vendor_code) == ("npu:0", 2, 207001)
    assert error.vendor_text
    assert "empty_cache" in error.remedy


@pytest.mark.parametrize(
    ("work", "op"),
    [
        (lambda x: x + xp.ones((3,)), "add"),
        (lambda x: xp.matmul(x, xp.ones((3,))), "matmul"),
        (lambda x: xp.sum(x, axis=5), "sum"),
        (lambda x: xp.bitwise_and(x, x), "bitwise_and"),
        (lambda x: x + xp.ones((8,), device="cpu"), "add"),
    ],
)
def test_wrong_arguments_name_the_op(work: Callable[[xp.Tensor], object], op: str) -> None:
    error = caught(lambda: work(xp.ones((8,))))
    assert error.op == op
    assert error.remedy
    assert error.vendor_code is None


def test_a_wait_that_is_too_short() -> None:
    x = xp.ones((8,))
    stream = xp.current_stream()
    with simulation.inject("npu", "hang", op="aclnnAdd*"):
        x + 1
        event = xp.Event()
        event.record(stream)
        for wait in (lambda: stream.synchronize(0.05), lambda: event.synchronize(0.05)):
            error = caught(wait)
            assert isinstance(error, errors.DeviceTimeoutError)
            assert (error.device, error.status) == ("npu:0", 6)
            assert "reset_device('npu:0')" in error.remedy
    xp.synchronize()


def test_they_survive_pickle_and_print_all() -> None:
    x = xp.ones((8,))
    error = injected("launch", lambda: x + 1, op="aclnnAdd*")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.__dict__ == error.__dict__
    for part in (error.cause, str(error.vendor_code), error.vendor_text, error.remedy):
        assert part in str(error)


# ---- late ones ----------------------------------------------------------------------------------


def pinned_read(y: xp.Tensor) -> None:
    xp.copy_to_host(xp.empty_pinned(y.shape, dtype=np.float32), y)
    xp.synchronize()


WAITS: dict[str, Callable[[xp.Tensor], object]] = {
    "device": lambda y: xp.synchronize(),
    "stream": lambda y: xp.current_stream().synchronize(),
    "item": lambda y: y[0].item(),
    "bool": lambda y: bool(y[0] > 0),
    "print": repr,
    "numpy": lambda y: np.asarray(xp.asarray(y, device="cpu")),
    "pinned": pinned_read,
    "upload": lambda y: xp.copy_from_host(y, np.zeros(y.shape, np.float32)),
    "other device": lambda y: y.to_device("npu:1"),
    "cache": lambda y: (xp.empty_cache(), xp.synchronize()),
    "DLPack": lambda y: y.__dlpack__(),
}


@pytest.mark.parametrize("wait", sorted(WAITS))
def test_a_late_error_says_that_it_may_be_late(wait: str) -> None:
    x = xp.ones((8,))
    xp.synchronize()
    simulation.inject("npu", "async", op="aclnnAdd*")
    y = x + 1
    error = caught(lambda: WAITS[wait](y))
    assert isinstance(error, errors.InternalError)
    assert (error.device, error.vendor_code) == ("npu:0", 507035)
    assert "aclnnAdd" in error.vendor_text
    assert "may belong to any op before" in error.remedy
    assert "DEVICE_API_SYNC=1" in error.remedy
    xp.synchronize()  # told once
    assert float(xp.sum(x)) == 8


def test_an_event_is_reached_all_the_same_and_the_next_wait_tells() -> None:
    x, event = xp.ones((8,)), xp.Event()
    xp.synchronize()
    simulation.inject("npu", "async", op="aclnnAdd*")
    x + 1
    event.record(xp.current_stream())
    event.synchronize()
    assert event.query()
    assert "DEVICE_API_SYNC=1" in caught(xp.synchronize).remedy


def test_a_failure_met_by_freeing_a_stream_is_told_by_the_next_wait() -> None:
    x = xp.ones((8,))
    xp.synchronize()
    simulation.inject("npu", "async", op="aclnnAdd*")
    stream = xp.Stream()
    with xp.stream_guard(stream):
        y = x + 1
    number = stream.id
    del y, stream
    error = caught(xp.synchronize)
    assert error.stream in (number, None)
    assert "DEVICE_API_SYNC=1" in error.remedy
    xp.synchronize()


def test_with_synchronous_ops_the_op_is_named(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        from device_api import simulation
        simulation.enable("npu", devices=1)
        xp.set_device("npu")
        x = xp.ones((8,))
        simulation.inject("npu", "async", op="aclnnAdd*")
        try:
            x + 1
        except xp.InternalError as error:
            print(error.op, error.device, error.vendor_code, "may belong" in error.remedy)
        """,
        DEVICE_API_SYNC="1",
    )
    assert told.split() == ["add", "npu:0", "507035", "False"]
