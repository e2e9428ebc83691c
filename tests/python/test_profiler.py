# SPDX-License-Identifier: Apache-2.0
"""The profiler: spans, device times from events, the trace, the table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from composed import composed_call

import device_api as xp
from device_api import profiler


def busy(n: int = 64) -> xp.Tensor:
    x = xp.asarray(np.linspace(0, 1, n * n, dtype=np.float32).reshape(n, n))
    return xp.sum(xp.exp(x @ x))


def test_spans_have_host_and_device_times(device: str) -> None:
    with profiler.profile() as p:
        busy()
    by_name = {span.name: span for span in p.spans}
    assert {"matmul", "exp", "sum"} <= set(by_name)
    product = by_name["matmul"]
    assert [dtype for _, dtype in product.operands] == ["float32"] * 3
    assert all(span.host_time > 0 and span.device_time > 0 for span in p.spans if span.bytes == 0)
    if device == "cpu":
        assert product.device_begin is None
        return
    assert product.device_begin is not None
    order = [by_name[n].device_begin for n in ("matmul", "exp", "sum")]
    assert order == sorted(order), "ops of one stream run in order"  # type: ignore[type-var]
    assert product.device_begin >= product.begin - 1e3


def test_the_trace_nests_and_has_a_row_per_stream(tmp_path: Path) -> None:
    name, call = composed_call("npu:0")
    with xp.device_guard("npu:0"), xp.fallback_policy("allow"), profiler.profile() as p:
        busy(8)
        with xp.stream_guard(xp.Stream("npu:0")) as second:
            call()
        second.synchronize()
    p.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert sorted(names.values()) == ["host", "npu:0"]
    bars = [e for e in events if e["ph"] == "X"]
    streams = {e["tid"] for e in bars if names[e["pid"]] == "npu:0"}
    assert second.id in streams
    assert len(streams) == 2
    outer = next(e for e in bars if e["name"] == name and names[e["pid"]] == "host")
    inner = [
        e for e in bars
        if e["pid"] == outer["pid"] and e is not outer
        and outer["ts"] <= e["ts"] and e["ts"] + e["dur"] <= outer["ts"] + outer["dur"]
    ]  # fmt: skip
    assert outer["args"]["composed"] is True
    assert len(inner) > 1
    counters = [e for e in events if e["ph"] == "C"]
    assert any(e["args"]["bytes"] > 0 for e in counters)
    assert all(e["dur"] >= 0 for e in bars)


def test_the_table_sums_by_op(capsys: pytest.CaptureFixture[str]) -> None:
    with xp.device_guard("npu:0"), xp.fallback_policy("allow"), profiler.profile() as p:
        x = xp.ones(16, dtype=xp.float32)
        for _ in range(3):
            x = xp.exp(x)
        xp.tan(xp.ones(4, dtype=xp.complex128))
    rows = {row.name: row for row in p.rows()}
    assert rows["exp"].count >= 3
    assert rows["exp"].device_time > 0
    assert sum(row.fallbacks for row in p.rows()) > 0
    p.print()
    text = capsys.readouterr().out
    assert "fallbacks" in text
    assert "exp" in text


def test_a_profile_is_recorded_once_at_a_time(cpu: str) -> None:
    with profiler.profile() as p:
        with pytest.raises(xp.InvalidArgumentError, match="already"):
            p.__enter__()
        xp.exp(xp.ones(3))
    count = len(p.spans)
    xp.exp(xp.ones(3))
    assert len(p.spans) == count > 0


def test_a_failing_op_is_marked(cpu: str) -> None:
    from device_api import simulation

    with xp.device_guard("npu:0"), profiler.profile() as p:
        x = xp.ones(4, dtype=xp.float32)
        with simulation.inject("npu", "launch"), pytest.raises(xp.DeviceApiError):
            xp.exp(x)
    assert [span.failed for span in p.spans if span.name == "exp"] == [True]
