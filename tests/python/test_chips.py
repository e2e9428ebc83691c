# SPDX-License-Identifier: Apache-2.0
"""Chips as data files: the reader against tomllib, shipped files, one's own file, its model."""

import json
import random
import tomllib
from pathlib import Path

import pytest

simulation = pytest.importorskip("device_api.simulation")
pytest.importorskip("device_api_npu", reason="the simulated chips come with this backend")

DOCS = Path(__file__).resolve().parents[2] / "docs" / "chips.md"


@pytest.fixture(scope="module")
def control():
    """The controls of simulated devices; nothing is run on them."""
    from device_api import _simctl
    from device_api.plugins import describe

    return _simctl.Control(describe("npu")["simulator"]["control"], "npu")


@pytest.mark.parametrize("name", sorted(simulation.chips("npu")))
def test_shipped_files_are_read_as_tomllib_reads_them(control, name):
    path = simulation.chips("npu")[name]
    wanted = tomllib.loads(path.read_text(encoding="utf-8"))
    assert control.chip_values(name) == wanted
    assert control.chip_values(str(path)) == wanted
    assert wanted["chip"]["name"] == name
    for table, keys in wanted.items():
        assert keys.get("source"), f"[{table}] does not say where its figures are from"


def scalar(r):
    kind = r.randrange(4)
    if kind == 0:
        letters = "".join(r.choice('aB9 é#=[]{},.\t\\"\n') for _ in range(r.randrange(12)))
        return json.dumps(letters, ensure_ascii=False)
    if kind == 1:
        return r.choice(["0", "-1", "+7", "1_000", "9223372036854775807", "-9223372036854775808"])
    if kind == 2:
        return r.choice(["0.5", "-1.25", "1e9", "1_0.2_5E-3", "3.141592653589793", "+2.0", "1e+06"])
    return r.choice(["true", "false"])


def array(r):
    kind, items = r.randrange(2**32), []
    for _ in range(r.randrange(5)):
        one = random.Random(kind)
        items.append(r.choice(["", "\n  "]) + scalar(one))
    return "[" + ",".join(items) + r.choice(["", ",", " # end\n"] if items else ["", "\n"]) + "]"


def document(r):
    lines = ["# a comment"]
    for table in r.sample(["a", "b-2", "c_3", "4"], r.randrange(1, 4)):
        lines.append(r.choice([f"[{table}]", f"[ {table} ]  # why", f"\t[{table}]"]))
        for key in r.sample(["k", "key-1", "under_score", "7", "true"], r.randrange(5)):
            value = array(r) if r.random() < 0.3 else scalar(r)
            lines.append(f"{key}{r.choice(['=', ' = '])}{value}{r.choice(['', '  # note'])}")
    return r.choice(["\n", "\r\n"]).join(lines) + r.choice(["", "\n"])


def both(control, path, text):
    """What the engine and tomllib make of a text; None where it is refused."""
    import device_api

    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        ours = json.loads(control.chip_text("syntax", str(path)))
    except device_api.InvalidArgumentError as error:
        assert f"{path}:" in error.cause, error.cause
        ours = None
    try:
        theirs = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        theirs = None
    return ours, theirs


def exact(value):
    """A value with its type, so that 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {k: exact(v) for k, v in value.items()}
    if isinstance(value, list):
        return [exact(v) for v in value]
    return type(value).__name__, value


def test_generated_files_are_read_alike(control, tmp_path):
    r, read = random.Random(1), 0
    for _ in range(400):
        text = document(r)
        ours, theirs = both(control, tmp_path / "a.toml", text)
        assert ours is not None and exact(ours) == exact(theirs), text
        read += 1
    assert read == 400


def test_what_the_reader_takes_of_damaged_files_tomllib_takes_too(control, tmp_path):
    r, refused = random.Random(2), 0
    for _ in range(1500):
        text = document(r)
        for _ in range(r.randrange(1, 4)):
            at = r.randrange(len(text) + 1)
            text = (
                text[:at] + r.choice("\0\x7f\"\\[]=.,#\n\r_-+e0x'é") + text[at + r.randrange(3) :]
            )
        ours, theirs = both(control, tmp_path / "a.toml", text)
        refused += ours is None
        if ours is not None:
            assert exact(ours) == exact(theirs), text
    assert 300 < refused < 1500


MISTAKES = [
    ("[chip]\nname = 1\n", ":2", "chip.name"),
    ("[chip]\nnaem = 'x'\n", ":2", "value"),
    ('[chip]\nnaem = "x"\n', ":2", "the key chip.naem is not known"),
    ("[chop]\nx = 1\n", ":2", "[chop] is not known"),
    ("x = 1\n", ":1", "in no table"),
    ("[memory]\nbytes = 10\n", ":2", "memory.bytes"),
    ("[matrix]\nfloat17 = 1.0\n", ":2", "matrix.float17"),
    ("[chip]\nname = \"x\"\nname = \"y\"\n", ":3", "twice"),
    ("[a.b]\n", ":1", "points"),
    ("", "", "chip.name is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "cause"), MISTAKES)
def test_mistakes_name_file_line_cause_and_remedy(control, tmp_path, text, place, cause):
    import device_api

    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(device_api.InvalidArgumentError) as error:
        control.chip_values(str(file))
    told = str(error.value)
    assert f"{file}{place}: " in told and cause in told and "; " in told


def own_chip(tmp_path, **changes):
    """A chip file: the usual one with other values."""
    values = tomllib.loads(simulation.chips("npu")["Ascend910B3"].read_text(encoding="utf-8"))
    for key, value in changes.items():
        table, _, name = key.partition("__")
        values[table][name] = value
    lines = []
    for table, keys in values.items():
        lines.append(f"[{table}]")
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    file = tmp_path / "mine.toml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


# In a process of its own: a type is simulated once.
PROGRAM = """
import json, sys
import device_api as xp
from device_api import simulation
simulation.enable("npu", devices=2, chip=sys.argv[1])
control = simulation.control("npu")
told = {"file": control.chip_file(), "name": xp.get_device_properties("npu:0")["name"],
        "memory": control.memory(0).total}
