# SPDX-License-Identifier: Apache-2.0
"""Scenario files: how the simulated devices of a program are set up and broken, in TOML.

A file has a ``seed`` and one table for each device type; docs/faults.md shows one. What it holds
is checked whole before any of it is done; an error names the file and the key.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device_api import _faults, _metadata, errors
from device_api._sizes import parse_bytes

if TYPE_CHECKING:
    from device_api._simctl import Control

_SCHEDULE = {"mode": str, "strategy": str, "seed": int, "max_delay_us": int}


@dataclass(frozen=True)
class Scenario:
    """What a file asks of one device type: the set-up, and what is done once it is there."""

    file: str
    setup: dict[str, Any] = field(default_factory=dict)  # keyword arguments of enable()
    schedule: dict[str, Any] | None = None
    latency: dict[str, float] | None = None
    checks: str | None = None
    faults: tuple[tuple[str, dict[str, Any]], ...] = ()  # kind, keyword arguments of inject()

    def apply(self, control: Control) -> None:
        """Steer and break devices that are set up."""
        if self.schedule is not None:
            control.schedule(**self.schedule)
        if self.latency is not None:
            control.latency(**self.latency)
        if self.checks is not None:
            control.checks(self.checks)
        for kind, given in self.faults:
            control.inject(kind, **given)


class _Reader:
    """Reads one table; knows where it is, for errors."""

    def __init__(self, file: str, where: str) -> None:
        self.file, self.where = file, where

    def wrong(self, key: str, cause: str, remedy: str) -> errors.InvalidArgumentError:
        at = f"{self.where}.{key}" if self.where else key
        return errors.InvalidArgumentError(f"scenario {self.file}: {at}: {cause}", remedy)

    def known(self, table: object, key: str, keys: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(table, dict):
            raise self.wrong(key, f"{table!r} is no table", "write it as a TOML table")
        for name in table:
            if name not in keys:
                inner = f"{key}.{name}" if key else name
                raise self.wrong(inner, "unknown key", f"use one of {', '.join(keys)}")
        return table

    def typed(self, key: str, value: object, kinds: tuple[type, ...]) -> Any:
        if isinstance(value, bool) or not isinstance(value, kinds):
            names = " or ".join({"str": "a text", "int": "a whole number", "float": "a number"}[
                kind.__name__] for kind in kinds)  # fmt: skip
            raise self.wrong(key, f"{value!r} has the wrong type", f"write {names}")
        return value


def _schedule(reader: _Reader, value: object) -> dict[str, Any]:
    table = reader.known(value, "schedule", tuple(_SCHEDULE))
    for key, kind in _SCHEDULE.items():
        if key in table:
            reader.typed(f"schedule.{key}", table[key], (kind,))
    return {"mode": "adversarial", **table}


def _latency(reader: _Reader, value: object) -> dict[str, float]:
    from device_api import _simctl_abi as abi

    names = tuple(name for name, *_ in abi.Latency._fields_ if name not in ("size", "reserved"))
    table = reader.known(value, "latency", names)
    return {key: float(reader.typed(f"latency.{key}", number, (int, float)))
            for key, number in table.items()}  # fmt: skip


def _checks(reader: _Reader, value: object) -> str:
    from device_api._simctl import CHECKS

    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list):
        raise reader.wrong("checks", f"{value!r} is no list of checks", 'write ["races", ...]')
    names = [str(name).strip() for name in names if str(name).strip()]
    for name in names:
        if name not in CHECKS:
            raise reader.wrong("checks", f"unknown check {name!r}", f"use {', '.join(CHECKS)}")
    return ",".join(names)


def _fault(reader: _Reader, number: int, table: object) -> tuple[str, dict[str, Any]]:
    key = f"faults[{number}]"
    given = dict(reader.known(table, key, ("kind", *_faults.KEYS)))
    if "kind" not in given:
        raise reader.wrong(f"{key}.kind", "missing", f"use one of {', '.join(_faults.KINDS)}")
    kind = reader.typed(f"{key}.kind", given.pop("kind"), (str,))
    try:
        _faults.members(kind, given)
    except errors.InvalidArgumentError as error:
        raise reader.wrong(key, error.cause, error.remedy) from None
    return kind, given


def _devices(reader: _Reader, value: object) -> int:
    count = reader.typed("devices", value, (int,))
    if not 0 <= count <= 64:
        raise reader.wrong("devices", f"{count} devices", "give 0 to 64")
    return int(count)


def _memory(reader: _Reader, value: object) -> int | str:
    size = reader.typed("memory", value, (int, str))
    try:
        parse_bytes(size)
    except errors.InvalidArgumentError as error:
        raise reader.wrong("memory", error.cause, error.remedy) from None
    return size  # type: ignore[no-any-return]


def _seed(reader: _Reader, value: object) -> int:
    seed = reader.typed("seed", value, (int,))
    if not 0 <= seed < 2**64:
        raise reader.wrong("seed", f"{seed} is out of range", "give 0 to 2^64 - 1")
    return int(seed)


def _chip(reader: _Reader, value: object) -> str:
    chip = str(reader.typed("chip", value, (str,)))
    if "/" not in chip and not chip.endswith(".toml"):
        return chip
    path = Path(reader.file).parent / chip  # relative to the scenario
    if not path.is_file():
        raise reader.wrong("chip", f"no chip file {path}", "paths begin at the scenario's folder")
    return str(path.resolve())


_SETUP: dict[str, Callable[[_Reader, object], Any]] = {
    "devices": _devices, "memory": _memory, "seed": _seed, "chip": _chip,
}  # fmt: skip
_KEYS = (*_SETUP, "schedule", "latency", "checks", "faults")


def _of_type(reader: _Reader, table: Mapping[str, Any], seed: int) -> Scenario:
    setup = {key: read(reader, table[key]) for key, read in _SETUP.items() if key in table}
    setup.setdefault("seed", seed)
    faults = table.get("faults", [])
    if not isinstance(faults, list):
        raise reader.wrong(
            "faults", "no array of tables", f"begin each with [[{reader.where}.faults]]"
        )
    return Scenario(
        reader.file,
        setup,
        _schedule(reader, table["schedule"]) if "schedule" in table else None,
        _latency(reader, table["latency"]) if "latency" in table else None,
        _checks(reader, table["checks"]) if "checks" in table else None,
        tuple(_fault(reader, n, fault) for n, fault in enumerate(faults)),
    )


def read(path: str | os.PathLike[str]) -> dict[str, Scenario]:
    """Read a scenario file: device type -> what is asked of it.

    Raises InvalidArgumentError that names file, key, cause and remedy; also when the file is not
    there or is no TOML.
    """
    file = os.fspath(path)
    try:
        content = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise errors.InvalidArgumentError(
            f"scenario {file}: cannot be read: {error.strerror}", "give the path of a TOML file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise errors.InvalidArgumentError(
            f"scenario {file}: no TOML: {error}", "mend the file there"
        ) from None
    top = _Reader(file, "")
    seed = _seed(top, content.pop("seed", 0))
    found: dict[str, Scenario] = {}
    types = _metadata.known_types()
    for name, table in content.items():
        device_type = _metadata.canonical(name)
        if device_type not in types:
            raise top.wrong(name, "no such key or device type",
                            f"use seed, or a table of {', '.join(types)}")  # fmt: skip
        of_type = _Reader(file, name)
        found[device_type] = _of_type(of_type, top.known(table, name, _KEYS), seed)
    return found
