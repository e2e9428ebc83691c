# SPDX-License-Identifier: Apache-2.0
"""Cases: stable ids, coverage of the op table, selection, seeds, inputs and layouts."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from device_api_abi import optable
from device_api_conformance import inputs, layouts, specials
from device_api_conformance.case import Case
from device_api_conformance.cases import generate, select
from device_api_conformance.formats import FLOATS, FORMATS, INTEGERS, PARTS, Host, bits_of, decode
from device_api_conformance.places import GRIDS
from device_api_conformance.seeds import generator

generate = functools.cache(generate)
CASES = generate("smoke")


def test_ids_are_unique_and_stable():
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids))
    for known in (
        "R/exit", "M/roundtrip/513", "S/wait_across", "F/fallback_account",
        "N/add/float32/contiguous/257/ordinary", "E/exp/float64/contiguous/edges",
        "N/cast/float64-bfloat16/contiguous/257/ordinary",
        "L/sum/float32/transposed/13x17@0/ordinary", "L/copy/update/int64/stepped/13x17/ordinary",
        "X/matmul/float32/contiguous/4x0x3/ordinary", "G/random_bits/uint32/67/carry",
    ):  # fmt: skip
        assert known in ids


def test_every_op_and_type_of_the_table_is_tried():
    seen = {(case.op, case.dtype) for case in CASES}
    wanted = {(op.name, dtype) for op in optable.load() for dtype in op.dtypes}
    assert wanted <= seen


def test_every_second_type_is_tried():
    seen = {(case.op, case.other) for case in CASES if case.other}
    wanted = {(op.name, other) for op in optable.load() for other in op.others}
    assert wanted <= seen


def test_every_elementwise_op_meets_every_layout():
    for name in ("add", "exp", "where", "cast", "copy", "less", "logical_and"):
        assert {c.layout for c in CASES if c.op == name} >= set(layouts.BASIC)
    assert {c.layout for c in CASES} >= set(layouts.LAYOUTS)


def test_every_op_with_edges_has_edge_cases():
    seen = {(case.op, case.dtype) for case in CASES if case.chapter == "E"}
    wanted = {op.name for op in optable.load() if op.edges and op.kind not in ("copy", "cast")}
    assert wanted <= {name for name, _ in seen}
    for op in optable.load():
        if op.kind in ("unary", "binary", "compare", "activation", "select"):
            assert {d for d in op.dtypes if d != "bool"} <= {d for n, d in seen if n == op.name}


@pytest.mark.parametrize(
    "name",
    ["cumsum", "argsort", "searchsorted", "convolution", "max_pool", "softmax", "attention",
     "put_along_axis", "gelu", "min"],
)  # fmt: skip
def test_every_structured_op_meets_the_layouts(name):
    assert {c.layout for c in CASES if c.op == name} >= set(layouts.LAYOUTS[:6])


def test_special_complex_numbers():
    for dtype in ("complex64", "complex128"):
        values = specials.of(dtype)
        assert values.dtype == dtype
        pairs = {(repr(float(v.real)), repr(float(v.imag))) for v in values}
        for wanted in ((0.0, -0.0), (np.inf, np.nan), (-np.inf, 1.0), (np.nan, np.nan)):
            assert tuple(map(repr, wanted)) in pairs
        assert 100 < len(pairs) == values.size


def test_complex_values_keep_their_bits_in_every_layout():
    rng = np.random.default_rng(0)
    values = specials.of("complex128")
    for layout in layouts.LAYOUTS:
        placed = layouts.place(Host("complex128", values), layout, rng)
        spoilt = placed.buffer.copy()
        assert layouts.damaged(placed, spoilt) == 0
        spoilt[3] = complex(spoilt[3].real, 1.0)
        assert layouts.damaged(placed, spoilt) == 1


def test_selection():
    assert select(CASES, []) == list(CASES)
    assert {c.chapter for c in select(CASES, ["S"])} == {"S"}
    assert {c.op for c in select(CASES, ["N/add"])} == {"add"}
    assert [c.id for c in select(CASES, ["M/roundtrip/513"])] == ["M/roundtrip/513"]
    assert {c.layout for c in select(CASES, ["L/*/transposed/*"])} == {"transposed"}
    assert select(CASES, ["N/nonsense"]) == []


def test_each_level_holds_the_one_before():
    smoke, standard, full = (generate(level) for level in ("smoke", "standard", "full"))
    ids = [{case.id for case in level} for level in (smoke, standard, full)]
    assert ids[0] < ids[1] < ids[2]
    assert [len(i) for i in ids] == [len(smoke), len(standard), len(full)]
    assert 35_000 < len(standard) < 50_000
    assert len(full) > 100_000


def test_standard_tries_every_type_in_every_layout_and_beside_every_boundary():
    tried_by: dict[tuple[str, str], list[Case]] = {}
    for case in generate("standard"):
        tried_by.setdefault((case.op, case.dtype), []).append(case)
    boundaries = GRIDS["standard"].up_to(1025)
    for op in optable.load():
        if op.kind in ("unary", "binary", "compare"):
            for dtype in op.dtypes:
                tried = tried_by[op.name, dtype]
                assert {c.layout for c in tried} >= set(layouts.LAYOUTS)
                largest = 129 if op.error == "ulp" and dtype in PARTS else 1025
                shapes = {c.shape for c in tried}
                assert shapes >= {(n,) for n in boundaries if n <= largest}
    seen = {key for key, tried in tried_by.items() if any(c.chapter == "D" for c in tried)}
    assert len(seen) > 0.9 * sum(len(op.dtypes) for op in optable.load())


def test_draws_differ_in_their_random_values_only():
    by_id = {case.id: case for case in generate("full")}
    first = by_id["N/add/float32/contiguous/257/ordinary"]
    second = by_id["N/add/float32/contiguous/257/ordinary~2"]
    assert Case.of(second.chapter, second.check, second.params()) == second
    a, b = (inputs.make(c, generator(c.id, 0)).operands[0] for c in (first, second))
    assert a.data.shape == b.data.shape
    assert a.data.tolist() != b.data.tolist()


def test_an_unknown_level_is_refused():
    with pytest.raises(ValueError, match="no level 'dense'"):
        generate("dense")


def test_inputs_depend_on_the_case_and_the_seed_only():
    case = select(CASES, ["N/add/float32/contiguous/257/ordinary"])[0]
    other = select(CASES, ["N/sub/float32/contiguous/257/ordinary"])[0]

    def data(which, seed):
        return inputs.make(which, generator(which.id, seed)).operands[0].data.tolist()

    assert data(case, 0) == data(case, 0)
    assert data(case, 0) != data(case, 1)
    assert data(case, 0) != data(other, 0)


@pytest.mark.parametrize("dtype", FLOATS)
def test_special_values(dtype):
    values = specials.floats(dtype)
    wide, f = decode(dtype, values), FORMATS[dtype]
    for wanted in (0.0, f.smallest, f.smallest_normal, f.largest, -f.largest, np.inf, -np.inf, 1.0):
        assert wanted in wide.tolist()
    assert np.isnan(wide).sum() >= 3
    assert (np.signbit(wide) & (wide == 0)).any()


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_special_values_are_met_at_every_lane(dtype):
    tiled = bits_of(specials.at_every_lane(specials.of(dtype)))
    for value in np.unique(tiled):
        assert len(set(np.flatnonzero(tiled == value) % specials.LANES)) == specials.LANES


@pytest.mark.parametrize("layout", layouts.LAYOUTS)
@pytest.mark.parametrize("shape", [(), (5,), (4, 3), (2, 1, 3), (0, 3)])
def test_layouts_hold_the_values(layout, shape):
    rng = np.random.default_rng(0)
    values = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    placed = layouts.place(Host("float32", values), layout, rng)
    if layout not in layouts.SHARING:
        assert np.array_equal(placed.values().data, values)
    assert placed.values().shape == shape
    outside = placed.outside()
    guard = layouts.GUARD
    assert outside[:guard].all()
    assert outside[-guard:].all()
    assert np.isnan(placed.buffer[outside]).all()
    assert layouts.damaged(placed, placed.buffer.copy()) == 0
    spoilt = placed.buffer.copy()
    spoilt[guard - 1] = 0
    assert layouts.damaged(placed, spoilt, outside) == 1


def test_layouts_are_what_their_names_say():
    def strides(layout, shape=(4, 3)):
        return layouts.view(shape, layout)[0]

    assert strides("contiguous") == (3, 1)
    assert strides("transposed") == (1, 4)
    assert strides("stepped") == (18, 3)
    assert strides("negative") == (-3, -1)
    assert strides("zero_stride") == (0, 1)
    assert strides("odd_unit", (4, 1)) == (1, 977)
    assert strides("pitched") == (6, 1)
    assert strides("permuted", (2, 5, 3, 4)) == (60, 1, 20, 5)
    assert strides("flipped") == (3, -1)
    assert strides("zero_last") == (1, 0)
    assert strides("overlapping") == (1, 1)
    assert layouts.view((4, 3), "offset")[2] > 0


def test_whole_number_products_are_exact_in_their_accumulator():
    for case in select(CASES, ["N/matmul/*/integers"]):
        if case.dtype in FORMATS:
            a, b = (h.exact() for h in inputs.make(case, generator(case.id, 0)).operands)
            precision = 53 if case.dtype == "float64" else 24
            assert (np.abs(a) @ np.abs(b)).max() < 2.0**precision
