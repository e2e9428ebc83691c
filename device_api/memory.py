# SPDX-License-Identifier: Apache-2.0
"""Device memory: what is in use, what the cache holds, what the peak was. All sizes are bytes.

*Allocated* is what live arrays occupy, *reserved* what the caching allocator holds of the device,
used or not. The device is the current one unless named. Names as in PaddlePaddle 3.3.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from device_api import _core
from device_api.devices import DeviceLike, optional_device
from device_api.errors import ShapeError

_Path = str | os.PathLike[str]


def memory_stats(device: DeviceLike | None = None) -> dict[str, Any]:
    """Return all figures of the allocator of a device by name.

    All are integers but ``fragmentation``: the share of the cached memory for large arrays that
    lies outside its largest free block. docs/memory.md says what each one means.
    """
    chosen = optional_device(device)
    return {**_core.memory_stats(chosen), **_core.memory_details(chosen)}


def _figure(name: str, device: DeviceLike | None) -> int:
    return _core.memory_stats(optional_device(device))[name]


def memory_allocated(device: DeviceLike | None = None) -> int:
    """Return the bytes that live arrays occupy."""
    return _figure("allocated", device)


def max_memory_allocated(device: DeviceLike | None = None) -> int:
    """Return the most bytes that live arrays occupied since the last reset of the peaks."""
    return _figure("peak_allocated", device)


def memory_reserved(device: DeviceLike | None = None) -> int:
    """Return the bytes that the allocator holds of the device."""
    return _figure("reserved", device)


def max_memory_reserved(device: DeviceLike | None = None) -> int:
    """Return the most bytes that the allocator held since the last reset of the peaks."""
    return _figure("peak_reserved", device)


def reset_peak_memory_stats(device: DeviceLike | None = None) -> None:
    """Start the peaks anew from what is in use now."""
    _core.reset_peak(optional_device(device))


def empty_cache(device: DeviceLike | None = None) -> None:
    """Give unused reserved memory back to the device, pinned memory too; waits for its work."""
    _core.empty_cache(optional_device(device))


def set_memory_fraction(fraction: float, device: DeviceLike | None = None) -> None:
    """Limit what this process holds of a device's memory to a share of all of it.

    Requests beyond it raise ``OutOfMemoryError`` as if the device were that small; what is held
    already stays. 1 takes the limit away. Other values than those above 0 and up to 1 raise
    ``ValueError``; ``NotImplementedError`` where the device does not say how much memory it has.
    """
    given: object = fraction  # from untyped programs
    if isinstance(given, str | bytes | bytearray):
        raise TypeError(f"a memory fraction is a number such as 0.5, not {fraction!r}")
    _core.set_memory_fraction(float(fraction), optional_device(device))


# ---- snapshots ---------------------------------------------------------------------------------


def memory_snapshot(
    device: DeviceLike | None = None, *, file: _Path | None = None
) -> dict[str, Any]:
    """Return all segments of a device's memory and their blocks, as they are at one moment.

    ``{"device", "stats", "segments": [{"address", "bytes", "use", "blocks": [...]}]}``, where a
    block has ``state`` (live, held, free, uncarved), ``address``, ``bytes``, ``owner`` (the op that
    asked for it last), ``stream``, ``age`` (allocations since then) and ``seconds`` (None for small
    blocks). Plain data: with ``file`` it is written there as JSON too.
    """
    chosen = optional_device(device) or _core.current_device()
    pieces = _core.memory_snapshot(chosen)
    segments: list[dict[str, Any]] = []
    for piece in pieces:
        if piece["state"] == "segment":
            kept = {name: piece[name] for name in ("address", "bytes", "use")}
            segments.append({**kept, "blocks": []})
        else:
            del piece["use"]
            segments[-1]["blocks"].append(piece)
    segments.sort(key=lambda segment: segment["address"])
    snapshot = {"device": str(chosen), "stats": memory_stats(chosen), "segments": segments}
    if file is not None:
        Path(file).write_text(json.dumps(snapshot, indent=1) + "\n", encoding="utf-8")
    return snapshot


def memory_snapshot_html(
    path: _Path, device: DeviceLike | None = None, *, snapshot: dict[str, Any] | None = None
) -> None:
    """Write a picture of a device's memory, one bar per segment, as an HTML page of its own.

    Of a given ``snapshot`` (of ``memory_snapshot``, or read from its JSON), else of the state now.
    """
    from device_api import _memory_page  # only who draws pays for it

    page = _memory_page.render(memory_snapshot(device) if snapshot is None else snapshot)
    Path(path).write_text(page, encoding="utf-8")


# ---- pinned host memory ------------------------------------------------------------------------


def empty_pinned(
    shape: int | Sequence[int], dtype: npt.DTypeLike | None = None, device: DeviceLike | None = None
) -> npt.NDArray[Any]:
    """Return a NumPy array in page-locked memory of a device: float32 unless given, undefined.

    The device copies to and from it without staging. The memory goes back to a pool with the last
    view of it, and is not reused while enqueued copies need it. Where a device has no such memory
    it is ordinary memory. Raises ``OutOfMemoryError``.
    """
    kind = np.dtype(np.float32 if dtype is None else dtype)
    if kind.hasobject:
        raise TypeError("pinned memory holds numbers, not Python objects")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 0 for size in sizes):
        raise ShapeError(f"a shape has no negative sizes: {sizes}", "give sizes of 0 or more")
    count = int(np.prod(sizes, dtype=object))
    memory = _core.pinned_memory(count * kind.itemsize, optional_device(device))
    return np.frombuffer(memoryview(memory), kind, count).reshape(sizes)


def pin_memory(array: npt.ArrayLike, device: DeviceLike | None = None) -> npt.NDArray[Any]:
    """Return a copy of host data in page-locked memory of a device; see ``empty_pinned``."""
    source = np.asarray(array)
    pinned = empty_pinned(source.shape, source.dtype, device)
    pinned[...] = source
    return pinned


def _check_pair(x: _core.Tensor, array: npt.NDArray[Any], what: str) -> None:
    if not isinstance(x, _core.Tensor) or not isinstance(array, np.ndarray):
        raise TypeError(f"{what} takes an array of device_api and a NumPy array")
    if x.shape != array.shape or x.dtype != _core.as_dtype(array.dtype):
        raise ShapeError(
            f"{what} needs equal shapes and types: the array of the device has {x.shape} of "
            f"{x.dtype.name}, that of the host {array.shape} of {array.dtype}",
            "reshape and convert one of them first, as with array.astype(...)",
        )
    if not array.dtype.isnative:
        raise ShapeError(
            f"{what} moves bytes as they are, and those of {array.dtype.str!r} are in the other "
            "order than this machine's",
            "convert first: array.astype(array.dtype.newbyteorder('='))",
        )
    if not x.is_contiguous() or not array.flags.c_contiguous:
        raise ShapeError(f"{what} needs dense arrays in row-major order", "copy a view first")


def copy_from_host(
    x: _core.Tensor, array: npt.NDArray[Any], stream: _core.Stream | None = None
) -> None:
    """Copy a NumPy array over an array, in the order of a stream (default: the current one).

    From pinned memory the copy is enqueued: leave the elements of ``array`` alone until the stream
    has passed; dropping it is safe. From other memory the copy is done on return. Both are dense
    and equal in shape and type, else ``ShapeError``.
    """
    _check_pair(x, array, "copy_from_host")
    _core.copy_host(x, array, False, stream)


def copy_to_host(
    array: npt.NDArray[Any], x: _core.Tensor, stream: _core.Stream | None = None
) -> None:
    """Copy an array over a NumPy array, in the order of a stream (default: the current one).

    Into pinned memory the copy is enqueued: the elements are there once the stream has passed.
    Into other memory it is done on return. Otherwise as ``copy_from_host``.
    """
    _check_pair(x, array, "copy_to_host")
    _core.copy_host(x, array, True, stream)
