# SPDX-License-Identifier: Apache-2.0
"""Plugins that are older, newer, broken or worse: each gives the right behaviour at loading.

Every plugin is compiled from plugin.c and loaded in a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import device_api_abi

HERE = Path(__file__).parent

# Loads the library, then adds two arrays on its device and says what came of it.
LOADER = """
import json, sys, numpy
import device_api
from device_api import _core, errors
device_api.set_device("cpu")
answer = {}
for _ in range(2):  # a failed load leaves nothing behind: the second try says the same
    try:
        _core.load_backend("toy", sys.argv[1])
    except errors.DeviceApiError as error:
        answer = {"error": type(error).__name__, "text": str(error),
                  "code": error.vendor_code, "vendor": error.vendor_text}
        assert "toy" not in _core.loaded_types()
    else:
        answer = {"devices": _core.device_count("toy")}
        if answer["devices"]:
            answer["name"] = _core.properties("toy:1")["name"]
            x = _core.from_numpy(numpy.arange(5, dtype=numpy.float32), None, "toy:1")
            answer["sum"] = (x + x).tolist()
            answer["ops"] = _core.ops("toy:1")
            answer["native"] = _core.native_counts("toy:1")
print(json.dumps(answer))
"""


@dataclass(frozen=True)
class Answer:
    """What the loading process printed, or how it died."""

    returncode: int
    values: dict[str, object]

    @property
    def text(self) -> str:
        return str(self.values.get("text", ""))


def build(folder: Path, *defines: str) -> Path:
    """Compile plugin.c with macros into a shared library."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    assert compiler, "no C compiler found; install one or set CC"
    library = folder / "libtoy.so"
    flags = ["-std=c11", "-shared", "-fPIC", "-Wall", "-Werror", "-Wno-unused-function"]
    command = [compiler, *flags, f"-I{device_api_abi.get_include()}"]
    command += [f"-D{define}" for define in defines]
    subprocess.run([*command, str(HERE / "plugin.c"), "-o", str(library)], check=True)
    return library


