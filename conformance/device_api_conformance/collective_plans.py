# SPDX-License-Identifier: Apache-2.0
"""What the ranks of a group do, and what must come of it: steps with data and truth by rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from device_api_conformance import formats
from device_api_conformance.case import Case
from device_api_conformance.formats import FORMATS, PARTS, Array, Host, storage
from device_api_conformance.seeds import generator

SIZES = (
    *range(1, 18), 31, 33, 63, 65, 127, 129, 255, 257, 511, 513, 1023, 1025, 4099, 100_003
)  # fmt: skip
"""Elements of one part: every rest of a vector, and sizes beside those of blocks."""
FOLDS = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}


@dataclass
class Want:
    """What an array must hold: exactly, or within `bound` of the real numbers `values`."""

    dtype: str
    values: Array
    bound: Array | None = None

    def wrong(self, got: Array) -> int:
        """Number of elements (parts, where complex) that are not as they must be."""
        host = Host(self.dtype, got)
        if self.bound is None:
            return int(np.count_nonzero(host.bits() != formats.bits_of(self.values)))
        with np.errstate(invalid="ignore"):
            off = np.abs(np.asarray(host.parts().exact(), dtype=np.float64) - self.values)
        return int(np.count_nonzero(~(off <= self.bound)))


@dataclass
class Step:
    """One collective: each rank's array, and what its target must hold; None: it has none."""

    kind: str
    size: int
    sources: list[Host | None]
    wants: list[Want | None]
    reduction: str = "sum"
    peer: int = 0
    layout: str = "contiguous"
    in_place: bool = False
    where: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The call in words."""
        parts = [f"{self.kind} of {self.size}", self.layout, "in place" if self.in_place else ""]
        root = f"root {self.peer}" if self.kind in ("reduce", "broadcast") else ""
        return ", ".join(p for p in (*parts, root, self.where) if p)


def whole_numbers(rng: np.random.Generator, dtype: str, n: int, reduction: str) -> Host:
    """Values whose reduction over some ranks is exact, and of full width for integers."""
    kind = storage(dtype)
    if dtype == "bool":
        return Host(dtype, rng.integers(0, 2, n).astype(np.bool_))
    if dtype in FORMATS:
        powers = reduction == "prod"
        plain = rng.choice([-2.0, -1.0, 1.0, 0.5], n) if powers else rng.integers(-9, 10, n)
        return Host(dtype, formats.encode(dtype, np.asarray(plain, dtype=np.float64)))
    if dtype in PARTS:
        return Host(dtype, formats.joined(rng.integers(-9, 10, (n, 2)).astype(PARTS[dtype])))
    info = np.iinfo(kind)
    return Host(dtype, rng.integers(info.min, info.max, n, dtype=kind, endpoint=True))


def ordinary(rng: np.random.Generator, dtype: str, n: int) -> Host:
    """Floating-point values of all kinds of size; their sums are rounded."""
    if dtype in PARTS:
        parts = rng.standard_normal((n, 2)) * np.exp2(rng.integers(-6, 7, (n, 1)))
        return Host(dtype, formats.joined(parts.astype(PARTS[dtype])))
    values = rng.standard_normal(n) * np.exp2(rng.integers(-6, 7, n))
    return Host(dtype, formats.rounded(dtype, values))


def reduced(reduction: str, all_of: list[Host], exact: bool) -> Want:
    """The reduction of the ranks' arrays.

    Sums and products of `ranks` numbers: at most as many roundings, each relative to the sum of
    magnitudes (the product's own). Everything else is exact; integers wrap.
    """
    dtype = all_of[0].dtype
    if dtype not in FORMATS and dtype not in PARTS:
        with np.errstate(over="ignore"):
            return Want(dtype, reduce(FOLDS[reduction], [h.data for h in all_of]))
    real = [np.asarray(h.parts().exact(), dtype=np.longdouble) for h in all_of]
    if reduction in ("max", "min"):
        found = reduce(FOLDS[reduction], real).astype(np.float64)
        return Want(dtype, formats.encode(dtype, found))
    total = reduce(FOLDS["prod" if reduction == "prod" else "sum"], real)
    if reduction == "avg":
        total = total / len(all_of)
    if exact and reduction != "avg":
        plain = total.astype(np.float64)
        narrow = formats.encode(PARTS.get(dtype, dtype), plain)
        return Want(dtype, formats.joined(narrow) if dtype in PARTS else narrow)
    size = np.abs(total) if reduction == "prod" else reduce(np.add, [np.abs(x) for x in real])
    fmt = FORMATS[PARTS.get(dtype, dtype)]
    bound = (len(all_of) + 1) * fmt.roundoff * size.astype(np.float64) + fmt.smallest
    return Want(dtype, total.astype(np.float64), bound)


def _given(case: Case, seed: int, ranks: int, size: int, turn: int) -> list[Host]:
    exact = turn % 2 == 0 or case.dtype not in (*FORMATS, *PARTS)
    found = []
    for rank in range(ranks):
        rng = generator(case.id, seed, f"{size} {rank} {turn}")
        found.append(whole_numbers(rng, case.dtype, size, case.values) if exact
                     else ordinary(rng, case.dtype, size))  # fmt: skip
    return found


def _parts(host: Host, ranks: int) -> list[Host]:
    return [Host(host.dtype, part) for part in np.split(host.data, ranks)]


def _exactly(host: Host) -> Want:
    return Want(host.dtype, host.data)


def _joined(hosts: list[Host]) -> Want:
    return Want(hosts[0].dtype, np.concatenate([h.data for h in hosts]))


def step(case: Case, seed: int, ranks: int, size: int, turn: int) -> Step:
    """The step of a case for one size; `turn` chooses layout, values, in place or not, root."""
    kind, root = case.check, (turn + turn // 8) % ranks
    exact = turn % 2 == 0
    found = Step(kind, size, [], [], case.values or "sum", 0,
                 ("contiguous", "offset")[turn // 2 % 2], turn // 4 % 2 == 1)  # fmt: skip
    wide = kind in ("reduce_scatter", "all_to_all")
    given = _given(case, seed, ranks, size * ranks if wide else size, turn)
    found.sources = list(given)
    by_part = [_parts(h, ranks) for h in given] if wide else []
    if kind == "all_reduce":
        found.wants = [reduced(found.reduction, given, exact)] * ranks
    elif kind == "reduce":
        found.peer = root
        found.wants = [None] * ranks
        found.wants[root] = reduced(found.reduction, given, exact)
    elif kind == "broadcast":
        found.peer = root
        found.sources = [given[root] if r == root else None for r in range(ranks)]
        found.wants = [_exactly(given[root])] * ranks
    elif kind == "all_gather":
        found.wants = [_joined(given)] * ranks
    elif kind == "reduce_scatter":
        found.wants = [reduced(found.reduction, [p[r] for p in by_part], exact)
                       for r in range(ranks)]  # fmt: skip
    else:
        found.in_place = False
        found.wants = [_joined([p[r] for p in by_part]) for r in range(ranks)]
    return found


TWICE = ("float32", "bfloat16", "int8")
"""Types on which each size is tried in two ways."""


def steps(case: Case, seed: int, ranks: int, sizes: tuple[int, ...]) -> Iterator[Step]:
    """The steps of a case: values, layout and place change from size to size."""
    for n, size in enumerate(sizes):
        for turn in (n, n + 5) if size < 600 and case.dtype in TWICE else (n,):
            yield step(case, seed, ranks, size, turn)


def specials(case: Case, ranks: int, reduction: str) -> tuple[Step, Any]:
    """A reduction of special values at every lane; the step, and which results must be NaN."""
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -2.0])
    pairs = [(a, b) for a in values for b in values]
    given = []
    for rank in range(ranks):
        plain = [(a, b)[rank] if rank < 2 else 1.0 for a, b in pairs]
        given.append(Host(case.dtype, formats.encode(case.dtype, np.array(plain))))
    real = [np.asarray(h.exact(), dtype=np.float64) for h in given]
    with np.errstate(invalid="ignore"):
        want = reduce(FOLDS[reduction], real)
    made = Want(case.dtype, formats.encode(case.dtype, want))
    return Step("all_reduce", len(pairs), list(given), [made] * ranks, reduction), want
