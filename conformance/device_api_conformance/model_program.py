# SPDX-License-Identifier: Apache-2.0
"""A program that makes a model: found, loaded and called once; what is wrong with it, in words.

A target is ``file.py``, ``file.py:function`` or ``module:function`` (the function is `model` when
it is not named). The function runs in a process whose current device is the one under test. It may
take ``batch`` and other parameters by name, and returns a callable with the tuple of its inputs::

    def model(batch=1):
        return network, (inputs,)

The callable gives an array of that device, or tuples, lists or dicts of such arrays.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from device_api_conformance.handle import Handle

DEFAULT = "model"
SHAPE = "return the callable and the tuple of its inputs: `return network, (x,)`"


class ProgramError(Exception):
    """A program that gives no model: cause, and remedy."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause, self.remedy = cause, remedy


@dataclass(frozen=True)
class Program:
    """Where the model comes from, and what its function is given."""

    target: str
    batch: int | None = None
    options: dict[str, str] = field(default_factory=dict)

    @property
    def where(self) -> tuple[str, str]:
        """File or module, and function."""
        place, colon, name = self.target.rpartition(":")
        return (place, name) if colon and place else (self.target, DEFAULT)

    @property
    def name(self) -> str:
        """File name or module, with the function: the same on every machine."""
        place, function = self.where
        return f"{Path(place).name if place.endswith('.py') else place}:{function}"

    def arguments(self) -> dict[str, Any]:
        """What the function is called with."""
        given: dict[str, Any] = dict(self.options)
        return given if self.batch is None else given | {"batch": self.batch}


@dataclass
class Model:
    """A callable with its inputs."""

    call: Callable[..., Any]
    inputs: tuple[Any, ...]

    def run(self) -> Any:
        """One call."""
        return self.call(*self.inputs)


def find(program: Program) -> Callable[..., Any]:
    """The function that the target names; runs the file or module.

    Raises:
        ProgramError: there is none, or it cannot be run.
    """
    place, name = program.where
    module = _file(place) if place.endswith(".py") else _module(place)
    found = getattr(module, name, None)
    if not callable(found):
        there = f"{name} there is a {type(found).__name__}" if hasattr(module, name) else "none"
        raise ProgramError(f"{place} has no function {name} ({there})",
                           f"name the function: {place}:FUNCTION")  # fmt: skip
    function: Callable[..., Any] = found
    return function


def _file(place: str) -> Any:
    path = Path(place)
    if not path.is_file():
        raise ProgramError(f"there is no file {place}", "check the path")
    sys.path.insert(0, str(path.resolve().parent))
    described = importlib.util.spec_from_file_location(path.stem, path)
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    sys.modules[path.stem] = module
    with _telling(f"{place} cannot be loaded"):
        described.loader.exec_module(module)
    return module


def _module(place: str) -> Any:
    try:
        missing = importlib.util.find_spec(place) is None
    except (ImportError, ValueError):
        missing = True
    if missing:
        raise ProgramError(f"there is no module {place}",
                           "install it, or give a file: path/to/file.py:function")  # fmt: skip
    with _telling(f"{place} cannot be loaded"):
        return importlib.import_module(place)


class _telling:
    """Whatever the program raises becomes a ProgramError with the lines that raised it."""

    def __init__(self, what: str, remedy: str = "correct the program", memory: Any = ()) -> None:
        self.what, self.remedy, self.memory = what, remedy, memory

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None or isinstance(error, (KeyboardInterrupt, ProgramError)):
            return
        frame = traceback.extract_tb(trace)[-1:]
        for last in (f for f in traceback.extract_tb(trace) if f.filename.endswith(".py")):
            if "device_api" not in last.filename and "importlib" not in last.filename:
                frame = [last]
        where = f" (line {frame[0].lineno} of {frame[0].filename})" if frame else ""
        name, cause = type(error).__name__, getattr(error, "cause", None) or error
        told = f"{name}: {cause}"
        if self.memory and isinstance(error, self.memory):
            raise ProgramError(f"{self.what}: the device is out of memory{where}: {told}",
                               "take a smaller --batch, or a smaller model") from error  # fmt: skip
        remedy = getattr(error, "remedy", "") or self.remedy
        raise ProgramError(f"{self.what}{where}: {told}", remedy) from error


def load(program: Program, handle: Handle) -> Model:
    """The model of a program, on the device of `handle`.

    Raises:
        ProgramError: why there is none.
    """
    function = find(program)
    _fits(function, program)
    memory = handle.error("out_of_memory")
    with _telling(f"{program.name} raised an error", memory=memory):
        made = function(**program.arguments())
    if not isinstance(made, (tuple, list)) or len(made) != 2 or not callable(made[0]):
        raise ProgramError(f"{program.name} gave {_kind(made)}, not a callable with its inputs",
                           SHAPE)  # fmt: skip
    if not isinstance(made[1], (tuple, list)):
        raise ProgramError(f"{program.name} gave {_kind(made[1])} for the inputs", SHAPE)
    return Model(made[0], tuple(made[1]))


def first(program: Program, model: Model, handle: Handle) -> tuple[Any, ...]:
    """The arrays of the first call.

    Raises:
        ProgramError: it raises, or gives no arrays of the device.
    """
    with _telling(f"the first call of {program.name} failed", memory=handle.error("out_of_memory")):
        found = tuple(arrays(model.run()))
        handle.synchronize()
    wanted = handle.identity().device
    remedy = "let the callable return arrays of the current device, and tuples or dicts of them"
    if not found:
        raise ProgramError(f"a call of {program.name} gives no array", remedy)
    for leaf in found:
        device = getattr(leaf, "device", None)
        if device is None or not hasattr(leaf, "__dlpack__"):
            raise ProgramError(f"a call of {program.name} gives {_kind(leaf)}", remedy)
        if str(device) != wanted:
            raise ProgramError(f"a call of {program.name} gives an array on {device}, and not "
                               f"on {wanted}: the model ran elsewhere", remedy)  # fmt: skip
    return found


def arrays(result: Any) -> Iterator[Any]:
    """The leaves of nested tuples, lists and dicts, in order."""
    if isinstance(result, dict):
        for key in sorted(result, key=str):
            yield from arrays(result[key])
    elif isinstance(result, (tuple, list)):
        for inner in result:
            yield from arrays(inner)
    elif result is not None:
        yield result


def digest(handle: Handle, leaves: tuple[Any, ...]) -> str:
    """SHA-256 over types, shapes and bits of arrays."""
    told = hashlib.sha256()
    for leaf in leaves:
        host = handle.get(leaf)
        told.update(f"{host.dtype}{np.shape(host.data)}".encode())
        told.update(np.ascontiguousarray(host.bits()).tobytes())
    return told.hexdigest()


def _fits(function: Callable[..., Any], program: Program) -> None:
    """The function takes what it is given, and needs nothing else."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    given = program.arguments()
    takes_all = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    unknown = [name for name in given if name not in signature.parameters and not takes_all]
    if unknown:
        there = ", ".join(signature.parameters) or "nothing"
        raise ProgramError(f"{program.name} takes no {', '.join(unknown)}; it takes {there}",
                           "leave --batch or --with out, or let the function take it")  # fmt: skip
    try:
        signature.bind(**given)
    except TypeError as error:
        raise ProgramError(f"{program.name}: {error}",
                           "give it with --batch N or --with NAME=VALUE") from error  # fmt: skip


def _kind(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)}"
    name = type(value).__name__
    return "nothing" if value is None else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
