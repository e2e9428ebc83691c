# SPDX-License-Identifier: Apache-2.0
"""Collectives in a profile: one span for each rank's call, with the device's times."""

from __future__ import annotations

import subprocess
import sys

from rank_processes import environment

PROGRAM = """
import threading
import device_api as xp
from device_api import distributed as dist, profiler, simulation

simulation.enable("npu", devices=2)
groups = dist.local_groups(["npu:0", "npu:1"], timeout=60)
wrong = []

def work(k):
    device = f"npu:{k}"
    x, got = xp.ones(50_000, device=device), xp.zeros(50_000, device=device)
    dist.all_reduce(x, group=groups[k])
    operations = [dist.P2POp(dist.isend, x, 1 - k, groups[k]),
                  dist.P2POp(dist.irecv, got, 1 - k, groups[k])]
    for w in dist.batch_isend_irecv(operations):
        w.wait()
    dist.barrier(groups[k])
    try:
        dist.broadcast(x[::2], 0, groups[k])
    except xp.InvalidArgumentError:
        wrong.append(k)

with profiler.profile() as p:
    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    [t.start() for t in threads]
    [t.join() for t in threads]
for group in groups:
    group.close()
spans = [s for s in p.spans if s.kind == "collective"]
for k in range(2):
    mine = [s for s in spans if s.device == f"npu:{k}"]
    print([s.name for s in mine], [s.bytes for s in mine], mine[0].operands)
    print(all(s.device_end > s.device_begin and s.end >= s.begin for s in mine))
    print({s.stream for s in mine} == {mine[0].stream}, any(s.failed for s in mine))
names = {e.get("name") for e in p.trace()["traceEvents"]}
print("all_reduce" in names, sorted(wrong))
dist.all_reduce(xp.ones(3, device="npu:0"), group=dist.local_groups(["npu:0"])[0])
print(len([s for s in p.spans if s.kind == "collective"]) == len(spans))
"""


def test_collectives_are_spans() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment(), capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    names = "['all_reduce', 'send and recv', 'barrier']"
    rank = [f"{names} [200000, 200000, 0] [((50000,), 'float32')]", "True", "True False"]
    assert ended.stdout.splitlines() == [*rank, *rank, "True [0, 1]", "True"]
