# SPDX-License-Identifier: Apache-2.0
"""ONNX's node tests, with their own tolerance, on a planted backend.

Each plant has a forked process of its own: the tests are made once, before device_api is loaded.
"""

from __future__ import annotations

import multiprocessing
import os
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "float32", "float64",
)  # fmt: skip
"""Types of data with which a test is run."""


@dataclass(frozen=True)
class Test:
    """One node with data: inputs, wanted outputs, attributes, and ONNX's tolerance."""

    name: str
    node: str
    inputs: list[Any]
    wanted: list[Any]
    attributes: dict[str, Any]
    rtol: float
    atol: float


@dataclass
class Outcome:
    """Names of the tests that ran, of those that failed, and how often the defect struck."""

    ran: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    strikes: int = 0


def tests() -> list[Test]:
    """ONNX's tests of one node whose data have types of NumPy."""
    import onnx
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    found = []
    for case in cases:
        nodes = case.model.graph.node
        if len(nodes) != 1 or not case.data_sets or nodes[0].domain:
            continue
        inputs, wanted = case.data_sets[0]
        if not all(_known(value) for value in (*inputs, *wanted)) or "" in nodes[0].input:
            continue
        attributes = _attributes(nodes[0], onnx)
        found.append(Test(case.name, nodes[0].op_type, list(inputs), list(wanted), attributes,
                          case.rtol, case.atol))  # fmt: skip
    return found


def _known(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) and str(value.dtype) in TYPES


def _attributes(node: Any, onnx: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"outputs": len(node.output)}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        found[attribute.name] = value.decode() if isinstance(value, bytes) else value
    if node.op_type == "Cast":
        name = str(onnx.helper.tensor_dtype_to_np_dtype(found["to"]))
        found |= {"to_name": name} if name in TYPES else {}
    return found


def run(all_tests: list[Test], plant: str, device: str, limit: float) -> Outcome | None:
    """Run the tests in a new process, with a plant or with none; None: it crashed or hung."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(all_tests, plant, device, there))
    process.start()
    there.close()
    try:
        return here.recv() if here.poll(limit) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _work(all_tests: list[Test], plant: str, device: str, told: Any) -> None:
    from device_api_conformance import planted

    if plant:
        planted.put(device, plant)
    import device_api
    from yardstick.onnx_ops import NODES, Unmapped

    device_api.set_device(device)
    outcome = Outcome()
    for test in all_tests:
        if test.node not in NODES:
            continue
        try:
            right = _right(NODES[test.node], test, device_api)
        except Unmapped:
            continue
        except Exception:  # noqa: BLE001 - whatever is raised, the test failed
            right = False
        outcome.ran.append(test.name)
        if not right:
            outcome.failed.append(test.name)
    outcome.strikes = planted.strikes() if plant else 0
    told.send(outcome)
    told.close()
    os._exit(0)


def _right(node: Any, test: Test, device_api: Any) -> bool:
    """As ONNX's runner compares: type, shape, and np.testing.assert_allclose."""
    inputs = [device_api.asarray(np.asarray(value)) for value in test.inputs]
    found = node(inputs, test.attributes)
    outputs = found if isinstance(found, list) else [found]
    for output, wanted in zip(outputs, test.wanted, strict=False):
        got = np.asarray(output.numpy())
        if got.dtype != wanted.dtype or got.shape != wanted.shape:
            return False
        try:
            np.testing.assert_allclose(wanted, got, rtol=test.rtol, atol=test.atol)
        except AssertionError:
            return False
    return True