xp.set_device("npu:0")
with xp.fallback_policy("error"):
    try:
        (xp.ones(4, dtype=xp.bfloat16) + 1).tolist()
        told["bfloat16"] = True
    except xp.FallbackError:
        told["bfloat16"] = False
x = xp.ones((1 << 21,), dtype=xp.float32)
def adds(count):
    for _ in range(count):
        x + x
def elapsed():
    marks = [xp.Event(enable_timing=True) for _ in range(2)]
    xp.synchronize()
    adds(32)  # so that the device is behind the host
    marks[0].record(); adds(32); marks[1].record()
    marks[1].synchronize()
    return marks[0].elapsed_time(marks[1]) / 32
told["add"] = min(elapsed() for _ in range(5))
y = x.to_device("npu:1")
told["there"] = float(xp.sum(y)); told["back"] = float(xp.sum(y.to_device("npu:0")))
stats = [xp.memory_stats(f"npu:{i}") for i in range(2)]
told["peer"] = sum(s["peer_copies"] for s in stats)
told["staged"] = sum(s["staged_copies"] for s in stats)
print(json.dumps(told))
"""


def run(chip):
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(chip)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_new_chip_is_a_file(tmp_path):
    usual = run("Ascend910B3")
    dtypes = ["bool", "int32", "int64", "float16", "float32"]
    mine = own_chip(
        tmp_path, chip__name="Ascend910B3-Mini", chip__dtypes=dtypes, memory__bytes=256 << 20,
        memory__bandwidth_gbps=3200.0, peer_link__near_access=False, launch__overhead_us=5.0,
    )  # fmt: skip
    own = run(mine)
    assert own["file"] == str(mine) and usual["file"].endswith("chips/Ascend910B3.toml")
    assert own["name"] == "Ascend910B3-Mini (simulated)"
    assert usual["name"] == "Ascend910B3 (simulated)"
    assert (own["memory"], usual["memory"]) == (256 << 20, 64 << 30)
    assert (own["bfloat16"], usual["bfloat16"]) == (False, True)
    # 3 * 8 MiB at 3200 and at 1600 GB/s, and 5 us before.
    moved = 3 * 4 * (1 << 21) / 1e9
    assert own["add"] == pytest.approx(0.005 + 1e3 * moved / 3200, rel=0.05)
    assert usual["add"] == pytest.approx(0.005 + 1e3 * moved / 1600, rel=0.05)
    # Without peer access the core goes through the host, both ways.
    for told, peer, staged in ((own, 0, 2), (usual, 2, 0)):
        assert told["there"] == told["back"] == 1 << 21
        assert (told["peer"], told["staged"]) == (peer, staged)


CALLBACK = """
import device_api as xp
from device_api import simulation
simulation.enable("npu")
xp.set_device("npu")
x, seen = xp.zeros(4), []
xp.current_stream().add_callback(lambda: seen.append(float(x.shape[0])))
for _ in range(3000):
    x = x + 1
assert float(x[0]) == 3000 and seen == [4.0]
"""


def test_a_full_queue_behind_a_python_callback():
    """The launch that waits for room lets the callback have the interpreter."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", CALLBACK], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_chips_that_are_not_there():
    import device_api

    with pytest.raises(device_api.InvalidArgumentError, match="Ascend910B3"):
        simulation.enable("npu", chip="Ascend1")
    with pytest.raises(device_api.InvalidArgumentError, match=r"no chip file /nowhere/x\.toml"):
        simulation.enable("npu", chip=Path("/nowhere/x.toml"))


def test_the_docs_list_the_keys(control):
    text = DOCS.read_text(encoding="utf-8")
    listed = text.partition("<!-- keys: begin -->\n")[2].partition("<!-- keys: end -->")[0]
    assert listed.split("\n", 2)[2] == control.chip_text("keys")
