# SPDX-License-Identifier: Apache-2.0
"""Writes include/device_api/ops.h from ops.toml: `python -m device_api_abi.generate FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from device_api_abi import optable

_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Op identifiers and facts. Made from ops.toml by `python -m device_api_abi.generate`; do not
 * edit. */
#ifndef DEVICE_API_OPS_H
#define DEVICE_API_OPS_H

#include "device_api/types.h"

#ifdef __cplusplus
extern "C" {
#endif
"""

_TAIL = """
#ifdef __cplusplus
}
#endif
#endif
"""


def _enum(ops: tuple[optable.Op, ...]) -> str:
    rows = "".join(f"    DA_OP_{op.name.upper()} = {op.id}, /* {op.doc} */\n" for op in ops)
    return (
        "\n/* Numbers of the ops; append-only. */\n"
        f"typedef enum da_op {{\n    DA_OP_NONE = 0,\n{rows}}} da_op;\n"
        f"\n#define DA_OP_COUNT {len(ops)} /* ids are 1 .. DA_OP_COUNT */\n"
    )


def _kinds(ops: tuple[optable.Op, ...]) -> str:
    kinds = list(dict.fromkeys(op.kind for op in ops))
    rows = "".join(f"    DA_KIND_{kind.upper()} = {i},\n" for i, kind in enumerate(kinds))
    results = ("key", "bool", "int64", "uint32", "any", "real", "complex")
    result_rows = "".join(f"    DA_RESULT_{r.upper()} = {i},\n" for i, r in enumerate(results))
    return (
        "\n/* Families of ops; each has one shape rule (ops.toml). */\n"
        f"typedef enum da_op_kind {{\n{rows}}} da_op_kind;\n"
        "\n/* Type of the output. */\n"
        f"typedef enum da_result {{\n{result_rows}}} da_result;\n"
    )


def _attributes(ops: tuple[optable.Op, ...]) -> str:
    rows = "".join(
        f"    DA_{op.name.upper()}_{name.upper()} = {i}, /* {kind} */\n"
        for op in ops
        for i, (name, kind) in enumerate(op.attributes)
    )
    return f"\n/* Index of each attribute in dab_call.attributes. */\nenum {{\n{rows}}};\n"


def _table(ops: tuple[optable.Op, ...]) -> str:
    def row(op: optable.Op) -> str:
        key = op.inputs.index(op.key) if op.key in op.inputs else len(op.inputs)
        return (
            f"    X({op.id}, {op.name.upper()}, {op.name}, {op.version}, {op.kind.upper()}, "
            f"{len(op.inputs)}, {len(op.attributes)}, {key}, "
            f"{optable.dtype_mask(op.dtypes):#x}, {op.result.upper()}, "
            f"{optable.dtype_mask(op.others):#x}, {int(op.core)})"
        )

    rows = " \\\n".join(row(op) for op in ops)
    return (
        "\n/* X(id, NAME, name, version, KIND, inputs, attributes, index of the key operand, types"
        "\n *   of the key operand, RESULT, types of the second free operand, core) */\n"
        f"/* clang-format off */\n#define DA_OPS(X) \\\n{rows}\n/* clang-format on */\n"
    )


def _hashes() -> str:
    values = "".join(f"    UINT64_C({value:#018x}), \\\n" for value in optable.prefix_hashes())
    return (
        "\n/* Initialiser of an array: element N identifies the table's first N ops. */\n"
        f"#define DA_OP_TABLE_HASHES {{ \\\n{values}}}\n"
    )


def header() -> str:
    """The text of ops.h."""
    ops = optable.load()
    parts = (_enum(ops), _kinds(ops), _attributes(ops), _table(ops), _hashes())
    return _HEAD + "".join(parts) + _TAIL


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header(), encoding="utf-8")
