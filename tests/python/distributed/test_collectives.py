# SPDX-License-Identifier: Apache-2.0
"""Collectives of simulated chips: every kind, type and number of ranks; threads and processes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from rank_processes import PROGRAM, environment, results, run_ranks, start_ranks


def run_threads(n: int, check: str, **more: str) -> None:
    ended = subprocess.run(
        [sys.executable, str(PROGRAM), "threads", str(n), check], env=environment(**more),
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "good\n"
    assert ended.stderr == ""


@pytest.mark.parametrize("n", [1, 2, 3])
def test_ranks_that_are_threads(n: int) -> None:
    run_threads(n, "all")


def test_launches_into_a_full_queue_let_the_other_ranks_threads_go_on() -> None:
    run_threads(2, "full_queue")


@pytest.mark.parametrize("check", ["passes", "async"])
def test_four_ranks(check: str) -> None:
    run_threads(4, check)


@pytest.mark.long
@pytest.mark.parametrize("strategy", ["late", "random", "others_first", "split"])
@pytest.mark.parametrize("seed", range(5))
def test_ranks_under_every_schedule(strategy: str, seed: int) -> None:
    run_threads(4, "all", STRATEGY=strategy, SEED=str(seed))


@pytest.mark.parametrize("strategy", ["late", "others_first"])
def test_schedules(strategy: str) -> None:
    run_threads(2, "passes", STRATEGY=strategy, SEED="3")
    run_threads(2, "async", STRATEGY=strategy, SEED="4")


def test_checks_of_memory_and_order_find_nothing() -> None:
    run_threads(2, "async", DEVICE_API_SIM_CHECKS="races,shadow")
    run_threads(3, "passes", DEVICE_API_SIM_CHECKS="races,shadow")


@pytest.mark.parametrize("n", [1, 2])
def test_ranks_that_are_processes_and_meet_at_a_port(n: int, port: str) -> None:
    ended = results(start_ranks(n, [str(PROGRAM), "process", "all"], MASTER_PORT=port,
                                MASTER_ADDR="127.0.0.1"))  # fmt: skip
    assert ended == [(0, "good\n")] * n


def test_three_processes_meet_in_a_file(tmp_path: object) -> None:
    program = """
    start(init_method=f"file://{os.environ['MEET']}")
    assert (dist.get_rank(), dist.get_world_size()) == (RANK, 3)
    pair = dist.new_group([0, 2])
    x = xp.ones(4) * (RANK + 1)
    if RANK != 1:
        dist.all_reduce(x, group=pair)
    try:
        dist.get_rank(pair) < 0 and dist.barrier(pair)
    except xp.InvalidArgumentError as error:
        assert "not one of the ranks" in str(error)
    print(x.tolist())
    dist.destroy_process_group()
    print(os.path.exists(os.environ["MEET"]) and RANK == 0)
    """
    found = run_ranks(3, program, MEET=f"{tmp_path}/meet")
    assert found == [f"{[v] * 4}\nFalse" for v in (4.0, 2.0, 4.0)]


def test_memory_is_all_given_back(port: str) -> None:
    program = """
    start()
    before = xp.memory_allocated()
    for _ in range(3):
        x = xp.ones(100_000)
        out = []
        dist.all_gather(out, x)
        dist.all_reduce(x, sync_op=False).wait()
    del x, out
    xp.synchronize()
    xp.empty_cache()
    print(xp.memory_allocated() - before, xp.memory_stats()["held_back"])
    dist.destroy_process_group()
    """
    assert run_ranks(2, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port) == ["0 0"] * 2


def test_event_times_tell_the_link(port: str) -> None:
    """A collective takes as long, on the simulated clock, as its bytes over the link."""
    program = """
    start()
    simulation.control("npu").latency(peer_gbps=25)
    def milliseconds(n):
        x = xp.ones(n)
        begin, end = xp.Event(enable_timing=True), xp.Event(enable_timing=True)
        begin.record()
        dist.all_reduce(x)
        end.record()
        xp.synchronize()
        return begin.elapsed_time(end)
    dist.barrier()
    small = min(milliseconds(1000) for _ in range(8))  # each waits for the later of the two ranks
    large = milliseconds(4_000_000)
    print(large > small, large > 0.99 * 4_000_000 * 4 / 25e9 * 1e3)
    dist.destroy_process_group()
    """
    found = run_ranks(2, program, MASTER_ADDR="127.0.0.1", MASTER_PORT=port)
    assert found == ["True True"] * 2
