# SPDX-License-Identifier: Apache-2.0
"""Planted faults of threads, processes, lifetimes, speed, several devices and interchange."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
from fake_device import Event, FakeDevice, Tensor
from faults import plant
from runtime_faults import streams

from device_api_conformance.layouts import Placed

# ---- concurrency ----


@plant("threads share one workspace", "C/as_serial C/race", "C")
class SharedWorkspace(FakeDevice):
    scratch = None

    def compute(self, op, dtypes, views, attributes):
        self.scratch = super().compute(op, dtypes, views, attributes)
        threading.Event().wait(1e-4)
        return self.scratch


@plant("a cached operand is told by its rounded sum", "C/race", "C")
class RoundedKey(FakeDevice):
    def __init__(self):
        super().__init__()
        self.cache = {}

    def compute(self, op, dtypes, views, attributes):
        result = super().compute(op, dtypes, views, attributes)
        if op not in ("matmul", "sum") or len(self.streams) < 4:
            return result
        return self.cache.setdefault((op, round(float(np.sum(views[0])), 2)), result)


def _holds_the_lock(self):
    """Without the lock the callback cannot end, so that the wait is in vain."""
    if self.pending:
        ctypes.PyDLL(None).usleep(20_000)
        raise TimeoutError("the stream is not idle")


plant("a wait keeps the interpreter lock until its time is up", "C/progress", "C")(
    streams(synchronize=_holds_the_lock)
)


class _OneWaiter(Event):
    waiting = False

    def synchronize(self):
        if self.waiting:
            return
        self.waiting = True
        super().synchronize()


plant("only the first waiter waits", "C/waits_by_threads", "C")(
    type("Device", (FakeDevice,), {"event_type": _OneWaiter})
)


@plant("a forked child is told nothing", "C/fork", "C")
class ForkUnnoticed(FakeDevice):
    def check_process(self):
        import os

        if os.getpid() != self.process:
            self.default = self.stream()


@plant("a forked child gets another error", "C/fork", "C")
class ForkUndocumented(FakeDevice):
    def check_process(self):
        try:
            super().check_process()
        except ChildProcessError as error:
            raise RuntimeError("driver error 507") from error


@plant("the new process finds no device", "C/fresh_process", "C")
class NoSpawn(FakeDevice):
    def in_new_process(self):
        return "status 1: no such device"


# ---- leaks ----


@plant("an op leaks device memory", "K/leak_fixed K/leak_varying", "K")
class LeaksMemory(FakeDevice):
    def run(self, op, operands, attributes):
        self.memory.alloc(512)
        return super().run(op, operands, attributes)


@plant("each shape keeps a plan", "K/leak_varying", "K")
class KeepsPlans(FakeDevice):
    def __init__(self):
        super().__init__()
        self.plans = []

    def run(self, op, operands, attributes):
        self.plans.append(np.ones(1000))
        return super().run(op, operands, attributes)


@plant("a failed call leaks its result", "K/leak_exceptions", "K")
class LeaksOnError(FakeDevice):
    def run(self, op, operands, attributes):
        try:
            return super().run(op, operands, attributes)
        except ValueError:
            self.memory.alloc(4096)
            raise


@plant("a freed block keeps its record", "K/leak_raw_memory", "K")
class KeepsRecords(FakeDevice):
    def free(self, address):
        super().free(address)
        self.memory.reserved += 512


def _leaves_a_thread(self):
    return


plant("a dropped stream leaves its thread", "K/leak_streams", "K")(
    streams(__del__=_leaves_a_thread)
)


@plant("an event leaves a file open", "K/leak_events", "K")
class EventFiles(FakeDevice):
    def __init__(self):
        super().__init__()
        self.files, self.made = [], 0

    def event(self, timing=False):
        self.made += 1
        if self.made % 8 == 0:
            self.files.append(open("/dev/null", "rb"))  # noqa: SIM115 - the fault
        return super().event(timing)

    def __del__(self):
        while self.files:
            self.files.pop().close()


def _keeps_callbacks(self, function):
    self.device.kept = [*getattr(self.device, "kept", ()), function]
    self.submit(function)


plant("callbacks are kept for ever", "K/leak_callbacks", "K")(
    streams(add_callback=_keeps_callbacks)
)

# ---- performance ----


@plant("work beyond the tenth launch is dropped", "P/launch", "P")
class Drops(FakeDevice):
    seen = 0

    def compute(self, op, dtypes, views, attributes):
        self.seen += 1
        dtype, values = super().compute(op, dtypes, views, attributes)
        return dtype, values if self.seen % 50 else np.zeros_like(values)


@plant("the host does the work in silence", "P/launch P/triad P/speed_matmul", "P")
class OnTheHost(FakeDevice):
    def native_counts(self):
        return {}


@plant("large copies to the device lose their last page", "P/h2d", "P")
class ShortWrite(FakeDevice):
    def write(self, address, data):
        super().write(address, data[:-4096] if len(data) > 2**21 else data)


@plant("every fifth copy to the host is stale", "P/d2h", "P")
class StaleRead(FakeDevice):
    seen = 0

    def read(self, address, size):
        self.seen += 1
        data = super().read(address, size)
        return data if self.seen % 5 else bytes(size)


# ---- several devices ----


def receiving(change) -> type[FakeDevice]:
    """A device whose copies from peers are changed."""

    def receive(self, tensor):
        return change(self, tensor, FakeDevice.receive(self, tensor))

    return type("Device", (FakeDevice,), {"receive": receive})


def _short(self, tensor, copy):
    copy.view.reshape(-1)[-1:] = 0
    return copy


def _one_way(self, tensor, copy):
    if self is self.family[0]:
        copy.placed.buffer[...] = 0
    return copy


def _steals(self, tensor, copy):
    tensor.placed.buffer[...] = 0
    return copy


for _name, _only, _change in (
    ("peer copies lose the last element", "U/peer_pairs", _short),
    ("peer copies work in one direction only", "U/peer_pairs U/peer_both_ways", _one_way),
    ("a peer copy moves the source away", "U/peer_pairs", _steals),
):
    plant(_name, _only, "U")(receiving(_change))


@plant("a peer copy does not wait for the source", "U/peer_pending", "U")
class PeerEarly(FakeDevice):
    def receive(self, tensor):
        p = tensor.placed
        return Tensor(Placed(p.dtype, p.buffer.copy(), p.shape, p.strides, p.offset))


@plant("devices of one name differ", "U/peer_golden", "U")
class Differs(FakeDevice):
    def compute(self, op, dtypes, views, attributes):
        dtype, values = super().compute(op, dtypes, views, attributes)
        return dtype, values if self is self.family[0] or op != "exp" else np.nextafter(
            values, np.inf
        )


@plant("accounts are of all devices", "U/peer_own", "U")
class OneAccount(FakeDevice):
    everything: dict = {}  # noqa: RUF012 - shared on purpose

    def run(self, op, operands, attributes):
        self.everything[op] = self.everything.get(op, 0) + 1
        return super().run(op, operands, attributes)

    def native_counts(self):
        return dict(self.everything)


# ---- interchange ----


def exporting(change) -> type[FakeDevice]:
    """A device whose exports are changed."""

    def exported(self, tensor):
        self.current().synchronize()
        return change(tensor)

    return type("Device", (FakeDevice,), {"exported": exported})


def _no_offset(tensor):
    p = tensor.placed
    return Placed(p.dtype, p.buffer, p.shape, p.strides, max(p.offset - 1, 0)).view()


def _dense(tensor):
    return tensor.placed.buffer[: tensor.view.size].reshape(tensor.view.shape)


def _as_signed(tensor):
    return tensor.view.view("int64") if tensor.placed.dtype == "uint64" else tensor.view


def _at_least_1d(tensor):
    return np.atleast_1d(tensor.view)


for _name, _only, _change in (
    ("exports forget the offset", "I/dlpack_views", _no_offset),
    ("exports forget the strides", "I/dlpack_views", _dense),
    ("uint64 goes out as int64", "I/dlpack_out", _as_signed),
    ("no dimensions become one", "I/dlpack_out", _at_least_1d),
):
    plant(_name, _only, "I")(exporting(_change))


@plant("exports do not wait", "I/dlpack_waits", "I")
class ExportsEarly(FakeDevice):
    def exported(self, tensor):
        return tensor.view.copy()


@plant("imports take all arrays as dense", "I/dlpack_in", "I")
class ImportsDense(FakeDevice):
    def imported(self, source):
        tensor = super().imported(source)
        seen = tensor.seen
        if seen.size > 1:
            strides, at = [], seen.itemsize
            for n in reversed(seen.shape):
                strides.insert(0, at)
                at *= n
            tensor.seen = np.lib.stride_tricks.as_strided(seen, seen.shape, strides)
        return tensor


@plant("imports keep the producer for ever", "I/dlpack_lifetime", "I")
class KeepsProducers(FakeDevice):
    def imported(self, source):
        self.kept = [*getattr(self, "kept", ()), source]
        return super().imported(source)


@plant("imports let the producer go too early", "I/dlpack_lifetime", "I")
class LetsGo(FakeDevice):
    def imported(self, source):
        tensor = super().imported(source)
        if isinstance(source, np.ndarray) and source.size == 1000:
            tensor.seen = np.zeros_like(tensor.seen)
        return tensor


@plant("memory of an export is used again", "I/dlpack_exported_lifetime", "I")
class Reuses(FakeDevice):
    def exported(self, tensor):
        self.last = tensor.view
        return super().exported(tensor)

    def put(self, placed):
        if getattr(self, "last", None) is not None and self.last.shape == placed.shape:
            self.last[...] = 7
        return super().put(placed)


@plant("a capsule can be used twice", "I/dlpack_twice", "I")
class Twice(FakeDevice):
    def imported(self, source):
        if not isinstance(source, np.ndarray):
            return self.put(Placed("float32", np.zeros(16, "float32"), (16,), (1,), 0))
        return super().imported(source)


@plant("exports that nobody takes stay", "I/dlpack_unconsumed", "I")
class Stays(FakeDevice):
    def exported(self, tensor):
        self.memory.alloc(512)
        return super().exported(tensor)


# ---- health ----


def sensing(**changes) -> type[FakeDevice]:
    """A device whose sensors say something else."""

    def telemetry(self):
        return FakeDevice.telemetry(self) | changes

    return type("Device", (FakeDevice,), {"telemetry": telemetry})


plant("a critical device", "H/health_state", "H")(sensing(health="critical"))
plant("slowed down by its hardware", "H/health_state", "H")(sensing(throttle=["hardware"]))
plant("errors of memory that stay", "H/health_state", "H")(sensing(ecc_uncorrected=2))


@plant("memory is full", "H/health_free_memory", "H")
class Full(FakeDevice):
    def statistics(self):
        return super().statistics() | {"free": 1 << 20}


@plant("a bit is stuck", "H/health_patterns", "H")
class StuckBit(FakeDevice):
    def read(self, address, size):
        data = bytearray(super().read(address, size))
        if size > 2**20:
            data[777_777] |= 4
        return bytes(data)


@plant("two addresses are one cell", "H/health_patterns", "H")
class Aliased(FakeDevice):
    """The upper half of the large blocks is one block."""

    def write(self, address, data):
        super().write(address, data)
        if len(data) > 2**20:
            self.upper = data[-4096:]

    def read(self, address, size):
        data = super().read(address, size)
        return data[:-4096] + self.upper if size > 2**20 else data


@plant("one wrong element in a product", "H/health_matmul", "H")
class OneWrong(FakeDevice):
    def compute(self, op, dtypes, views, attributes):
        dtype, values = super().compute(op, dtypes, views, attributes)
        if op == "matmul" and dtypes[0] == "float32":
            values = values.copy()
            values[-1, -1] += 1
        return dtype, values


@plant("every seventh result is off by a bit", "H/health_repeats", "H")
class Unsteady(FakeDevice):
    seen = 0

    def compute(self, op, dtypes, views, attributes):
        self.seen += 1
        dtype, values = super().compute(op, dtypes, views, attributes)
        return dtype, values if self.seen % 7 else np.nextafter(values, np.inf)


@plant("copies lose a byte", "H/health_bandwidth", "H")
class LosesByte(FakeDevice):
    def write(self, address, data):
        super().write(address, data[:-1] + b"\0" if len(data) > 2**22 else data)


@plant("a device without a name", "H/health_versions", "H")
class Nameless(FakeDevice):
    def identity(self):
        from dataclasses import replace

        return replace(super().identity(), name=" ")


@plant("a slow link", "H/health_bandwidth", "H")
class Slow(FakeDevice):
    def identity(self):
        from dataclasses import replace

        return replace(super().identity(), simulated=False)

    def read(self, address, size):
        data = super().read(address, size)
        if size > 2**22:
            threading.Event().wait(0.2)
        return data


# ---- soak ----


@plant("after a hundred ops the last element is stale", "O/interleave/1", "O")
class Wears(FakeDevice):
    seen = 0

    def compute(self, op, dtypes, views, attributes):
        self.seen += 1
        dtype, values = super().compute(op, dtypes, views, attributes)
        if self.seen > 100 and values.size:
            values = values.copy()
            values.reshape(-1)[-1:] = 0
        return dtype, values


@plant("emptying the cache beside live blocks clears one", "O/interleave/1", "O")
class ClearsOne(FakeDevice):
    def empty_cache(self):
        super().empty_cache()
        for _, data in list(self.memory.live.values())[:1]:
            data[:] = bytes(len(data))
