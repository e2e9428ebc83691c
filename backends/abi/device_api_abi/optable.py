# SPDX-License-Identifier: Apache-2.0
"""Reader of the op table (ops.toml): one `Op` per primitive, and the hashes that identify it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
"""Names of the data types, in the order of their numbers (types.h)."""

_SIGNED = DTYPES[1:5]
_UNSIGNED = DTYPES[5:9]
_FLOATING = DTYPES[9:13]

CLASSES: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed": _SIGNED,
    "unsigned": _UNSIGNED,
    "integer": _SIGNED + _UNSIGNED,
    "floating": _FLOATING,
    "numeric": _SIGNED + _UNSIGNED + _FLOATING,
    "all": ("bool", *_SIGNED, *_UNSIGNED, *_FLOATING),
    "indices": ("int32", "int64"),
    "wide": ("float32", "float64"),
    "uint32": ("uint32",),
    "none": (),
}
"""Classes of data types that the table names."""

COMPLEX = DTYPES[13:15]
"""The complex types, which `complex = true` adds to a row."""


@dataclass(frozen=True)
class Op:
    """One primitive op, as ops.toml describes it (the meaning of each field is written there)."""

    id: int
    name: str
    api: str
    kind: str
    version: int
    inputs: tuple[str, ...]
    key: str
    dtypes: tuple[str, ...]
    result: str
    others: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]
    core: bool
    fused: bool
    error: str
    ulp: tuple[float, float]
    doc: str
    edges: tuple[str, ...]

    @property
    def n_outputs(self) -> int:
        """Number of outputs; every primitive of this version has one."""
        return 1

    def signature(self) -> str:
        """The canonical text of what the contract fixes; the hash is made of these.

        Complex types are left out: they came later to the first ops, and a plugin names the types
        that it has anyway.
        """
        dtypes, others = (
            ",".join(t for t in types if t not in COMPLEX) for types in (self.dtypes, self.others)
        )
        attributes = ",".join(f"{name}:{kind}" for name, kind in self.attributes)
        return (
            f"{self.id} {self.name} v{self.version} {self.kind} ({','.join(self.inputs)}) "
            f"key={self.key} [{dtypes}] result={self.result} "
            f"others=[{others}] attributes=[{attributes}]\n"
        )


def _op(row: dict[str, Any]) -> Op:
    inputs = tuple(row["inputs"])
    ulp = row.get("ulp", [0.0, 0.0])
    extra = COMPLEX if row.get("complex") else ()
    others = CLASSES[row.get("others", "none")]
    return Op(
        id=row["id"],
        name=row["name"],
        api=row.get("api", ""),
        kind=row["kind"],
        version=row.get("version", 1),
        inputs=inputs,
        key=row.get("key", inputs[0] if inputs else "output"),
        dtypes=CLASSES[row["dtypes"]] + extra,
        result=row.get("result", "key"),
        others=others + extra if row["kind"] == "cast" else others,
        attributes=tuple((name, kind) for name, kind in row.get("attributes", [])),
        core=row["core"],
        fused=row.get("fused", False),
        error=row["error"],
        ulp=(float(ulp[0]), float(ulp[1])),
        doc=row["doc"],
        edges=tuple(row.get("edges", [])),
    )


@lru_cache(maxsize=1)
def load() -> tuple[Op, ...]:
    """All ops in the order of their ids.

    Raises:
        ValueError: the table breaks its own rules (ids not 1, 2, 3, ... or a name twice).
    """
    text = (Path(__file__).parent / "ops.toml").read_text(encoding="utf-8")
    ops = tuple(_op(row) for row in tomllib.loads(text)["op"])
    if [op.id for op in ops] != list(range(1, len(ops) + 1)):
        raise ValueError("ops.toml: ids must be 1, 2, 3, ... in order; append new ops at the end")
    if len({op.name for op in ops}) != len(ops):
        raise ValueError("ops.toml: two ops have one name")
    return ops


def by_name() -> dict[str, Op]:
    """The ops by name."""
    return {op.name: op for op in load()}


def _fnv1a(text: str, state: int) -> int:
    for byte in text.encode("utf-8"):
        state = ((state ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return state


def prefix_hashes() -> tuple[int, ...]:
    """Hash of the first N ops for N = 0 .. number of ops (64-bit FNV-1a of their signatures)."""
    state = 0xCBF29CE484222325
    hashes = [state]
    for op in load():
        state = _fnv1a(op.signature(), state)
        hashes.append(state)
    return tuple(hashes)


def dtype_mask(names: tuple[str, ...]) -> int:
    """The da_dtype_mask of data types given by name."""
    return sum(1 << DTYPES.index(name) for name in names)
