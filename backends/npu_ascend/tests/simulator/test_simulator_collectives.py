# SPDX-License-Identifier: Apache-2.0
"""The simulated HCCL, called as any client would: two devices of one process, counts by rank."""

import ctypes as C

import numpy as np
import pytest

PARA, PTR, NOT_SUPPORT = 1, 2, 5
INT32, FLOAT32, FLOAT64 = 2, 4, 10
SUM, MAX = 0, 2


class Ranks:
    """Two ranks: a communicator and a stream for each device."""

    def __init__(self, cann) -> None:
        self.cann = cann
        comms = (C.c_void_p * 2)()
        cann.ok(cann.HcclCommInitAll(2, (C.c_int32 * 2)(0, 1), comms))
        self.comms = list(comms)
        self.streams = [self.on(r).stream() for r in range(2)]

    def on(self, rank: int):
        self.cann.ok(self.cann.aclrtSetDevice(rank))
        return self.cann

    def put(self, rank: int, values) -> int:
        return self.on(rank).to_device(np.array(values, np.int32))

    def room(self, rank: int, n: int) -> int:
        return self.put(rank, [-1] * n)

    def finish(self) -> None:
        for r in range(2):
            self.on(r).ok(self.cann.aclrtSynchronizeStream(self.streams[r]))

    def values(self, rank: int, p: int, n: int) -> list[int]:
        return self.on(rank).to_host(p, n, np.int32).tolist()

    def close(self) -> None:
        for comm in self.comms:
            self.cann.ok(self.cann.HcclCommDestroy(comm))


@pytest.fixture
def ranks(cann):
    return Ranks(cann)


def numbers(*values: int):
    return (C.c_uint64 * len(values))(*values)


def test_all_to_all_with_counts(ranks):
    """Rank 0 sends 1 to itself and 3 to rank 1; rank 1 sends none to rank 0 and 2 to itself."""
    sends = [numbers(1, 3), numbers(0, 2)]
    takes = [numbers(1, 0), numbers(3, 2)]
    source = [ranks.put(0, [10, 77, 11, 12, 13]), ranks.put(1, [20, 21])]
    target = [ranks.room(0, 3), ranks.room(1, 7)]
    places = [(numbers(0, 2), numbers(1, 2)), (numbers(0, 0), numbers(4, 1))]
    for r in range(2):
        ranks.on(r).ok(ranks.cann.HcclAlltoAllV(
            source[r], sends[r], places[r][0], INT32, target[r], takes[r], places[r][1], INT32,
            ranks.comms[r], ranks.streams[r],
        ))  # fmt: skip
    ranks.finish()
    assert ranks.values(0, target[0], 3) == [-1, 10, -1]
    assert ranks.values(1, target[1], 7) == [-1, 20, 21, -1, 11, 12, 13]
    ranks.close()
    assert ranks.cann.misuses() == []


def test_all_gather_with_counts(ranks):
    counts, places = numbers(2, 3), numbers(3, 0)
    target = [ranks.room(r, 6) for r in range(2)]
    source = [ranks.put(0, [1, 2]), ranks.put(1, [7, 8, 9])]
    for r in range(2):
        ranks.on(r).ok(ranks.cann.HcclAllGatherV(
            source[r], counts[r], target[r], counts, places, INT32, ranks.comms[r],
            ranks.streams[r],
        ))  # fmt: skip
    ranks.finish()
    for r in range(2):
        assert ranks.values(r, target[r], 6) == [7, 8, 9, 1, 2, -1]
    ranks.close()
    assert ranks.cann.misuses() == []


@pytest.mark.parametrize(("op", "want"), [(SUM, [[11], [22, 33, 44]]), (MAX, [[10], [20, 30, 40]])])
def test_reduce_scatter_with_counts(ranks, op, want):
    counts, places = numbers(1, 3), numbers(0, 1)
    source = [ranks.put(0, [1, 2, 3, 4]), ranks.put(1, [10, 20, 30, 40])]
    target = [ranks.room(r, counts[r]) for r in range(2)]
    for r in range(2):
        ranks.on(r).ok(ranks.cann.HcclReduceScatterV(
            source[r], counts, places, target[r], counts[r], INT32, op, ranks.comms[r],
            ranks.streams[r],
        ))  # fmt: skip
    ranks.finish()
    assert [ranks.values(r, target[r], counts[r]) for r in range(2)] == want
    ranks.close()
    assert ranks.cann.misuses() == []


def test_counts_that_do_not_fit_are_told(ranks):
    cann, comm, stream = ranks.on(0), ranks.comms[0], ranks.streams[0]
    p = ranks.put(0, [1, 2, 3])
    two = numbers(1, 1)
    cann.fails(cann.HcclAlltoAllV(p, None, two, INT32, p, two, two, INT32, comm, stream), PTR)
    cann.fails(cann.HcclAlltoAllV(None, two, two, INT32, p, two, two, INT32, comm, stream), PTR)
    cann.fails(cann.HcclAlltoAllV(p, two, two, INT32, p, two, two, FLOAT32, comm, stream), PARA)
    cann.fails(cann.HcclAlltoAllV(p, two, two, INT32, p, numbers(2, 1), two, INT32, comm, stream),
               PARA, says="sends itself")  # fmt: skip
    cann.fails(cann.HcclReduceScatterV(p, two, two, p, 2, INT32, SUM, comm, stream), PARA,
               says="its part has 1")  # fmt: skip
    cann.fails(cann.HcclReduceScatterV(p, two, two, p, 1, FLOAT64, SUM, comm, stream), NOT_SUPPORT)
    cann.fails(cann.HcclAllGatherV(p, 1, p, two, two, INT32, comm, None), PTR)
    ranks.close()


def test_a_peer_that_takes_fewer_is_told(ranks):
    """Rank 0 sends 2 elements to rank 1, which takes 1: both calls are named."""
    sends, takes = [numbers(0, 2), numbers(0, 0)], [numbers(0, 0), numbers(1, 0)]
    none = numbers(0, 0)
    memory = [ranks.put(r, [1, 2, 3]) for r in range(2)]
    target = [ranks.room(r, 3) for r in range(2)]
    for r in range(2):
        ranks.on(r).ok(ranks.cann.HcclAlltoAllV(
            memory[r], sends[r], none, INT32, target[r], takes[r], none, INT32, ranks.comms[r],
            ranks.streams[r],
        ))  # fmt: skip
    codes = [ranks.on(r).aclrtSynchronizeStream(ranks.streams[r]) for r in range(2)]
    assert all(codes)
    assert any("rank 0 sends 2" in text and "receives 1" in text for text in ranks.cann.misuses())


def test_rank_tables_are_refused_in_words(cann, tmp_path):
    comm = C.c_void_p()
    name = str(tmp_path / "table.json").encode()
    cann.fails(cann.HcclCommInitClusterInfo(name, 0, C.byref(comm)), NOT_SUPPORT,
               says="HcclCommInitRootInfo")  # fmt: skip
    assert comm.value is None
