# SPDX-License-Identifier: Apache-2.0
"""Arguments of collectives of the wrong kind: an error that names cause and remedy, each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import device_api as xp
from device_api import distributed as dist

Call = Callable[[xp.Tensor], Any]
GROUPS: dict[str, Call] = {
    "all_reduce": lambda x: dist.all_reduce(x, group=3),
    "all_gather": lambda x: dist.all_gather([], x, group="world"),
    "barrier": lambda x: dist.barrier(3),
    "get_rank": lambda x: dist.get_rank(3),
    "P2POp": lambda x: dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 0, 3)]),
    "destroy": lambda x: dist.destroy_process_group(3),
}
LISTS: dict[str, Call] = {
    "all_gather": lambda x: dist.all_gather(None, x),
    "all_gather into a tuple": lambda x: dist.all_gather((), x),
    "reduce_scatter": lambda x: dist.reduce_scatter(x, None),
    "reduce_scatter of text": lambda x: dist.reduce_scatter(x, "a"),
    "alltoall": lambda x: dist.alltoall([], None),
    "alltoall of an array": lambda x: dist.alltoall([], x),
    "alltoall into a number": lambda x: dist.alltoall(3, [x]),
    "new_group": lambda x: dist.new_group("0"),
    "new_group of a number": lambda x: dist.new_group(0),
    "local_groups": lambda x: dist.local_groups("cpu"),
    "local_groups of none": lambda x: dist.local_groups([]),
    "batch": lambda x: dist.batch_isend_irecv(None),
    "batch of numbers": lambda x: dist.batch_isend_irecv([1]),
    "batch with send": lambda x: dist.batch_isend_irecv([dist.P2POp(dist.send, x, 0)]),
}
NUMBERS: dict[str, Call] = {
    "reduce": lambda x: dist.reduce(x, "0"), "broadcast": lambda x: dist.broadcast(x, None),
    "reduce to 0.0": lambda x: dist.reduce(x, 0.0), "send": lambda x: dist.send(x, True),
    "new_group": lambda x: dist.new_group(["0"]), "op": lambda x: dist.all_reduce(x, True),
    "op of 1.0": lambda x: dist.all_reduce(x, 1.0),
    "irecv": lambda x: dist.irecv(x, [0]),
}  # fmt: skip


@pytest.fixture
def array() -> Iterator[xp.Tensor]:
    dist.init_process_group(device="cpu", init_method=None)
    try:
        yield xp.ones(3, device="cpu")
    finally:
        dist.destroy_process_group()


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("call", "says"),
    [(c, "is no group") for c in GROUPS.values()]
    + [(c, "pass ") for c in LISTS.values()]
    + [(c, "no whole number|no reduction") for c in NUMBERS.values()],
    ids=[*GROUPS, *LISTS, *NUMBERS],
)
def test_wrong_kinds_are_named(array: xp.Tensor, call: Call, says: str) -> None:
    with pytest.raises(xp.InvalidArgumentError, match=says) as told:
        call(array)
    assert told.value.remedy
    assert array.tolist() == [1.0, 1.0, 1.0]


def test_numbers_of_numpy_and_sets_of_ranks_are_taken(array: xp.Tensor) -> None:
    dist.broadcast(array, np.int64(0))
    group = dist.new_group({np.int32(0)})
    into = xp.zeros(3, device="cpu")
    dist.all_gather((into,), array, group)
    assert into.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("wrong", [{"rank": "a"}, {"world_size": 1.5}, {"rank": None}])
def test_places_in_the_program_are_numbers(wrong: dict[str, Any]) -> None:
    with pytest.raises(xp.InvalidArgumentError, match="no whole number"):
        dist.init_process_group(device="cpu", **wrong)
    assert not dist.is_initialized()
