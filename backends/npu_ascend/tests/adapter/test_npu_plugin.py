# SPDX-License-Identifier: Apache-2.0
"""The plugin module and the installed adapter: light, closed, and clear where there is no CANN."""

import ctypes
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "device_api_npu" / "plugin.py"
VENDOR = re.compile(r"libascend|libacl|libopapi|libnnopbase|libpython")
STATUS_OK, STATUS_NO_DRIVER = 0, 11


def installed_lib() -> Path:
    """The folder of the adapter: beside DEVICE_API_NPU_SIM_DIR, or the installed package's."""
    if folder := os.environ.get("DEVICE_API_NPU_SIM_DIR"):
        return Path(folder).parent
    spec = importlib.util.find_spec("device_api_npu")
    for place in spec.submodule_search_locations or [] if spec else []:
        if (Path(place) / "lib").is_dir():
            return Path(place) / "lib"
    raise FileNotFoundError("install device-api-npu, or set DEVICE_API_NPU_SIM_DIR")


@pytest.fixture(scope="module")
def library() -> Path:
    return installed_lib() / "libdevice_api_npu.so"


def python(code: str, **environment: str) -> str:
    """Run code in a process of its own; its output."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEND_", "LD_LIBRARY"))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LOAD = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("plugin", {str(PLUGIN)!r})
plugin = importlib.util.module_from_spec(spec)
"""


def test_importing_the_plugin_loads_nothing_heavy() -> None:
    code = (
        LOAD
        + """
import os, typing, pluggy
before = set(sys.modules)
spec.loader.exec_module(plugin)
plugin.device_api_backend()
print(*(set(sys.modules) - before))
with open("/proc/self/maps") as maps:
    print("mapped" if "device_api" in maps.read() else "clean")
"""
    )
    *modules, state = python(code).split()
    assert modules == []
    assert state == "clean"


def test_the_plugin_gives_absolute_paths_of_one_folder() -> None:
    code = LOAD + "import json; spec.loader.exec_module(plugin)\n"
    backend = json.loads(python(code + "print(json.dumps(plugin.device_api_backend()))"))
    lib = Path(backend["library"]).parent
    assert lib.is_absolute()
    assert backend["options"] == {}
    simulator = backend["simulator"]
    assert simulator["options"] == {"simulate": "1", "simulator": str(lib / "sim")}
    assert simulator["control"] == str(lib / "sim" / "libdevice_api_sim_npu.so")


def test_the_hook_is_marked_for_pluggy() -> None:
    code = (
        LOAD + "spec.loader.exec_module(plugin); print(plugin.device_api_backend.device_api_impl)"
    )
    assert "hookwrapper" in python(code)


def test_the_library_exports_one_function(library: Path) -> None:
    nm = shutil.which("nm")
    assert nm, "binutils come with the compiler"
    listed = subprocess.run(
        [nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    assert [line.split()[-1] for line in listed.stdout.splitlines()] == ["device_api_backend"]


def test_the_library_needs_no_vendor_and_no_python(library: Path) -> None:
    readelf = shutil.which("readelf")
    assert readelf, "binutils come with the compiler"
    read = subprocess.run([readelf, "-d", library], capture_output=True, text=True, check=True)
    needed = re.findall(r"NEEDED.*\[(.*)\]", read.stdout)
    assert needed
    assert not [name for name in needed if VENDOR.search(name)]


CREATE = """
import ctypes, sys
class Config(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("major", ctypes.c_uint16), ("minor", ctypes.c_uint16),
                ("options", ctypes.POINTER(ctypes.c_char_p)), ("n", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32)]
class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("status", ctypes.c_int32), ("code", ctypes.c_int64),
                ("message", ctypes.c_char * 384), ("remedy", ctypes.c_char * 256),
                ("vendor_text", ctypes.c_char * 256)]
class Head(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("major", ctypes.c_uint16), ("minor", ctypes.c_uint16),
                ("type", ctypes.c_char_p), ("vendor", ctypes.c_char_p),
                ("version", ctypes.c_char_p), ("op_count", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("hashes", ctypes.c_void_p),
                ("create", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Config),
                                            ctypes.POINTER(ctypes.c_void_p))),
                ("destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("last_error", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Error)))]
library = ctypes.CDLL(sys.argv[1])
library.device_api_backend.restype = ctypes.POINTER(Head)
table = library.device_api_backend(0, 2).contents
words = [w.encode() for w in sys.argv[2:]]
options = (ctypes.c_char_p * len(words))(*words)
config = Config(ctypes.sizeof(Config), 0, 2, options, len(words) // 2, 0)
self = ctypes.c_void_p()
status = table.create(config, self)
error = Error(size=ctypes.sizeof(Error))
table.last_error(None, error)
print(status)
print(error.message.decode())
print(error.remedy.decode())
"""


def create(library: Path, *options: str) -> list[str]:
    code = f"import sys; sys.argv = {['', str(library), *options]!r}\n" + CREATE
    return python(code).split("\n")


def test_without_cann_the_error_says_where_it_looked_and_what_to_do(library: Path) -> None:
    if Path("/usr/local/Ascend").exists():
        pytest.skip("this machine has CANN: what happens without it cannot be seen here")
    status, message, remedy = create(library)
    assert int(status) == STATUS_NO_DRIVER
    for word in ("libascendcl.so", "libacl_rt.so", "/usr/local/Ascend/cann/lib64"):
        assert word in message
    assert "set_env.sh" in remedy
    assert "DEVICE_API_SIMULATE" in remedy


def test_the_simulated_cann_opens_without_initialising_anything(library: Path) -> None:
    status = create(library, "simulate", "1", "simulator", str(library.parent / "sim"))[0]
    assert int(status) == STATUS_OK


def test_the_library_loads_beside_another_copy(library: Path, tmp_path: Path) -> None:
    other = tmp_path / "libanother.so"
    other.write_bytes(library.read_bytes())
    first, second = ctypes.CDLL(str(library)), ctypes.CDLL(str(other))
    for loaded in (first, second):
        loaded.device_api_backend.restype = ctypes.c_void_p
    assert first.device_api_backend(0, 2)
    assert second.device_api_backend(0, 2)
    assert not first.device_api_backend(1, 0)
