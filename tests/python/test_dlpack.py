# SPDX-License-Identifier: Apache-2.0
"""DLPack both ways: layouts, versions, lifetimes, and whose memory is taken."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import device_api as xp
from device_api import _core, errors

NAMES = [name for name in _core.dtypes if not name.startswith(("complex", "bfloat"))]


@pytest.fixture(autouse=True)
def on_the_cpu(cpu: str) -> None:
    """Every test here starts on the CPU."""


@pytest.mark.parametrize("name", NAMES)
def test_numpy_sees_the_same_memory(name: str) -> None:
    x = xp.asarray(np.arange(6).reshape(2, 3).astype(name))
    view = np.from_dlpack(x)
    assert view.dtype == name and view.tolist() == x.tolist()
    x[1, 2] = 1
    assert view[1, 2] == 1
    assert not view.flags.owndata


@pytest.mark.parametrize("name", NAMES)
def test_memory_of_numpy_is_taken_over(name: str) -> None:
    source = np.arange(6).reshape(2, 3).astype(name)
    x = xp.from_dlpack(source)
    assert str(x.dtype) == name and x.tolist() == source.tolist()
    source[0, 0] = 1
    assert x[0, 0].item() == 1


@pytest.mark.parametrize(
    "cut",
    [np.s_[:], np.s_[::2], np.s_[::-1], np.s_[:, 1], np.s_[1:, ::-2], np.s_[2, ..., 1], np.s_[:0]],
)
def test_layouts_survive_both_ways(cut: Any) -> None:
    source = np.arange(20, dtype=np.float32).reshape(4, 5)
    assert xp.from_dlpack(source[cut]).tolist() == source[cut].tolist()
    assert np.from_dlpack(xp.asarray(source)[cut]).tolist() == source[cut].tolist()


def test_the_producer_lives_as_long_as_the_view() -> None:
    source = np.arange(1000, dtype=np.float64)
    watch = weakref.ref(source)
    x = xp.from_dlpack(source)[5:]
    del source
    gc.collect()
    assert watch() is not None and x[0].item() == 5
    del x
    gc.collect()
    assert watch() is None


def test_our_memory_lives_as_long_as_the_consumer() -> None:
    before = xp.memory_stats("cpu")["live"]
    view = np.from_dlpack(xp.asarray(np.arange(1000, dtype=np.float64)))
    assert xp.memory_stats("cpu")["live"] == before + 1
    assert view[999] == 999
    del view
    gc.collect()
    assert xp.memory_stats("cpu")["live"] == before


def test_a_capsule_that_nobody_takes_frees_its_memory() -> None:
    before = xp.memory_stats("cpu")["live"]
    for arguments in ({}, {"max_version": (1, 0)}):
        capsule = xp.asarray(np.arange(1000.0)).__dlpack__(**arguments)
        del capsule
        gc.collect()
        assert xp.memory_stats("cpu")["live"] == before


def test_versions() -> None:
    x = xp.asarray([1.0])
    assert '"dltensor"' in repr(x.__dlpack__())
    assert '"dltensor"' in repr(x.__dlpack__(max_version=(0, 8)))
    assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 2)))


def test_a_capsule_is_taken_once() -> None:
    class Producer:
        def __init__(self) -> None:
            self.capsule = xp.asarray([1.0, 2.0]).__dlpack__()

        def __dlpack__(self, **_: object) -> object:
            return self.capsule

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    producer = Producer()
    assert xp.from_dlpack(producer).tolist() == [1, 2]
    with pytest.raises(ValueError, match="PyCapsule"):
        xp.from_dlpack(producer)


def test_a_producer_of_before_version_1() -> None:
    class Old:
        def __dlpack__(self, stream: object = None) -> object:
            return np.arange(3.0).__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    assert xp.from_dlpack(Old()).tolist() == [0, 1, 2]


def test_copies_are_copies() -> None:
    source = np.arange(3.0)
    x = xp.from_dlpack(source, copy=True)
    source[0] = 9
    assert x.tolist() == [0, 1, 2]
    y = xp.asarray([1.0])
    taken = np.from_dlpack(y, copy=True)
    y[0] = 5
    assert taken[0] == 1


def test_read_only_memory_is_refused_without_a_copy() -> None:
    source = np.arange(3.0)
    source.flags.writeable = False
    with pytest.raises((errors.InvalidArgumentError, BufferError), match=r"read-?only"):
        xp.from_dlpack(source, copy=False)
    for taken in (xp.from_dlpack(source, copy=True), xp.from_dlpack(source)):
        assert taken.tolist() == [0, 1, 2]
        taken[0] = 7  # a copy of its own
    assert source[0] == 0


class OnAChip:
    """An array of another library on a device of its own, as CuPy and PyTorch have them."""

    def __init__(self, values: Any) -> None:
        self.host = np.asarray(values)
        self.asked: dict[str, Any] = {}

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **asked: Any) -> Any:
        self.asked = asked
        if asked.get("dl_device") != (1, 0):
            raise BufferError("the memory is on the chip")
        if asked.get("copy") is False:
            raise BufferError("not without a copy")
        return self.host.__dlpack__(max_version=asked["max_version"])


def test_arrays_on_chips_of_others_come_through_the_host_when_asked() -> None:
    theirs = OnAChip([1.0, 2.0])
    assert xp.from_dlpack(theirs, device="cpu").tolist() == [1, 2]
    assert theirs.asked["dl_device"] == (1, 0)
    with pytest.raises(BufferError, match="without a copy"):
        xp.from_dlpack(theirs, device="cpu", copy=False)
    with pytest.raises(BufferError, match="on the chip"):
        xp.from_dlpack(theirs)


class Consumer:
    """Asks as CuPy does: the device first, then a capsule for a stream of its own."""

    def take(self, x: Any, stream: Any = None) -> np.ndarray[Any, Any]:
        kind, index = x.__dlpack_device__()
        keywords = {} if kind == 1 else {"stream": stream}
        target = None if kind == 1 else (1, 0)
        capsule = x.__dlpack__(max_version=(1, 1), dl_device=target, copy=None, **keywords)

        class Holder:
            def __dlpack__(self, **_: Any) -> Any:
                return capsule

            def __dlpack_device__(self) -> tuple[int, int]:
                return (1, index)

        return np.from_dlpack(Holder())


@pytest.mark.parametrize("device", ["cpu", "npu:0"])
@pytest.mark.parametrize("stream", [None, -1, 1, 2])
def test_consumers_with_streams_of_their_own(device: str, stream: Any) -> None:
    """All work on the array is done before it is handed over, whatever stream they name."""
    x = xp.ones((1000,), device=device)
    for _ in range(20):
        x = x + 1
    assert Consumer().take(x, stream).tolist() == [21] * 1000


@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_complex_numbers_both_ways(name: str) -> None:
    source = np.array([1 + 2j, -3j], dtype=name)
    assert xp.from_dlpack(source).tolist() == source.tolist()
    back = np.from_dlpack(xp.asarray(source))
    assert back.dtype == name and back.tolist() == source.tolist()


def test_wrong_producers() -> None:
    with pytest.raises(TypeError, match="__dlpack__"):
        xp.from_dlpack([1, 2, 3])
    with pytest.raises(errors.InvalidArgumentError, match="stream"):
        xp.asarray([1.0]).__dlpack__(stream=1)


def test_memory_of_a_simulated_chip_travels_by_copy_only() -> None:
    x = xp.asarray([1.0, 2.0], device="npu:0")
    kind, _ = x.__dlpack_device__()
    assert kind == 12  # the shared extension code: never that of a real vendor
    assert xp.from_dlpack(x).device == x.device  # our own, by identity
    with pytest.raises((BufferError, RuntimeError, ValueError)):
        np.from_dlpack(x)
    assert np.from_dlpack(x, device="cpu").tolist() == [1, 2]

    class Stranger:
        def __dlpack__(self, **_: object) -> object:
            return x.__dlpack__()

        def __dlpack_device__(self) -> tuple[int, int]:
            return (12, 0)

    with pytest.raises(errors.InvalidArgumentError, match="extension device"):
        xp.from_dlpack(Stranger())


def test_references_are_even() -> None:
    x = xp.asarray(np.arange(10.0))
    before = sys.getrefcount(x)
    for _ in range(100):
        np.from_dlpack(x)
        xp.from_dlpack(x)
    gc.collect()
    assert sys.getrefcount(x) == before
