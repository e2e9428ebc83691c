# SPDX-License-Identifier: Apache-2.0
"""Fallbacks: what a device lacks runs on the CPU, by policy, and is accounted for.

The policy ``"error"`` forbids it (FallbackError), ``"warn"`` (the default) tells it once per op and
dtype with a FallbackWarning, ``"allow"`` is silent. All of them are counted. At the start it is the
one that the environment variable ``DEVICE_API_FALLBACK`` names, if that is set.
"""

from __future__ import annotations

import os
import threading
import warnings
from types import TracebackType
from typing import Literal, Self, TypeAlias, TypedDict, cast, overload

from device_api import _core, errors
from device_api._core import Device
from device_api.devices import DeviceLike, optional_device

Policy: TypeAlias = Literal["error", "warn", "allow"]
_POLICIES = ("error", "warn", "allow")
_wanted = os.environ.get("DEVICE_API_FALLBACK", "").strip()


class FallbackRecord(TypedDict):
    """The fallbacks of one op and dtype on one device: how many, bytes moved, seconds, why."""

    op: str
    dtype: str
    device: str
    count: int
    bytes: int
    seconds: float
    reason: str


class _Blocks(threading.local):
    """The policies of the ``with`` blocks that a thread is in, innermost last."""

    def __init__(self) -> None:
        self.policies: list[Policy] = []


_blocks = _Blocks()


def check_environment() -> None:
    """Raise InvalidArgumentError when DEVICE_API_FALLBACK names no policy.

    Called when the first device is needed, so that the package can be imported all the same.
    """
    if _wanted and _wanted not in _POLICIES:
        raise errors.InvalidArgumentError(
            f"unknown fallback policy {_wanted!r} (asked for by DEVICE_API_FALLBACK={_wanted})",
            f"set it to one of {', '.join(_POLICIES)}",
        )


if _wanted in _POLICIES:
    _core.set_fallback_policy(_wanted)


def _put(policy: Policy) -> None:
    """Set a policy: inside a ``with`` block until its end, else for the process."""
    if _blocks.policies:
        _blocks.policies[-1] = policy
    _core.set_fallback_policy(policy, thread=bool(_blocks.policies))


class PolicyChange:
    """A policy just set; as a context manager it counts for this thread until the block's end."""

    def __init__(self, policy: Policy, before: Policy) -> None:
        self._policy: Policy = policy
        self._before: Policy = before

    def __enter__(self) -> Self:
        _put(self._before)
        _blocks.policies.append(self._policy)
        _core.set_fallback_policy(self._policy, thread=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _blocks.policies.pop()
        outer = _blocks.policies[-1] if _blocks.policies else ""  # "": the process's again
        _core.set_fallback_policy(outer, thread=True)


@overload
def fallback_policy() -> Policy: ...
@overload
def fallback_policy(policy: Policy) -> PolicyChange: ...
def fallback_policy(policy: Policy | None = None) -> Policy | PolicyChange:
    """Return the fallback policy, or set it: for the process, or for a thread in a block.

    ``fallback_policy("error")`` sets it for the process, inside a block until the block's end;
    ``with fallback_policy("error"): ...`` sets it for this thread inside the block.
    Raises InvalidArgumentError for an unknown policy.
    """
    before = cast("Policy", _core.fallback_policy())
    if policy is None:
        return before
    if policy not in _POLICIES:
        raise errors.InvalidArgumentError(
            f"unknown fallback policy {policy!r}", f"use one of {', '.join(_POLICIES)}"
        )
    _put(policy)
    return PolicyChange(policy, before)


def fallback_report() -> list[FallbackRecord]:
    """Return what ran on the CPU for want of a native op, by device, op and dtype.

    Functions that are no single op (``linalg.svd``, ``fft.fft``) are listed by those names.
    """
    ops = [cast("FallbackRecord", dict(record)) for record in _core.fallback_report()]
    with _lock:
        return ops + [cast("FallbackRecord", dict(record)) for record in _functions.values()]


_lock = threading.Lock()  # of the records below; held for no longer than it takes to add
_functions: dict[tuple[str, str, str], FallbackRecord] = {}
os.register_at_fork(  # a forked child would find it taken for ever
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


def require(op: str, dtype: str, device: Device, reason: str) -> None:
    """Raise FallbackError when the policy forbids that a function runs on the CPU."""
    if _core.fallback_policy() == "error":
        raise errors.FallbackError(
            f"{op} of {dtype} does not run on {device}: {reason}, and the fallback policy is "
            "'error'",
            "move the arrays to the CPU, or allow it with device_api.fallback_policy('allow')",
            op=op,
            device=str(device),
        )


def account(op: str, dtype: str, device: Device, moved: int, seconds: float, reason: str) -> None:
    """Count one run of a function on the CPU; warn of the first of its kind, if the policy says."""
    name = str(device)
    with _lock:
        record = _functions.get((op, dtype, name))
        if first := record is None:
            record = FallbackRecord(
                op=op, dtype=dtype, device=name, count=0, bytes=0, seconds=0.0, reason=reason
            )
            _functions[op, dtype, name] = record
        record["count"] += 1
        record["bytes"] += moved
        record["seconds"] += seconds
    if first and _core.fallback_policy() == "warn":
        warn(op, dtype, name, reason)


def warn(op: str, dtype: str, device: str, reason: str) -> None:
    """Warn of the first fallback of an op and dtype on a device."""
    why = f" ({reason})" if reason else ""
    warnings.warn(
        f"{op} of {dtype} runs on the CPU: {device} has no native one{why}. "
        "Remedy: see device_api.fallback_report(), or fallback_policy('allow') to be silent",
        errors.FallbackWarning,
        stacklevel=3,
    )


def native_op_counts(device: DeviceLike | None = None) -> dict[str, int]:
    """Return how often each op ran natively on a device (default: the current one)."""
    return dict(_core.native_counts(optional_device(device)))


def reset_op_counts() -> None:
    """Forget all counts: those of fallbacks and those of native ops."""
    _core.reset_accounts()
    with _lock:
        _functions.clear()
