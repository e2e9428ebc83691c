# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter C: threads, shared handles and operands, the interpreter lock, processes.

Races are hunted by many rounds on inputs that differ in their last bit only: a workspace or a
handle that two threads share gives one thread the other's result.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

THREADS = 4
ROUNDS = 12
SIDE = 33
PATIENCE = 5.0
"""Seconds for which a callback waits for another thread, at most: a limit, not a measurement."""
CHILD_LIMIT = 10
"""Seconds after which a forked child that answers nothing is ended."""

Check = Callable[[Handle, Case, int, Record], None]


def _put(handle: Handle, case: Case, seed: int, data: Any) -> Any:
    host = Host("float32", np.asarray(data, dtype=np.float32))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def _together(work: Callable[[int], None]) -> list[str]:
    """Run `work` in threads that start at one moment; returns what they raised."""
    problems: list[str] = []
    start = threading.Barrier(THREADS)

    def run(k: int) -> None:
        try:
            start.wait()
            work(k)
        except Exception as error:  # noqa: BLE001 - carried to the record
            problems.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=run, args=(k,)) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def _differ(a: Host, b: Host) -> int:
    return int(np.count_nonzero(a.bits() != b.bits()))


def as_serial(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Threads, each on a stream of its own, get bit by bit what one thread gets alone."""
    rng = generator(case.id, seed)
    inputs = [rng.standard_normal((SIDE, SIDE)) for _ in range(THREADS)]

    def chain(k: int) -> Host:
        x = _put(handle, case, seed, inputs[k])
        y = x
        for _ in range(ROUNDS):
            y = handle.run("mul", [handle.run("add", [y, x], {}), x], {})
            y = handle.run("minimum", [y, x], {})
        return handle.get(y)

    alone = [chain(k) for k in range(THREADS)]
    wrong = [0] * THREADS
    streams = [handle.stream() for _ in range(THREADS)]

    def work(k: int) -> None:
        with handle.using(streams[k]):
            for _ in range(3):
                wrong[k] += _differ(chain(k), alone[k])

    r.equal("errors in threads", _together(work), [])
    r.equal("elements that differ, by thread", wrong, [0] * THREADS)


def _product(handle: Handle, x: Any, y: Any) -> Any:
    return handle.run("matmul", [x, y], {})


def _total(handle: Handle, x: Any, y: Any) -> Any:
    return handle.run("sum", [handle.run("add", [x, y], {})], {"axes": (1,)})


RACES = {"matmul": _product, "sum": _total}
"""Work with a workspace, whose op a device may lack."""


def race(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Inputs that differ in the last bit, on operands and handles that all threads share."""
    lacking = {case.values, "add"} - {
        op for op, c in handle.capabilities().items() if "float32" in c.dtypes
    }
    if lacking:
        r.skip(f"the device declares no {' and no '.join(sorted(lacking))} on float32")
        return
    op = RACES[case.values]
    base = generator(case.id, seed).standard_normal((SIDE, SIDE)).astype(np.float32)
    inputs = [base]
    for _ in range(THREADS - 1):
        inputs.append(np.nextafter(inputs[-1], np.float32(np.inf)))
    shared = _put(handle, case, seed, base)
    own = [_put(handle, case, seed, x) for x in inputs]
    alone = [handle.get(op(handle, x, shared)) for x in own]
    handle.synchronize()
    wrong = [0] * THREADS
    # All alive before the first thread begins: one that is done early leaves its stream behind.
    streams = [handle.stream() for _ in range(THREADS)]

    def work(k: int) -> None:
        with handle.using(streams[k]):
            results = [op(handle, own[k], shared) for _ in range(ROUNDS)]
            wrong[k] = sum(_differ(handle.get(x), alone[k]) for x in results)

    r.equal("errors in threads", _together(work), [])
    r.equal("elements that differ, by thread", wrong, [0] * THREADS)


def progress(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """While one thread waits for a stream, other Python threads go on.

    A callback holds the stream until another thread lets it go: whoever keeps the interpreter
    lock in the wait keeps both from it.
    """
    stream = handle.stream()
    entered, released = threading.Event(), threading.Event()
    answers: list[bool] = []
    steps: list[int] = []

    def hold() -> None:
        entered.set()
        answers.append(released.wait(PATIENCE))

    def count() -> None:
        entered.wait(4 * PATIENCE)
        for n in range(1000):
            steps.append(n)
        released.set()

    counter = threading.Thread(target=count)
    counter.start()
    with handle.using(stream):
        stream.add_callback(hold)
    stream.synchronize()
    r.equal("the callback was let go by a thread that ran meanwhile", answers, [True])
    counter.join()
    r.equal("steps of that thread", len(steps), 1000)


def _until_all(arrived: list[threading.Event], caller: int) -> None:
    """Hold the stream until all threads are about to wait, and a little longer."""
    if threading.get_ident() != caller:
        for each in arrived:
            each.wait(PATIENCE)
        time.sleep(0.05)  # whoever does not wait overtakes it


def waits_by_threads(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Several threads may wait for one event and one stream at once; each sees the work done."""
    one = _put(handle, case, seed, np.ones(20_000))
    stream, event = handle.stream(), handle.event()
    arrived = [threading.Event() for _ in range(THREADS)]
    handle.synchronize()
    with handle.using(stream):
        x = one
        for _ in range(20):
            x = handle.run("add", [x, one], {})
        stream.add_callback(partial(_until_all, arrived, threading.get_ident()))
        stream.record_event(event)
    reached = [False] * THREADS

    def work(k: int) -> None:
        arrived[k].set()
        (event if k % 2 else stream).synchronize()
        reached[k] = event.query()

    r.equal("errors in threads", _together(work), [])
    r.equal("the event is reached, by thread", reached, [True] * THREADS)
    with handle.using(stream):
        wrong = int(np.count_nonzero(handle.get(x).data != np.float32(21)))
        r.equal("wrong elements", wrong, 0)


def fork(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A child forked from a process that uses the device: told so by an error, at once.

    Where the device is the host's own memory, the child may as well get the right result. The
    parent goes on in either case.
    """
    x = _put(handle, case, seed, [1.0, 2.0])
    handle.get(handle.run("add", [x, x], {}))
    documented = handle.error("forked")
    ended, said = _in_fork(lambda: _of_child(handle, x, documented))
    allowed = ["documented error"] + (["right"] if handle.identity().host_memory else [])
    r.equal("signal that ended the child", os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0, 0)
    r.equal(f"the child got one of {allowed} (it got: {said})", said in allowed, True)
    got = handle.get(handle.run("add", [x, x], {})).data.tolist()
    r.equal("the parent's next result", got, [2.0, 4.0])


def _of_child(handle: Handle, x: Any, documented: type[BaseException]) -> str:
    try:
        got = handle.get(handle.run("add", [x, x], {})).data.tolist()
    except documented as error:
        return "documented error" if str(error).strip() else "an error without words"
    return "right" if got == [2.0, 4.0] else f"wrong result {got}"


def _in_fork(function: Callable[[], str]) -> tuple[int, str]:
    """Wait status of a forked child, and the words it wrote."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(CHILD_LIMIT)
            try:
                text = function()
            except BaseException as error:  # noqa: BLE001 - carried to the record
                text = f"{type(error).__name__}: {error}"
            os.write(writer, text.encode()[:4000])
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    return os.waitpid(child, 0)[1], text


def fresh_process(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """A new process (no fork) uses the device while this one holds it."""
    x = _put(handle, case, seed, [1.0, 2.0])
    handle.synchronize()
    told = handle.in_new_process()
    if told is None:
        r.skip("the handle cannot be opened in another process")
        return
    r.equal("what the new process says", told, "right")
    got = handle.get(handle.run("add", [x, x], {})).data.tolist()
    r.equal("this process's next result", got, [2.0, 4.0])


CHECKS: dict[str, Check] = {
    "as_serial": as_serial, "race": race, "progress": progress,
    "waits_by_threads": waits_by_threads, "fork": fork, "fresh_process": fresh_process,
}  # fmt: skip


def cases() -> list[Case]:
    """All cases of the chapter."""
    found = [Case("C", name) for name in CHECKS if name != "race"]
    return found + [Case("C", "race", values=op) for op in RACES]
