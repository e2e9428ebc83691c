# SPDX-License-Identifier: Apache-2.0
"""The promises of docs/streams.md, on the CPU and on the simulated chip."""

from __future__ import annotations

import random
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import device_api as xp
from device_api import simulation

PAGE = Path(__file__).resolve().parents[2] / "docs" / "streams.md"
STRATEGIES = ("late", "random", "others_first", "split")


def recorded(timing: bool = True) -> xp.Event:
    event = xp.Event(enable_timing=timing)
    event.record()
    return event


def test_the_page_names_tests_that_exist() -> None:
    rows = [r for r in PAGE.read_text(encoding="utf-8").splitlines() if r.startswith("| ")][1:]
    named = [re.findall(r"`(test_\w+\.py)::(\w+)`", row) for row in rows]
    assert rows
    assert all(len(tests) == 1 for tests in named), "each promise names one test"
    folder = Path(__file__).parent
    missing = [
        test
        for ((file, test),) in named
        if f"def {test}(" not in (folder / file).read_text(encoding="utf-8")
    ]
    assert not missing


def test_one_stream_runs_in_order(device: str) -> None:
    with xp.stream_guard(xp.Stream()):
        x = xp.zeros(1000)
        for i in range(20):
            x = x * 2.0 + float(i % 3)
    expected = 0.0
    for i in range(20):
        expected = expected * 2.0 + i % 3
    assert (x.numpy() == expected).all()


@pytest.fixture
def checked() -> Iterator[simulation.Control]:
    """The simulated chip, current, that watches for races, early host writes and stale reads."""
    control = simulation.control("npu")
    with xp.device_guard("npu:0"):
        xp.synchronize()
        control.misuse_clear()
        control.checks("races, host, shadow")
        yield control
        xp.synchronize()
    control.checks()
    control.schedule("adversarial")
    control.misuse_clear()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("link", ["event", "stream"])
def test_links_order_streams_under_every_schedule(
    checked: simulation.Control, link: str, strategy: str
) -> None:
    checked.schedule("adversarial", seed=7, strategy=strategy)
    first, second = xp.Stream(), xp.Stream()
    x = xp.zeros(4096)
    xp.synchronize()
    expected = 0.0
    for i in range(6):
        source, target = (first, second) if i % 2 == 0 else (second, first)
        with xp.stream_guard(source):
            x += 1.0
        if link == "event":
            target.wait_event(source.record_event())
        else:
            target.wait_stream(source)
        with xp.stream_guard(target):
            x *= 2.0
        expected = (expected + 1.0) * 2.0
    xp.synchronize()
    assert (x.numpy() == expected).all()
    assert checked.misuse() == []


def random_program(seed: int) -> None:
    """Work on 3 streams on arrays that come and go, linked by events where the program must."""
    rng = random.Random(seed)
    streams = [xp.Stream() for _ in range(3)]
    live: list[tuple[xp.Stream, xp.Event, Any, npt.NDArray[np.float32]]] = []
    for step in range(60):
        stream = rng.choice(streams)
        with xp.stream_guard(stream):
            if len(live) < 2 or rng.random() < 0.3:
                host = np.arange(rng.choice([3, 700, 5000]), dtype=np.float32) + step
                made = xp.asarray(host)
                expected = host.copy()
                host[:] = -1.0  # pageable: free to change once the call has returned
            else:
                owner, event, x, known = rng.choice(live)
                if owner != stream:
                    stream.wait_event(event)
                made, expected = x * 2.0 + 1.0, known * 2.0 + 1.0
                made, expected = made - x, expected - known
            live.append((stream, stream.record_event(), made, expected))
            del made
        while len(live) > rng.randrange(3, 9):
            live.pop(rng.randrange(len(live)))  # perhaps used on other streams a moment ago
    for stream, _, x, expected in live:
        stream.synchronize()
        np.testing.assert_array_equal(x.numpy(), expected)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_programs_are_right_under_every_schedule(
    checked: simulation.Control, strategy: str, seed: int
) -> None:
    checked.schedule("adversarial", seed=seed, strategy=strategy)
    random_program(seed)
    xp.synchronize()
    assert checked.misuse() == []


@pytest.mark.long
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_random_programs_of_100_seeds(checked: simulation.Control, strategy: str) -> None:
    for seed in range(100):
        checked.schedule("adversarial", seed=seed, strategy=strategy)
        random_program(seed)
        xp.synchronize()
        assert checked.misuse() == [], f"seed {seed}"


