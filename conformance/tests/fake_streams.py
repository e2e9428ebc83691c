# SPDX-License-Identifier: Apache-2.0
"""The streams and events of the fake device: late, and in order."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any


def _work(tasks: queue.SimpleQueue[Any]) -> None:
    """Run tasks until the stream is gone; each task keeps its stream alive."""
    while True:
        found = tasks.get()
        if found is None:
            return
        found[0].do(found[1])
        del found


class Stream:
    """A thread that starts late and runs its tasks in order."""

    def __init__(self, device: Any) -> None:
        self.tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.pending = 0
        self.lock = threading.Condition()
        self.device = device
        threading.Thread(target=_work, args=(self.tasks,), daemon=True).start()

    def __del__(self) -> None:
        self.tasks.put(None)

    def submit(self, task) -> None:
        with self.lock:
            self.pending += 1
        self.tasks.put((self, task))

    def do(self, task) -> None:
        if self.pending == 1:
            time.sleep(0.0003)
        try:
            task()
        except Exception as error:
            self.device.broken.append(error)
        with self.lock:
            self.pending -= 1
            self.lock.notify_all()

    def query(self) -> bool:
        return self.pending == 0

    def synchronize(self) -> None:
        with self.lock:
            self.lock.wait_for(lambda: self.pending == 0)

    def wait_event(self, event: Event) -> None:
        mark = event.last
        if mark is not None:
            self.submit(mark.wait)

    def record_event(self, event: Event) -> Event:
        event.last = threading.Event()
        self.submit(event.mark(event.last))
        return event

    def add_callback(self, function) -> None:
        self.submit(function)


class Event:
    """The last record of an event."""

    def __init__(self, timing: bool) -> None:
        self.timing, self.time, self.last = timing, None, None

    def mark(self, flag):
        def reach() -> None:
            self.time = time.perf_counter()
            flag.set()

        return reach

    def query(self) -> bool:
        return self.last is None or self.last.is_set()

    def synchronize(self) -> None:
        if self.last is not None:
            self.last.wait()

    def elapsed_time(self, end: Event) -> float:
        if not (self.timing and end.timing) or self.time is None or end.time is None:
            raise ValueError("both events need timing and a record")
        return (end.time - self.time) * 1e3
