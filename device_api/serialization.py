# SPDX-License-Identifier: Apache-2.0
"""Saving and loading arrays: ``.npy`` for one, ``.safetensors`` for many by name.

Both formats hold numbers only: loading never runs code from a file. safetensors needs the package
of that name (``pip install device-api[safetensors]``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.devices import DeviceLike, as_device, current_device

Path_ = str | os.PathLike[str]

# Names of the types in the format; what it does not have is not in the table.
_SAFETENSORS = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8",
    "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16", "bfloat16": "BF16",
    "float32": "F32", "float64": "F64", "complex64": "C64",
}  # fmt: skip
_OURS = {theirs: ours for ours, theirs in _SAFETENSORS.items()}


def save(path: Path_, data: Tensor | Mapping[str, Tensor]) -> None:
    """Save an array to ``*.npy``, or arrays by name to ``*.safetensors``.

    The file appears whole or not at all. Raises InvalidArgumentError for another ending or data
    that do not fit it, DTypeError for a type that the format does not have, OSError as ``open``.
    """
    target = Path(path)
    _writer(target)(target, data)


def load(path: Path_, *, device: DeviceLike | None = None) -> Tensor | dict[str, Tensor]:
    """Load an array from ``*.npy``, or arrays by name from ``*.safetensors``, onto a device.

    Raises InvalidArgumentError for another ending or a damaged file, DTypeError for a type that
    arrays do not have (Python objects are never loaded), OSError as ``open``.
    """
    source = Path(path)
    where = current_device() if device is None else as_device(device)
    if source.suffix == ".npy":
        return _load_npy(source, where)
    if source.suffix == ".safetensors":
        return _load_safetensors(source, where)
    raise _unknown(source)


def _writer(path: Path) -> Callable[[Path, Any], None]:
    writer = {".npy": _save_npy, ".safetensors": _save_safetensors}.get(path.suffix)
    if writer is None:
        raise _unknown(path)
    return writer


def _unknown(path: Path) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(
        f"{path.name}: no format has the ending {path.suffix!r}", "use .npy or .safetensors"
    )


def _replace(target: Path, write: Callable[[Path], None]) -> None:
    """Write a file beside the target, then put it in the target's place."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        write(beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _save_npy(target: Path, data: Any) -> None:
    if not isinstance(data, Tensor):
        raise errors.InvalidArgumentError(
            f"a .npy file holds one array, not a {type(data).__name__}",
            "save several by name to a .safetensors file",
        )
    if data.dtype == dtypes.bfloat16:
        raise errors.DTypeError(
            "a .npy file cannot hold bfloat16", "save to .safetensors, or convert to float32"
        )

    def write(path: Path) -> None:
        with path.open("wb") as file:
            np.save(file, data.numpy(), allow_pickle=False)

    _replace(target, write)


def _load_npy(source: Path, device: _core.Device) -> Tensor:
    with source.open("rb") as file:
        try:
            data = np.load(file, allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise errors.InvalidArgumentError(
                f"{source}: {error}", "save it anew; Python objects are never loaded"
            ) from error
    if not isinstance(data, np.ndarray):
        data.close()
        raise errors.InvalidArgumentError(f"{source}: not a .npy file", "it is an .npz archive")
    if data.dtype.kind not in "biufc" or data.dtype.itemsize > 16:
        raise errors.DTypeError(f"{source}: holds {data.dtype}", "save numbers of another type")
    if data.dtype.byteorder == ">":
        data = data.astype(data.dtype.newbyteorder("<"))
    return _core.from_numpy(np.ascontiguousarray(data).reshape(data.shape), None, device)


def _library() -> ModuleType:
    try:
        import safetensors
    except ModuleNotFoundError as error:
        raise errors.NotSupportedError(
            "the package safetensors is not installed", "pip install device-api[safetensors]"
        ) from error
    return safetensors


def _save_safetensors(target: Path, data: Any) -> None:
    if not isinstance(data, Mapping) or not all(
        isinstance(name, str) and isinstance(x, Tensor) for name, x in data.items()
    ):
        raise errors.InvalidArgumentError(
            f"a .safetensors file holds arrays by name, not a {type(data).__name__}",
            "give a dict of names and arrays",
        )
    library = _library()
    entries: dict[str, Any] = {}
    kept = []  # the library takes addresses
    for name, x in data.items():
        if x.dtype.name not in _SAFETENSORS:
            raise errors.DTypeError(
                f"{name}: a .safetensors file cannot hold {x.dtype.name}", "convert with astype"
            )
        content, dtype, shape, _ = x.__reduce__()[1]
        data_of = np.frombuffer(content, np.uint8)
        kept.append(data_of)
        entries[name] = library.TensorSpec(
            dtype=dtype, shape=shape, data_ptr=data_of.ctypes.data, data_len=len(content)
        )

    def write(path: Path) -> None:
        path.write_bytes(library.serialize(entries))

    _replace(target, write)
    kept.clear()


def _load_safetensors(source: Path, device: _core.Device) -> dict[str, Tensor]:
    library = _library()
    try:
        entries = library.deserialize(source.read_bytes())
    except library.SafetensorError as error:
        raise errors.InvalidArgumentError(f"{source}: {error}", "save it anew") from error
    loaded: dict[str, Tensor] = {}
    for name, entry in entries:
        if entry["dtype"] not in _OURS:
            raise errors.DTypeError(
                f"{source}: {name} has the type {entry['dtype']}", "convert it before saving"
            )
        loaded[name] = _core.rebuild(
            bytes(entry["data"]), _OURS[entry["dtype"]], tuple(entry["shape"]), str(device)
        )
    return loaded
