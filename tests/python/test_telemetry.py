# SPDX-License-Identifier: Apache-2.0
"""Telemetry from Python: what is known, what is not, and readings beside running work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields

import pytest
from plugin_site import Site

import device_api as xp
from device_api import simulation


@pytest.fixture
def npu() -> Iterator[str]:
    """A simulated chip whose sensors are as measured again afterwards."""
    yield "npu:1"
    simulation.set_telemetry("npu", load=-1, ambient=25, code=0)


def test_members_are_numbers_or_none(device: str) -> None:
    reading = xp.telemetry(device)
    assert reading.device == device if ":" in device else reading.device == f"{device}:0"
    for field in fields(reading):
        value = getattr(reading, field.name)
        if field.name in ("utilization", "bandwidth_utilization") and value is not None:
            assert 0 <= value <= 1
        if field.name in ("device", "name", "driver", "runtime", "source", "health_text"):
            assert isinstance(value, str)
    assert reading.memory_used is not None
    assert reading.memory_total is not None
    assert 0 <= reading.memory_used <= reading.memory_total
    assert reading.source
    with pytest.raises(FrozenInstanceError):
        reading.power = 1.0  # type: ignore[misc]


def test_the_current_device_by_default() -> None:
    with xp.device_guard("npu:1"):
        assert xp.telemetry().device == "npu:1"
    assert xp.telemetry("cpu").device == "cpu:0"


def test_devices_that_are_not_there() -> None:
    with pytest.raises(xp.DeviceIndexError):
        xp.telemetry("npu:77")
    with pytest.raises(xp.PluginNotInstalledError):
        xp.telemetry("mlu")


def test_load_shows_in_every_figure(npu: str) -> None:
    simulation.set_telemetry("npu", 1, load=0, advance=1000)
    idle = xp.telemetry(npu)
    simulation.set_telemetry("npu", 1, load=1, advance=1000)
    busy = xp.telemetry(npu)
    assert idle.health == busy.health == "ok"
    assert (idle.utilization, busy.utilization) == (0.0, 1.0)
    assert idle.power is not None
    assert busy.power is not None
    assert busy.power > 2 * idle.power
    assert idle.temperature is not None
    assert busy.temperature is not None
    assert busy.temperature > idle.temperature + 10
    assert xp.telemetry("npu:0").utilization != 1.0


def test_work_is_measured() -> None:
    x = xp.ones((1 << 20,), device="npu:0")
    xp.telemetry("npu:0")
    for _ in range(30):
        x = x + 1
    xp.synchronize("npu:0")
    found = xp.telemetry("npu:0").utilization
    assert found is not None
    assert found > 0.05


def test_memory_follows_allocations() -> None:
    xp.empty_cache("npu:0")
    before = xp.telemetry("npu:0").memory_used
    x = xp.zeros((64 << 20,), dtype=xp.uint8, device="npu:0")
    after = xp.telemetry("npu:0").memory_used
    assert before is not None
    assert after is not None
    assert after >= before + x.nbytes - (4 << 20)


def test_errors_and_alarms(npu: str) -> None:
    before = xp.telemetry(npu).ecc_corrected
    assert before is not None
    simulation.set_telemetry("npu", 1, ecc_corrected=2, code=0x80C98008, severity=1)
    reading = xp.telemetry(npu)
    assert reading.ecc_corrected == before + 2
    assert reading.health == "warning"
    assert "80C98008" in reading.health_text
    simulation.set_telemetry("npu", 1, code=0x80C98008, severity=3)
    assert xp.telemetry(npu).health == "critical"
    simulation.set_telemetry("npu", 1, code=0)
    assert xp.telemetry(npu).health == "ok"
    with pytest.raises(xp.InvalidArgumentError, match="load"):
        simulation.set_telemetry("npu", 1, load=2)


@pytest.mark.parametrize("kind", ["telemetry", "telemetry_short"])
def test_spoilt_answers_are_unknown(npu: str, kind: str) -> None:
    with simulation.inject("npu", kind, count=0):
        reading = xp.telemetry(npu)
        assert reading.temperature is None
        assert reading.power is None
        assert reading.memory_used is None
        assert reading.health is None
    assert xp.telemetry(npu).power is not None


def test_a_failing_call_is_named(npu: str) -> None:
    with simulation.inject("npu", "telemetry", op="dcmi_get_device_power_info", count=0):
        reading = xp.telemetry(npu)
    assert reading.power is None
    assert reading.temperature is not None
    assert "dcmi_get_device_power_info (-8005)" in reading.health_text


def test_readings_beside_work_change_no_result() -> None:
    stop = threading.Event()
    failures: list[BaseException] = []

    def watch() -> None:
        try:
            while not stop.is_set():
                xp.telemetry("npu:0")
        except BaseException as error:
            failures.append(error)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(20):
            x = xp.arange(10_000, dtype=xp.float32, device="npu:0")
            assert float(xp.sum(x * 2)) == 99_990_000.0
    finally:
        stop.set()
        watcher.join()
    assert not failures


def test_readings_take_no_device_memory() -> None:
    before = xp.memory_stats("npu:0")
    for _ in range(1000):
        xp.telemetry("npu:0")
    assert xp.memory_stats("npu:0") == before


def test_reading_opens_no_device(site: Site) -> None:
    program = """
    import device_api as xp
    from device_api import simulation
    xp.telemetry("npu")
    print(simulation.control("npu").live("aclrtContext"), xp.telemetry("npu").name)
    """
    said = site.python(program, DEVICE_API_SIMULATE="npu")
    assert said.startswith("0 ")
    assert "simulated" in said


def test_after_fork(site: Site) -> None:
    program = """
    import os
    import device_api as xp
    x = xp.ones(3, device="npu")
    child = os.fork()
    if child == 0:
        try:
            xp.telemetry("npu")
        except xp.ForkedError as error:
            os._exit(7 if "spawn" in str(error) else 1)
        os._exit(2)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), xp.telemetry("npu").health)
    """
    assert site.python(program, DEVICE_API_SIMULATE="npu").split() == ["7", "ok"]


def test_the_cpu_measures_its_load() -> None:
    xp.telemetry("cpu")
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        sum(range(1000))
    found = xp.telemetry("cpu").utilization
    assert found is not None
    assert 0 < found <= 1


@pytest.mark.parametrize("release", ["8.1", "9.0", "9.1"])
def test_every_release_of_the_vendors_libraries(site: Site, release: str) -> None:
    program = """
    import device_api as xp
    t = xp.telemetry("npu:1")
    print(float(xp.sum(xp.ones(4, device="npu:1"))), t.power > 0, t.runtime)
    """
    environment = {"DEVICE_API_SIM_NPU_CANN": release, "PROGRAM": program}
    said = site.python(
        "import os; from device_api import simulation\n"
        "simulation.enable('npu', devices=2)\nimport textwrap\n"
        "exec(textwrap.dedent(os.environ['PROGRAM']))",
        **environment,
    )
    assert said.startswith("4.0 True ACL 1.")
    assert f"CANN {release}." in said
