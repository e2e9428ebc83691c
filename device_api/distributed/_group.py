# SPDX-License-Identifier: Apache-2.0
"""Groups of ranks: the program's own, further ones, and how each comes to be."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol
from urllib.parse import ParseResult, urlparse

from device_api import _core, errors
from device_api.devices import DeviceLike, as_device, current_device, device_count, usable_device
from device_api.distributed import _arguments as arguments
from device_api.distributed import _mpi
from device_api.distributed._device import DeviceTransport
from device_api.distributed._host import HostTransport
from device_api.distributed._lone import LoneTransport
from device_api.distributed._rendezvous import (
    FileRendezvous,
    LocalRendezvous,
    LocalTable,
    Rendezvous,
)
from device_api.distributed._sockets import SocketRendezvous
from device_api.distributed._work import Work

DEFAULT_TIMEOUT = 300.0


class Transport(Protocol):
    """What moves the data of one rank of a group."""

    device: _core.Device

    def wire(self, x: _core.Tensor, reduces: bool) -> _core.DType: ...
    def call(
        self,
        kind: int,
        reduction: int,
        peer: int,
        source: _core.Tensor | None,
        target: _core.Tensor | None,
        then: Callable[[], None] | None,
    ) -> Work: ...
    def pass_all(self, items: Sequence[tuple[int, int, _core.Tensor]]) -> Work: ...
    def check(self) -> None: ...
    def abort(self) -> None: ...
    def close(self) -> None: ...


class ProcessGroup:
    """Ranks that make collectives together, seen from one of them.

    Attributes: ``ranks`` (their numbers in the program), ``rank`` (this one's place among them, -1
    when it is none of them), ``size``, ``device``, ``timeout`` (seconds).
    """

    def __init__(
        self,
        rendezvous: Rendezvous,
        ranks: Sequence[int],
        device: _core.Device,
        name: str,
        timeout: float,
    ) -> None:
        self.ranks = tuple(ranks)
        self.size = len(self.ranks)
        self.device = device
        self.name = name
        self.timeout = timeout
        member = rendezvous.rank in self.ranks
        self.rank = self.ranks.index(rendezvous.rank) if member else -1
        self._transport = _make_transport(rendezvous, self) if member else None

    @property
    def transport(self) -> Transport:
        """What moves this rank's data; raises where this rank is not one of the group."""
        if self._transport is None:
            raise errors.InvalidArgumentError(
                f"this rank is not one of the ranks {list(self.ranks)} of the group, or the group "
                "has been destroyed",
                "only its own ranks use a group: see new_group",
            )
        return self._transport

    def get_group_rank(self, rank: int) -> int:
        """Return the place in the group of a rank of the program."""
        number = arguments.rank(rank)
        if number not in self.ranks:
            raise errors.OutOfRangeError(
                f"rank {number} is not in the group of ranks {list(self.ranks)}",
                "ranks are those of the program, as get_rank() returns them",
            )
        return self.ranks.index(number)

    def check(self) -> None:
        """Raise, without waiting, when the group works no more (a rank ended, a link failed)."""
        self.transport.check()

    def abort(self) -> None:
        """Give the group up, from any thread: this rank's waiting calls fail; then ``close()``.

        Raises NotSupportedError where the vendor's library has no way to.
        """
        self.transport.abort()

    def close(self) -> None:
        """Wait for the group's work and leave it."""
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.close()

    def __repr__(self) -> str:
        return f"ProcessGroup(rank={self.rank}, ranks={list(self.ranks)}, device='{self.device}')"


def _make_transport(rendezvous: Rendezvous, group: ProcessGroup) -> Transport:
    if group.device.type != "cpu":
        payload = DeviceTransport.identifier(group.device) if group.rank == 0 else b""
        found = rendezvous.collect(group.name, group.ranks, payload, group.timeout)
        return DeviceTransport(group.device, found[0], group.size, group.rank, group.timeout)
    if isinstance(rendezvous, _mpi.MpiRendezvous):
        comm = rendezvous.communicator(group.ranks)
        return HostTransport(group.device, comm, rendezvous.mpi)
    if group.size == 1:
        return LoneTransport(group.device)
    raise errors.NotSupportedError(
        "collectives of the CPU go through MPI, and this program was not started by mpirun",
        "start it with mpirun (pip install 'device-api[distributed]' mpich), or keep the arrays on "
        "an accelerator",
        device=str(group.device),
    )


class _Program:
    """The process's own place in the program."""

    def __init__(self, rendezvous: Rendezvous, device: _core.Device, timeout: float) -> None:
        self.rendezvous = rendezvous
        self.device = device
        self.timeout = timeout
        self.groups: list[ProcessGroup] = []
        self.made = 0
        everyone = range(rendezvous.world_size)
        self.world = self.make(everyone, timeout)

    def make(self, ranks: Sequence[int], timeout: float) -> ProcessGroup:
        self.made += 1
        name = f"group{self.made}"
        group = ProcessGroup(self.rendezvous, ranks, self.device, name, timeout)
        self.groups.append(group)
        return group


