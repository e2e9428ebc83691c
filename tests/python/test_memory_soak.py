# SPDX-License-Identifier: Apache-2.0
"""A soak of the allocator: random arrays over 4 streams and 2 threads; nothing leaks."""

from __future__ import annotations

import random
import threading

import pytest

import device_api as xp


def _churn(seed: int, allocations: int, streams: list[xp.Stream], wrong: list[str]) -> None:
    below = random.Random(seed).randrange
    held: list[tuple[xp.Tensor, int]] = []
    made = 0
    while made < allocations:
        stream = streams[below(4)]
        if len(held) < 40 and below(2):
            with xp.stream_guard(stream):
                size = 1 + below(4000 if made % 16 else 100_000)
                held.append((xp.full(size, made % 100, dtype=xp.int32), made % 100))
            made += 1
        elif held:
            x, mark = held.pop(below(len(held)))
            if made % 50 == 0 and set(x.tolist()) != {mark}:
                wrong.append(f"{x.shape} of {mark}")
            if made % 3 == 0:
                x.record_stream(stream)


def _soak(allocations: int) -> None:
    streams = [xp.Stream() for _ in range(4)]
    base = xp.memory_stats()
    xp.reset_peak_memory_stats()
    wrong: list[str] = []
    device = xp.current_device()

    def work(seed: int) -> None:
        with xp.device_guard(device):
            _churn(seed, allocations // 2, streams, wrong)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    xp.synchronize()
    stats = xp.memory_stats()
    assert not wrong
    assert stats["allocations"] - base["allocations"] >= allocations // 2 * 2
    assert (stats["live"], stats["allocated"]) == (base["live"], base["allocated"])
    assert stats["held_back"] == 0
    assert base["allocated"] < stats["peak_allocated"] <= stats["peak_reserved"]
    streams.clear()
    xp.empty_cache()
    assert xp.memory_stats()["reserved"] <= base["reserved"]


def test_soak_sample(device: str) -> None:
    _soak(20_000 if device == "cpu" else 4_000)


@pytest.mark.long
def test_soak(device: str) -> None:
    _soak(1_000_000)
