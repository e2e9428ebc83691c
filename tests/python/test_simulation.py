# SPDX-License-Identifier: Apache-2.0
"""Simulated chips: asked for in time, labelled, steered, broken on purpose, read out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from plugin_site import Site

import device_api as xp
from device_api import simulation


@pytest.fixture
def control() -> Iterator[simulation.Control]:
    """The controls of the simulated NPU, current during the test; faults are mended after it."""
    with xp.device_guard("npu:0"), xp.fallback_policy("allow"):
        found = simulation.control("npu")
        yield found
        found.mend()


def test_devices_say_that_they_are_simulated(control: simulation.Control) -> None:
    assert "simulated" in str(xp.get_device_properties("npu:0")["name"])
    assert simulation.active("npu")
    assert not simulation.active("cpu")


def test_enable_sets_devices_and_memory(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        from device_api import simulation
        simulation.enable("npu", devices=3, memory="64MiB", seed=5)
        simulation.enable("npu", devices=3, memory="64MiB", seed=5)
        assert xp.device_count("npu") == 3
        assert simulation.control("npu").memory(2).total == 64 << 20
        simulation.enable("npu", devices=3, memory="64MiB", seed=5)
        try:
            simulation.enable("npu", devices=1)
        except xp.PluginError as error:
            print(error)
        try:
            simulation.disable("npu")
        except xp.PluginError as error:
            print(error)
        try:
            xp.empty(100 << 20, dtype=xp.uint8, device="npu")
        except xp.OutOfMemoryError as error:
            print(error)
        """
    )
    assert told.count("too late") == 2
    assert "100" in told


