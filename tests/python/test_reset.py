# SPDX-License-Identifier: Apache-2.0
"""A lost device and its reset, on simulated chips: each case in a process of its own."""

from __future__ import annotations

from plugin_site import Site

BEGIN = """
    import gc, threading
    import numpy as np
    import device_api as xp
    from device_api import simulation

    simulation.enable("npu", devices=2, memory="256MiB", seed=3)
    control = simulation.control("npu")
    xp.set_device("npu:0")
    x, other = xp.full((1000,), 3.0), xp.full((1000,), 4.0, device="npu:1")
    on_host = xp.full((1000,), 5.0, device="cpu")
    xp.synchronize("npu:0")

    def uses(x):
        yield "op", lambda: x + x
        yield "comparison", lambda: x < 2
        yield "reduction", lambda: xp.sum(x)
        yield "product", lambda: xp.matmul(x, x)
        yield "composite", lambda: xp.std(x)
        yield "indexing", lambda: x[3:5] + 1
        yield "item", lambda: x[0].item()
        yield "bool", lambda: bool(xp.all(x))
        yield "repr", lambda: repr(x)
        yield "numpy", lambda: np.asarray(xp.asarray(x, device="cpu"))
        yield "copy", lambda: xp.asarray(x, copy=True)
        yield "away", lambda: x.to_device("npu:1")
        yield "in place", lambda: x.__iadd__(1)
        yield "assignment", lambda: x.__setitem__(0, 1)
        yield "DLPack", lambda: x.__dlpack__()
        yield "pickle", lambda: __import__("pickle").dumps(x)
        yield "record_stream", lambda: x.record_stream(xp.current_stream("npu:0"))

    def all_raise(x, words):
        for name, use in uses(x):
            try:
                use()
            except xp.DeviceLostError as error:
                assert error.device == "npu:0" and error.remedy, (name, error.__dict__)
                assert any(word in str(error) for word in words), (name, str(error))
            else:
                raise AssertionError(name)

    def others_go_on():
        assert float(xp.sum(other)) == 4000 and float(xp.sum(on_host)) == 5000
"""


def run(site: Site, program: str) -> str:
    return site.python(BEGIN + program)


def test_a_lost_device_says_so_for_every_use_and_others_go_on(site: Site) -> None:
    told = run(
        site,
        """
    view = x[:10]
    control.lose(0)
    all_raise(x, ["lost"])
    all_raise(view, ["lost"])
    for make in (lambda: xp.empty((3,)), lambda: xp.Stream("npu:0"), lambda: xp.synchronize()):
        try:
            make()
        except xp.DeviceLostError as error:
            assert "device_api.reset_device('npu:0')" in error.remedy
        else:
            raise AssertionError("works on a lost device")
    others_go_on()
    assert x.shape == (1000,) and str(x.device) == "npu:0"
    before = xp.memory_stats("npu:0")["allocated"]
    del x, view
    gc.collect()
    assert xp.memory_stats("npu:0")["allocated"] < before
    print("done", control.misuse())
    """,
    )
    assert "done []" in told


def test_a_reset_brings_a_lost_device_back(site: Site) -> None:
    told = run(
        site,
        """
    stream, event = xp.Stream("npu:0"), xp.Event()
    event.record(xp.current_stream())
    control.lose(0)
    try:
        x + x
    except xp.DeviceLostError:
        pass
    xp.reset_device()
    all_raise(x, ["was reset"])
    for use in (stream.synchronize, stream.query, event.synchronize, event.query,
                lambda: event.record(xp.current_stream()), lambda: xp.set_stream(stream)):
        try:
            use()
        except xp.DeviceLostError as error:
            assert "was reset" in str(error)
        else:
            raise AssertionError(use)
    stats = xp.memory_stats("npu:0")
    assert stats["allocated"] == stats["live"] == 0, stats
    y = xp.full((1000,), 6.0)
    try:
        x + y
    except xp.DeviceLostError:
        pass
    assert float(xp.sum(y + y)) == 12000
    del x, stream, event
    gc.collect()
    assert float(xp.sum(y)) == 6000
    others_go_on()
    print("done", control.misuse())
    """,
    )
    assert "done []" in told


def test_a_healthy_device_with_work_on_it_can_be_reset(site: Site) -> None:
    told = run(
        site,
        """
    pinned = xp.empty_pinned((1 << 20,), dtype=np.float32)
    for k in range(10):
        x = xp.zeros((1 << 20,))
        for _ in range(20):
            x += 1
        xp.copy_to_host(pinned, x)
        xp.reset_device("npu:0")
        pinned[:] = k  # no copy of before comes over this
        assert (pinned == k).all()
        del x
    xp.set_memory_fraction(0.5, "npu:0")
    xp.reset_device("npu:0")
    try:
        xp.empty((200 << 20,), dtype=xp.uint8)
    except xp.OutOfMemoryError as error:
        assert "set_memory_fraction" in str(error)
    assert float(xp.sum(xp.ones((4,)))) == 4
    others_go_on()
    print("done", control.misuse())
    """,
    )
    assert "done []" in told


def test_a_device_that_hangs_can_be_reset_under_a_waiting_thread(site: Site) -> None:
    told = run(
        site,
        """
    simulation.inject("npu", "hang", op="aclnnAdd*")
    y = x + x
    try:
        xp.current_stream().synchronize(0.1)
    except xp.DeviceTimeoutError as error:
        assert error.device == "npu:0" and error.stream and error.status == 6
        assert "reset_device('npu:0')" in error.remedy
    said = []

    def wait():
        try:
            y[0].item()
        except xp.DeviceApiError as error:
            said.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    xp.reset_device("npu:0")
    thread.join(20)
    assert not thread.is_alive() and isinstance(said[0], xp.DeviceLostError), said
    assert float(xp.sum(xp.ones((4,)) + 1)) == 8
    print("done")
    """,
    )
    assert "done" in told


def test_threads_live_through_resets(site: Site) -> None:
    told = run(
        site,
        """
    stop, wrong, right = threading.Event(), [], []

    def work():
        while not stop.is_set():
            try:
                with xp.device_guard("npu:0"):
                    y = xp.full((5000,), 2.0)
                    z = y * y + y
                    value = float(xp.sum(z))
                if value != 30000:
                    wrong.append(value)
                right.append(1)
            except xp.DeviceLostError:
                pass
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(60):
        xp.reset_device("npu:0")
        threading.Event().wait(0.01)
    stop.set()
    for thread in threads:
        thread.join(30)
    assert not wrong, wrong[:3]
    assert right
    gc.collect()
    assert xp.memory_stats("npu:0")["live"] == 0
    print("done")
    """,
    )
    assert "done" in told


def test_the_cpu_and_a_device_that_is_not_there(site: Site) -> None:
    told = run(
        site,
        """
    for device, kind in (("cpu", xp.NotSupportedError), ("npu:7", xp.DeviceIndexError)):
        try:
            xp.reset_device(device)
        except kind as error:
            assert error.remedy
        else:
            raise AssertionError(device)
    others_go_on()
    assert float(xp.sum(x)) == 3000
    print("done")
    """,
    )
    assert "done" in told


def test_a_device_that_was_never_used(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        from device_api import simulation
        simulation.enable("npu", devices=2)
        simulation.control("npu")
        xp.reset_device("npu:1")
        assert float(xp.sum(xp.ones((4,), device="npu:1"))) == 4
        print("done")
        """
    )
    assert "done" in told
