# SPDX-License-Identifier: Apache-2.0
"""The handle of a library of arrays: arrays and ops, but no raw memory, streams or accounts.

What certifies such a library derives from `TensorHandle` and writes what is left abstract. Cases
about what it has not are SKIPPED, each with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from device_api_conformance.handle import Event, Handle, Lacks, Stream


class Refused(Exception):
    """The library raised an error, which is the cause of this one."""


class Unsupported(Refused):
    """The library does not have it; refusing what is not declared is no failure."""


class Never(Exception):
    """Stands for errors that such a library cannot raise."""


_ERRORS: dict[str, type[BaseException]] = {
    "not_supported": Unsupported, "fallback": Unsupported, "shape": Refused, "dtype": Refused,
    "index": Refused, "invalid_argument": Refused, "out_of_memory": Refused,
    "device_lost": Never, "forked": Never,
}  # fmt: skip


def _lacks(what: str) -> NoReturn:
    raise Lacks(f"a library of arrays has no {what}")


class _Unordered:
    """Stands for a stream: the calling thread, in which each call is done when it returns."""

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        _lacks("streams")


class TensorHandle(Handle):
    """A library of arrays as a device. Left to write: `identity`, `capabilities`, `put`, `get`,
    `buffer`, `run` and `update`; `run` counts in `counts` what ran, and raises `Unsupported` for
    what the library has not and `Refused` for what it raises itself."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def error(self, kind: str) -> type[BaseException]:
        """Every error of the library is `Refused`: of its kinds nothing is asked."""
        return _ERRORS[kind]

    def runs_undeclared(self, op: str) -> bool:
        """Nobody composes what a library has not."""
        return False

    # ---- accounts ----

    def native_counts(self) -> dict[str, int]:
        """Calls of the library, by op."""
        return dict(self.counts)

    def fallbacks(self) -> list[dict[str, Any]]:
        """None: there is nothing else on which an op could run."""
        return []

    @contextmanager
    def policy(self, name: str) -> Iterator[None]:
        """`error` is how a library behaves; there is no other policy."""
        if name != "error":
            _lacks("fall-back")
        yield

    # ---- memory ----

    def alloc(self, size: int) -> int:
        """No raw memory."""
        _lacks("raw memory")

    def free(self, address: int) -> None:
        """No raw memory."""
        _lacks("raw memory")

    def write(self, address: int, data: bytes) -> None:
        """No raw memory."""
        _lacks("raw memory")

    def read(self, address: int, size: int) -> bytes:
        """No raw memory."""
        _lacks("raw memory")

    def statistics(self) -> dict[str, int]:
        """No account of memory."""
        _lacks("account of its memory")

    def reset_peak(self) -> None:
        """No account of memory."""
        _lacks("account of its memory")

    def empty_cache(self) -> None:
        """Nothing that could be given back."""

    # ---- streams ----

    def synchronize(self) -> None:
        """Each call is done when it returns; a library that is not so overrides this."""

    def stream(self) -> Stream:
        """The calling thread; whoever asks it for more than being current is told."""
        return _Unordered()

    def event(self, timing: bool = False) -> Event:
        """No events."""
        _lacks("events")

    @contextmanager
    def using(self, stream: Stream) -> Iterator[None]:
        """The calling thread is current anyway."""
        yield


__all__ = ["Never", "Refused", "TensorHandle", "Unsupported"]
