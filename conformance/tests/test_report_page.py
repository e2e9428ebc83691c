# SPDX-License-Identifier: Apache-2.0
"""The page of a report as text: safe, complete, quick, nothing from elsewhere."""

from __future__ import annotations

import json
import re
import time

import numpy as np
import page_report
import pytest

from device_api_conformance import report_files, report_html, report_plots
from device_api_conformance.formats import Host
from device_api_conformance.observe import EDGES, _counts, _points


def _embedded(page: str) -> dict:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


def test_hostile_texts_stay_texts():
    page = report_files.html(page_report.made())
    assert page.count("</script>") == 2
    assert "<img" not in page
    row = _embedded(page)["cases"][0]
    assert row[report_html.COLUMNS.index("reason")] == page_report.HOSTILE


def test_nothing_is_loaded_from_elsewhere():
    page = report_files.html(page_report.made(simulated=False))
    assert "default-src 'none'" in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
    assert "@import" not in page
    assert "url(" not in page


@pytest.mark.parametrize("simulated", [True, False])
def test_the_label_is_on_screen_and_in_print(simulated):
    page = report_files.html(page_report.made(simulated=simulated))
    assert page.count("SIMULATION REPORT") == (2 if simulated else 0)


def test_the_waivers_line_comes_before_the_verdict():
    found = page_report.made()
    page = report_files.html(found)
    assert report_files.waived(found) in page
    assert page.index('id="waived"') < page.index('id="outcome"')


def test_plots_show_what_was_observed():
    found = report_plots.plots(page_report.made())
    assert {r["name"] for r in found["histograms"]} >= {"exp float32", "log float16"}
    assert found["roofline"]["bandwidth"] == 2e9
    assert found["roofline"]["peak"] == 1e10
    assert found["roofline"]["points"][0]["rate"] == 2e9 * 2 / 24
    assert found["roofline"]["floor_peak"] == 1e9
    assert found["curves"][0]["series"] == {"process": [0, 10, 1], "heap": [0, 0, 0]}
    assert [len(row["points"]) for row in found["soaks"]] == [3, 2]
    assert len(found["timelines"][0]["spans"]) == 2


def test_results_without_an_error_are_told_as_such():
    found = page_report.made()
    assert not report_plots.plots(found)["rounded"]
    for case in found["cases"]:
        case["observations"].get("ulp", {})["max"] = 0.5
        case["observations"].pop("ulp_points", None)
    plots = report_plots.plots(found)
    assert plots["rounded"]
    assert plots["points"] == []


def test_errors_are_counted_and_the_largest_kept():
    size = np.array([0.0, 0.3, 1.0, 5.0, 1e300])
    counts = _counts(size)
    assert len(counts) == len(EDGES)
    assert sum(counts) == 5
    assert counts[EDGES.index(4)] == counts[-1] == 1
    host = Host("float32", np.array([1, 2, 3, np.inf, 5], np.float32))
    assert _points(size, [host]) == [[5.0, 1e300], [3.0, 1.0]]


def test_thirty_thousand_cases_are_written_quickly():
    found = page_report.made(30_000)
    begin = time.perf_counter()
    report_files.html(found)
    assert time.perf_counter() - begin < 10  # 1 to 2 s; a loaded machine may need longer
