# SPDX-License-Identifier: Apache-2.0
"""The worker process of `device-api bench-model`: one program's model on one device.

It speaks as `worker` does: JSON lines on the standard output that it was started with.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from typing import Any

from device_api_conformance import model_cases, model_program
from device_api_conformance.model_cases import Bench, Settings
from device_api_conformance.model_program import Program, ProgramError
from device_api_conformance.opening import open_handle
from device_api_conformance.record import Record
from device_api_conformance.worker import Send, described, serve

REMEDY = "\nRemedy: "
"""Between cause and remedy in what is told when there is no model."""


def work(job: dict[str, Any], send: Send) -> None:
    """Load the model and run the cases of a job."""
    told = job["program"]
    program = Program(told["target"], told["batch"], told["options"])
    settings = Settings(**told["settings"])
    try:
        handle = open_handle(job["handle"], job["device"])
        identity, ops = handle.identity(), handle.capabilities()
    except Exception as error:  # noqa: BLE001 - reported to the runner, which stops
        send({"broken": f"{job['device']} could not be opened: {error}"})
        return
    with handle.policy(settings.fallback):
        try:
            model = model_program.load(program, handle)
            golden = model_program.digest(handle, model_program.first(program, model, handle))
        except ProgramError as error:
            send({"broken": f"{error.cause}{REMEDY}{error.remedy}"})
            return
        send({"ready": asdict(identity), "capabilities": {n: asdict(c) for n, c in ops.items()}})
        bench = Bench(handle, program, model, golden, settings, job["device"], job["handle"])
        for case_id in job["ids"]:
            _one(bench, case_id, send)
    send({"end": True, "notes": handle.notes()})


def _one(bench: Bench, case_id: str, send: Send) -> None:
    send({"start": case_id})
    begin = time.perf_counter()
    record = Record()
    try:
        model_cases.CHECKS[case_id.partition("/")[2]](bench, record)
        found = record.observations()
    except Exception as error:  # noqa: BLE001 - what a model raises is what is observed
        found = {"error": described(bench.handle, error)}
    send({"done": case_id, "seconds": time.perf_counter() - begin, "observations": found,
          "notes": bench.handle.notes()})  # fmt: skip


if __name__ == "__main__":
    sys.exit(serve(work))