_lock = threading.Lock()
_program: _Program | None = None


def is_initialized() -> bool:
    """Tell whether :func:`init_process_group` has been called in this process."""
    return _program is not None


def program() -> _Program:
    """Return the process's place in the program; raises when it has none."""
    if _program is None:
        raise errors.InvalidArgumentError(
            "this process is not part of a program of several ranks yet",
            "call device_api.distributed.init_process_group() first",
        )
    return _program


def _number(given: int, variable: str) -> int:
    number = arguments.whole(given, variable.lower(), "it is a number from 0 on, or left out")
    if number >= 0:
        return number
    text = os.environ.get(variable, "")
    if text and not text.isdigit():
        raise errors.InvalidArgumentError(f"{variable} is {text!r}", "it is a number from 0 on")
    return int(text) if text else -1


def _need(value: int, what: str, variable: str) -> int:
    if value < 0:
        raise errors.InvalidArgumentError(
            f"the {what} of this process is not known", f"pass it, or set {variable}"
        )
    return value


def _meet(init_method: str | None, rank: int, world_size: int, timeout: float) -> Rendezvous:
    for value, what in ((rank, "rank"), (world_size, "world_size")):
        arguments.whole(value, what, "it is a number from 0 on, or left out")
    if init_method is None:
        known = _number(rank, "RANK") >= 0 and _number(world_size, "WORLD_SIZE") >= 0
        if known and "MASTER_ADDR" in os.environ:
            init_method = "env://"
        elif _mpi.launched():
            init_method = "mpi://"
        elif rank in (-1, 0) and world_size in (-1, 1) and not known:
            return LocalRendezvous(LocalTable(), 0, 1)
        else:
            init_method = "env://"
    parts = _parsed(init_method)
    if parts.scheme == "mpi":
        return _mpi.MpiRendezvous(_mpi.load(), rank, world_size)
    rank = _need(_number(rank, "RANK"), "rank", "RANK")
    world_size = _need(_number(world_size, "WORLD_SIZE"), "number of ranks", "WORLD_SIZE")
    if parts.scheme == "file":
        return FileRendezvous(parts.path, rank, world_size)
    if parts.scheme == "tcp":
        return SocketRendezvous(parts.hostname or "", parts.port or 0, rank, world_size, timeout)
    host = os.environ.get("MASTER_ADDR", "127.0.0.1")
    port = _need(_number(-1, "MASTER_PORT"), "port of rank 0", "MASTER_PORT")
    return SocketRendezvous(host, port, rank, world_size, timeout)


def _parsed(init_method: str) -> ParseResult:
    """The parts of an address that names a way to meet."""
    try:
        parts = urlparse(init_method)
        whole = {
            "mpi": True, "env": True, "file": bool(parts.path),
            "tcp": bool(parts.hostname and parts.port),
        }.get(parts.scheme, False)  # fmt: skip
    except (ValueError, TypeError, AttributeError):  # a port out of range, no text at all
        whole = False
    if not whole:
        raise errors.InvalidArgumentError(
            f"init_method {init_method!r} names no way to meet",
            "use 'env://', 'tcp://HOST:PORT', 'file:///PATH' or 'mpi://'",
        )
    return parts


def _limit(timeout: float) -> float:
    """A time limit in seconds."""
    number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not number or not 0 < timeout < 1e9:  # NaN is in no order
        raise errors.InvalidArgumentError(
            f"timeout {timeout!r} is no limit in seconds", "give a number above 0"
        )
    return float(timeout)


_LOCAL_RANKS = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")


def _choose_device(backend: str | None, device: DeviceLike | None) -> _core.Device:
    if device is not None:
        chosen = usable_device(device)
        if backend is not None and as_device(backend).type != chosen.type:
            raise errors.InvalidArgumentError(
                f"backend {backend!r} does not move arrays of {chosen}", "leave backend out"
            )
        return chosen
    current = current_device()
    kind = current.type if backend is None else as_device(backend).type
    local = next((v for v in map(os.environ.get, _LOCAL_RANKS) if v and v.isdigit()), None)
    if kind == "cpu" or (current.type == kind and local is None):
        return usable_device(kind) if kind != current.type else current
    index = int(local or 0)
    if index >= device_count(kind):
        raise errors.DeviceIndexError(
            f"this is local rank {index}, and there are {device_count(kind)} {kind} devices here",
            "start no more ranks on a machine than it has devices, or pass device=",
        )
    return usable_device(f"{kind}:{index}")