def test_no_simulated_device_is_no_device(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        from device_api import simulation
        simulation.enable("npu", devices=0)
        try:
            xp.set_device("npu")
        except xp.NoDeviceError as error:
            print(error.remedy, xp.plugins.status("npu").state.value)
        """
    )
    assert "no device" in told


def test_a_request_can_be_taken_back(site: Site) -> None:
    told = site.python(
        """
        import device_api as xp
        from device_api import simulation
        simulation.disable("npu")
        print(xp.plugins.status("npu").state.value)
        """,
        DEVICE_API_SIMULATE="npu",
    )
    assert told.strip() == "no driver"


def test_the_cpu_has_no_simulator(site: Site) -> None:
    ended = site.run("-c", "import device_api as xp; xp.zeros(1)", DEVICE_API_SIMULATE="cpu")
    assert ended.returncode != 0
    assert "no simulator" in ended.stderr


def test_the_launch_log_equals_the_native_ops(control: simulation.Control) -> None:
    x = xp.asarray(np.ones((8, 8), np.float32))
    xp.synchronize()
    control.launch_clear()
    xp.reset_op_counts()
    y = xp.sum(xp.exp(x @ x) + x)
    assert float(y) > 0
    counts = xp.native_op_counts("npu:0")
    assert sum(counts.values()) == control.launch_count("kernel") == 4
    log = control.launch_log("kernel")
    assert len(log) == 4
    assert [entry.sequence for entry in log] == sorted(entry.sequence for entry in log)
    assert all(entry.device == 0 and entry.kind == "kernel" and entry.name for entry in log)
    assert control.launch_count("copy") >= 1, "the result was read"


def test_injected_memory_failure(control: simulation.Control) -> None:
    xp.empty_cache()
    with simulation.inject("npu", "out_of_memory", count=0) as fault:
        with pytest.raises(xp.OutOfMemoryError):
            xp.empty(96 << 20, dtype=xp.uint8)
        assert fault.strikes > 0
    assert xp.empty(96 << 20, dtype=xp.uint8).nbytes == 96 << 20


def test_injected_launch_failure(control: simulation.Control) -> None:
    x = xp.ones(4)
    xp.synchronize()
    with simulation.inject("npu", "launch") as fault:
        with pytest.raises(xp.DeviceApiError) as caught:
            xp.add(x, x)
            xp.synchronize()
        assert fault.strikes == 1
    assert caught.value.vendor_code
    assert xp.add(x, x).tolist() == [2.0] * 4


def test_injected_wrong_result_is_found_by_the_check(control: simulation.Control) -> None:
    assert xp.run_check("npu:0")
    with simulation.inject("npu", "wrong_result", count=0):
        report = xp.run_check("npu:0")
    assert not report
    assert any(step.name == "matmul" and not step.passed for step in report.steps)
    with simulation.inject("npu", "corrupt_copy", count=0):
        report = xp.run_check("npu:0")
    assert any(step.name == "copy" and not step.passed for step in report.steps)


def test_schedules_do_not_change_results(control: simulation.Control) -> None:
    results = []
    for mode in ("adversarial", "immediate", "synchronous"):
        control.schedule(mode)
        x = xp.reshape(xp.arange(64, dtype=xp.float32), (8, 8))
        results.append((x @ x + xp.exp(x * -0.1)).numpy())
    control.schedule("adversarial")
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_no_rule_of_the_vendor_is_broken(control: simulation.Control) -> None:
    control.misuse_clear()
    x = xp.random.Generator(0).rand((32, 32))
    y = xp.sum(xp.where(x > 0.5, x, 0.0) @ x.T, axis=1)
    xp.take(y, [3, 1])
    xp.synchronize()
    assert control.misuse() == []


def product_on_two_streams(ordered: bool) -> None:
    side, x = xp.Stream("npu:0"), xp.reshape(xp.arange(64, dtype=xp.float32), (8, 8))
    if ordered:
        side.wait_stream(xp.current_stream())
    with xp.stream_guard(side):
        y = x @ x.T + 1
    if ordered:
        xp.current_stream().wait_stream(side)
        np.testing.assert_array_equal((y - x).numpy(), y.numpy() - x.numpy())
    else:
        (y - x).numpy()
    xp.synchronize()


@pytest.fixture
def checked(control: simulation.Control) -> Iterator[simulation.Control]:
    """The controls with nothing noticed yet, and the checks of order and host memory on."""
    xp.synchronize()
    control.misuse_clear()
    control.checks("races, host")
    yield control
    control.checks()
    control.schedule("adversarial")
    control.misuse_clear()


@pytest.mark.parametrize("strategy", ["late", "random", "others_first", "split", "by_seed"])
def test_strategies_and_checks_find_nothing_in_a_good_program(
    checked: simulation.Control, strategy: str
) -> None:
    checked.schedule("adversarial", seed=11, strategy=strategy)
    product_on_two_streams(ordered=True)
    assert checked.misuse() == []


def test_a_missing_wait_between_streams_is_reported(checked: simulation.Control) -> None:
    product_on_two_streams(ordered=False)
    assert any("[rule unordered_access" in text for text in checked.misuse())


def test_reports_have_rules_and_leaks_have_places(control: simulation.Control) -> None:
    rules = control.rules()
    assert rules["double_free"] == "memory is freed once"
    x = xp.ones(8)
    assert any("bytes" in text and "allocated by aclrt" in text for text in control.leaks())
    del x
    with pytest.raises(xp.InvalidArgumentError, match="unknown check"):
        control.checks("everything")
    with pytest.raises(xp.InvalidArgumentError, match="unknown strategy"):
        control.schedule("adversarial", strategy="kind")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GiB", 4 << 30),
        ("512 MB", 512_000_000),
        (1024, 1024),
        ("1.5k", 1536),
        ("9007199254740993", 2**53 + 1),
    ],
)
def test_sizes(text: int | str, size: int) -> None:
    assert simulation.parse_bytes(text) == size


def test_wrong_requests(control: simulation.Control) -> None:
    with pytest.raises(xp.InvalidArgumentError, match="size of memory"):
        simulation.parse_bytes("lots")
    with pytest.raises(xp.InvalidArgumentError, match="size of memory"):
        simulation.parse_bytes("9" * 400)
    with pytest.raises(xp.InvalidArgumentError, match="are a text"):
        simulation.launch_log("npu", None)  # type: ignore[arg-type]
    with pytest.raises(xp.InvalidArgumentError, match="unknown fault"):
        simulation.inject("npu", "earthquake")
    with pytest.raises(xp.InvalidArgumentError, match="kind of launch"):
        control.launch_count("song")
    with pytest.raises(xp.PluginError, match="not simulated"):
        simulation.control("cpu")
    with pytest.raises(xp.PluginNotInstalledError):
        simulation.enable("cuda")
    with pytest.raises(xp.InvalidArgumentError, match="devices"):
        simulation.enable("npu", devices=65)


def test_a_mistyped_type_in_the_environment_is_told(site: Site) -> None:
    """Once, at the first use of a device, with the types that are known."""
    program = "import device_api as xp; print('before'); xp.zeros(1); xp.zeros(1, device='npu')"
    ended = site.run("-c", program, DEVICE_API_SIMULATE="npu, nup")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("DEVICE_API_SIMULATE names 'nup'") == 1
    assert "no known device type; known: cpu," in ended.stderr
    assert "Remedy: check the spelling" in ended.stderr
    ended = site.run("-c", "import device_api as xp; xp.Device('npu')", DEVICE_API_SIMULATE="nup")
    assert (ended.returncode, ended.stderr) == (0, ""), "no device was used"
    ended = site.run("-c", program, DEVICE_API_SIMULATE="npu")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_environment_tells_how_many_devices(site: Site) -> None:
    program = "import device_api as xp; print(xp.device_count('npu'), xp.ones(2, device='npu:1'))"
    assert site.python(program, DEVICE_API_SIMULATE="npu = 3").startswith("3 ")
    ended = site.run("-c", program, DEVICE_API_SIMULATE="npu=0")
    assert "Traceback" in ended.stderr and "no device" in ended.stderr
    for text in ("npu=65", "npu=-1", "npu=two"):
        told = site.run("-c", program, DEVICE_API_SIMULATE=text).stderr
        assert f"DEVICE_API_SIMULATE asks for {text}" in told and "0 to 64" in told


def test_the_set_up_of_devices_can_be_read(site: Site) -> None:
    program = """
from device_api import simulation
print(simulation.setup_of("npu").devices)
simulation.enable("npu", devices=3, memory="1GiB")
print(simulation.setup_of("npu").devices, simulation.setup_of("npu").memory)
"""
    found = site.python(program, DEVICE_API_SIMULATE="npu=2")
    assert found.split() == ["2", "3", str(2**30)]
