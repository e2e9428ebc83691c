# SPDX-License-Identifier: Apache-2.0
"""The control table of simulated chips (simctl.h of device-api-abi) through ctypes."""

from __future__ import annotations

import ctypes
import json
from ctypes import POINTER, c_uint64
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from device_api import _faults, errors
from device_api import _simctl_abi as abi

ENTRY = "das_control_table"
OK, INVALID, BUSY, NOT_FOUND, UNUSABLE = 0, -1, -2, -3, -4

KINDS = {"kernel": 1, "copy": 2, "fill": 4, "host": 8, "event": 16, "all": 31}
MODES = {"adversarial": 0, "immediate": 1, "synchronous": 2}
STRATEGIES = {"mixed": 0, "late": 1, "random": 2, "others_first": 3, "split": 4, "by_seed": 5}
# What chip_read gives: the file's path, its values, those of any file of that syntax, the keys.
CHIP_TEXTS = {"file": 0, "values": 1, "syntax": 2, "keys": 3, "names": 4}
CHECKS = {"races": 1, "shadow": 2, "host": 4, "sites": 8, "all": 15}


@dataclass(frozen=True)
class Launch:
    """One launch that a simulated device saw; ``kind`` as "kernel", ``bytes`` of its operands."""

    sequence: int
    kind: str
    name: str
    device: int
    stream: int
    bytes: int


@dataclass(frozen=True)
class Memory:
    """Memory of a simulated device in bytes, and its allocations; pinned is of all devices."""

    total: int
    used: int
    peak: int
    live: int
    allocations: int
    pinned: int
    pinned_live: int


class Fault:
    """A fault put into simulated devices; leaving a ``with`` block removes it."""

    def __init__(self, control: Control, number: int) -> None:
        self._control = control
        self._number = number

    @property
    def strikes(self) -> int:
        """How often it has struck."""
        count = c_uint64()
        self._control.check(
            self._control.table.fault_strikes(self._number, ctypes.byref(count)), "fault_strikes"
        )
        return count.value

    def remove(self) -> None:
        """Mend it; a second time does nothing."""
        code = self._control.table.fault_remove(self._number)
        if code != NOT_FOUND:
            self._control.check(code, "fault_remove")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.remove()


def _mask(kinds: str) -> int:
    if not isinstance(kinds, str):
        raise errors.InvalidArgumentError(
            f"kinds of launches are a text, not {kinds!r}", f"use some of {', '.join(KINDS)}"
        )
    mask = 0
    for kind in kinds.split(","):
        mask |= _one_of(KINDS, kind.strip(), "kind of launch")
    return mask


def _one_of(table: dict[str, int], name: str, what: str) -> int:
    if name not in table:
        raise errors.InvalidArgumentError(
            f"unknown {what}: {name!r}", f"use one of {', '.join(table)}"
        )
    return table[name]


