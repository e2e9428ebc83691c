# SPDX-License-Identifier: Apache-2.0
"""The plugin module and the installed adapter: light, closed, and clear where there is no CUDA."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "device_api_cuda" / "plugin.py"
VENDOR = re.compile(r"libcuda|libnvrtc|libcublas|libnccl|libnvidia|libpython")
STATUS_OK, STATUS_INVALID, STATUS_VERSION, STATUS_NO_DRIVER = 0, 1, 9, 11


def installed_lib() -> Path:
    """The folder of the adapter: beside DEVICE_API_CUDA_SIM_DIR, or the installed package's."""
    if folder := os.environ.get("DEVICE_API_CUDA_SIM_DIR"):
        return Path(folder).parent
    spec = importlib.util.find_spec("device_api_cuda")
    for place in spec.submodule_search_locations or [] if spec else []:
        if (Path(place) / "lib").is_dir():
            return Path(place) / "lib"
    raise FileNotFoundError("install device-api-cuda, or set DEVICE_API_CUDA_SIM_DIR")


@pytest.fixture(scope="module")
def library() -> Path:
    return installed_lib() / "libdevice_api_cuda.so"


def python(code: str, **environment: str) -> str:
    """Run code in a process of its own; its output."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CUDA_", "LD_LIBRARY"))}
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
import os, sysconfig, typing, pluggy
before = set(sys.modules)
spec.loader.exec_module(plugin)
plugin.device_api_backend()
print(*(set(sys.modules) - before - {"_sysconfigdata__linux_x86_64-linux-gnu"}))
with open("/proc/self/maps") as maps:
    print("mapped" if "device_api" in maps.read() else "clean")
"""
    )
    *modules, state = python(code).split()
    assert [m for m in modules if not m.startswith("_sysconfigdata")] == []
    assert state == "clean"


def test_the_plugin_gives_absolute_paths_of_one_folder() -> None:
    code = LOAD + "import json; spec.loader.exec_module(plugin)\n"
    backend = json.loads(python(code + "print(json.dumps(plugin.device_api_backend()))"))
    lib = Path(backend["library"]).parent
    assert lib.is_absolute()
    assert Path(backend["options"]["wheels"]).is_absolute()
    simulator = backend["simulator"]
    assert simulator["options"] == {"simulate": "1", "simulator": str(lib / "sim")}
    assert simulator["control"] == str(lib / "sim" / "libdevice_api_sim_cuda.so")


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


def create(library: Path, *options: str, **environment: str) -> tuple[int, str, str]:
    """Status, message and remedy of the table's create."""
    code = f"import sys; sys.argv = {['', str(library), *options]!r}\n" + CREATE
    status, message, remedy = python(code, **environment).split("\n")
    return int(status), message, remedy


def driver_is_here() -> bool:
    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False)
    return "libcuda.so.1" in found.stdout


def test_without_a_driver_the_error_says_what_to_do(library: Path) -> None:
    if driver_is_here():
        pytest.skip("this machine has NVIDIA's driver: what happens without it cannot be seen here")
    status, message, remedy = create(library)
    assert status == STATUS_NO_DRIVER
    assert "libcuda.so.1" in message
    assert "driver" in remedy
    assert "DEVICE_API_SIMULATE=cuda" in remedy


def made_driver(folder: Path, source: str) -> None:
    """A file with the driver's soname in a folder."""
    (folder / "driver.c").write_text(source)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", "libcuda.so.1", "driver.c"],
        cwd=folder,
        check=True,
    )


def test_a_driver_that_is_too_old_is_named_with_what_it_lacks(
    library: Path, tmp_path: Path
) -> None:
    made_driver(tmp_path, "int cuInit(unsigned f) { return f; }\n")
    status, message, remedy = create(library, LD_LIBRARY_PATH=str(tmp_path))
    assert status == STATUS_VERSION
    assert str(tmp_path / "libcuda.so.1") in message
    assert "cuMemAlloc_v2" in message
    assert " cuInit" not in message
    assert "12.0" in remedy


def test_a_driver_that_does_not_load_is_told_from_none(library: Path, tmp_path: Path) -> None:
    (tmp_path / "libcuda.so.1").write_bytes(b"no library at all")
    status, message, _ = create(library, LD_LIBRARY_PATH=str(tmp_path))
    assert status == STATUS_NO_DRIVER
    assert "does not load" in message


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("colour", "red"), "colour"),
        (("simulate", "maybe"), "maybe"),
        (("simulate", "1"), "simulator"),
        (("simulate", "1", "simulator", "relative/folder"), "absolute"),
        (("simulator", "/somewhere"), "simulate=1"),
    ],
)
def test_options_that_are_wrong_are_named(
    library: Path, options: tuple[str, ...], word: str
) -> None:
    status, message, remedy = create(library, *options)
    assert status == STATUS_INVALID
    assert word in message
    assert "device_api_cuda" in remedy


def test_a_folder_without_simulated_libraries_is_told(library: Path, tmp_path: Path) -> None:
    status, message, remedy = create(library, "simulate", "1", "simulator", str(tmp_path))
    assert status == STATUS_NO_DRIVER
    assert str(tmp_path) in message
    assert "reinstall" in remedy


def test_a_real_library_in_place_of_a_simulated_one_is_refused(
    library: Path, tmp_path: Path
) -> None:
    made_driver(tmp_path, "int cuInit(unsigned f) { return f; }\n")
    _, message, _ = create(library, "simulate", "1", "simulator", str(tmp_path))
    assert "not a simulated library" in message
