# SPDX-License-Identifier: Apache-2.0
"""Faults by keyword, from the environment and from scenario files; what is wrong is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from plugin_site import Site

import device_api as xp
from device_api import _scenario, errors, simulation


@pytest.fixture(autouse=True)
def on_npu() -> object:
    with xp.device_guard("npu:0"):
        yield
        simulation.control("npu").mend()


def fails(x: xp.Tensor) -> bool:
    try:
        x + 1
        xp.synchronize()
    except errors.InternalError:
        return True
    return False


def test_by_device_and_by_size() -> None:
    small, large = xp.ones((10,)), xp.ones((10000,))
    neighbour = xp.ones((10000,), device="npu:1")
    with simulation.inject(
        "npu", "launch", op="aclnnAdd*", device=0, min_bytes="10KiB", count=0
    ) as fault:
        assert not fails(small)
        assert fails(large)
        with xp.device_guard("npu:1"):
            assert not fails(neighbour)
        assert fault.strikes == 1
    assert not fails(large)


def test_by_stream() -> None:
    x = xp.ones((10,))
    xp.synchronize()
    with xp.stream_guard(xp.Stream()):
        assert not fails(x)
        number = simulation.launch_log("npu")[-1].stream
        simulation.inject("npu", "launch", stream=number, count=0)
        assert fails(x)
    assert not fails(x)


def test_by_time() -> None:
    x = xp.ones((10,))
    simulation.inject("npu", "launch", after=3600, count=0)
    over = simulation.inject("npu", "launch", until=1e-9, count=0)
    assert not fails(x)
    assert over.strikes == 0


def test_an_intermittent_fault_repeats_by_its_seed() -> None:
    x = xp.ones((10,))

    def pattern(seed: int) -> list[bool]:
        with simulation.inject(
            "npu", "launch", op="aclnnAdd*", probability=0.3, count=0, seed=seed
        ):
            return [fails(x) for _ in range(60)]

    first = pattern(7)
    assert first == pattern(7) != pattern(8)
    assert 5 < sum(first) < 35


def test_skip_count_and_removal() -> None:
    x = xp.ones((10,))
    fault = simulation.inject("npu", "launch", op="aclnnAdd*", skip=1, count=2)
    assert [fails(x) for _ in range(4)] == [False, True, True, False]
    assert fault.strikes == 2
    fault.remove()
    fault.remove()  # a second time is fine


def test_the_vendors_code_is_chosen() -> None:
    x = xp.ones((10,))
    with simulation.inject("npu", "async", op="aclnnAdd*", code=507899):
        x + 1
        with pytest.raises(errors.DeviceApiError) as caught:
            xp.synchronize()
    assert caught.value.vendor_code == 507899


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        ("explode", {}, "explode"),
        ("async", {"probability": 0}, "probability"),
        ("async", {"probability": 1.5}, "probability"),
        ("async", {"probability": float("nan")}, "probability"),
        ("async", {"count": -1}, "count"),
        ("async", {"count": 1.5}, "count"),
        ("async", {"count": True}, "count"),
        ("async", {"skip": 2**64}, "skip"),
        ("async", {"seed": -1}, "seed"),
        ("async", {"device": -2}, "device"),
        ("async", {"device": "npu:0"}, "device"),
        ("async", {"op": "a" * 64}, "op"),
        ("async", {"op": 5}, "op"),
        ("async", {"code": 2**31}, "code"),
        ("async", {"stream": -1}, "stream"),
        ("async", {"value": -1.0}, "value"),
        ("async", {"value": float("inf")}, "value"),
        ("slow", {}, "value"),
        ("slow", {"value": 1}, "value"),
        ("slow_link", {"value": 0.5}, "value"),
        ("async", {"min_bytes": -1}, "memory"),
        ("async", {"min_bytes": 2.5}, "min_bytes"),
        ("async", {"min_bytes": "lots"}, "lots"),
        ("async", {"min_bytes": 10, "max_bytes": 9}, "max_bytes"),
        ("async", {"after": -1}, "after"),
        ("async", {"after": 2, "until": 1}, "until"),
    ],
)
def test_bad_values_are_refused(kind: str, given: dict[str, object], says: str) -> None:
    with pytest.raises(errors.InvalidArgumentError) as caught:
        simulation.inject("npu", kind, **given)  # type: ignore[arg-type]
    assert says in str(caught.value)
    assert caught.value.remedy
    assert not fails(xp.ones((3,)))


# ---- the environment ----------------------------------------------------------------------------

PROGRAM = """
    import device_api as xp
    xp.set_device("npu:0")
    x = xp.ones((10,))
    for _ in range(4):
        try:
            x + 1
            xp.synchronize()
            print("works")
        except xp.InternalError as error:
            print("fails", error.vendor_code)
