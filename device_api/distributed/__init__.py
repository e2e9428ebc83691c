# SPDX-License-Identifier: Apache-2.0
"""Collectives: several processes, each with a device, reduce and exchange arrays.

    import device_api as xp
    from device_api import distributed as dist

    dist.init_process_group()          # started by mpirun, or with RANK, WORLD_SIZE ... set
    gradient = xp.ones(1000)
    dist.all_reduce(gradient, dist.ReduceOp.AVG)

Accelerators use their vendor's library through the backend; host memory uses MPI. Names as in
PaddlePaddle 3.3 (``paddle.distributed``). docs/distributed.md tells more.
"""

from device_api.distributed._collectives import P2POp as P2POp
from device_api.distributed._collectives import all_gather as all_gather
from device_api.distributed._collectives import all_reduce as all_reduce
from device_api.distributed._collectives import alltoall as alltoall
from device_api.distributed._collectives import barrier as barrier
from device_api.distributed._collectives import batch_isend_irecv as batch_isend_irecv
from device_api.distributed._collectives import broadcast as broadcast
from device_api.distributed._collectives import get_rank as get_rank
from device_api.distributed._collectives import get_world_size as get_world_size
from device_api.distributed._collectives import irecv as irecv
from device_api.distributed._collectives import isend as isend
from device_api.distributed._collectives import recv as recv
from device_api.distributed._collectives import reduce as reduce
from device_api.distributed._collectives import reduce_scatter as reduce_scatter
from device_api.distributed._collectives import send as send
from device_api.distributed._group import ProcessGroup as ProcessGroup
from device_api.distributed._group import destroy_process_group as destroy_process_group
from device_api.distributed._group import init_parallel_env as init_parallel_env
from device_api.distributed._group import init_process_group as init_process_group
from device_api.distributed._group import is_initialized as is_initialized
from device_api.distributed._group import local_groups as local_groups
from device_api.distributed._group import new_group as new_group
from device_api.distributed._reduce_op import ReduceOp as ReduceOp
from device_api.distributed._work import Work as Work

__all__ = [
    "P2POp", "ProcessGroup", "ReduceOp", "Work", "all_gather", "all_reduce", "alltoall", "barrier",
    "batch_isend_irecv", "broadcast", "destroy_process_group", "get_rank", "get_world_size",
    "init_parallel_env", "init_process_group", "irecv", "is_initialized", "isend", "local_groups",
    "new_group", "recv", "reduce", "reduce_scatter", "send",
]  # fmt: skip
