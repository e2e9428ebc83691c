# SPDX-License-Identifier: Apache-2.0
"""``device-api devices --watch``: readings of all devices again and again.

Every type has a child process of its own, so that a plugin that crashes or hangs is one row. The
children open no device: jobs on the devices go on undisturbed.
"""

from __future__ import annotations

import itertools
import json
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import IO, Any, Self

from rich.console import Console
from rich.live import Live

from device_api import _metadata
from device_api.cli import telemetry_view
from device_api.cli.diagnosis import how_it_ended
from device_api.cli.readings import MARK, failure

_LOAD_S, _READ_S, _END_S = 60.0, 10.0, 3.0


class Child:
    """The process that reads the devices of one type; a context that ends it."""

    def __init__(self, device_type: str) -> None:
        self._type = device_type
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        # A session of its own: the terminal's Ctrl-C is for the parent alone.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "device_api.cli.readings", device_type],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            errors="replace", start_new_session=True,
        )  # fmt: skip
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._patience, self._given_up = _LOAD_S, ""
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for text in self._pipe(self._process.stdout):
            if text.startswith(MARK):
                self._answers.put(text.removeprefix(MARK))
        self._answers.put(None)

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None  # asked for above
        return pipe

    def ask(self) -> None:
        """Ask for a reading; :meth:`answer` gives it."""
        if self._given_up:
            return
        with suppress(OSError):  # it has ended: the answer says how
            self._pipe(self._process.stdin).write("\n")
            self._pipe(self._process.stdin).flush()

    def answer(self) -> list[dict[str, Any]]:
        """Return the readings of the type's devices, or one entry that says why there are none."""
        if not self._given_up:
            try:
                found = self._answers.get(timeout=self._patience)
            except queue.Empty:
                self._give_up(f"the plugin hangs (more than {self._patience:.0f} s)")
            else:
                self._patience = _READ_S
                if found is not None:
                    return list(json.loads(found))
                self._give_up(f"the plugin {self._how_it_ended()}")
        remedy = f"see `device-api doctor`; to see it happen: device-api run-check {self._type}"
        return [failure(self._type, self._given_up, remedy)]

    def _give_up(self, cause: str) -> None:
        self._given_up = cause
        self._process.kill()

    def _how_it_ended(self) -> str:
        ended = how_it_ended(self._process.wait())
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"{ended}: {said[-1]}" if said else ended

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._pipe(self._process.stdin).close()  # the end of its input is its end
        try:
            self._process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


def _read(children: list[Child]) -> list[dict[str, Any]]:
    for child in children:
        child.ask()
    return [reading for child in children for reading in child.answer()]


class _Printer:
    """Readings as they come: a table that is drawn anew, lines, or lines of JSON."""

    def __init__(self, out: Console, as_json: bool, stack: ExitStack) -> None:
        self._out, self._json = out, as_json
        live = out.is_terminal and not as_json
        self._live = stack.enter_context(Live(console=out, auto_refresh=False)) if live else None

    def show(self, readings: list[dict[str, Any]]) -> None:
        if self._live:
            self._live.update(telemetry_view.table(readings), refresh=True)
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        if self._json:
            self._write(json.dumps({"time": now, "devices": readings}))
            return
        for reading in readings:
            self._write(f"{now} {telemetry_view.line(reading)}")

    def _write(self, text: str) -> None:
        self._out.file.write(text + "\n")
        self._out.file.flush()


def run(seconds: float, count: int | None, as_json: bool, out: Console) -> None:
    """Show readings every so many seconds, ``count`` times or until Ctrl-C, which is a good end."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # also under nohup
    try:
        with ExitStack() as stack:
            names = _metadata.installed()
            order = [*sorted(names.keys() & {"cpu"}), *sorted(names.keys() - {"cpu"})]
            children = [stack.enter_context(Child(name)) for name in order]
            printer = _Printer(out, as_json, stack)
            due = 0.0
            for number in itertools.count(1):
                printer.show(_read(children))
                if number == count:
                    return
                due = max(due, time.monotonic() - seconds) + seconds  # plugins load at the first
                time.sleep(max(0.0, due - time.monotonic()))
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGINT, before)
