# SPDX-License-Identifier: Apache-2.0
"""Cases of chapter I with the libraries that are installed: NumPy always, others where they are.

An accelerator's arrays go to them through host memory, as a consumer asks for it (``dl_device``).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from device_api_conformance import layouts
from device_api_conformance.capsules import OnHost
from device_api_conformance.case import Case
from device_api_conformance.formats import Array, Host, bits_of, storage
from device_api_conformance.handle import Handle, Lacks
from device_api_conformance.interop_capsule_cases import SHAPES, exported, put, used
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator

_SMALL = ("bool", "int8", "int16", "int32", "uint8", "float16", "bfloat16", "float32", "complex64")
_WIDE = ("int64", "float64", "complex128")
_UNSIGNED = ("uint16", "uint32")


def _torch_plain(x: Any) -> Array:
    torch = importlib.import_module("torch")
    if x.dtype is torch.bfloat16:
        return np.asarray(x.contiguous().view(torch.int16).numpy()).view(np.uint16)
    return np.asarray(x.numpy())


def _torch_made(data: Array, dtype: str) -> Any:
    torch = importlib.import_module("torch")
    if dtype == "bfloat16":
        return torch.from_numpy(data.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(data)


def _jax_plain(x: Any) -> Array:
    seen = np.asarray(x)
    return seen.view(np.uint16) if str(x.dtype) == "bfloat16" else seen


def _jax_made(data: Array, dtype: str) -> Any:
    numpy = importlib.import_module("jax.numpy")
    if dtype == "bfloat16":
        return importlib.import_module("jax").lax.bitcast_convert_type(
            numpy.asarray(data), numpy.bfloat16
        )
    return numpy.asarray(data)


@dataclass(frozen=True)
class Library:
    """How a library takes capsules, shows its arrays to NumPy, and is given arrays."""

    module: str
    takes: str
    dtypes: tuple[str, ...]
    plain: Callable[[Any], Array]
    made: Callable[[Array, str], Any]
    writable: bool = True


LIBRARIES = {
    "numpy": Library("numpy", "numpy", tuple(d for d in (*_SMALL, *_WIDE, *_UNSIGNED, "uint64")
                                             if d != "bfloat16"),
                     np.asarray, lambda data, dtype: data),
    "torch": Library("torch", "torch", (*_SMALL, *_WIDE, *_UNSIGNED), _torch_plain, _torch_made),
    "jax": Library("jax", "jax.dlpack", (*_SMALL, *_UNSIGNED), _jax_plain, _jax_made, False),
}  # fmt: skip
"""Reference libraries by name."""


def _library(case: Case, r: Record) -> tuple[Library, Callable[[Any], Any]]:
    """The library of a case and its `from_dlpack`.

    Raises:
        Lacks: it is not installed.
    """
    found = LIBRARIES[case.values]
    if find_spec(found.module) is None:
        raise Lacks(f"{found.module} is not installed")
    r.note("version", str(importlib.import_module(found.module).__version__))
    return found, importlib.import_module(found.takes).from_dlpack


def _differ(got: Array, want: Array) -> int:
    if got.shape != want.shape:
        return max(1, int(want.size))
    return int(np.count_nonzero(bits_of(got) != bits_of(want)))


def out(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The library sees arrays of all shapes and layouts, bit by bit, or refuses them itself."""
    library, takes = _library(case, r)
    refused = []
    views = [(shape, "contiguous") for shape in SHAPES]
    views += [((5, 1, 3), layout) for layout in layouts.LAYOUTS[1:]]
    for shape, layout in views:
        placed, tensor = put(handle, case, seed, shape, layout)
        source = OnHost(exported(handle, tensor))
        try:
            seen = takes(source)
        except Exception as error:  # noqa: BLE001 - a consumer may refuse a layout
            refused.append(f"{layout} {shape}: {type(error).__name__}: {error}"[:160])
            _told(handle, r, f"{layout} {shape}", source.error)
            continue
        got = library.plain(seen)
        r.equal(f"{layout} {shape}: wrong elements", _differ(got, placed.values().data), 0)
    r.note("refused by the library", refused)
    r.equal("dense arrays that are refused", [x for x in refused if x.startswith("contig")], [])


def _told(handle: Handle, r: Record, what: str, error: Exception | None) -> None:
    """An error of the producer: only that the device cannot copy such views is none of its own."""
    lacking = isinstance(error, (handle.error("fallback"), handle.error("not_supported")))
    name = "" if error is None or lacking else f"{type(error).__name__}: {error}"[:200]
    r.equal(f"{what}: error of the producer", name, "")


