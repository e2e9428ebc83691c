# SPDX-License-Identifier: Apache-2.0
"""The collectives, as users call them; names as in PaddlePaddle 3.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from device_api import _core, dtypes, errors
from device_api.creation import empty
from device_api.distributed import _arguments as arguments
from device_api.distributed import _device as kinds
from device_api.distributed._group import ProcessGroup, program
from device_api.distributed._reduce_op import ReduceOp
from device_api.distributed._work import DoneWork, Work

Tensor = _core.Tensor

# dab_reduction
_NUMBERS = {ReduceOp.SUM: 0, ReduceOp.PROD: 1, ReduceOp.MAX: 2, ReduceOp.MIN: 3, ReduceOp.AVG: 0}


# By DType.kind: what reductions are defined.
_ALLOWED = {
    "b": (ReduceOp.MAX, ReduceOp.MIN),
    "c": (ReduceOp.SUM, ReduceOp.AVG),
    "f": tuple(ReduceOp),
    "i": tuple(op for op in ReduceOp if op is not ReduceOp.AVG),
    "u": tuple(op for op in ReduceOp if op is not ReduceOp.AVG),
}


def _group(group: ProcessGroup | None) -> ProcessGroup:
    if group is None:
        return program().world
    if isinstance(group, ProcessGroup):
        return group
    raise errors.InvalidArgumentError(
        f"group={group!r} is no group",
        "pass what new_group or local_groups returned, or leave it out for all ranks",
    )


def _finish(work: Work, sync_op: bool) -> Work | None:
    if not sync_op:
        return work
    work.wait()
    return None


def _check(x: object, group: ProcessGroup, name: str, written: bool) -> Tensor:
    if not isinstance(x, Tensor):
        raise errors.not_an_array(x, name)
    device = group.transport.device
    if x.device != device:
        raise errors.DeviceMismatchError(
            f"{name}: an array on {x.device}, in a group whose rank {group.rank} is on {device}",
            f"move it: x.to_device({str(device)!r})",
            op=name,
        )
    if x.is_contiguous():
        return x
    if written:
        raise errors.InvalidArgumentError(
            f"{name}: an array that is written must be contiguous, and this view is not",
            "pass a copy, and assign it to the view afterwards",
            op=name,
        )
    return _core.copy(x)


def _check_list(
    xs: object, group: ProcessGroup, like: Tensor, name: str, written: bool
) -> list[Tensor]:
    given = arguments.arrays(xs, name)
    if len(given) != group.size:
        raise errors.ShapeError(
            f"{name}: {len(given)} arrays for a group of {group.size} ranks",
            "give one for each rank",
        )
    found = [_check(x, group, name, written) for x in given]
    for x in found:
        if x.shape != like.shape or x.dtype != like.dtype:
            raise errors.ShapeError(
                f"{name}: arrays of {like.shape}, {like.dtype} and {x.shape}, {x.dtype}",
                "all are of one shape and data type",
            )
    return found


def _check_op(op: ReduceOp, x: Tensor, name: str) -> ReduceOp:
    try:
        op = ReduceOp(arguments.whole(op, "op", ""))
    except ValueError as error:
        raise errors.InvalidArgumentError(
            f"{op!r} is no reduction",
            f"use one of {', '.join(f'ReduceOp.{o.name}' for o in ReduceOp)}",
        ) from error
    allowed = _ALLOWED[x.dtype.kind]
    if op not in allowed:
        names = ", ".join(o.name for o in allowed)
        raise errors.DTypeError(
            f"{name}: {op.name} is not defined for {x.dtype}",
            f"use {names}, or convert with astype first",
            op=name,
        )
    return op


@dataclass
class _Sent:
    """How an array goes over the link, and what is to be done with the result."""

    source: Tensor
    target: Tensor
    finish: Callable[[], None] | None


def _sent(group: ProcessGroup, source: Tensor, target: Tensor, op: ReduceOp) -> _Sent:
    """Convert what the link cannot reduce: bool as int8; what the transport asks for."""
    wire = dtypes.int8 if source.dtype == dtypes.bool_ else group.transport.wire(source, True)
    into = target
    if wire != source.dtype:
        converted = dtypes.astype(source, wire)
        in_place = source is target
        into = converted if in_place else empty(target.shape, dtype=wire, device=target.device)
        source = converted

    def finish() -> None:
        result = into / group.size if op is ReduceOp.AVG else into
        target[...] = dtypes.astype(result, target.dtype)

    needed = into is not target or op is ReduceOp.AVG
    return _Sent(source, into, finish if needed else None)


def all_reduce(
    tensor: Tensor,
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    sync_op: bool = True,
) -> Work | None:
    """Replace an array, at every rank, by the reduction of all ranks' arrays.

    The arrays are of one shape and data type, contiguous. With ``sync_op=False`` a :class:`Work`
    is returned, and the array is not touched before its ``wait()``. Raises DTypeError (the
    reduction is not defined for the type), DeviceMismatchError, NotSupportedError (the device
    does not reduce this type).
    """
    g = _group(group)
    x = _check(tensor, g, "all_reduce", True)
    op = _check_op(op, x, "all_reduce")
    if not x.size:
        return _finish(DoneWork(), sync_op)
    sent = _sent(g, x, x, op)
    work = g.transport.call(
        kinds.ALL_REDUCE, _NUMBERS[op], 0, sent.source, sent.target, sent.finish
    )
    return _finish(work, sync_op)


def reduce(
    tensor: Tensor,
    dst: int,
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    sync_op: bool = True,
) -> Work | None:
    """Replace the array of rank ``dst`` by the reduction of all ranks' arrays.

    The other ranks' arrays stay. As :func:`all_reduce` otherwise.
    """
    g = _group(group)
    root = g.get_group_rank(dst)
    x = _check(tensor, g, "reduce", g.rank == root)
    op = _check_op(op, x, "reduce")
    if not x.size:
        return _finish(DoneWork(), sync_op)
    sent = _sent(g, x, x, op)
    mine = g.rank == root
    work = g.transport.call(
        kinds.REDUCE, _NUMBERS[op], root, sent.source, sent.target if mine else None,
        sent.finish if mine else None,
    )  # fmt: skip
    return _finish(work, sync_op)


def broadcast(
    tensor: Tensor, src: int, group: ProcessGroup | None = None, sync_op: bool = True
) -> Work | None:
    """Replace the array, at every rank, by that of rank ``src``; one shape and data type."""
    g = _group(group)
    root = g.get_group_rank(src)
    x = _check(tensor, g, "broadcast", True)
    if not x.size:
        return _finish(DoneWork(), sync_op)
    source = x if g.rank == root else None
    return _finish(g.transport.call(kinds.BROADCAST, 0, root, source, x, None), sync_op)


def all_gather(
    out: list[Tensor] | Tensor,
    tensor: Tensor,
    group: ProcessGroup | None = None,
    sync_op: bool = True,
) -> Work | None:
    """Collect every rank's array at every rank, in order of rank.

    ``out``: an empty list, which gets the arrays; a list of arrays, which are written; or one
    array of shape (ranks, \\*shape) or (ranks * shape[0], ...), which is written.
    """
    g = _group(group)
    x = _check(tensor, g, "all_gather", False)
    if isinstance(out, Tensor):
        target = _check(out, g, "all_gather", True)
        if target.size != g.size * x.size or target.dtype != x.dtype:
            raise errors.ShapeError(
                f"all_gather: {g.size} arrays of {x.shape}, {x.dtype} do not fit one of "
                f"{target.shape}, {target.dtype}"
            )
        then = None
    else:
        into = arguments.receivers(out, "all_gather")
        if into:
            _check_list(into, g, x, "all_gather", False)
        target = empty((g.size, *x.shape), dtype=x.dtype, device=x.device)
        then = partial(_spread, into, target) if into else None
        if not into:
            into.extend(target[r] for r in range(g.size))
    if not x.size:
        return _finish(DoneWork(), sync_op)
    return _finish(g.transport.call(kinds.ALL_GATHER, 0, 0, x, target, then), sync_op)


def _spread(out: Sequence[Tensor], stacked: Tensor) -> None:
    for r, x in enumerate(out):
        _parts(x)[...] = _parts(stacked[r])


def _parts(x: Tensor) -> Tensor:
    """View complex numbers as their parts: devices without such types can then copy them."""
    return _core.view_as_real(x) if x.dtype.kind == "c" else x


def _stack(xs: Sequence[Tensor]) -> Tensor:
    stacked = empty((len(xs), *xs[0].shape), dtype=xs[0].dtype, device=xs[0].device)
    for r, x in enumerate(xs):
        _parts(stacked[r])[...] = _parts(x)
    return stacked


def reduce_scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Sequence[Tensor] | Tensor,
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    sync_op: bool = True,
) -> Work | None:
    """Reduce a list of arrays over the ranks; rank r gets the r-th result in ``tensor``.

    Instead of a list, one array of ``ranks`` times as many elements.
    """
    g = _group(group)
    x = _check(tensor, g, "reduce_scatter", True)
    op = _check_op(op, x, "reduce_scatter")
    if isinstance(tensor_or_tensor_list, Tensor):
        source = _check(tensor_or_tensor_list, g, "reduce_scatter", False)
        if source.size != g.size * x.size or source.dtype != x.dtype:
            raise errors.ShapeError(
                f"reduce_scatter: {source.shape}, {source.dtype} is not {g.size} times "
                f"{x.shape}, {x.dtype}"
            )
    else:
        source = _stack(_check_list(tensor_or_tensor_list, g, x, "reduce_scatter", False))
    if not x.size:
        return _finish(DoneWork(), sync_op)
    sent = _sent(g, source, x, op)
    work = g.transport.call(
        kinds.REDUCE_SCATTER, _NUMBERS[op], 0, sent.source, sent.target, sent.finish
    )
    return _finish(work, sync_op)


def alltoall(
    out: list[Tensor],
    tensors: Sequence[Tensor],
    group: ProcessGroup | None = None,
    sync_op: bool = True,
) -> Work | None:
    """Send the r-th array to rank r, and receive one from each, in order of rank.

    ``out``: an empty list, which gets the arrays, or a list of arrays, which are written.
    """
    g = _group(group)
    given = arguments.arrays(tensors, "alltoall")
    into = arguments.receivers(out, "alltoall")
    if not given:
        raise errors.ShapeError("alltoall: no arrays are given", "give one for each rank")
    first = _check(given[0], g, "alltoall", False)
    source = _stack(_check_list(given, g, first, "alltoall", False))
    target = empty(source.shape, dtype=source.dtype, device=source.device)
    then = None
    if into:
        _check_list(into, g, first, "alltoall", False)
        then = partial(_spread, into, target)
    else:
        into.extend(target[r] for r in range(g.size))
    if not source.size:
        return _finish(DoneWork(), sync_op)
    return _finish(g.transport.call(kinds.ALL_TO_ALL, 0, 0, source, target, then), sync_op)


def barrier(group: ProcessGroup | None = None) -> None:
    """Return when every rank of the group has come here, and its work before has been done.

    The caller waits, on every device. Raises DeviceTimeoutError after the group's timeout.
    """
    g = _group(group)
    g.transport.call(kinds.BARRIER, 0, 0, None, None, None).synchronize(g.timeout)


@dataclass(frozen=True)
class P2POp:
    """A send or a receive for :func:`batch_isend_irecv`.

    ``op`` is :func:`isend` or :func:`irecv`, ``peer`` a rank of the program.
    """

    op: Callable[..., Work]
    tensor: Tensor
    peer: int
    group: ProcessGroup | None = None


def _item(
    kind: int, tensor: Tensor, peer: int, group: ProcessGroup, name: str
) -> tuple[int, int, Tensor]:
    place = group.get_group_rank(peer)
    if place == group.rank:
        raise errors.OutOfRangeError(
            f"{name}: rank {peer} is this rank itself", "name another rank of the group"
        )
    return kind, place, _check(tensor, group, name, kind == kinds.RECV)


def _pass(group: ProcessGroup, items: list[tuple[int, int, Tensor]]) -> Work:
    items = [item for item in items if item[2].size]
    return group.transport.pass_all(items) if items else DoneWork()


def isend(tensor: Tensor, dst: int, group: ProcessGroup | None = None) -> Work:
    """Begin to send an array to a rank, which receives one of equal shape and data type."""
    g = _group(group)
    return _pass(g, [_item(kinds.SEND, tensor, dst, g, "isend")])


def irecv(tensor: Tensor, src: int, group: ProcessGroup | None = None) -> Work:
    """Begin to receive an array from a rank; it is written."""
    g = _group(group)
    return _pass(g, [_item(kinds.RECV, tensor, src, g, "irecv")])


def send(
    tensor: Tensor, dst: int, group: ProcessGroup | None = None, sync_op: bool = True
) -> Work | None:
    """Send an array to a rank.

    A send ends when it is received: ranks that all send first and receive then wait for ever. Use
    :func:`batch_isend_irecv` for rings.
    """
    return _finish(isend(tensor, dst, group), sync_op)


def recv(
    tensor: Tensor, src: int, group: ProcessGroup | None = None, sync_op: bool = True
) -> Work | None:
    """Receive an array from a rank; it is written."""
    return _finish(irecv(tensor, src, group), sync_op)


def batch_isend_irecv(operations: Sequence[P2POp]) -> list[Work]:
    """Begin sends and receives that go on together, in any order among the ranks.

    All are of one group. Returns handles; waiting for all of them waits for all operations.
    """
    name, remedy = "batch_isend_irecv", "pass a list of P2POp(isend or irecv, array, rank)"
    given = arguments.listed(operations, name, remedy)
    for o in given:
        if not isinstance(o, P2POp):
            raise errors.InvalidArgumentError(f"{name}: {o!r} is no P2POp", remedy)
        if o.op not in (isend, irecv):
            told = getattr(o.op, "__name__", repr(o.op))
            raise errors.InvalidArgumentError(f"{name}: P2POp with {told}", remedy)
    if not given:
        return []
    g = _group(given[0].group)
    items = []
    for o in given:
        if _group(o.group) is not g:
            raise errors.InvalidArgumentError(
                f"{name}: the operations' groups differ", "make one call for each group"
            )
        kind = kinds.SEND if o.op is isend else kinds.RECV
        items.append(_item(kind, o.tensor, o.peer, g, "batch_isend_irecv"))
    return [_pass(g, items)]


def get_rank(group: ProcessGroup | None = None) -> int:
    """Return this process's rank in the program, or in a group (-1: it is none of it)."""
    return _group(group).rank


def get_world_size(group: ProcessGroup | None = None) -> int:
    """Return how many ranks the program, or a group, has."""
    return _group(group).size
