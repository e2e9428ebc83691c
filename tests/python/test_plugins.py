# SPDX-License-Identifier: Apache-2.0
"""Plugins: found by metadata, loaded on demand, rolled back, unable to break others."""

from __future__ import annotations

import re

import pytest
from plugin_site import Site

import device_api as xp
from device_api import plugins

CPU_WORKS = "assert float(xp.sum(xp.ones(3, device='cpu'))) == 3.0"


def tried(site: Site, device_type: str, **environment: str) -> dict[str, str]:
    """Ask for a type in a new process; return what came of it and what is left behind."""
    text = site.python(
        f"""
        import sys, warnings
        import device_api as xp
        before = set(sys.modules)
        try:
            xp.set_device({device_type!r})
        except xp.DeviceApiError as error:
            print("class=" + type(error).__name__)
            print("cause=" + error.cause.replace(chr(10), " "))
            print("remedy=" + error.remedy)
        print("state=" + xp.plugins.status({device_type!r}).state.value)
        left = [m for m in set(sys.modules) - before if m.startswith("maker")]
        print("left=" + ",".join(left) + ",".join(set(xp.plugins.loaded()) - {{"cpu"}}))
        {CPU_WORKS}
        """,
        **environment,
    )
    return dict(line.split("=", 1) for line in text.splitlines())


def test_importing_loads_no_plugin(site: Site) -> None:
    site.plugin("fragile", "raise SystemExit('imported')")
    loaded = site.python(
        """
        import sys, device_api as xp
        assert "fragile" in xp.get_all_device_type()
        print([m for m in sys.modules if m.startswith("maker")], xp.plugins.loaded())
        """
    )
    assert loaded.strip() == "[] []"


def test_a_known_type_without_a_plugin_names_its_extra(site: Site) -> None:
    told = tried(site, "cuda")
    assert told["class"] == "PluginNotInstalledError"
    assert told["remedy"] == "pip install 'device-api[cuda]'"
    assert told["state"] == "not installed"
    assert tried(site, "gpu")["remedy"] == told["remedy"], "an alias from metadata"


def test_an_unknown_type_names_the_known_ones(site: Site) -> None:
    told = tried(site, "abacus")
    assert told["class"] == "UnknownDeviceError"
    assert "cpu" in told["cause"]


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
        ("import module_that_is_absent", "module_that_is_absent"),
        ("1 +", "SyntaxError"),
        ("x = 1", "device_api_backend"),
    ],
)
def test_a_plugin_that_cannot_be_imported_is_broken(site: Site, body: str, cause: str) -> None:
    site.plugin("fragile", body)
    told = tried(site, "fragile")
    assert told["class"] in ("PluginBrokenError", "PluginError")
    assert cause in told["cause"]
    assert "maker-fragile 1.0" in told["cause"]
    assert told["remedy"]
    assert told["state"] == "broken"
    assert told["left"] == ""


def test_the_innermost_cause_is_the_headline(site: Site) -> None:
    site.plugin(
        "fragile",
        """
        try:
            raise OSError("libdeep.so.7: cannot open shared object file")
        except OSError as error:
            raise ImportError("generic message") from error
        """,
    )
    told = tried(site, "fragile")
    assert "libdeep.so.7" in told["cause"]
    assert "generic message" not in told["cause"]


def test_a_missing_library_is_named(site: Site) -> None:
    site.backend("fragile", "/nowhere/libfragile.so")
    told = tried(site, "fragile")
    assert told["class"] == "PluginBrokenError"
    assert "/nowhere/libfragile.so" in told["cause"]
    assert "--force-reinstall maker-fragile" in told["remedy"]
    assert told["state"] == "broken"
    assert told["left"] == ""


def test_a_file_that_is_no_backend_is_broken(site: Site) -> None:
    (site.folder / "libtext.so").write_text("not a library")
    site.backend("fragile", str(site.folder / "libtext.so"))
    told = tried(site, "fragile")
    assert told["class"] == "PluginBrokenError"
    assert "libtext.so" in told["cause"]
    assert told["left"] == ""


def test_a_failed_load_may_be_tried_again(site: Site) -> None:
    site.backend("fragile", "/nowhere/libfragile.so")
    site.python(
        """
        import device_api as xp
        for _ in range(2):
            try:
                xp.set_device("fragile")
                raise SystemExit("loaded")
            except xp.PluginBrokenError as error:
                assert "/nowhere" in error.cause
        assert list(xp.plugins.failures()) == ["fragile"]
        """
    )


def test_two_plugins_for_one_type_are_an_error_that_names_both(site: Site) -> None:
    site.backend("twin", "/nowhere/a.so", "maker-one")
    site.backend("twin", "/nowhere/b.so", "maker-two")
    told = tried(site, "twin")
    assert told["class"] == "DuplicatePluginError"
    assert "maker-one 1.0" in told["cause"]
    assert "maker-two 1.0" in told["cause"]
    assert "pip uninstall" in told["remedy"]
    assert told["state"] == "broken"


def test_other_devices_are_listed_though_one_plugin_is_broken(site: Site) -> None:
    site.plugin("fragile", "raise RuntimeError('no luck')")
    listed = site.python("import device_api as xp; print(xp.get_available_device())")
    assert "'cpu'" in listed
    assert "fragile" not in listed


def test_the_environment_chooses_the_default_device(site: Site) -> None:
    text = "import device_api as xp; print(xp.get_device(), xp.zeros(1).device)"
    told = site.python(text, DEVICE_API_DEVICE="npu", DEVICE_API_SIMULATE="npu")
    assert told.split() == ["npu:0", "npu:0"]
    ended = site.run("-c", text, DEVICE_API_DEVICE="abacus")
    assert ended.returncode != 0
    assert "DEVICE_API_DEVICE=abacus" in ended.stderr
    site.python("import device_api", DEVICE_API_DEVICE="abacus")


def test_the_environments_device_counts_in_threads(site: Site) -> None:
    told = site.python(
        """
        import threading, device_api as xp
        xp.zeros(1)
        thread = threading.Thread(target=lambda: print(xp.get_device()))
        thread.start(); thread.join()
        """,
        DEVICE_API_DEVICE="npu:0",
        DEVICE_API_SIMULATE="npu",
    )
    assert told.strip() == "npu:0"


def test_a_guard_restores_the_device_after_an_error(cpu: str) -> None:
    with pytest.raises(ZeroDivisionError), xp.device_guard("npu:1"):
        assert xp.get_device() == "npu:1"
        raise ZeroDivisionError
    assert xp.get_device() == "cpu"


def test_states_of_the_installed_types() -> None:
    assert plugins.status("cpu").state is plugins.State.USABLE
    npu = plugins.status("npu")
    assert (npu.state, npu.simulated) == (plugins.State.USABLE, True)
    assert npu.devices == xp.device_count("npu") > 1


def test_without_a_chip_and_without_simulation_there_is_no_driver(site: Site) -> None:
    told = tried(site, "npu")
    assert told["class"] == "NoDriverError"
    assert told["state"] == "no driver"
    assert "DEVICE_API_SIMULATE=npu" in told["remedy"]
    assert told["left"] == ""


def test_the_version_is_that_of_the_metadata() -> None:
    from importlib.metadata import version

    assert xp.__version__ == version("device-api")
    assert re.fullmatch(r"\d{4}\.\d{2}", xp.__array_api_version__)