def into(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The library's arrays come in: transposed, stepped, repeated, of no elements, and so on."""
    library, _ = _library(case, r)
    exported(handle, put(handle, case, seed, (1,), "contiguous")[1])
    rng = generator(case.id, seed)
    kind = storage(case.dtype)
    base = rng.integers(0, 2, (6, 8)).astype(kind) if case.dtype == "bool" else rng.integers(
        0, 100, (6, 8)).astype(kind)  # fmt: skip
    made = library.made(base.copy(), case.dtype)
    views: dict[str, Callable[[Any], Any]] = {
        "dense": lambda x: x, "transposed": lambda x: x.T, "stepped": lambda x: x[::2, 1::3],
        "one row": lambda x: x[2], "one element": lambda x: x[3:4, 5:6],
        "no elements": lambda x: x[:0], "no dimensions": lambda x: x[1, 2],
    }  # fmt: skip
    for name, cut in views.items():
        seen, want = cut(made), np.asarray(cut(base))
        if not hasattr(seen, "__dlpack__"):
            continue  # a NumPy scalar
        tensor = handle.imported(seen)
        got = handle.get(tensor)
        r.equal(f"{name}: type", got.dtype, case.dtype)
        r.equal(f"{name}: wrong elements", _differ(np.asarray(got.data), want), 0)


def keeps(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What the library holds outlives our array; afterwards all memory is free again."""
    library, takes = _library(case, r)
    held = used(handle)
    placed, tensor = put(handle, case, seed, (3000,), "contiguous")
    want = placed.values().data
    seen = takes(OnHost(exported(handle, tensor)))
    del tensor
    others = [put(handle, case, seed + k, (3000,), "contiguous")[1] for k in range(4)]
    r.equal("wrong elements after our array is gone", _differ(library.plain(seen), want), 0)
    del seen, others
    r.equal("memory in use afterwards", used(handle), held)


def written(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Memory that is shared is shared: what the library writes is seen here."""
    library, takes = _library(case, r)
    if not library.writable:
        raise Lacks(f"arrays of {library.module} cannot be written")
    placed, tensor = put(handle, case, seed, (100,), "contiguous")
    source = exported(handle, tensor)
    if int(source.__dlpack_device__()[0]) != 1:
        raise Lacks("the device's memory is none that the library can write")
    seen = takes(source)
    seen[3:5] = 7
    want = placed.values().data
    want[3:5] = 7
    r.equal("wrong elements", _differ(np.asarray(handle.get(tensor).data), want), 0)


def array(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """``numpy.asarray`` and ``numpy.array`` see the values; what is copied is a copy."""
    for layout in layouts.LAYOUTS:
        placed, tensor = put(handle, case, seed, (5, 1, 3), layout)
        source = exported(handle, tensor)
        want = placed.values()
        try:
            np.asarray(source)
        except handle.error("fallback") as error:
            raise Lacks(f"{layout} {case.dtype}: {error}".partition("\n")[0]) from error
        for name, read in (("asarray", np.asarray), ("array", np.array)):
            got = read(source)
            r.equal(f"{name}, {layout}: type", str(got.dtype), case.dtype)
            r.equal(f"{name}, {layout}: wrong elements", _differ(got, want.data), 0)
        copy = np.array(source)
        copy[...] = 0
        r.equal(f"{layout}: elements that a copy changed",
                _differ(np.asarray(handle.get(tensor).data), want.data), 0)  # fmt: skip
        wide = np.asarray(source, dtype="complex128")
        off = int(np.count_nonzero(wide != Host(case.dtype, want.data).exact().astype(complex)))
        r.equal(f"{layout}: wrong elements as complex128", off, 0)


def buffer(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """The buffer protocol, where an array has it, shows the very values; else a TypeError."""
    for layout in layouts.LAYOUTS:
        placed, tensor = put(handle, case, seed, (5, 1, 3), layout)
        source = exported(handle, tensor)
        try:
            seen = memoryview(source)
        except TypeError as error:
            r.equal(f"{layout}: refused with words", bool(str(error).strip()), True)
            r.equal(f"{layout}: an array interface beside", hasattr(source, "__array_interface__"),
                    False)  # fmt: skip
            continue
        got = np.asarray(seen)
        r.equal(f"{layout}: wrong elements", _differ(got, placed.values().data), 0)
        described = getattr(source, "__array_interface__", None)
        if described is not None:
            r.equal(f"{layout}: shape of the array interface", list(described["shape"]),
                    list(placed.shape))  # fmt: skip
            r.equal(f"{layout}: type of the array interface", described["typestr"], got.dtype.str)


_LIBRARY = {"library_out": out, "library_in": into}
_ONCE = {"library_keeps": keeps, "library_writes": written}
_NUMPY = {"array_protocol": array, "buffer_protocol": buffer}
CHECKS = _LIBRARY | _ONCE | _NUMPY


def _of(name: str) -> list[Case]:
    found = [Case("I", check, dtype=d, values=name)
             for check in _LIBRARY for d in LIBRARIES[name].dtypes]  # fmt: skip
    return found + [Case("I", check, dtype="float32", values=name) for check in _ONCE]


def cases() -> list[Case]:
    """Cases with NumPy, which every level has."""
    types = LIBRARIES["numpy"].dtypes
    return _of("numpy") + [Case("I", name, dtype=d) for name in _NUMPY for d in types]


def more_cases() -> list[Case]:
    """Cases with libraries that take seconds to load."""
    return [case for name in LIBRARIES if name != "numpy" for case in _of(name)]
