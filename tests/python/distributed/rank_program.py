# SPDX-License-Identifier: Apache-2.0
"""What one rank does in the tests of collectives, and programs of several ranks to run it.

python rank_program.py threads RANKS CHECK     ranks are threads, each with a simulated device
python rank_program.py process CHECK           one rank, told its place by the environment
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

import numpy as np

import device_api as xp
from device_api import distributed as dist
from device_api import simulation

MOVED = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "bfloat16", "float32", "float64", "complex64", "complex128")  # fmt: skip
# What the chips' library, and MPI, reduce.
REDUCED = {
    "npu": ("int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "complex64"),
    "cpu": tuple(name for name in MOVED if name != "bool"),
}
LENGTHS = (1, 7, 300_000)  # the last takes several pieces


def data(rank: int, n: int, dtype: str) -> np.ndarray:
    """Small integers, so that every sum is exact in every type."""
    values = (np.arange(n) * (rank + 1) + rank) % 5
    return values if dtype != "bool" else (values > 2)


def tensor(values: np.ndarray, dtype: str, device: str) -> xp.Tensor:
    base = xp.asarray(values.astype(np.float32), device="cpu")
    made = xp.astype(base, getattr(xp, dtype if dtype != "bool" else "bool"))
    return made.to_device(device)


def equal(x: xp.Tensor, values: np.ndarray, what: str) -> None:
    found = xp.astype(x.to_device("cpu"), xp.complex128 if x.dtype.kind == "c" else xp.float64)
    assert np.array_equal(found.numpy(), values.astype(found.numpy().dtype)), what


def reductions(dtype: str) -> list[dist.ReduceOp]:
    if dtype.startswith("complex"):
        return [dist.ReduceOp.SUM]
    every = [dist.ReduceOp.SUM, dist.ReduceOp.MAX, dist.ReduceOp.MIN]
    return every if dtype in ("int16", "bfloat16") else [*every, dist.ReduceOp.PROD]


FOLDS = {
    dist.ReduceOp.SUM: np.add, dist.ReduceOp.MAX: np.maximum, dist.ReduceOp.MIN: np.minimum,
    dist.ReduceOp.PROD: np.multiply,
}  # fmt: skip


def check_reductions(group: dist.ProcessGroup, device: str) -> None:
    n, rank = group.size, group.rank
    for dtype in REDUCED[device.split(":")[0]]:
        for length in LENGTHS:
            for op in reductions(dtype):
                what = f"{op.name} of {length} {dtype} over {n}"
                every = [data(r, length, dtype) for r in range(n)]
                total = FOLDS[op].reduce(every)
                x = tensor(every[rank], dtype, device)
                dist.all_reduce(x, op, group)
                equal(x, total, f"all_reduce {what}")
                x = tensor(every[rank], dtype, device)
                dist.reduce(x, group.ranks[n - 1], op, group)
                equal(x, total if rank == n - 1 else every[rank], f"reduce {what}")
                wide = [data(r, length * n, dtype) for r in range(n)]
                part = FOLDS[op].reduce(wide)[rank * length : (rank + 1) * length]
                out = tensor(np.zeros(length), dtype, device)
                dist.reduce_scatter(out, tensor(wide[rank], dtype, device), op, group)
                equal(out, part, f"reduce_scatter {what}")
    flags = [data(r, 9, "bool") for r in range(n)]
    for op, fold in ((dist.ReduceOp.MAX, np.logical_or), (dist.ReduceOp.MIN, np.logical_and)):
        x = tensor(flags[rank], "bool", device)
        dist.all_reduce(x, op, group)
        assert x.dtype == xp.bool
        equal(x, fold.reduce(flags), f"{op.name} of bool")
    x = tensor(data(rank, 6, "float32"), "float32", device)
    dist.all_reduce(x, dist.ReduceOp.AVG, group)
    mean = np.add.reduce([data(r, 6, "float32") for r in range(n)]).astype(np.float32)
    assert np.array_equal(x.numpy(), mean / np.float32(n))


def check_moves(group: dist.ProcessGroup, device: str) -> None:
    n, rank = group.size, group.rank
    for dtype in MOVED:
        for length in LENGTHS:
            what = f"of {length} {dtype} over {n}"
            every = [data(r, length, dtype) for r in range(n)]
            for root in range(n):
                x = tensor(every[rank], dtype, device)
                dist.broadcast(x, group.ranks[root], group)
                equal(x, every[root], f"broadcast {what}")
            out: list[xp.Tensor] = []
            dist.all_gather(out, tensor(every[rank], dtype, device), group)
            for r in range(n):
                equal(out[r], every[r], f"all_gather {what}")
            wide = [data(r, length * n, dtype) for r in range(n)]
            parts = [tensor(wide[rank][r * length : (r + 1) * length], dtype, device)
                     for r in range(n)]  # fmt: skip
            out = [tensor(np.zeros(length), dtype, device) for _ in range(n)]
            dist.alltoall(out, parts, group)
            for r in range(n):
                equal(out[r], wide[r][rank * length : (rank + 1) * length], f"alltoall {what}")


def check_passes(group: dist.ProcessGroup, device: str) -> None:
    n, rank = group.size, group.rank
    if n == 1:
        return
    after, before = group.ranks[(rank + 1) % n], group.ranks[(rank - 1) % n]
    for length in LENGTHS:  # a ring in one batch
        mine = tensor(data(rank, length, "float32"), "float32", device)
        got = tensor(np.zeros(length), "float32", device)
        for work in dist.batch_isend_irecv([
            dist.P2POp(dist.isend, mine, after, group), dist.P2POp(dist.irecv, got, before, group)
        ]):  # fmt: skip
            work.wait()
        equal(got, data((rank - 1) % n, length, "float32"), "ring")
    token = tensor(np.full(3, 1.0), "float32", device)  # and one by one round the ring
    if rank == 0:
        dist.send(token, after, group)
        dist.recv(token, before, group)
        equal(token, np.full(3, float(n)), "token")
    else:
        dist.recv(token, before, group)
        dist.send(token + 1, after, group)


def check_async(group: dist.ProcessGroup, device: str) -> None:
    """Compute goes on beside a collective; wait() orders what follows."""
    n, rank = group.size, group.rank
    x = tensor(data(rank, 50_000, "float32"), "float32", device)
    y = xp.ones((64, 64), device=device)
    for _ in range(5):
        work = dist.all_reduce(x, group=group, sync_op=False)
        assert work is not None
        y = y @ y / 64
        work.wait()
        x = x / n
    work.synchronize(60)
    assert work.is_completed()
    every = [data(r, 50_000, "float32").astype(np.float32) for r in range(n)]
    assert np.allclose(x.numpy(), np.add.reduce(every) / n, rtol=1e-5)
    assert np.array_equal(y.numpy(), np.ones((64, 64), np.float32))


def check_full_queue(group: dist.ProcessGroup, device: str) -> None:
    """More launches than a queue holds, behind a collective that a late thread has yet to join."""
    x = xp.ones(8, device=device)
    if group.rank:
        time.sleep(0.3)  # the others' queues are full by now, and they wait in a launch
    dist.all_reduce(x, group=group)
    for _ in range(1500):  # a queue holds 1024 tasks
        x += 1
    assert float(x[0]) == group.size + 1500


def check_bad_input(group: dist.ProcessGroup, device: str) -> None:
    x = xp.ones((4, 4), device=device)
    expect(xp.DTypeError, lambda: dist.all_reduce(xp.asarray([True], device=device), group=group))
    expect(xp.DTypeError, lambda: dist.all_reduce(
        xp.ones(3, dtype=xp.int32, device=device), dist.ReduceOp.AVG, group))  # fmt: skip
    expect(xp.DTypeError, lambda: dist.all_reduce([1.0], group=group))
    expect(xp.InvalidArgumentError, lambda: dist.all_reduce(x.T, group=group), "contiguous")
    expect(xp.OutOfRangeError, lambda: dist.broadcast(x, 99, group), "rank 99")
    expect(xp.ShapeError, lambda: dist.all_gather(xp.ones(3, device=device), x, group))
    expect(xp.ShapeError, lambda: dist.reduce_scatter(x, [x] * (group.size + 1), group=group))
    if device != "cpu:0":
        there = xp.ones(3, device="cpu")
        expect(xp.DeviceMismatchError, lambda: dist.all_reduce(there, group=group), "to_device")
    empty = xp.zeros((0, 3), device=device)
    dist.all_reduce(empty, group=group)
    dist.broadcast(empty, group.ranks[0], group)
    view = xp.asarray(np.arange(6.0, dtype=np.float32).reshape(2, 3), device=device).T
    out: list[xp.Tensor] = []
    dist.all_gather(out, view, group)  # a view that is only read is copied
    assert np.array_equal(out[-1].numpy(), np.arange(6.0).reshape(2, 3).T)


def expect(kind: type[Exception], call: Callable[[], object], says: str = "") -> None:
    try:
        call()
    except kind as error:
        assert says in str(error), str(error)
        return
    raise AssertionError(f"{kind.__name__} was expected")


CHECKS = {
    "reductions": check_reductions,
    "moves": check_moves,
    "passes": check_passes,
    "async": check_async,
    "bad_input": check_bad_input,
    "full_queue": check_full_queue,
}


def check(name: str, group: dist.ProcessGroup) -> None:
    device = str(group.device)
    with xp.device_guard(device):
        for one in CHECKS if name == "all" else [name]:
            CHECKS[one](group, device)
            dist.barrier(group)


def clean(control: simulation.Control | None) -> None:
    """No rule was broken, and no communicator is left."""
    if control is None:
        return
    assert control.misuse() == [], control.misuse()
    assert not [text for text in control.leaks() if "communicator" in text], control.leaks()


def threads(n: int, name: str) -> None:
    simulation.enable("npu", devices=n)
    groups = dist.local_groups([f"npu:{i}" for i in range(n)], timeout=60)
    control = simulation.control("npu")
    control.schedule("adversarial", seed=int(os.environ.get("SEED", "0")),
                     strategy=os.environ.get("STRATEGY", "mixed"))  # fmt: skip
    failures: list[BaseException] = []

    def work(group: dist.ProcessGroup) -> None:
        try:
            check(name, group)
        except BaseException as error:
            failures.append(error)
            raise

    running = [threading.Thread(target=work, args=(g,)) for g in groups]
    for t in running:
        t.start()
    for t in running:
        t.join()
    for g in groups:
        g.close()
    assert not failures
    clean(control)


def process(name: str) -> None:
    backend = os.environ.get("BACKEND", "npu")
    if backend != "cpu":
        simulation.enable(backend)
    dist.init_process_group(backend, device=f"{backend}:0", timeout=60)
    world = dist.get_world_size()
    check(name, dist.new_group())
    part = dist.new_group([r for r in range(world) if r % 2 == 0])  # and a group of some ranks
    if dist.get_rank(part) >= 0:
        check("async", part)
    dist.destroy_process_group()
    clean(simulation.control(backend) if backend != "cpu" else None)


if __name__ == "__main__":
    if sys.argv[1] == "threads":
        threads(int(sys.argv[2]), sys.argv[3])
    else:
        process(sys.argv[2])
    print("good", flush=True)
