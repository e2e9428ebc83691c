# SPDX-License-Identifier: Apache-2.0
"""A rendezvous of the ranks that mpirun (or mpiexec, srun) started, through mpi4py."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from device_api import errors
from device_api.distributed._rendezvous import Rendezvous

# Set by the launchers of Open MPI, of MPICH and kin, and of PMIx.
_LAUNCHERS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK")


def launched() -> bool:
    """Tell whether an MPI launcher started this process."""
    return any(name in os.environ for name in _LAUNCHERS)


def load() -> Any:
    """Return the module mpi4py.MPI; importing it initialises MPI."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise errors.NotSupportedError(
            f"MPI is needed and cannot be used: {error}",
            "pip install 'device-api[distributed]' and an MPI (pip install mpich, or the system's)",
        ) from error
    return MPI


class MpiRendezvous(Rendezvous):
    """The ranks of MPI's world."""

    def __init__(self, mpi: Any, rank: int, world_size: int) -> None:
        self.mpi = mpi
        self.world = mpi.COMM_WORLD
        self.rank, self.world_size = self.world.Get_rank(), self.world.Get_size()
        if rank not in (-1, self.rank) or world_size not in (-1, self.world_size):
            raise errors.InvalidArgumentError(
                f"rank {rank} of {world_size} was asked for, MPI started this process as rank "
                f"{self.rank} of {self.world_size}",
                "leave rank and world_size to the launcher",
            )

    def communicator(self, ranks: Sequence[int]) -> Any:
        """Return a communicator of some ranks; each of them calls it."""
        if list(ranks) == list(range(self.world_size)):
            return self.world
        return self.world.Create_group(self.world.Get_group().Incl(list(ranks)))

    def collect(
        self, name: str, ranks: Sequence[int], payload: bytes, timeout: float
    ) -> list[bytes]:
        """See :meth:`Rendezvous.collect`; MPI has no limit of time here."""
        comm = self.communicator(ranks)
        try:
            lengths = np.empty(len(ranks), dtype=np.int64)
            comm.Allgather(np.array([len(payload)], dtype=np.int64), lengths)
            ends = np.cumsum(lengths)
            all_bytes = np.empty(int(ends[-1]), dtype=np.uint8)
            mine = np.frombuffer(payload, dtype=np.uint8)
            comm.Allgatherv(mine, [all_bytes, lengths])
        finally:
            if comm != self.world:
                comm.Free()
        starts = ends - lengths
        return [all_bytes[a:b].tobytes() for a, b in zip(starts, ends, strict=True)]
