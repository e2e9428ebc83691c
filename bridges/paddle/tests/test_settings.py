# SPDX-License-Identifier: Apache-2.0
"""What can be wrong before Paddle is imported, and programs that get the environment only."""

from __future__ import annotations

import os
import shlex
import sys
from importlib import metadata
from types import ModuleType

import pytest

import device_api_paddle
from device_api import errors
from device_api_paddle import __main__ as command
from device_api_paddle import _settings


@pytest.fixture(autouse=True)
def untouched(monkeypatch):
    """Let no test enable anything in this process, or see what another one left."""
    monkeypatch.setattr(_settings, "_enabled", [])
    monkeypatch.delenv("CUSTOM_DEVICE_ROOT", raising=False)
    monkeypatch.setenv("DEVICE_API_SIMULATE", "npu")


def test_paddle_is_missing(monkeypatch):
    def absent(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(device_api_paddle.PaddleNotInstalledError) as caught:
        device_api_paddle.enable("npu")
    assert caught.value.remedy == "pip install paddlepaddle==3.3.1"


def test_paddle_has_another_version(monkeypatch):
    monkeypatch.setattr(metadata, "version", lambda name: "3.2.0")
    with pytest.raises(device_api_paddle.PaddleVersionError, match=r"paddlepaddle 3\.2\.0 is") as e:
        device_api_paddle.enable("npu")
    assert isinstance(e.value, errors.VersionMismatchError)
    assert "3.3.1" in e.value.cause


def test_the_pinned_version_is_that_of_the_metadata():
    requires = metadata.requires("device-api-paddle") or []
    assert f"paddlepaddle=={device_api_paddle.PADDLE_VERSION}" in requires


def test_a_device_type_without_plugin():
    with pytest.raises(errors.PluginNotInstalledError) as caught:
        device_api_paddle.enable("mlu")
    assert "device-api[mlu]" in caught.value.remedy


def test_an_unknown_device_type():
    with pytest.raises(errors.UnknownDeviceError, match="abacus"):
        device_api_paddle.enable("abacus")


def test_a_device_without_driver(monkeypatch):
    monkeypatch.delenv("DEVICE_API_SIMULATE")
    with pytest.raises(errors.NoDriverError):
        device_api_paddle.enable("npu")
    assert device_api_paddle.enabled() is None


def test_paddle_is_imported_already(monkeypatch):
    monkeypatch.setitem(sys.modules, "paddle", ModuleType("paddle"))
    with pytest.raises(device_api_paddle.PaddleOrderError, match="imported already"):
        device_api_paddle.enable("npu")


def test_another_type_is_enabled(monkeypatch):
    monkeypatch.setattr(_settings, "_enabled", ["npu"])
    device_api_paddle.enable("npu")
    with pytest.raises(device_api_paddle.PaddleOrderError, match="'npu' is enabled already"):
        device_api_paddle.enable("cpu")


def test_another_folder_of_custom_devices(monkeypatch):
    monkeypatch.setenv("CUSTOM_DEVICE_ROOT", "/opt/other")
    with pytest.raises(device_api_paddle.PaddleOrderError, match="/opt/other"):
        device_api_paddle.enable("npu")


def test_the_library_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(_settings, "LIBRARY", tmp_path / "absent.so")
    with pytest.raises(errors.PluginBrokenError, match=r"absent\.so"):
        device_api_paddle.environment("npu")


def test_questions_before_paddle_has_loaded_the_bridge():
    with pytest.raises(device_api_paddle.PaddleOrderError, match="has not loaded the bridge"):
        device_api_paddle.native_ops()


def test_environment_is_not_changed_by_a_refusal(monkeypatch):
    before = dict(os.environ)
    monkeypatch.setattr(metadata, "version", lambda name: "3.2.0")
    with pytest.raises(device_api_paddle.PaddleVersionError):
        device_api_paddle.enable("npu")
    assert dict(os.environ) == before


def test_command_prints_exports_or_the_reason(capsys):
    assert command.main(["npu"]) == 0
    words = shlex.split(capsys.readouterr().out)  # as a shell reads it
    assert words[::2] == ["export"] * 4
    assert dict(word.split("=", 1) for word in words[1::2]) == device_api_paddle.environment("npu")
    assert command.main(["abacus"]) == 1
    assert "abacus" in capsys.readouterr().err


def test_late_is_too_late(child):
    answer = child("late").answer
    assert "imported already" in answer["cause"]
    assert "before the first `import paddle`" in answer["remedy"]


def test_a_program_with_the_environment_only(child):
    settings = device_api_paddle.environment("npu")
    answer = child("without_device_api", **settings).answer
    assert answer == {"total": [2.5, 2.5, 2.5], "modules": []}


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("DEVICE_API_PADDLE_TYPE", "", "no device type was chosen"),
        ("DEVICE_API_PADDLE_PLUGIN", "/nonexistent/libchip.so", "/nonexistent/libchip.so"),
        ("DEVICE_API_PADDLE_OPTIONS", "no_such_option=1", "no_such_option"),
    ],
)
def test_settings_that_cannot_work_leave_paddle_usable(child, setting, value, reason):
    settings = device_api_paddle.environment("npu") | {setting: value}
    finished = child("declined", **settings)
    assert finished.answer == {"types": [], "cpu": [1.0, 1.0]}
    assert "device_api_paddle: " in finished.errors
    assert reason in finished.errors
