# SPDX-License-Identifier: Apache-2.0
"""The pytest face of the suite: ``pytest --pyargs device_api_conformance --device npu:0``.

Each case is one test; it runs through the same runner as ``device-api certify``, that is, in a
worker process under a watchdog. Without ``--device`` nothing is added to a pytest run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of the suite."""
    group = parser.getgroup("device_api_conformance", "conformance of devices (device_api)")
    try:
        group.addoption("--device", default=None, help="device to certify, e.g. npu:0")
    except ValueError:  # another plugin owns the short name; the long one always works
        pass
    group.addoption("--conformance-device", default=None, help="the same as --device")
    group.addoption("--conformance-level", default="smoke", help="level of the suite")
    group.addoption("--conformance-seed", type=int, default=0, help="seed of all inputs")
    group.addoption("--conformance-handle", default=None, help="factory of another handle")


def device_of(config: pytest.Config) -> str | None:
    """The device asked for, or None."""
    found = config.getoption("--conformance-device") or config.getoption("--device", None)
    return None if found is None else str(found)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per case."""
    if "conformance_case" not in metafunc.fixturenames:
        return
    if device_of(metafunc.config) is None:
        raise pytest.UsageError("name the device to certify: --device npu:0")
    from device_api_conformance.cases import generate

    found = generate(metafunc.config.getoption("--conformance-level"))
    metafunc.parametrize("conformance_case", found, ids=[case.id for case in found])


class Results:
    """Results of the collected cases, in order, as they are asked for."""

    def __init__(self, session: pytest.Session) -> None:
        from device_api_conformance.handles import resolve
        from device_api_conformance.runner import Runner

        option = session.config.getoption
        device = str(device_of(session.config))
        self.runner = Runner(
            device, option("--conformance-level"), option("--conformance-seed"),
            resolve(device, option("--conformance-handle")),
        )  # fmt: skip
        cases: list[Any] = [
            item.callspec.params["conformance_case"]
            for item in session.items
            if isinstance(item, pytest.Function) and "conformance_case" in item.fixturenames
        ]
        self.stream = self.runner.run(cases)
        self.known: dict[str, object] = {}

    def of(self, case_id: str) -> object:
        """The result of one case; runs on until it is there."""
        while case_id not in self.known:
            result = next(self.stream)
            self.known[result.case.id] = result
        return self.known[case_id]


@pytest.fixture(scope="session")
def conformance_results(request: pytest.FixtureRequest) -> Iterator[Results]:
    """The one run of this session."""
    results = Results(request.session)
    yield results
    results.stream.close()