def test_a_wait_is_for_the_record_before_it() -> None:
    with xp.device_guard("npu:0"):
        first, second = xp.Stream(), xp.Stream()
        event = first.record_event()
        second.wait_event(event)
        entered, go = threading.Event(), threading.Event()

        def hold() -> None:
            entered.set()
            go.wait(30)

        first.add_callback(hold)
        event.record(first)
        try:
            second.synchronize(timeout=10)  # not held up by what came after
            assert not go.is_set()
        finally:
            go.set()
            first.synchronize()
        assert entered.is_set()


def test_an_event_without_a_record_has_passed(device: str) -> None:
    event = xp.Event()
    assert event.query()
    event.synchronize(timeout=5)
    stream = xp.Stream()
    stream.wait_event(event)
    stream.synchronize(timeout=5)


def test_a_stream_waits_for_another_devices_event(device: str) -> None:
    with xp.device_guard("npu:1" if device != "cpu" else "npu:0"):
        event = recorded()
    xp.current_stream().wait_event(event)
    xp.synchronize()
    assert event.query()


def test_elapsed_time_has_a_sign(device: str) -> None:
    x = xp.ones((256, 256))
    start = recorded()
    x @ x
    end = recorded()
    xp.synchronize()
    assert start.elapsed_time(end) > 0
    assert end.elapsed_time(start) == pytest.approx(-start.elapsed_time(end))


def test_misuse_of_events_names_the_remedy(device: str) -> None:
    with pytest.raises(ValueError, match=r"timing.*\n?.*enable_timing=True"):
        recorded(False).elapsed_time(recorded())
    with pytest.raises(ValueError, match=r"not been recorded\n?.*record\(\)"):
        recorded().elapsed_time(xp.Event(enable_timing=True))
    other = "npu:1" if device != "cpu" else "npu:0"
    foreign = xp.Event(enable_timing=True, device=other)
    with pytest.raises(xp.DeviceMismatchError, match=other):
        foreign.record(xp.current_stream())
    foreign.record()
    with pytest.raises(xp.DeviceMismatchError, match=r"different devices(.|\n)*host's time"):
        recorded().elapsed_time(foreign)


def test_elapsed_time_of_unfinished_work_says_what_to_wait_for() -> None:
    with xp.device_guard("npu:0"):
        start, end, gate = recorded(), xp.Event(enable_timing=True), threading.Event()
        stream = xp.Stream()
        stream.add_callback(lambda: gate.wait(20))
        end.record(stream)
        with pytest.raises(xp.BusyError, match=r"not finished(.|\n)*synchronize\(\)"):
            start.elapsed_time(end)
        gate.set()
        end.synchronize()
        assert start.elapsed_time(end) > 0


def test_wrong_arguments_are_named(device: str) -> None:
    stream, event = xp.Stream(), xp.Event()
    wrong = {
        "Stream is needed, not NoneType": lambda: xp.set_stream(None),
        "Stream is needed, not int": lambda: event.record(3),
        "Stream is needed, not str": lambda: stream.wait_stream("npu"),
        "Event is needed, not NoneType": lambda: stream.wait_event(None),
        "Event is needed, not float": lambda: stream.record_event(1.0),
        "callback is a function without arguments, not 3": lambda: stream.add_callback(3),
        "priority is an integer, not 'high'": lambda: xp.Stream(priority="high"),
    }
    for words, call in wrong.items():
        with pytest.raises(TypeError, match=words):
            call()


def test_a_guard_of_none_changes_nothing(device: str) -> None:
    before = xp.current_stream()
    with xp.stream_guard(None) as given:
        assert given is None
        assert xp.current_stream() == before


def test_two_streams_overlap_by_event_times() -> None:
    with xp.device_guard("npu:0"):
        x = xp.ones((512, 512))
        streams = xp.Stream(), xp.Stream()
        starts = [xp.Event(enable_timing=True) for _ in streams]
        ends = [xp.Event(enable_timing=True) for _ in streams]
        xp.synchronize()
        for stream, start in zip(streams, starts, strict=True):
            start.record(stream)
        for _ in range(8):
            for stream in streams:
                with xp.stream_guard(stream):
                    x @ x
        for stream, end in zip(streams, ends, strict=True):
            end.record(stream)
        xp.synchronize()
        assert starts[0].elapsed_time(ends[1]) > 0
        assert starts[1].elapsed_time(ends[0]) > 0


