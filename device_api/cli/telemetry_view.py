# SPDX-License-Identifier: Apache-2.0
"""Readings for people: a table for terminals, one line for each device elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.table import Table
from rich.text import Text

Reading = dict[str, Any]
_GIB = 1 << 30
_COLOURS = {"ok": "green", "warning": "yellow", "critical": "red"}


def _memory(reading: Reading) -> str:
    used, total = reading["memory_used"], reading["memory_total"]
    return "" if total is None else f"{used / _GIB:.1f}/{total / _GIB:.1f}"


def _errors(reading: Reading) -> str:
    fine, bad = reading["ecc_corrected"], reading["ecc_uncorrected"]
    return "" if fine is None else f"{fine}+{bad}"


def _number(member: str, form: str, factor: float = 1.0) -> Callable[[Reading], str]:
    def text(reading: Reading) -> str:
        value = reading[member]
        return "" if value is None else form.format(value * factor)

    return text


_MEMBERS: tuple[tuple[str, str, Callable[[Reading], str]], ...] = (
    ("temperature_c", "°C", _number("temperature", "{:.0f}")),
    ("power_w", "W", _number("power", "{:.0f}")),
    ("use", "use", _number("utilization", "{:.0f}%", 100)),
    ("memory_gib", "GiB", _memory),
    ("bandwidth", "bw", _number("bandwidth_utilization", "{:.0f}%", 100)),
    ("clock_mhz", "MHz", _number("clock_mhz", "{}")),
    ("ecc", "ECC", _errors),
)
"""Name in lines, heading of the column, text of a reading: "" when it is not known."""


def _health(reading: Reading) -> str:
    if "cause" in reading:
        return "no reading"
    return reading["health"] or "-"


def _words(reading: Reading) -> str:
    """The device's name, and what is wrong with it."""
    if "cause" in reading:
        return f"{reading['name']}: {reading['cause']}".removeprefix(": ").split("\n")[0]
    slowed = ", ".join(reading["throttle"] or ())
    told = (reading["name"], reading["health_text"], f"slowed: {slowed}" if slowed else "")
    return "; ".join(filter(None, told))


def table(readings: list[Reading]) -> Table:
    """Return readings as a table: a row for each device, or for a type that has none."""
    made = Table()
    for heading in ("device", "health", *(heading for _, heading, _ in _MEMBERS)):
        made.add_column(heading, no_wrap=True)
    made.add_column("what it is")
    for reading in readings:
        health = _health(reading)
        row = ["-"] * len(_MEMBERS)
        if "cause" not in reading:
            row = [text(reading) or "-" for _, _, text in _MEMBERS]
        made.add_row(
            reading["device"], Text(health, _COLOURS.get(health, "dim")), *row,
            Text(_words(reading)),
        )  # fmt: skip
    return made


def line(reading: Reading) -> str:
    """Return a reading as one line: what is known as name=value, then the device's name."""
    parts = [reading["device"], f"health={_health(reading).replace(' ', '-')}"]
    if "cause" not in reading:
        known = ((name, text(reading).replace(" ", "")) for name, _, text in _MEMBERS)
        parts += [f"{name}={text}" for name, text in known if text]
    return " ".join([*parts, _words(reading)])
