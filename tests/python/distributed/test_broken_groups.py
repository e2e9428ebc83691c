# SPDX-License-Identifier: Apache-2.0
"""What goes wrong between ranks is told at every rank, and nobody waits for ever."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from rank_processes import PRELUDE, results, run_ranks, start_ranks

# Prints what a failing all_reduce says; the group is broken, so the process just ends.
FAILING = """
try:
    dist.all_reduce(x)
    xp.synchronize()
except xp.DeviceApiError as error:
    print(str(error))
sys.stdout.flush()
os._exit(0)
"""


def failing(n: int, before: str, port: str, **more: str) -> list[tuple[int, str]]:
    children = start_ranks(
        n, ["-c", PRELUDE + before + FAILING], MASTER_ADDR="127.0.0.1", MASTER_PORT=port, **more
    )
    return results(children)


def test_a_rank_that_ends_is_told_to_the_others_at_once(port: str) -> None:
    begin = time.monotonic()
    before = """
start()
x = xp.ones(1000)
dist.all_reduce(x)
xp.synchronize()
if RANK == 1:
    os._exit(7)
"""
    ended = failing(3, before, port)
    assert [status for status, _ in ended] == [0, 7, 0]
    for rank in (0, 2):
        assert "rank 1's process has ended while rank" in ended[rank][1]
        assert "errors of the other ranks" in ended[rank][1]
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("x = xp.ones(10 + RANK)", "of 10 float32, sum, rank 1 HcclAllReduce of 11 float32"),
        ("x = xp.ones(10, dtype=xp.int32 if RANK else xp.float32)", "10 float32, sum, rank 1"),
        ("x = xp.ones(10)\nif RANK: dist.broadcast(x, 0)", "rank 1 HcclBroadcast of 10"),
    ],
)
def test_calls_that_differ(call: str, words: str, port: str) -> None:
    for _, text in failing(2, f"\nstart()\n{call}\n", port):
        assert "the ranks' calls differ: rank 0 makes HcclAllReduce" in text
        assert words in text


def test_a_rank_that_does_not_come(port: str) -> None:
    before = "\nstart()\nx = xp.ones(9)\nif RANK: time.sleep(6); os._exit(0)\n"
    ended = failing(2, before, port, DEVICE_API_SIM_COLLECTIVE_TIMEOUT="2")
    assert "rank 0 waited 2" in ended[0][1]
    assert "in HcclAllReduce for rank 1" in ended[0][1]


def test_an_injected_fault_of_one_rank(port: str) -> None:
    before = """
start()
x = xp.ones(9)
if RANK:
    simulation.inject("npu", "collective", op="HcclAllReduce")
