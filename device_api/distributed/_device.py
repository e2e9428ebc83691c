# SPDX-License-Identifier: Apache-2.0
"""Collectives of accelerators, by the native core: each on the group's own stream.

The group's stream first waits for what the caller's current stream has been given, so that a
collective sees finished input, and overlaps with what the caller does next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device_api import _core, profiler
from device_api.distributed._work import DeviceWork, Work
from device_api.streams import stream_guard

Then = Callable[[], None]


class DeviceTransport:
    """One rank of a group, with one device."""

    def __init__(
        self, device: _core.Device, identifier: bytes, ranks: int, rank: int, timeout: float
    ) -> None:
        self.device = device
        self._comm = _core.Comm(device, identifier, ranks, rank, timeout)
        self._stream = _core.Stream(device)

    @staticmethod
    def identifier(device: _core.Device) -> bytes:
        """Make the identifier of a new group, which every rank needs."""
        return _core.comm_id(device)

    def wire(self, x: _core.Tensor, reduces: bool) -> _core.DType:
        """Return the data type in which an array goes over the link."""
        return x.dtype

    def call(
        self,
        kind: int,
        reduction: int,
        peer: int,
        source: _core.Tensor | None,
        target: _core.Tensor | None,
        then: Then | None,
    ) -> Work:
        """Enqueue a collective, and ``then`` after it on the same stream."""
        self._stream.wait_stream(_core.current_stream(self.device))
        with profiler.collective(NAMES[kind], self._stream, _arrays(source, target)):
            self._comm.collective(kind, reduction, peer, source, target, self._stream)
        if then:
            with stream_guard(self._stream):
                then()
        return DeviceWork(self._stream, self._stream.record_event())

    def pass_all(self, items: Sequence[tuple[int, int, _core.Tensor]]) -> Work:
        """Enqueue sends and receives (kind, peer, array) that go on together."""
        self._stream.wait_stream(_core.current_stream(self.device))
        name = " and ".join(dict.fromkeys(NAMES[kind] for kind, _, _ in items))
        with profiler.collective(name, self._stream, [x for _, _, x in items]):
            _core.comm_group_begin(self.device)
            try:
                for kind, peer, x in items:
                    sends = kind == SEND
                    self._comm.collective(
                        kind, 0, peer, x if sends else None, None if sends else x, self._stream
                    )
            finally:
                _core.comm_group_end(self.device)
        return DeviceWork(self._stream, self._stream.record_event())

    def check(self) -> None:
        """Raise when the group works no more."""
        self._comm.check()

    def abort(self) -> None:
        """Give the group up."""
        self._comm.abort()

    def close(self) -> None:
        """Wait for the group's stream, interruptibly, and leave."""
        try:
            self._stream.synchronize()
        finally:
            self._comm.close()


# dab_collective_kind
ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER = range(5)
ALL_TO_ALL, SEND, RECV, BARRIER = range(5, 9)
NAMES = (
    "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "alltoall", "send", "recv",
    "barrier",
)  # fmt: skip


def _arrays(source: _core.Tensor | None, target: _core.Tensor | None) -> list[_core.Tensor]:
    found = [x for x in (source, target) if x is not None]
    return found[:1] if source is target else found
