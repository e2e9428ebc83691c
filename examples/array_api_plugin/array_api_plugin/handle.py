# SPDX-License-Identifier: Apache-2.0
"""A library of arrays as a device of the conformance suite."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from array_api_plugin import calls, declared, exchange
from array_api_plugin.calls import Call
from device_api_conformance.formats import Array, Host
from device_api_conformance.handle import Capability, Identity, Lacks
from device_api_conformance.layouts import Placed
from device_api_conformance.tensor_handle import Refused, TensorHandle, Unsupported

OPEN = ("not implemented", "not supported", "unsupported", "ZeroDivision", "negative integer power")
"""Words of errors by which a library says that it lacks something, or for what the array API leaves
open: integers divided by zero or to the power of a negative integer."""


@dataclass(frozen=True)
class Library:
    """A library: name, version, namespace, and calls by op of what the array API has not;
    `flushes`: it takes subnormal numbers for 0, and says so; `sees_overlap`: it knows by addresses
    when two arrays that it did not make of each other share memory."""

    name: str
    version: str
    xp: Any
    calls: Mapping[str, Call] = field(default_factory=dict)
    flushes: bool = False
    sees_overlap: bool = False


@dataclass
class Tensor:
    """An array of the library; `buffer` is the host memory behind it where `put` made it."""

    array: Any
    buffer: Array


class ArrayHandle(TensorHandle):
    """The array API of one library."""

    def __init__(self, device: str, library: Library) -> None:
        super().__init__()
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of NaN and division by zero
        self.device, self.library, self.xp = device, library, library.xp
        self.calls = calls.known(library.xp) | dict(library.calls)
        self.declared: dict[str, Capability] = {}
        self.declared = declared.capabilities(self)

    # ---- what it is ----

    def identity(self) -> Identity:
        """The library and its version; the memory is the host's."""
        name = f"{self.library.name} {self.library.version}"
        return Identity(self.device, name, self.library.name, simulated=False, synchronous=True,
                        host_memory=True, flushes_subnormals=self.library.flushes,
                        facts={"version": self.library.version})  # fmt: skip

    def capabilities(self) -> dict[str, Capability]:
        """Everything that the array API asks for, and what was found beyond it."""
        return self.declared

    # ---- tensors and ops ----

    def put(self, placed: Placed) -> Tensor:
        """The library's own view of a copy of the buffer."""
        if placed.dtype not in exchange.types(self.xp):
            raise Unsupported(f"{self.library.name} has no {placed.dtype}")
        buffer = placed.buffer.copy()
        with self._told():
            try:
                return Tensor(exchange.taken_in(self.xp, placed, buffer), buffer)
            except Exception as error:
                if any(stride < 0 for stride in placed.strides):
                    raise Unsupported("no array of the library runs backwards") from error
                raise

    def view(self, tensor: Tensor, placed: Placed) -> Tensor:
        """Another array of the library over the same memory."""
        if not self.library.sees_overlap:
            raise Lacks("the library does not see that arrays made elsewhere share memory")
        with self._told():
            return Tensor(exchange.taken_in(self.xp, placed, tensor.buffer), tensor.buffer)

    def get(self, tensor: Any) -> Host:
        """A copy of what an array holds."""
        array = tensor.array if isinstance(tensor, Tensor) else tensor
        with self._told():
            return exchange.given_out(self.xp, array)

    def buffer(self, tensor: Tensor) -> Array:
        """The host memory itself: the library shares it, or has a copy and cannot change it."""
        return tensor.buffer

    def run(self, op: str, operands: list[Any], attributes: dict[str, Any]) -> Any:
        """One call of the library."""
        arrays = [t.array if isinstance(t, Tensor) else t for t in operands]
        key = declared.key_type(self.xp, op, arrays, attributes)
        if self.declared and key not in getattr(self.declared.get(op), "dtypes", ()):
            raise Unsupported(f"{op} on {key} is not declared")
        return self.called(op, arrays, attributes)

    def called(self, op: str, arrays: list[Any], attributes: dict[str, Any]) -> Any:
        """One call of the library, whatever is declared."""
        target = attributes.get("dtype", "bool")
        if op not in self.calls or target not in exchange.types(self.xp):
            raise Unsupported(f"{self.library.name} has no {op} to {target}")
        with self._told():
            found = self.calls[op](self.xp, arrays, attributes)
        self.counts[op] += 1
        return found

    def update(
        self, op: str, target: Tensor, operands: list[Any], attributes: dict[str, Any]
    ) -> None:
        """Assignment to all elements, or an operator in place."""
        with self._told():
            if op in _IN_PLACE:
                _IN_PLACE[op](target.array, operands[0].array)
            else:
                target.array[...] = attributes["value"] if op == "fill" else operands[0].array
        self.counts[op] += 1

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the library as those of the suite."""
        try:
            yield
        except Unsupported:
            raise
        except NotImplementedError as error:
            raise Unsupported(str(error)) from error
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            kind = Unsupported if any(word in told for word in OPEN) else Refused
            raise kind(told) from error

    # ---- other libraries ----

    def exported(self, tensor: Any) -> Any:
        """The library's array."""
        return tensor.array if isinstance(tensor, Tensor) else tensor

    def imported(self, source: Any) -> Any:
        """An array of the library over the memory of another."""
        return self.xp.from_dlpack(source)


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {"add": operator.iadd, "mul": operator.imul}