"""
    ended = failing(2, before, port)
    assert "HcclAllReduce of rank 1 failed (injected fault" in ended[1][1]
    assert "rank 1 did not run its HcclAllReduce" in ended[0][1]


def test_sends_and_receives_that_differ(port: str) -> None:
    program = """
    start()
    x = xp.ones(4 + RANK)
    try:
        dist.recv(x, 0) if RANK else dist.send(x, 1)
        xp.synchronize()
    except xp.DeviceApiError as error:
        print("rank 0 sends 4 float32 to rank 1, which receives 5 float32" in str(error))
    sys.stdout.flush()
    os._exit(0)
    """
    found = run_ranks(2, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    assert found == ["True", "True"]


@pytest.mark.parametrize("method", ["file://{}/meet", "tcp://127.0.0.1:{}"])
def test_a_rank_that_is_missing_at_the_start(method: str, port: str, tmp_path: object) -> None:
    program = """
    if RANK == 0:
        try:
            start(timeout=1, init_method=os.environ["METHOD"])
        except xp.DeviceTimeoutError as error:
            print("for rank 1" in str(error) and not dist.is_initialized())
    """
    place = method.format(tmp_path if "file" in method else port)
    assert run_ranks(2, program, METHOD=place) == ["True", ""]


def test_two_processes_of_one_rank(tmp_path: object) -> None:
    program = """
    try:
        start(rank=0, init_method=f"file://{os.environ['MEET']}", timeout=2)
    except xp.DeviceApiError as error:
        print("twice" in str(error) or "for rank 1" in str(error), "twice" in str(error))
    """
    found = run_ranks(2, program, MEET=f"{tmp_path}/meet")
    assert sorted(found) == ["True False", "True True"]


def test_strangers_are_kept_out(port: str) -> None:
    program = """
    os.environ["DEVICE_API_DISTRIBUTED_KEY"] = f"secret of rank {RANK}"
    try:
        start(timeout=2)
    except xp.DeviceApiError as error:
        print(type(error).__name__)
    """
    found = run_ranks(2, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    assert found == ["DeviceTimeoutError", "InvalidArgumentError"]


def test_wrong_places() -> None:
    program = """
    def fails(kind, says, **arguments):
        try:
            dist.init_process_group(**arguments)
        except kind as error:
            assert says in str(error), str(error)
            return
        raise AssertionError(says)
    dist_error = xp.InvalidArgumentError
    for place in ("carrier://pigeon", "tcp://", "tcp://host:99999999", "file://", 3):
        fails(dist_error, "no way to meet", init_method=place)
    for timeout in (float("nan"), -1, 0, "x", None):
        fails(dist_error, "no limit in seconds", timeout=timeout)
    fails(dist_error, "no folder", backend="npu", rank=0, world_size=1,
          init_method="file:///tmp/none/such/folder")
    fails(dist_error, "port of rank 0", backend="npu", init_method="env://")
    fails(xp.OutOfRangeError, "rank 5", backend="npu", rank=5, init_method="file:///tmp/none")
    fails(dist_error, "no key is set", backend="npu", init_method="tcp://192.0.2.1:1234")
    fails(xp.DeviceIndexError, "no device npu:7", device="npu:7")
    fails(dist_error, "does not move", backend="cpu", device="npu:0")
    try:
        dist.all_reduce(xp.ones(3))
    except dist_error as error:
        assert "init_process_group" in str(error)
    """
    assert run_ranks(1, program) == [""]


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "thesis.txt").write_text("years of work")
    program = """
    try:
        start(init_method=f"file://{os.environ['MEET']}", timeout=2)
    except xp.InvalidArgumentError as error:
        print("thesis.txt" in str(error))
    """
    assert run_ranks(1, program, MEET=str(tmp_path)) == ["True"]
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_the_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    program = """
    start(init_method=f"file://{os.environ['MEET']}")
    x = xp.ones(3)
    dist.all_reduce(x)
    print(x.tolist())
    dist.destroy_process_group()
    """
    assert run_ranks(2, program, MEET=str(tmp_path / "meet")) == ["[2.0, 2.0, 2.0]"] * 2
    assert not (tmp_path / "meet").exists()


def test_groups_are_left_by_the_one_function(port: str) -> None:
    program = """
    (group,) = dist.local_groups(["npu:0"])
    dist.destroy_process_group(group)
    dist.destroy_process_group(group)
    try:
        dist.destroy_process_group(3)
    except xp.InvalidArgumentError as error:
        print("no group" in str(error))
    start()
    try:
        dist.all_reduce(xp.ones(3), "sum")
    except xp.InvalidArgumentError as error:
        print("ReduceOp.SUM" in str(error))
    """
    found = run_ranks(1, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    assert found[0].split() == ["True", "True"]


def test_the_cpu_without_mpi_says_what_to_do(port: str) -> None:
    program = """
    try:
        dist.init_process_group("cpu", timeout=20)
    except xp.NotSupportedError as error:
        print("mpirun" in str(error))
    """
    assert run_ranks(2, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port) == ["True"] * 2
    assert run_ranks(1, """
    dist.init_process_group("cpu", "env://")
    x = xp.ones(3, device="cpu")
    dist.all_reduce(x, dist.ReduceOp.AVG)
    print(x.tolist())
    dist.destroy_process_group()
    """, MASTER_ADDR="127.0.0.1", MASTER_PORT=port) == ["[1.0, 1.0, 1.0]"]  # fmt: skip