def test_copies_overlap_with_kernels_by_event_times() -> None:
    with xp.device_guard("npu:0"):
        x, y = xp.ones((512, 512)), xp.zeros((1024, 1024))
        source = xp.pin_memory(np.ones((1024, 1024), np.float32))
        kernels, copies = streams = xp.Stream(), xp.Stream()
        starts = [xp.Event(enable_timing=True) for _ in streams]
        ends = [xp.Event(enable_timing=True) for _ in streams]
        xp.synchronize()
        for stream, start in zip(streams, starts, strict=True):
            start.record(stream)
        for _ in range(8):
            with xp.stream_guard(kernels):
                x @ x
            xp.copy_from_host(y, source, copies)
        for stream, end in zip(streams, ends, strict=True):
            end.record(stream)
        xp.synchronize()
        assert starts[0].elapsed_time(ends[1]) > 0
        assert starts[1].elapsed_time(ends[0]) > 0
        assert (y.numpy() == 1).all()


def test_the_current_stream_is_the_threads_own(device: str) -> None:
    default, own = xp.current_stream(), xp.Stream()
    seen: list[xp.Stream] = []
    with xp.stream_guard(own):
        thread = threading.Thread(target=lambda: seen.append(xp.current_stream(device)))
        thread.start()
        thread.join()
        assert xp.current_stream() == own
    assert seen == [default]


def test_a_guard_gives_the_former_stream_back(device: str) -> None:
    before = xp.current_stream()
    with pytest.raises(KeyError), xp.stream_guard(xp.Stream()):
        assert xp.current_stream() != before
        raise KeyError
    assert xp.current_stream() == before


def test_synchronize_waits_for_all_streams() -> None:
    with xp.device_guard("npu:0"):
        first, second = xp.Stream(), xp.Stream()
        go, done = threading.Event(), threading.Event()
        first.add_callback(lambda: (go.wait(30), done.set()))
        try:
            second.synchronize(timeout=10)
            assert not done.is_set()
        finally:
            go.set()
        xp.synchronize()
        assert done.is_set()
        assert first.query()


def test_on_the_cpu_work_is_done_when_the_call_returns(cpu: None) -> None:
    stream, ran = xp.Stream(), []
    with xp.stream_guard(stream):
        x = xp.ones((256, 256)) @ xp.ones((256, 256))
        assert stream.query()
        stream.add_callback(lambda: ran.append(threading.get_ident()))
    assert ran == [threading.get_ident()]
    assert (x.numpy() == 256.0).all()


def test_callbacks_run_in_order_after_the_work(device: str) -> None:
    stream, told = xp.Stream(), []
    start = xp.Event()
    with xp.stream_guard(stream):
        xp.ones((256, 256)) @ xp.ones((256, 256))
        start.record()
        stream.add_callback(lambda: told.append(0))
        for i in range(1, 5):
            stream.add_callback(lambda i=i: told.append(i))
    stream.synchronize()
    assert told == [0, 1, 2, 3, 4]
    assert start.query()


def test_what_a_callback_raises_goes_to_the_unraisable_hook(
    device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: told.append(what.exc_value))
    stream, later = xp.Stream(), []

    def fail() -> None:
        raise KeyError("from a callback")

    stream.add_callback(fail)
    stream.add_callback(lambda: later.append(True))
    stream.synchronize()
    assert [type(error) for error in told] == [KeyError]
    assert later == [True]


def test_streams_and_events_may_be_dropped_in_use(device: str) -> None:
    stream, second = xp.Stream(), xp.Stream()
    done = threading.Event()
    with xp.stream_guard(stream):
        x = xp.ones((256, 256)) @ xp.ones((256, 256))
    second.wait_event(stream.record_event())  # the event is dropped here
    stream.add_callback(done.set)
    del stream
    second.synchronize()
    xp.synchronize()
    assert done.is_set()
    assert (x.numpy() == 256.0).all()


def test_priorities_are_clamped(device: str) -> None:
    for priority in (-1000, -1, 0, 1, 1000):
        stream = xp.Stream(priority=priority)
        with xp.stream_guard(stream):
            assert (xp.ones(3) + 1.0).numpy().tolist() == [2.0] * 3


def test_an_array_that_lives_long_keeps_no_stream_that_is_done(device: str) -> None:
    shared = xp.ones(16)
    xp.synchronize()

    def threads() -> int:
        return len(list(Path("/proc/self/task").iterdir()))

    def use() -> None:
        stream = xp.Stream()
        with xp.stream_guard(stream):
            shared + 1.0
        stream.synchronize()

    for _ in range(20):
        use()
    before = threads()
    for _ in range(60):
        use()
    assert threads() <= before + 10  # a block remembers a few streams
    assert (shared.numpy() == 1.0).all()