def init_process_group(
    backend: str | None = None,
    init_method: str | None = None,
    rank: int = -1,
    world_size: int = -1,
    timeout: float = DEFAULT_TIMEOUT,
    device: DeviceLike | None = None,
) -> None:
    """Make this process one rank of a program; every rank calls it once, and waits for the others.

    ``backend`` is the type of the devices whose arrays are moved (``"cpu"``, or an accelerator's);
    by default that of ``device``, or of the current device. ``device`` is this rank's own: by
    default the one numbered LOCAL_RANK, or the current one. ``init_method`` says how the ranks
    meet: ``"env://"`` (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT), ``"tcp://HOST:PORT"``,
    ``"file:///PATH"`` (a new folder), ``"mpi://"``; by default what the launcher has set.
    ``timeout`` is in seconds, for meeting and for waits on the CPU.

    Raises InvalidArgumentError, DeviceTimeoutError (some ranks did not come), NotSupportedError
    (the devices have no collectives; CPU without MPI), and what choosing a device raises.
    """
    global _program
    with _lock:
        if _program is not None:
            raise errors.InvalidArgumentError(
                "this process is a rank of a program already", "call destroy_process_group() first"
            )
        timeout = _limit(timeout)
        chosen = _choose_device(backend, device)
        rendezvous = _meet(init_method, rank, world_size, timeout)
        try:
            _agree(rendezvous, chosen, timeout)
            _program = _Program(rendezvous, chosen, timeout)
        except BaseException:
            rendezvous.close()
            raise


def _agree(rendezvous: Rendezvous, device: _core.Device, timeout: float) -> None:
    mine = f"{device.type} x {rendezvous.world_size}"
    everyone = range(rendezvous.world_size)
    for rank, hello in enumerate(rendezvous.collect("hello", everyone, mine.encode(), timeout)):
        if hello.decode() != mine:
            raise errors.InvalidArgumentError(
                f"rank {rendezvous.rank} makes a program of {mine}, rank {rank} of "
                f"{hello.decode()}",
                "pass the same backend and world_size on every rank",
            )


def init_parallel_env(**arguments: Any) -> ProcessGroup:
    """Do what :func:`init_process_group` does; return the group of all ranks."""
    init_process_group(**arguments)
    return program().world


def new_group(ranks: Sequence[int] | None = None, timeout: float | None = None) -> ProcessGroup:
    """Make a group of some ranks of the program (default: all); **every** rank calls it.

    Raises OutOfRangeError for ranks that the program does not have, InvalidArgumentError for equal
    ones.
    """
    p = program()
    size = p.rendezvous.world_size
    asked = arguments.listed(
        range(size) if ranks is None else ranks, "the ranks of a group", "pass a list of ranks"
    )
    chosen = sorted(arguments.rank(r) for r in asked)
    if len(set(chosen)) != len(chosen) or not chosen:
        raise errors.InvalidArgumentError(
            f"the ranks {chosen} of a group: one or more, each once", "name each rank once"
        )
    if chosen[0] < 0 or chosen[-1] >= size:
        raise errors.OutOfRangeError(
            f"the ranks {chosen}: this program has {size}", f"ranks are 0 to {size - 1}"
        )
    return p.make(chosen, p.timeout if timeout is None else _limit(timeout))


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Wait for a group's work and leave it; without a group, leave all and end the program.

    Every rank calls it, so that none leaves while others still wait for it.
    """
    global _program
    if group is not None and not isinstance(group, ProcessGroup):
        raise errors.InvalidArgumentError(f"{group!r} is no group", "pass what new_group returned")
    if group is not None and (_program is None or group is not _program.world):
        group.close()
        if _program is not None and group in _program.groups:
            _program.groups.remove(group)
        return
    p = program()
    with _lock:
        _program = None
    for made in reversed(p.groups):
        made.close()
    p.rendezvous.leave(min(p.timeout, 30.0))


def local_groups(
    devices: Sequence[DeviceLike], timeout: float = DEFAULT_TIMEOUT
) -> list[ProcessGroup]:
    """Make one group of several devices of this process, with one rank for each, in order.

    Returns the group as each rank sees it. Each is used by a thread of its own, as ``group=`` of
    the collectives: a call of one rank alone waits for the others.
    """
    remedy = 'pass a list of devices, as ["npu:0", "npu:1"]'
    chosen = [usable_device(d) for d in arguments.listed(devices, "the devices of a group", remedy)]
    if not chosen:
        raise errors.InvalidArgumentError("a group of no devices", remedy)
    if len(set(chosen)) != len(chosen):
        raise errors.InvalidArgumentError("a device is named twice", "each rank has its own device")
    if any(d.type != chosen[0].type or d.type == "cpu" for d in chosen):
        raise errors.InvalidArgumentError(
            "a group is of accelerators of one type", "name devices of one type, and no cpu"
        )
    timeout = _limit(timeout)
    table = LocalTable()
    made: list[ProcessGroup | BaseException | None] = [None] * len(chosen)

    def join(rank: int) -> None:
        rendezvous = LocalRendezvous(table, rank, len(chosen))
        try:
            made[rank] = ProcessGroup(
                rendezvous, range(len(chosen)), chosen[rank], "group", timeout
            )
        except BaseException as error:  # noqa: BLE001 - raised again by the caller's thread
            made[rank] = error

    threads = [threading.Thread(target=join, args=(rank,)) for rank in range(len(chosen))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    groups: list[ProcessGroup] = []
    for result in made:
        if isinstance(result, ProcessGroup):
            groups.append(result)
        elif result is not None:
            raise result
    return groups
