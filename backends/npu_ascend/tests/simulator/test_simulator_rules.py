# SPDX-License-Identifier: Apache-2.0
"""Every rule is broken once: its name and place are in the report; the table of the docs is these.

DEVICE_API_WRITE_DOCS=1 writes the table instead of comparing it.
"""

import ctypes as C
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from breaches import BREACHES, NOT_HERE, RACES, queued_fill

PAGE = Path(__file__).parents[4] / "docs" / "simulation.md"
BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"


def rules_of(cann) -> dict[str, str]:
    found: dict[str, str] = {}
    name, words = C.c_char_p(), C.c_char_p()
    while cann.control.rule_read(len(found), C.byref(name), C.byref(words)) == 0:
        found[name.value.decode()] = words.value.decode()
    return found


def report_of(cann, rule: str) -> str:
    """What is reported when the rule is broken, without what differs from run to run."""
    BREACHES[rule][1](cann)
    texts = [text for text in cann.misuses() if f"[rule {rule}" in text]
    assert texts, f"{rule}: {cann.misuses()}"
    of_first_device = [text for text in texts if text.endswith("of device 0]")] or texts
    text = re.sub(r"0x[0-9a-f]+", "ADDRESS", of_first_device[-1])
    return re.sub(r"\bstream \d+", "stream N", re.sub(r"\blaunch \d+", "launch N", text))


def test_every_rule_has_a_breach(cann):
    assert set(rules_of(cann)) == set(BREACHES) | NOT_HERE | {"host_access"}


@pytest.mark.parametrize("rule", sorted(BREACHES))
def test_breach_is_reported_with_rule_and_place(cann, rule):
    text = report_of(cann, rule)
    assert re.search("; (in (acl|Hccl)|task )", text)


def test_the_table_of_the_docs(cann):
    rows = []
    for rule, words in rules_of(cann).items():
        if rule not in BREACHES:
            continue
        cann.reset()
        cann.setup(devices=2, memory_bytes=64 << 20)
        cann.ok(cann.aclInit(None))
        cann.ok(cann.aclrtSetDevice(0))
        rows.append(f"| {rule} | {words} | {BREACHES[rule][0]} | {report_of(cann, rule)} |\n")
    heading = "| rule | in words | broken by | report |\n|---|---|---|---|\n"
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    table, after = rest.split(END)
    if os.environ.get("DEVICE_API_WRITE_DOCS") == "1":
        PAGE.write_text(before + BEGIN + heading + "".join(rows) + END + after)
    else:
        assert table == heading + "".join(rows)


def test_the_good_order_is_no_breach(cann):
    """An event, or a wait of the host, orders what two streams do."""
    cann.control.set_checks(RACES)
    p, first, second = cann.malloc(64), cann.stream(), cann.stream()
    event = cann.out(cann.aclrtCreateEventExWithFlag, 1)
    queued_fill(cann, first, p)
    cann.ok(cann.aclrtRecordEvent(event, first))
    cann.ok(cann.aclrtStreamWaitEvent(second, event))
    queued_fill(cann, second, p)
    cann.ok(cann.aclrtSynchronizeStream(second))
    queued_fill(cann, first, p)  # the host has waited for both by now
    cann.ok(cann.aclrtSynchronizeStream(first))
    cann.ok(cann.aclrtFree(p))
    assert cann.misuses() == []


def test_a_host_that_touches_device_memory_is_told(library):
    code = f"""
import ctypes as C
l = C.CDLL({str(library)!r})
p = C.c_void_p()
assert l.aclInit(None) == 0 and l.aclrtSetDevice(0) == 0
assert l.aclrtMalloc(C.byref(p), C.c_size_t(64), 0) == 0
C.memset(p.value, 0, 1)
"""
    environment = os.environ | {"DEVICE_API_SIM_CHECKS": "host"}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert ended.returncode < 0
    assert "[rule host_access]" in ended.stderr
    assert "64 bytes, allocated by aclrtMalloc" in ended.stderr


def test_the_report_at_the_end_of_the_process(library, tmp_path):
    code = f"""
import ctypes as C
l = C.CDLL({str(library)!r})
p = C.c_void_p()
l.aclInit(None), l.aclrtSetDevice(0)
l.aclrtMalloc(C.byref(p), C.c_size_t(64), 0)
l.aclrtMemset(p, C.c_size_t(64), 0, C.c_size_t(64))
l.aclrtFree(C.c_void_p(12345))
s = C.c_void_p()
l.aclrtCreateStream(C.byref(s))
l.aclrtMemsetAsync(p, C.c_size_t(64), 0, C.c_size_t(64), s)
"""
    report = tmp_path / "report"
    environment = os.environ | {"DEVICE_API_SIM_REPORT": str(report)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    text = report.read_text()
    assert "misuse: free of 0x3039" in text
    assert "leak: 64 bytes" in text
    assert "allocated by aclrtMalloc after launch 0" in text
    assert "of kind stream" in text
