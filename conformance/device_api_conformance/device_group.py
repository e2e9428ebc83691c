# SPDX-License-Identifier: Apache-2.0
"""Groups of real devices of one process: the collectives of device_api.distributed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device_api import _core, distributed, errors
from device_api.distributed import ProcessGroup, ReduceOp
from device_api_conformance.handle import Rank, Work

KINDS = (
    "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all", "send",
    "recv", "barrier",
)  # fmt: skip
REDUCTIONS = ("sum", "prod", "max", "min", "avg")
"""Kinds and reductions in the order of device_api/collective.h."""
LIMIT = 60.0
"""Seconds for the ranks of a group to meet."""


class DeviceRank:
    """One rank, by the group's own transport: arrays go as they are, and nothing is composed."""

    def __init__(self, group: ProcessGroup, plain: Callable[[Any], Any]) -> None:
        self._group, self._plain = group, plain
        self.rank, self.ranks = group.rank, group.size

    def call(
        self, kind: str, source: Any, target: Any, reduction: str = "sum", peer: int = 0
    ) -> Work:
        """See :class:`Rank`."""
        from_, to = (None if x is None else self._plain(x) for x in (source, target))
        numbers = KINDS.index(kind), REDUCTIONS.index(reduction), peer
        return self._ordered(self._group.transport.call(*numbers, from_, to, None))

    def exchange(self, items: list[tuple[str, int, Any]]) -> Work:
        """See :class:`Rank`."""
        plain = [(KINDS.index(kind), peer, self._plain(x)) for kind, peer, x in items]
        return self._ordered(self._group.transport.pass_all(plain))

    def average(self, tensor: Any) -> None:
        """See :class:`Rank`."""
        distributed.all_reduce(self._plain(tensor), ReduceOp.AVG, self._group)

    def check(self) -> None:
        """See :class:`Rank`."""
        self._group.check()

    def abort(self) -> None:
        """See :class:`Rank`."""
        self._group.abort()

    def close(self) -> None:
        """See :class:`Rank`."""
        self._group.close()

    @staticmethod
    def _ordered(work: distributed.Work) -> Work:
        work.wait()  # the stream waits, not the thread
        return work


def group_of(devices: list[_core.Device], plain: Callable[[Any], Any]) -> list[Rank] | None:
    """A group with a rank for each device; None where their plugin has no collectives."""
    try:
        _core.comm_id(devices[0])
    except errors.NotSupportedError:
        return None
    return [DeviceRank(g, plain) for g in distributed.local_groups(devices, timeout=LIMIT)]
