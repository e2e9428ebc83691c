# SPDX-License-Identifier: Apache-2.0
"""The installed CPU backend at every instruction-set level, after fork(), and at process end.

Each case is a process of its own: the level is chosen once per process. The native tests
(tests/native) look at every op, type and layout; these look at the library as it is installed.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

X86 = platform.machine() in {"x86_64", "AMD64"}
LEVELS = ("v2", "v3", "v4") if X86 else ("generic",)

AGREES = """
import sys, numpy as np
import device_api as xp
arch = xp.get_device_properties("cpu")["arch"]
assert arch.split()[-1] == sys.argv[1], arch
random = np.random.default_rng(7)
checks = 0

def same(got, wanted, tolerance=0.0):
    global checks
    np.testing.assert_allclose(got.numpy(), wanted, rtol=tolerance, atol=tolerance)
    checks += 1

for shape in ((1,), (1000,), (33, 70), (1200, 1000)):
    a = random.standard_normal(shape).astype(np.float32)
    b = random.standard_normal(shape).astype(np.float32)
    x, y = xp.asarray(a), xp.asarray(b)
    same(x + y, a + b)
    if x.ndim == 2:
        same(x.T * y.T, a.T * b.T)
    same(x / y, a / b)
    same(xp.exp(x), np.exp(a), 3e-7)
    same(xp.tanh(x), np.tanh(a), 3e-7)
    same(xp.sum(x, axis=0), a.astype(np.float64).sum(axis=0), 1e-4)
    same(xp.max(x), a.max())
    same(xp.astype(x, xp.float16), a.astype(np.float16))
    same(xp.astype(x, xp.int32), a.astype(np.int32))
for n in (8, 50, 300):
    a, b = random.standard_normal((2, n, n)).astype(np.float32)
    same(xp.asarray(a) @ xp.asarray(b).T, a.astype(np.float64) @ b.T, 1e-4)
i = random.integers(-1000, 1000, (70, 80))
same(xp.asarray(i) @ xp.asarray(i).T, i @ i.T)
print("checks", checks)
"""

FORKS = """
import os, signal, sys, numpy as np
import device_api as xp
x = xp.ones((1 << 20,))
matrix = xp.ones((300, 300))

def right():
    return float(xp.sum(x + x)) == 2 << 20 and float((matrix @ matrix)[7, 9]) == 300.0

assert right()  # the pool has threads, the BLAS is loaded
for _ in range(3):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if right() and right() else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    assert right()
print("forked")
"""

EXITS = """
import atexit
import device_api as xp
x = xp.ones((1 << 22,))
atexit.register(lambda: print(float(xp.sum(xp.exp(x - x))), flush=True))
float(xp.sum(x + x))
"""


def run(script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a new process of this interpreter."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def available_levels() -> list[str]:
    """Return the levels that this machine has, as the backend tells them."""
    script = "import device_api as xp; print(xp.get_device_properties('cpu')['driver'])"
    result = run(script, DEVICE_API_CPU_LEVEL="")
    assert result.returncode == 0, result.stderr
    return result.stdout.split(":")[1].split()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("threads", ["1", "4"])
def test_results_agree_with_numpy_at_each_level(level: str, threads: str) -> None:
    if level not in available_levels():
        pytest.skip(f"this machine lacks the instruction-set level {level}")
    result = run(AGREES, level, DEVICE_API_CPU_LEVEL=level, DEVICE_API_CPU_THREADS=threads)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[-1]) == 38


def test_an_unknown_level_is_an_error_that_names_the_known_ones() -> None:
    result = run("import device_api as xp; xp.ones(3)", DEVICE_API_CPU_LEVEL="v9")
    assert result.returncode != 0
    assert 'unknown instruction-set level "v9"' in result.stderr
    assert "v2, v3 and v4" in result.stderr


def test_the_pool_and_the_blas_work_after_fork() -> None:
    result = run(FORKS, DEVICE_API_CPU_THREADS="4")
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["forked"]


def test_a_process_with_pool_threads_ends_cleanly() -> None:
    for _ in range(5):
        result = run(EXITS, DEVICE_API_CPU_THREADS="4")
        assert (result.returncode, result.stderr) == (0, "")
        assert float(result.stdout) == 1 << 22


def test_the_library_needs_only_the_c_library_and_exports_one_function() -> None:
    import device_api_cpu

    library = Path(device_api_cpu.__file__).parent / "lib" / "libdevice_api_cpu.so"
    listed = subprocess.run(
        ["nm", "--dynamic", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["device_api_backend"]
    needed = subprocess.run(
        ["readelf", "--dynamic", library], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line]
    allowed = ("libc.so", "libm.so", "libpthread.so", "libdl.so", "ld-linux")
    assert all(name.startswith(allowed) for name in names), names


def test_the_plugin_names_an_existing_library_and_blas() -> None:
    from device_api_cpu import plugin

    answer = plugin.device_api_backend()
    assert Path(answer["library"]).is_file()
    assert answer["simulator"] is None
    assert Path(answer["options"]["blas"]).is_file()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs the Linux list of mappings")
def test_the_blas_is_opened_at_the_first_large_product() -> None:
    script = """
import device_api as xp
mapped = lambda: "libscipy_openblas." in open("/proc/self/maps").read()
xp.ones((8, 8)) @ xp.ones((8, 8))
before = mapped()
xp.ones((300, 300)) @ xp.ones((300, 300))
print(before, mapped())
"""
    result = run(script)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["False", "True"]
