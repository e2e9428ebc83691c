# SPDX-License-Identifier: Apache-2.0
"""What makes a check of a device fail, and stacks that clash, found without loading them."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import device_api as xp
from device_api import _clashes, _core, _health_steps, sensors


def _failed() -> dict[str, str]:
    return {s.name: s.detail for s in xp.run_check("cpu").steps if not s.passed}


def _stack(folder: Path, names: tuple[str, ...]) -> str:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"")
    return str(folder)


def test_two_installations_of_one_stack_on_the_path(tmp_path: Path) -> None:
    names = ("liba.so", "libb.so", "libc.so")
    one, two = _stack(tmp_path / "one", names), _stack(tmp_path / "two", names)
    (told,) = _clashes.twice_on_path({"LD_LIBRARY_PATH": f"{one}:/nowhere:{two}"})
    assert one in told and two in told and "keep one" in told


def test_links_and_few_shared_names_are_no_clash(tmp_path: Path) -> None:
    one = _stack(tmp_path / "one", ("liba.so", "libb.so", "libc.so"))
    few = _stack(tmp_path / "few", ("liba.so", "libb.so"))
    (tmp_path / "link").symlink_to(one)
    path = f"{one}:{few}:{tmp_path / 'link'}:{one}"
    assert _clashes.twice_on_path({"LD_LIBRARY_PATH": path}) == []


def test_known_bad_versions_need_every_pattern() -> None:
    rule = {"when": {"driver": "7.*", "arch": "Old*"}, "problem": "It hangs.",
            "remedy": "update", "source": "https://example.org/1"}  # fmt: skip
    (told,) = _clashes.known_bad([rule], {"driver": "7.2", "arch": "Old1"})
    assert told == "It hangs. Remedy: update (source: https://example.org/1)"
    assert _clashes.known_bad([rule], {"driver": "7.2", "arch": "New1"}) == []
    assert _clashes.known_bad([rule], {"arch": "Old1"}) == []


@pytest.mark.parametrize("text", ["[[bad", "[[bad]]\nwhen = { a = 'b' }\nproblem = 'p'\n"])
def test_a_broken_list_of_combinations_is_named(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "made_up_plugin"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / _clashes.RULES).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=r"compatibility\.toml"):
        _clashes.rules("made_up_plugin.plugin")
    assert _clashes.rules("no_such_package_at_all") == []


def test_bad_versions_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_clashes, "bad_versions", lambda kind, facts: ["It hangs. Remedy: update"])
    assert _failed() == {"versions": "It hangs. Remedy: update"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"health": "critical", "health_text": "E17"}, "E17"),
        ({"ecc_uncorrected": 3}, "replaced"),
        ({"throttle": frozenset({"hardware"})}, "cooling"),
    ],
)
def test_bad_sensors_fail_the_check(
    change: dict[str, object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = sensors.telemetry("cpu")
    monkeypatch.setattr(sensors, "telemetry", lambda device: replace(true, **change))
    failed = _failed()
    assert set(failed) == {"state"}
    assert said in failed["state"]


def test_full_memory_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    true = _core.memory_stats
    monkeypatch.setattr(_core, "memory_stats", lambda device: true(device) | {"free": 1 << 20})
    assert set(_failed()) == {"free memory"}


def test_a_slow_link_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_health_steps, "_FLOOR", 1e15)
    assert "check the slot" in _failed()["bandwidth"]


def test_a_stuck_bit_and_a_wrong_product_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    true, product = _core.from_numpy, _core.matmul

    def stuck(data: np.ndarray, dtype: object, device: object) -> object:
        if data.dtype == np.uint64 and data.size > 1 << 16:
            data = data | np.uint64(4)
        return true(data, dtype, device)

    def wrong(x: object, y: object) -> object:
        return _core.add(product(x, y), product(x, y))

    monkeypatch.setattr(_core, "from_numpy", stuck)
    assert set(_failed()) == {"memory patterns"}
    monkeypatch.setattr(_core, "from_numpy", true)
    monkeypatch.setattr(_core, "matmul", wrong)
    assert "matmul by type" in _failed()


def test_extension_modules_of_one_name_are_no_clash() -> None:
    importlib.import_module("scipy.optimize._highspy._core")  # as device_api._core is named
    assert "libdevice_api" in _clashes.mapped_libraries()
    assert not [text for text in _clashes.conflicts() if "_core" in text]
