# SPDX-License-Identifier: Apache-2.0
"""The command line: states of all types, a doctor that survives its patients, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from plugin_site import Site

SIMULATED = {"DEVICE_API_SIMULATE": "npu"}


def findings(site: Site, *arguments: str, code: int = 0, **environment: str) -> dict[str, Any]:
    ended = site.command(*arguments, "--json", **environment)
    assert ended.returncode == code, ended.stderr + ended.stdout
    data = json.loads(ended.stdout)
    types = data if isinstance(data, list) else data["types"]
    return {one["type"]: one for one in types} | {"": data}


def test_devices_lists_every_type_with_its_state(site: Site) -> None:
    found = findings(site, "devices", **SIMULATED)
    assert found["cpu"]["state"] == "usable"
    assert found["npu"]["state"] == "usable"
    assert found["npu"]["simulated"]
    assert all("simulated" in name for name in found["npu"]["names"])
    assert found["cuda"]["state"] == "not installed"
    assert found["cuda"]["remedy"] == "pip install 'device-api[cuda]'"
    assert findings(site, "devices")["npu"]["state"] == "no driver"


def test_devices_prints_a_table(site: Site) -> None:
    ended = site.command("devices", **SIMULATED)
    assert ended.returncode == 0
    lines = {line.split("│")[1].strip(): line for line in ended.stdout.splitlines() if "│" in line}
    assert "usable" in lines["cpu"]
    assert "simulated" in lines["npu"]
    assert "not installed" in lines["mlu"]


def test_a_healthy_installation_is_told_so(site: Site) -> None:
    ended = site.command("doctor", **SIMULATED)
    assert ended.returncode == 0, ended.stdout
    assert "Nothing is wrong." in ended.stdout


@pytest.mark.parametrize(
    ("how", "cause"),
    [
        ("abort()", "SIGABRT"),
        ("*(volatile int *)0 = 1", "SIGSEGV"),
        ("_Exit(3)", "exit code 3"),
    ],
)
def test_a_plugin_that_crashes_at_load_is_one_line(site: Site, how: str, cause: str) -> None:
    library = site.library("crash", how)
    site.backend("fragile", str(library))
    found = findings(site, "doctor", code=1, **SIMULATED)
    assert found["fragile"]["state"] == "broken"
    assert cause in found["fragile"]["cause"]
    assert found["fragile"]["remedy"]
    assert found["cpu"]["state"] == found["npu"]["state"] == "usable"
    text = site.command("doctor", **SIMULATED).stdout
    assert len([line for line in text.splitlines() if cause in line]) == 1
    assert "Something is wrong" in text


def test_a_plugin_that_prints_does_not_confuse_the_doctor(site: Site) -> None:
    site.plugin("noisy", "print('{\"type\": 1}'); raise RuntimeError('no luck')")
    found = findings(site, "doctor", code=1)
    assert found["noisy"]["state"] == "broken"
    assert "no luck" in found["noisy"]["cause"]


def test_the_doctor_names_two_plugins_for_one_type(site: Site) -> None:
    site.backend("twin", "/nowhere/a.so", "maker-one")
    site.backend("twin", "/nowhere/b.so", "maker-two")
    found = findings(site, "doctor", code=1)
    assert found["twin"]["state"] == "broken"
    (warning,) = (w for w in found[""]["warnings"] if "several plugins" in w)
    assert "maker-one 1.0" in warning
    assert "maker-two 1.0" in warning


def test_the_doctor_tells_of_simulation_that_nobody_offers(site: Site) -> None:
    found = findings(site, "doctor", code=1, DEVICE_API_SIMULATE="abacus")
    assert any("abacus" in warning for warning in found[""]["warnings"])


def test_the_doctor_tells_of_a_real_library_in_the_simulated_ones_place(site: Site) -> None:
    library = site.library("ascendcl", ";")
    found = findings(site, "doctor", code=1, LD_PRELOAD=str(library), **SIMULATED)
    assert found["npu"]["state"] == "broken"
    assert str(library) in found["npu"]["cause"]
    assert "never both" in found["npu"]["remedy"]


def test_run_check_of_healthy_devices(site: Site) -> None:
    for device in ("cpu", "npu:0"):
        ended = site.command("run-check", device, **SIMULATED)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        assert f"{device}" in ended.stdout
        assert "is healthy" in ended.stdout
    assert "simulated: says nothing of a real chip" in ended.stdout


def test_run_check_without_the_device(site: Site) -> None:
    for device, said in (("cuda", "device-api[cuda]"), ("npu", "Remedy"), ("cpu:77", "cpu:77")):
        ended = site.command("run-check", device)
        assert ended.returncode == 2
        assert said in ended.stderr
        assert "Traceback" not in ended.stderr


def test_wrong_usage_has_its_own_exit_code(site: Site) -> None:
    assert site.command("no-such-command").returncode == 2
    assert site.command("run-check", "--no-such-option").returncode == 2


def test_certify_without_the_suite_names_its_extra(site: Site) -> None:
    blocked = "raise ModuleNotFoundError('blocked', name='device_api_conformance')"
    (site.folder / "device_api_conformance.py").write_text(blocked)
    ended = site.command("certify", "cpu", "--level", "smoke")
    assert ended.returncode == 2
    assert "device-api[conformance]" in ended.stderr


def test_certify_hands_its_arguments_and_exit_code_over(site: Site) -> None:
    package = site.folder / "device_api_conformance"
    package.mkdir()
    (package / "__init__.py").write_text("")
    text = "def run(command, arguments):\n    print(command, arguments)\n    return 7\n"
    (package / "cli.py").write_text(text)
    ended = site.command("certify", "cpu", "--level", "smoke", "--help")
    assert ended.returncode == 7
    assert ended.stdout.strip() == "certify ['cpu', '--level', 'smoke', '--help']"


def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "device_api.cli", "devices"], stdout=full,
            stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert ended.returncode == 1
    assert ended.stderr.strip() == (
        "device-api: the output cannot be written: No space left on device"
    )


def test_run_check_takes_the_device_of_the_environment(site: Site) -> None:
    ended = site.command("run-check", "--json", DEVICE_API_DEVICE="npu", **SIMULATED)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["device"] == "npu:0"
    ended = site.command("run-check", DEVICE_API_DEVICE="abacus")
    assert ended.returncode == 2
    assert "abacus" in ended.stderr
