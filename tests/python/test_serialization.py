# SPDX-License-Identifier: Apache-2.0
"""Saving and loading: all types and layouts there and back, damaged and hostile files refused."""

from __future__ import annotations

import copy
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import device_api as xp

TYPES = list(xp.dtypes.ALL)
SHAPES = [(), (0,), (3,), (2, 0, 3), (4, 3)]


def _some(dtype: Any, shape: tuple[int, ...]) -> xp.Tensor:
    return xp.astype(xp.reshape(xp.arange(int(np.prod(shape))), shape), dtype)


def _same(a: xp.Tensor, b: xp.Tensor) -> None:
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    assert a.__reduce__()[1][0] == b.__reduce__()[1][0]


@pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_there_and_back(device: str, tmp_path: Path, dtype: Any, shape: tuple[int, ...]) -> None:
    with xp.fallback_policy("allow"):
        x = _some(dtype, shape)
        if dtype.name != "bfloat16":
            xp.save(tmp_path / "x.npy", x)
            _same(xp.load(tmp_path / "x.npy"), x)
            assert np.load(tmp_path / "x.npy").shape == shape
        if dtype.name != "complex128":
            xp.save(str(tmp_path / "x.safetensors"), {"x": x, "a.b": x})
            loaded = xp.load(str(tmp_path / "x.safetensors"), device="cpu")
            assert sorted(loaded) == ["a.b", "x"]
            _same(loaded["x"], x)
            assert loaded["x"].device.type == "cpu"
        for back in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            _same(back, x)
            assert back.device == x.device
    assert not list(tmp_path.glob("*.part"))


def test_views_are_saved_as_they_look(device: str, tmp_path: Path) -> None:
    x = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4))
    for view in (x.T, x[::-1, 1::2], xp.broadcast_to(x[0], (2, 4)), x[1:1]):
        xp.save(tmp_path / "v.npy", view)
        np.testing.assert_array_equal(np.load(tmp_path / "v.npy"), view.numpy())
        xp.save(tmp_path / "v.safetensors", {"v": view})
        np.testing.assert_array_equal(
            xp.load(tmp_path / "v.safetensors")["v"].numpy(), view.numpy()
        )


def test_files_of_others(cpu: str, tmp_path: Path) -> None:
    np.save(tmp_path / "big.npy", np.arange(3, dtype=">i4"))
    assert xp.load(tmp_path / "big.npy").tolist() == [0, 1, 2]
    np.save(tmp_path / "f.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    assert xp.load(tmp_path / "f.npy").tolist() == [[0, 1, 2], [3, 4, 5]]


class Hostile:
    """Would run code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("hostile-was-here"),))


def test_no_code_is_run_from_a_file(cpu: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    np.save(tmp_path / "o.npy", np.array([Hostile()], dtype=object), allow_pickle=True)
    (tmp_path / "p.npy").write_bytes(pickle.dumps(Hostile()))
    for name in ("o.npy", "p.npy"):
        with pytest.raises(xp.InvalidArgumentError, match="never loaded"):
            xp.load(tmp_path / name)
    assert not Path("hostile-was-here").exists()


def _header(text: bytes, length: int | None = None) -> bytes:
    return struct.pack("<Q", len(text) if length is None else length) + text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 4,
        _header(b"{}", 2**62),
        _header(b"not json"),
        _header(b'{"x":{"dtype":"F32","shape":[4],"data_offsets":[0,4]}}') + b"\0" * 4,
        _header(b'{"x":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}') + b"\0" * 8,
        _header(b'{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}') + b"\0" * 4,
        _header(b'{"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}'),
    ],
)
def test_damaged_files(cpu: str, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.safetensors").write_bytes(content)
    (tmp_path / "x.npy").write_bytes(content)
    for name in ("x.safetensors", "x.npy"):
        with pytest.raises(xp.InvalidArgumentError):
            xp.load(tmp_path / name)


def test_wrong_arguments(cpu: str, tmp_path: Path) -> None:
    x = xp.ones((2,))
    with pytest.raises(xp.InvalidArgumentError, match=r"\.npy or \.safetensors"):
        xp.save(tmp_path / "x.pt", x)
    with pytest.raises(xp.InvalidArgumentError, match=r"\.npy or \.safetensors"):
        xp.load(tmp_path / "x.pkl")
    with pytest.raises(xp.InvalidArgumentError, match="one array"):
        xp.save(tmp_path / "x.npy", {"x": x})
    with pytest.raises(xp.InvalidArgumentError, match="by name"):
        xp.save(tmp_path / "x.safetensors", x)
    with pytest.raises(xp.DTypeError, match="bfloat16"):
        xp.save(tmp_path / "x.npy", xp.astype(x, xp.bfloat16))
    with pytest.raises(FileNotFoundError):
        xp.load(tmp_path / "none.npy")
    with pytest.raises(FileNotFoundError):
        xp.save(tmp_path / "no" / "x.npy", x)


def test_bytes_that_do_not_fit_are_refused(cpu: str) -> None:
    rebuild, (content, *rest) = xp.ones((3,)).__reduce__()
    for wrong in (content[:-1], content + b"x", b""):
        with pytest.raises(xp.InvalidArgumentError, match="damaged"):
            rebuild(wrong, *rest)