class Control:
    """The controls of one vendor's simulated devices; the library stays open for good."""

    def __init__(self, library: str, device_type: str) -> None:
        self.device_type = device_type
        try:
            self._library = ctypes.CDLL(library, mode=ctypes.RTLD_LOCAL)
            entry = getattr(self._library, ENTRY)
        except (OSError, AttributeError) as error:
            raise errors.PluginBrokenError(
                f"the simulator of {device_type} cannot be opened: {error}",
                "reinstall the plugin",
                device=device_type,
            ) from error
        entry.restype = POINTER(abi.Table)
        entry.argtypes = []
        self.table = entry().contents

    @property
    def vendor(self) -> str:
        """The vendor whose libraries are simulated."""
        return (self.table.vendor or b"").decode()

    def check(self, code: int, what: str) -> int:
        """Return a result that is not negative; raise the error of one that is."""
        if code >= 0:
            return code
        said = (self.table.message() or b"").decode(errors="replace")
        kind = errors.BusyError if code == BUSY else errors.InvalidArgumentError
        remedy = "set up before the first use" if code == BUSY else "see docs/simulation.md"
        raise kind(f"simulated {self.device_type}: {what}: {said}", remedy, device=self.device_type)

    def setup(self, devices: int, memory: int, seed: int, name_suffix: str) -> None:
        """Set devices up (0: the vendor's default; devices -1: none); before their first use."""
        wanted = abi.Setup(
            seed=seed % 2**64,
            memory_bytes=memory,
            devices=devices,
            name_suffix=name_suffix.encode()[:63],
        )
        self.check(self.table.setup(ctypes.byref(wanted)), "setup")

    def reset(self) -> None:
        """Abandon and free everything; arrays on the devices become unusable. For tests."""
        self.check(self.table.reset(), "reset")

    def schedule(
        self, mode: str, max_delay_us: int = 0, seed: int = 0, strategy: str = "mixed"
    ) -> None:
        """Choose when work starts: "adversarial" (late), "immediate" or "synchronous".

        ``strategy`` of the adversarial mode: "mixed", "late", "random", "others_first", "split" or
        "by_seed" (one of the four before, by the seed).
        """
        wanted = abi.Schedule(
            mode=_one_of(MODES, mode, "schedule"),
            max_delay_us=max_delay_us,
            seed=seed,
            strategy=_one_of(STRATEGIES, strategy, "strategy"),
        )
        self.check(self.table.set_schedule(ctypes.byref(wanted)), "set_schedule")

    def latency(self, **figures: float) -> None:
        """Set the simulated clock by the names that simctl.h gives its figures, as launch_us=5."""
        self.check(self.table.set_latency(ctypes.byref(abi.Latency(**figures))), "set_latency")

    def launch_count(self, kinds: str = "kernel") -> int:
        """Return the number of launches of these kinds so far."""
        return int(self.table.launch_count(_mask(kinds)))

    def launch_log(self, kinds: str = "kernel") -> list[Launch]:
        """Return the kept launches of these kinds, oldest first."""
        mask, names = _mask(kinds), {number: name for name, number in KINDS.items()}
        found: list[Launch] = []
        for index in range(self.table.launch_kept()):
            entry = abi.Launch()
            if self.table.launch_read(index, ctypes.byref(entry)) != OK:
                break  # the log was cleared meanwhile
            if entry.kind & mask:
                kind, name = names.get(entry.kind, "other"), entry.name.decode()
                found.append(
                    Launch(entry.sequence, kind, name, entry.device, entry.stream, entry.bytes)
                )
        return found

    def launch_clear(self) -> None:
        """Forget the launches and their counts."""
        self.check(self.table.launch_clear(), "launch_clear")

    def inject(self, kind: str, **given: Any) -> Fault:
        """Add a fault; see ``device_api.simulation.inject``."""
        fault = abi.Fault(**_faults.members(kind, given))
        return Fault(self, self.check(self.table.fault_add(ctypes.byref(fault)), "fault_add"))

    def check_faults(self, text: str) -> int:
        """Check faults as DEVICE_API_SIM_FAULTS has them; return how many are for this vendor."""
        return self.check(self._newer("fault_text")(text.encode(), 0), "DEVICE_API_SIM_FAULTS")

    def mend(self) -> None:
        """Remove all faults."""
        code = self.table.fault_remove(0)
        if code != NOT_FOUND:
            self.check(code, "fault_remove")

    def device_count(self) -> int:
        """Return the number of simulated devices."""
        return self.check(self.table.device_count(), "device_count")

    def memory(self, device: int = 0) -> Memory:
        """Return the memory figures of a device."""
        out = abi.Memory()
        self.check(self.table.memory(device, ctypes.byref(out)), "memory")
        return Memory(
            *(int(getattr(out, name)) for name, *_ in abi.Memory._fields_ if name != "size")
        )

    def lose(self, device: int) -> None:
        """Let a device vanish now."""
        self.check(self.table.device_lose(device), "device_lose")

    def misuse(self) -> list[str]:
        """Return breaches of the vendor's rules, the last 64, newest first."""
        texts: list[str] = []
        for index in range(min(64, self.table.misuse_count())):
            text = ctypes.create_string_buffer(4096)
            if self.table.misuse_read(index, text, len(text)) < 0:
                break
            texts.append(text.value.decode(errors="replace"))
        return texts

    def misuse_clear(self) -> None:
        """Forget the breaches."""
        self.check(self.table.misuse_clear(), "misuse_clear")

    def checks(self, names: str = "") -> None:
        """Switch these checks on and the others off: "races", "shadow", "host", "sites", "all".

        Several with commas; "" for none. They see the work and the memory that comes after.
        """
        mask = 0
        for name in names.split(",") if names else ():
            mask |= _one_of(CHECKS, name.strip(), "check")
        self.check(self._newer("set_checks")(mask), "set_checks")

    def leaks(self) -> list[str]:
        """Return what is live now and where it was allocated, oldest first."""
        read, texts = self._newer("leak_read"), list[str]()
        for index in range(self._newer("leak_count")()):
            text = ctypes.create_string_buffer(4096)
            if read(index, text, len(text)) < 0:
                break  # given back meanwhile
            texts.append(text.value.decode(errors="replace"))
        return texts

    def rules(self) -> dict[str, str]:
        """Return the rules whose breach is reported as misuse: name and words of each."""
        found: dict[str, str] = {}
        name, words = ctypes.c_char_p(), ctypes.c_char_p()
        read = self._newer("rule_read")
        while read(len(found), ctypes.byref(name), ctypes.byref(words)) == OK:
            found[(name.value or b"").decode()] = (words.value or b"").decode()
        return found

    def _newer(self, member: str) -> Any:
        """Return a member that an older simulator may lack."""
        if getattr(abi.Table, member).offset >= self.table.size:
            raise errors.VersionMismatchError(
                f"the simulator of {self.device_type} is older and has no {member}",
                "install plugin and device-api of one version",
                device=self.device_type,
            )
        return getattr(self.table, member)

    def set_chip(self, chip: str) -> None:
        """Choose the chip, by its name or the path of its file; before the first use."""
        self.check(self._newer("set_chip")(chip.encode()), "set_chip")

    def chip_text(self, what: str, chip: str | None = None) -> str:
        """Return a text about a chip, the one in use if none is named; see ``CHIP_TEXTS``."""
        read, named = self._newer("chip_read"), None if chip is None else chip.encode()
        number = _one_of(CHIP_TEXTS, what, "text about a chip")
        size = self.check(read(named, number, None, 0), "chip_read")
        text = ctypes.create_string_buffer(size + 1)
        self.check(read(named, number, text, len(text)), "chip_read")
        return text.value.decode()

    def chip_file(self) -> str:
        """Return the path of the file of the chip that is simulated."""
        return self.chip_text("file")

    def chip_values(self, chip: str | None = None) -> dict[str, dict[str, Any]]:
        """Return what a chip's file says, by table and key; of the one in use if none is named.

        Raises InvalidArgumentError for a file that is none of a chip, with what is wrong, the
        line and the remedy.
        """
        return dict(json.loads(self.chip_text("values", chip)))

    def live(self, what: str) -> int:
        """Return how many objects of a kind live: "stream", "event", "allocation", "pinned" ..."""
        return int(self.table.live(what.encode()))
