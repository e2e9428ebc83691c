# SPDX-License-Identifier: Apache-2.0
"""The worker process: runs cases on the device and tells what it observed, one JSON line each.

Started by `runner` as ``python -m device_api_conformance.worker``. It reads one JSON object from
standard input and answers on the standard output it was started with; whatever a vendor's library
prints goes to standard error instead.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from device_api_conformance import checks, runtime_cases, watch
from device_api_conformance.case import Case
from device_api_conformance.handle import Handle, Identity, Lacks
from device_api_conformance.judge import Policy, judge
from device_api_conformance.opening import DEFAULT_HANDLE as DEFAULT_HANDLE
from device_api_conformance.opening import open_handle

Send = Callable[[dict[str, Any]], None]


def policy_for(identity: Identity) -> Policy:
    """The policy for what the device declares of itself."""
    return Policy(flushes_subnormals=identity.flushes_subnormals)


def observe_case(handle: Handle, case: Case, seed: int) -> dict[str, Any]:
    """Observations of one case; an exception is an observation too."""
    reason = checks.undeclared(handle, case) if case.op else ""
    try:
        if case.op:
            found = checks.CHECKS[case.check](handle, case, seed)
        else:
            found = runtime_cases.run(handle, case, seed)
    except Lacks as missing:
        found = {"ended": "skipped", "detail": str(missing)}
    except Exception as error:  # noqa: BLE001 - what a device raises is what is observed
        other = getattr(error, "op", None)
        if isinstance(error, handle.error("fallback")) and _never_claimed(handle, case, other):
            told = f"the device declares no {other}, which the case needs"
            return {"ended": "skipped", "detail": told}
        found = {"error": described(handle, error)}
    if reason:
        found |= {"declared": False, "undeclared": reason}
    elif case.op and ("error" in found or found.get("composed")):
        found["flags"] = list(handle.capabilities()[case.op].flags)
    return found


def _never_claimed(handle: Handle, case: Case, op: str | None) -> bool:
    """Whether a declared op's case stopped at another op, one that is not declared."""
    declared = handle.capabilities()
    return bool(op) and op != case.op and case.op in declared and op not in declared


def described(handle: Handle, error: Exception) -> dict[str, Any]:
    """An exception as an observation."""
    documented = isinstance(error, (handle.error("not_supported"), handle.error("fallback")))
    lines = traceback.format_exception(error)
    return {
        "type": type(error).__name__,
        "message": str(error)[:500],
        "documented": documented,
        "lost": isinstance(error, handle.error("device_lost")),
        "trace": "".join(lines)[-1500:],
    }


def repeated(handle: Handle, case: Case, seed: int, found: dict[str, Any]) -> dict[str, Any]:
    """Run a failing case twice more: does it fail in the same way?"""
    if "digest" not in found:
        return found
    again = [observe_case(handle, case, seed).get("digest") for _ in range(2)]
    return found | {"repeatable": all(d == found["digest"] for d in again)}


def work(job: dict[str, Any], send: Send) -> None:
    """Run the cases of a job."""
    try:
        handle = open_handle(job["handle"], job["device"])
        identity = handle.identity()
        capabilities = {n: asdict(c) for n, c in handle.capabilities().items()}
    except Exception as error:  # noqa: BLE001 - reported to the runner, which stops
        send({"broken": f"{type(error).__name__}: {error}"})
        return
    send({"ready": asdict(identity), "capabilities": capabilities})
    policy = policy_for(identity)
    watch.listen(lambda: send({"host": True}))
    for chapter, check, params in job["cases"]:
        case = Case.of(chapter, check, params)
        send({"start": case.id})
        start = time.perf_counter()
        found = observe_case(handle, case, job["seed"])
        if judge(case, found, policy).failed:
            found = repeated(handle, case, job["seed"], found)
        send({"done": case.id, "seconds": time.perf_counter() - start, "observations": found,
              "notes": handle.notes()})  # fmt: skip
        if found.get("error", {}).get("lost"):
            return  # the runner goes on with a new process
    send({"end": True, "notes": handle.notes()})


def serve(doing: Callable[[dict[str, Any], Send], None]) -> int:
    """Entry point of a worker process: one job from standard input, answers as lines of JSON."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(message: dict[str, Any]) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    doing(json.load(sys.stdin), send)
    return 0


if __name__ == "__main__":
    sys.exit(serve(work))
