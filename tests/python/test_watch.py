# SPDX-License-Identifier: Apache-2.0
"""``device-api devices`` with telemetry: once, again and again, on a terminal and off it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import threading
import time
from contextlib import suppress

import pytest
from plugin_site import Site

SIMULATED = {"DEVICE_API_SIMULATE": "npu"}


def test_devices_tell_their_telemetry(site: Site) -> None:
    ended = site.command("devices", "--json", **SIMULATED)
    types = {one["type"]: one for one in json.loads(ended.stdout)}
    (npu,) = types["npu"]["telemetry"]
    assert npu["health"] == "ok"
    assert npu["power"] > 0
    assert npu["throttle"] is None
    (cpu,) = types["cpu"]["telemetry"]
    assert cpu["memory_total"] > 0
    assert types["cuda"]["telemetry"] == []
    text = site.command("devices", **SIMULATED).stdout
    (line,) = (line for line in text.splitlines() if "│ npu:0" in line)
    assert "ok" in line
    assert "simulated" in line


def test_lines_where_there_is_no_terminal(site: Site) -> None:
    ended = site.command("devices", "--watch", "0.2", "--count", "3", **SIMULATED)
    assert ended.returncode == 0, ended.stderr
    lines = [line for line in ended.stdout.splitlines() if " npu:0 " in line]
    assert len(lines) == 3
    for line in lines:
        assert re.match(r"\d{4}-\d\d-\d\dT\S+ npu:0 health=ok temperature_c=\d+ power_w=\d+ ", line)
        assert line.isascii()
    times = [line.split()[0] for line in lines]
    assert times == sorted(times)
    assert len(set(times)) == 3


def test_lines_of_json(site: Site) -> None:
    ended = site.command("devices", "--watch", "0.2", "--count", "2", "--json", **SIMULATED)
    assert ended.returncode == 0, ended.stderr
    readings = [json.loads(line) for line in ended.stdout.splitlines()]
    assert len(readings) == 2
    for reading in readings:
        assert {one["device"] for one in reading["devices"]} == {"cpu:0", "npu:0"}


@pytest.mark.parametrize(("how", "cause"), [("abort()", "SIGABRT"), ("for (;;) ;", "hangs")])
def test_an_unusable_plugin_is_a_row_with_its_cause(site: Site, how: str, cause: str) -> None:
    site.backend("fragile", str(site.library("crash", how)))
    ended = site.run(
        "-c",
        "from device_api.cli import watch, main; import sys; watch._LOAD_S = 5.0\n"
        "sys.argv = ['device-api', 'devices', '--watch', '0.1', '--count', '2']; main()",
        **SIMULATED,
    )
    assert ended.returncode == 0, ended.stderr
    rows = [line for line in ended.stdout.splitlines() if " fragile health=no-reading " in line]
    assert len(rows) == 2
    assert all(cause in row for row in rows)
    assert sum(" npu:0 health=ok" in line for line in ended.stdout.splitlines()) == 2


def test_a_plugin_that_prints_does_not_confuse(site: Site) -> None:
    site.plugin("noisy", "print('device-api reading'); raise RuntimeError('no luck')")
    ended = site.command("devices", "--watch", "0.1", "--count", "1")
    assert "noisy health=no-reading" in ended.stdout
    assert "no luck" in ended.stdout


def test_wrong_usage(site: Site) -> None:
    for arguments in (("2",), ("--count", "3"), ("--watch", "0"), ("--watch", "--count", "0")):
        assert site.command("devices", *arguments).returncode == 2, arguments


def _until(terminal: int, process: subprocess.Popen[bytes], wanted: bytes, times: int) -> bytes:
    seen, end = b"", time.monotonic() + 60
    while time.monotonic() < end and seen.count(wanted) < times:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
        assert process.poll() is None, seen
    return seen


def _drain(terminal: int) -> None:
    with suppress(OSError):  # the other side is closed: that is the end
        while os.read(terminal, 65536):
            pass


def test_a_live_table_on_a_terminal_ends_with_control_c(site: Site) -> None:
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "device_api.cli", "devices", "--watch", "0.2"],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=site.folder, start_new_session=True,
        env=site.environment(TERM="xterm", **SIMULATED),
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C comes from there
    )  # fmt: skip
    os.close(theirs)
    try:
        seen = _until(mine, process, b"npu:0", 3)
        assert seen.count(b"npu:0") >= 3
        assert b"\x1b[" in seen  # drawn anew in place
        os.write(mine, b"\x03")
        reader = threading.Thread(target=_drain, args=(mine,), daemon=True)
        reader.start()
        assert process.wait(timeout=20) == 0
        reader.join()
    finally:
        process.kill()
        process.wait()
        os.close(mine)


def test_an_interrupt_leaves_no_process(site: Site) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "device_api.cli", "devices", "--watch", "0.2", "--json"],
        stdout=subprocess.PIPE, cwd=site.folder, env=site.environment(**SIMULATED),
    )  # fmt: skip
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["devices"]
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True
    )
    children = [int(pid) for pid in listed.stdout.split()]
    assert children
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    process.stdout.close()
    for pid in children:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