"""


def test_the_environment(site: Site) -> None:
    def told(faults: str) -> list[str]:
        text = site.python(PROGRAM, DEVICE_API_SIMULATE="npu", DEVICE_API_SIM_FAULTS=faults)
        return text.split()

    struck = ["works", "fails", "507000", "fails", "507000", "works"]
    assert told("npu: launch op=aclnnAdd* skip=1 count=2") == struck
    assert "works" not in told("mlu: launch op=aclnnAdd*; ascend: launch op=aclnnAdd* count=all")
    assert "fails" not in told("mlu: launch op=aclnnAdd*")


@pytest.mark.parametrize("text", ["explode", "npu: async nome=x", "mlu: async count=many"])
def test_an_environment_that_is_wrong(site: Site, text: str) -> None:
    told = site.python(
        """
        import device_api as xp
        try:
            xp.set_device("npu:0")
        except xp.InvalidArgumentError as error:
            print(error)
        """,
        DEVICE_API_SIMULATE="npu",
        DEVICE_API_SIM_FAULTS=text,
    )
    assert "DEVICE_API_SIM_FAULTS" in told
    assert text in told


# ---- scenario files -----------------------------------------------------------------------------

SCENARIO = """
seed = 7

[npu]
devices = 3
memory = "64MiB"
chip = "Ascend910B3"
checks = ["races", "shadow"]
schedule = { mode = "adversarial", strategy = "late", max_delay_us = 500 }
latency = { launch_us = 5 }

[[npu.faults]]
kind = "launch"
op = "aclnnAdd*"
skip = 1
count = 2

[[npu.faults]]
kind = "slow_link"
op = "memcpy_h2d"
value = 50
after = 100.5
"""


def test_a_scenario(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(SCENARIO)
    checks = """
    from device_api import simulation
    assert xp.device_count("npu") == 3
    assert simulation.control("npu").memory(2).total == 64 << 20
    """
    begin = f"""
    from device_api import simulation
    simulation.scenario({str(file)!r})
    """
    told = site.python(begin + PROGRAM + checks).split()
    assert told == ["works", "fails", "507000", "fails", "507000", "works"]
    assert site.python(PROGRAM + checks, DEVICE_API_SIM_SCENARIO=str(file)).split() == told


def test_a_scenario_for_devices_in_use(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text('[npu]\ndevices = 2\n[[npu.faults]]\nkind = "launch"\n')
    told = site.python(
        f"""
        import device_api as xp
        from device_api import simulation
        simulation.enable("npu", devices=2)
        xp.set_device("npu:0")
        x = xp.ones((3,))
        simulation.scenario({str(file)!r})
        try:
            x + 1
        except xp.InternalError:
            print("struck")
        open({str(file)!r}, "w").write("[npu]\\ndevices = 3\\n")
        try:
            simulation.scenario({str(file)!r})
        except xp.PluginError as error:
            print(error)
        """
    )
    assert "struck" in told
    assert "too late" in told


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("seed = [", "", "no TOML"),
        ("seed = -1", "seed", "out of range"),
        ("seed = 'x'", "seed", "wrong type"),
        ("seed = true", "seed", "wrong type"),
        ("sed = 1", "sed", "no such key"),
        ("[gpu9]", "gpu9", "device type"),
        ("npu = 1", "npu", "no table"),
        ("[npu]\ndevice = 1", "npu.device", "unknown key"),
        ("[npu]\ndevices = 65", "npu.devices", "65"),
        ("[npu]\ndevices = 1.5", "npu.devices", "wrong type"),
        ("[npu]\nmemory = 'lots'", "npu.memory", "lots"),
        ("[npu]\nchip = './none.toml'", "npu.chip", "no chip file"),
        ("[npu]\nchecks = ['rases']", "npu.checks", "rases"),
        ("[npu]\nchecks = 3", "npu.checks", "no list"),
        ("[npu]\nschedule = { mood = 'late' }", "npu.schedule.mood", "unknown key"),
        ("[npu]\nschedule = { seed = 'x' }", "npu.schedule.seed", "wrong type"),
        ("[npu]\nlatency = { lunch_us = 1 }", "npu.latency.lunch_us", "unknown key"),
        ("[npu]\nlatency = { launch_us = '1' }", "npu.latency.launch_us", "wrong type"),
        ("[npu]\nfaults = 3", "npu.faults", "array"),
        ("[[npu.faults]]\nop = 'x'", "npu.faults[0].kind", "missing"),
        ("[[npu.faults]]\nkind = 'explode'", "npu.faults[0]", "explode"),
        ("[[npu.faults]]\nkind = 'ecc'\n[[npu.faults]]\nkind = 'ecc'\nnum = 1",
         "npu.faults[1].num", "unknown key"),
        ("[[npu.faults]]\nkind = 'ecc'\nprobability = 2", "npu.faults[0]", "probability"),
    ],
)  # fmt: skip
def test_a_scenario_that_is_wrong(tmp_path: Path, text: str, key: str, says: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(errors.InvalidArgumentError) as caught:
        _scenario.read(file)
    assert str(file) in caught.value.cause
    assert key in caught.value.cause
    assert says in caught.value.cause
    assert caught.value.remedy


def test_a_scenario_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=r"none\.toml.*cannot be read"):
        simulation.scenario(tmp_path / "none.toml")


def test_the_scenario_of_the_docs(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "faults.md").read_text(encoding="utf-8")
    file = tmp_path / "docs.toml"
    file.write_text(page.split("```toml\n")[1].split("```")[0])
    found = _scenario.read(os.fspath(file))["npu"]
    assert found.setup["devices"] == 2
    assert [kind for kind, _ in found.faults] == ["async", "slow_link"]
