# SPDX-License-Identifier: Apache-2.0
"""Cases of chapters R and F: identity, errors that must not stick, truthful accounts."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from device_api_abi import optable
from device_api_conformance import layouts
from device_api_conformance.case import Case
from device_api_conformance.formats import Host, storage
from device_api_conformance.handle import Handle
from device_api_conformance.record import Record
from device_api_conformance.seeds import generator


def _put(handle: Handle, case: Case, seed: int, data: Any, dtype: str = "float32") -> Any:
    host = Host(dtype, np.asarray(data, dtype=storage(dtype)))
    return handle.put(layouts.place(host, "contiguous", generator(case.id, seed)))


def identity(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Who answers: stable over calls and threads; a simulated device says so in its name."""
    first = handle.identity()
    r.equal("the device has a name", bool(first.name.strip()), True)
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.append(handle.identity()))
    thread.start()
    thread.join()
    r.equal("the same name from another thread", [i.name for i in seen], [first.name])
    r.equal("the same name again", handle.identity().name, first.name)
    if first.simulated:
        r.equal("its name says simulated", "simulated" in first.name.lower(), True)


def core_ops(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is declared is known to the op table; core ops that are missing are listed."""
    declared = handle.capabilities()
    table = optable.by_name()
    unknown = sorted(set(declared) - set(table))
    r.equal("declared ops that the op table lacks", unknown, [])
    wrong = [f"{n}: {d}" for n, c in declared.items() if n in table
             for d in c.dtypes if d not in table[n].dtypes]  # fmt: skip
    r.equal("declared types that the op table lacks", wrong, [])
    missing = sorted(n for n, op in table.items() if op.core and n not in declared)
    r.note("missing_core_ops", missing)


def error_does_not_stick(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """After each kind of failure the next valid op works."""
    good = _put(handle, case, seed, [1.0, 2.0, 3.0])
    failures = {
        "shape": lambda: handle.run("add", [good, _put(handle, case, seed, [1.0, 2.0])], {}),
        "dtype": lambda: handle.run("neg", [_put(handle, case, seed, [True], "bool")], {}),
    }
    for kind, failing in failures.items():
        r.raises(f"{kind}: invalid call", handle.error(kind), failing)
        got = handle.get(handle.run("add", [good, good], {})).data.tolist()
        r.equal(f"{kind}: result of the next op", got, [2.0, 4.0, 6.0])


def native_account(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Each native run is counted once, and nothing else is."""
    x = _put(handle, case, seed, [1.0, 2.0, 3.0])
    handle.synchronize()
    before, gone = handle.native_counts(), len(handle.fallbacks())
    for _ in range(5):
        handle.run("add", [x, x], {})
    handle.run("mul", [x, x], {})
    after = handle.native_counts()
    grown = {n: after[n] - before.get(n, 0) for n in after if after[n] != before.get(n, 0)}
    r.equal("native runs", grown, {"add": 5, "mul": 1})
    r.equal("new fallbacks", len(handle.fallbacks()) - gone, 0)


def fallback_account(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What the device lacks is refused under `error`, and counted as fallen back under `allow`.

    A core op shows it: there is nothing of which it could be composed.
    """
    found = _lacking(handle.capabilities())
    if found is None:
        r.skip("the device declares every core op that is unary or binary, and all its types")
        return
    op, dtype = found
    n = len(optable.by_name()[op].inputs)
    try:
        operands = [_put(handle, case, seed, [1, 2, 3], dtype) for _ in range(n)]
    except handle.error("not_supported"):
        r.skip(f"the device has no {dtype}")
        return
    r.note("lacking", f"{op} on {dtype}")
    with handle.policy("error"):
        r.raises(f"{op} on {dtype} under `error`", handle.error("fallback"),
                 lambda: handle.run(op, operands, {}))  # fmt: skip
    before, native = _count(handle, op, dtype), handle.native_counts().get(op, 0)
    with handle.policy("allow"):
        handle.get(handle.run(op, operands, {}))
    r.equal(f"fallbacks counted for {op} on {dtype}", _count(handle, op, dtype) - before, 1)
    r.equal("native runs counted", handle.native_counts().get(op, 0) - native, 0)


def _lacking(declared: dict[str, Any], core: bool = True) -> tuple[str, str] | None:
    """An elementwise op and a type that the device does not declare."""
    for op in optable.load():
        if op.core is core and op.kind in ("unary", "binary", "compare"):
            for dtype in op.dtypes:
                if op.name not in declared or dtype not in declared[op.name].dtypes:
                    return op.name, dtype
    return None


def composed_account(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """What is composed from native ops is neither a native run of that op nor a fallback."""
    found = _lacking(handle.capabilities(), core=False)
    if found is None:
        r.skip("the device declares every unary and binary op and type of the table")
        return
    op, dtype = found
    n = len(optable.by_name()[op].inputs)
    before, native = handle.fallbacks(), handle.native_counts().get(op, 0)
    try:
        operands = [_put(handle, case, seed, [1, 2, 3], dtype) for _ in range(n)]
        with handle.policy("error"):
            handle.get(handle.run(op, operands, {}))
    except (handle.error("fallback"), handle.error("not_supported")):
        r.skip(f"{op} on {dtype} is neither native nor composed")
        return
    r.note("composed", f"{op} on {dtype}")
    r.equal("new fallbacks", _total(handle.fallbacks()) - _total(before), 0)
    r.equal("native runs counted", handle.native_counts().get(op, 0) - native, 0)


def _total(rows: list[dict[str, Any]]) -> int:
    return sum(int(row["count"]) for row in rows)


def _count(handle: Handle, op: str, dtype: str) -> int:
    rows = handle.fallbacks()
    return sum(int(row["count"]) for row in rows if row["op"] == op and str(row["dtype"]) == dtype)


def threads(handle: Handle, case: Case, seed: int, r: Record) -> None:
    """Several threads, each with its own stream, get what one thread gets."""
    wrong: list[int] = [0] * 4
    problems: list[str] = []

    def work(k: int) -> None:
        try:
            stream = handle.stream()
            with handle.using(stream):
                x = _put(handle, case, seed, np.full(1000, k + 1.0))
                for i in range(1, 30):
                    y = handle.run("add", [x, x], {})
                    y = handle.run(
                        "add", [y, _put(handle, case, seed, np.full(1000, float(i)))], {}
                    )
                    want = np.float32(2 * (k + 1.0) + i)
                    wrong[k] += int(np.count_nonzero(handle.get(y).data != want))
        except Exception as error:  # noqa: BLE001 - carried to the record
            problems.append(f"{type(error).__name__}: {error}")

    workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    r.equal("errors in threads", problems, [])
    r.equal("wrong elements by thread", wrong, [0, 0, 0, 0])


CHECKS = {
    "identity": identity, "core_ops": core_ops, "error_does_not_stick": error_does_not_stick,
    "native_account": native_account, "fallback_account": fallback_account,
    "composed_account": composed_account, "threads": threads,
}  # fmt: skip

_CHAPTERS = {"identity": "R", "core_ops": "R", "threads": "R"}


def cases() -> list[Case]:
    """All cases of the two chapters."""
    return [Case(_CHAPTERS.get(name, "F"), name) for name in CHECKS]
