# SPDX-License-Identifier: Apache-2.0
"""What a correct device returns: the expected result of every op of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device_api_abi import optable
from device_api_abi.optable import Op
from device_api_conformance import (
    truth_complex,
    truth_exact,
    truth_float,
    truth_fold,
    truth_fused,
    truth_move,
    truth_order,
    truth_window,
)
from device_api_conformance.expectation import Expected
from device_api_conformance.formats import FORMATS, PARTS, Host

_Attributes = dict[str, Any]


def expected(op_name: str, operands: list[Host], attributes: _Attributes, exact: bool) -> Expected:
    """Truth of one call.

    Args:
        op_name: name in the op table.
        operands: dense inputs.
        attributes: of the call; `dtype` and `shape` where the op leaves them free.
        exact: the inputs are such that sums have one correct result in any order.
    """
    op = optable.by_name()[op_name]
    key = operands[0 if op.kind != "select" else 1].dtype if operands else attributes["dtype"]
    if op.name in _NAMED:
        return _NAMED[op.name](op, key, operands, attributes)
    if op.name in _SUMMED:
        return _SUMMED[op.name](op, key, operands, attributes, exact)
    if op.kind in _KINDS:
        return _KINDS[op.kind](op, key, operands, attributes)
    return _elementwise(op, key, operands)


def _elementwise(op: Op, key: str, operands: list[Host]) -> Expected:
    if op.result == "complex":
        return truth_complex.made(op, key, operands)
    if key in PARTS:
        return truth_complex.elementwise(op, key, operands)
    if key not in FORMATS:
        return truth_exact.integer(op, key, operands)
    if op.error != "ulp":
        return truth_exact.floating(op, key, operands)
    found = truth_float.reference(op.name, key, *(h.exact() for h in operands))
    either = found.high == 0 if op.name == "logaddexp" else None  # of 1 + 0, from -0 and -inf
    return Expected(key, found.high.shape, reference=found, zero_either=either)


_Plain = Callable[[Op, str, list[Host], _Attributes], Expected]

_NAMED: dict[str, _Plain] = {
    "max": truth_order.extreme, "min": truth_order.extreme, "any": truth_order.quantified,
    "all": truth_order.quantified, "prod": truth_fold.multiplied,
    "cumprod": truth_fold.multiplied, "put_along_axis": truth_move.put,
    "max_pool": truth_window.max_pool, "avg_pool": truth_window.avg_pool,
    "softmax": truth_fused.softmax, "log_softmax": truth_fused.softmax,
}  # fmt: skip

_SUMMED: dict[str, Callable[[Op, str, list[Host], _Attributes, bool], Expected]] = {
    "sum": truth_fold.summed, "matmul": truth_fold.summed, "cumsum": truth_fold.summed,
    "index_accumulate": truth_fold.summed, "convolution": truth_window.convolution,
}  # fmt: skip

_KINDS: dict[str, _Plain] = {
    "select": truth_move.select, "copy": truth_move.copy, "cast": truth_move.cast,
    "fill": truth_move.fill, "iota": truth_move.iota, "random": truth_move.random,
    "gather": truth_move.gather, "arg_reduce": truth_order.arg_reduce,
    "sort": truth_order.order, "search": truth_order.search,
    "activation": truth_fused.activation, "normalize": truth_fused.normalized,
    "attention": truth_fused.attention,
}  # fmt: skip