def load(library: Path | str) -> Answer:
    """Load a library in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", LOADER, str(library)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    if done.returncode:
        return Answer(done.returncode, {"text": done.stderr})
    return Answer(0, json.loads(done.stdout))


def test_a_right_plugin_works(tmp_path: Path) -> None:
    answer = load(build(tmp_path))
    assert answer.values["devices"] == 2
    assert answer.values["sum"] == [0, 2, 4, 6, 8]
    assert answer.values["native"] == {"add": 2}  # once for each of the two tries


@pytest.mark.parametrize("macro", ["NEWER", "LONG_ENTRIES", "UNKNOWN_OP", "FEWER_OPS", "MORE_OPS"])
def test_older_and_newer_plugins_work(macro: str, tmp_path: Path) -> None:
    answer = load(build(tmp_path, macro))
    assert answer.values.get("sum") == [0, 2, 4, 6, 8], answer
    assert list(answer.values["ops"]) == ["add"]


@pytest.mark.parametrize(
    "member", ["last_error", "memory_info", "stream_query", "fill", "host_alloc", "destroy"]
)
def test_optional_members_may_be_missing(member: str, tmp_path: Path) -> None:
    assert load(build(tmp_path, f"MISSING={member}")).values.get("sum") == [0, 2, 4, 6, 8]


REFUSED = {
    "TRUNCATED": "lacks the required member 'copy'",
    "GARBAGE_SIZE": "cannot be one",
    "OTHER_MAJOR": "speaks version 1.2 of the backend contract, this device-api speaks 0.2",
    "MISSING=alloc": "lacks the required member 'alloc'",
    "MISSING=type": "lacks the required member 'type'",
    "MISSING=stream_synchronize": "lacks the required member 'stream_synchronize'",
    "MISSING=op_hashes": "lacks the required member 'op_hashes'",
    "OTHER_OPS": "another op table",
    "HALF_EVENTS": "has only one of",
    "REFUSES": "refuses this version",
    "NO_INSTANCE": "gave no instance",
    "DUPLICATE_OP": "lists the op 'add' twice",
    "OP_ZERO": "an op with number 0",
    "HALF_PHASES": "neither 'run' nor all of",
    "GARBAGE_OPS": "malformed op table",
    "DEVICES=-3": "reports -3 devices",
    "DEVICES=100000": "reports 100000 devices",
    "ALIGNMENT=96": "not a power of two",
    'TYPE="\\"other\\""': "is one for devices of type 'other'",
}


@pytest.mark.parametrize("macro", REFUSED)
def test_broken_plugins_are_refused_with_the_cause(macro: str, tmp_path: Path) -> None:
    answer = load(build(tmp_path, macro.replace('"\\"', '"').replace('\\""', '"')))
    assert answer.returncode == 0, answer
    assert answer.values.get("error"), answer
    assert REFUSED[macro] in answer.text
    assert "Remedy:" in answer.text


def test_a_failing_start_tells_the_vendors_words(tmp_path: Path) -> None:
    answer = load(build(tmp_path, "CREATE_FAILS"))
    assert answer.values["error"] == "NoDriverError"
    assert "libtoy.so.1 is not on this machine" in answer.text
    assert "install the toy driver" in answer.text
    assert (answer.values["code"], answer.values["vendor"]) == (4711, "TOY_ERROR_ABSENT")


def test_a_plugin_without_devices_loads(tmp_path: Path) -> None:
    assert load(build(tmp_path, "DEVICES=0")).values == {"devices": 0}


def test_ops_of_another_meaning_are_absent(tmp_path: Path) -> None:
    answer = load(build(tmp_path, "OTHER_OP_VERSION"))
    assert list(answer.values["ops"]) == ["add"]


def test_claims_beyond_the_op_table_are_cut(tmp_path: Path) -> None:
    answer = load(build(tmp_path, "WRONG_DTYPES"))
    assert answer.values["ops"]["exp"]["dtypes"] == [
        "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
    ]  # fmt: skip


def test_text_that_is_no_text_is_mended(tmp_path: Path) -> None:
    answer = load(build(tmp_path, "BAD_TEXT"))
    assert answer.values["name"] == "?" * 127


def test_a_stream_that_is_null_is_refused(tmp_path: Path) -> None:
    answer = load(build(tmp_path, "NULL_STREAM"))
    assert answer.returncode == 1 and "created a stream that is NULL" in answer.text


def test_memory_that_the_host_can_use_makes_no_host(tmp_path: Path) -> None:
    # The device lacks `exp`: it falls back to the CPU, also where the toy was loaded first.
    library = build(tmp_path, "HOST_MEMORY")
    program = (
        "import sys, device_api as xp\nfrom device_api import _core\n"
        "_core.load_backend('toy', sys.argv[1])\nxp.set_device('cpu')\n"
        "xp.fallback_policy('allow')\n"
        "print(xp.exp(xp.zeros(3, device='cpu').to_device('toy:0')).tolist())"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, str(library)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stdout.strip() == "[1.0, 1.0, 1.0]", done.stderr


def test_files_that_are_no_plugins(tmp_path: Path) -> None:
    text = tmp_path / "notes.so"
    text.write_text("not a library")
    assert "cannot be loaded" in load(text).text
    assert "cannot be loaded" in load(tmp_path / "absent.so").text
    assert "full path" in load("libtoy.so").text
    empty = tmp_path / "empty.c"
    empty.write_text("int nothing;\n")
    library = tmp_path / "empty.so"
    subprocess.run(["cc", "-shared", "-fPIC", str(empty), "-o", str(library)], check=True)
    assert "does not export 'device_api_backend'" in load(library).text


def test_a_crash_at_loading_ends_only_the_process_that_loads(tmp_path: Path) -> None:
    # `device-api doctor` loads in a child for this reason.
    assert load(build(tmp_path, "CRASHES")).returncode == -signal.SIGSEGV
