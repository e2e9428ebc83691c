# SPDX-License-Identifier: Apache-2.0
"""How the ranks of a program find each other and exchange a few bytes: files, sockets, memory."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from device_api import errors

Interrupt = Callable[[], object]
_PREFIX = "rank-key-"
"""How the names of files begin in which ranks meet."""


class Rendezvous(ABC):
    """The ranks of one program; each can see what the others have put down."""

    rank: int
    world_size: int

    @abstractmethod
    def collect(
        self, name: str, ranks: Sequence[int], payload: bytes, timeout: float
    ) -> list[bytes]:
        """Put ``payload`` down under ``name``; return what each of ``ranks`` put down, in order.

        Each rank of ``ranks`` calls it once for a name. Raises DeviceTimeoutError, which names the
        ranks that did not come within ``timeout`` seconds.
        """

    def leave(self, timeout: float) -> None:
        """Give up files, sockets and threads, once no rank needs them any more."""
        self.close()

    def close(self) -> None:  # noqa: B027 - most have nothing to give up
        """Give up files, sockets and threads at once."""


class KeyValueRendezvous(Rendezvous):
    """A rendezvous made of a table of bytes that every rank can read and write."""

    def __init__(self, rank: int, world_size: int) -> None:
        if not 0 <= rank < world_size:
            raise errors.OutOfRangeError(
                f"rank {rank} of a program of {world_size}",
                "ranks are numbered from 0; see RANK and WORLD_SIZE",
            )
        self.rank, self.world_size = rank, world_size

    @abstractmethod
    def put(self, key: str, value: bytes) -> bool:
        """Write once; False when the key was there already."""

    @abstractmethod
    def look(self, key: str) -> bytes | None:
        """Return the value of a key, None when there is none yet."""

    def collect(
        self, name: str, ranks: Sequence[int], payload: bytes, timeout: float
    ) -> list[bytes]:
        """See :meth:`Rendezvous.collect`."""
        if not self.put(f"{name}/{self.rank}", payload):
            raise errors.InvalidArgumentError(
                f"rank {self.rank} came to {name!r} twice: two processes have the same rank, or "
                "the place of meeting is left over from an earlier run",
                "give each process its own RANK, and each run its own file or port",
            )
        return self._gather(name, ranks, timeout)

    def leave(self, timeout: float) -> None:
        """See :meth:`Rendezvous.leave`: rank 0, which may keep the table, goes last."""
        try:
            self.collect("leaving", range(self.world_size), b"", timeout)
            self.put(f"left/{self.rank}", b"")
            if self.rank == 0:
                self._gather("left", range(self.world_size), timeout)
        except errors.DeviceApiError:
            pass  # a rank that has ended already is no reason for this one to fail at its end
        self.close()

    def _gather(self, name: str, ranks: Sequence[int], timeout: float) -> list[bytes]:
        deadline = time.monotonic() + timeout
        found: dict[int, bytes] = {}
        pause = 0.0005
        while True:
            for rank in ranks:
                if rank not in found:
                    value = self.look(f"{name}/{rank}")
                    if value is not None:
                        found[rank] = value
            missing = [rank for rank in ranks if rank not in found]
            if not missing:
                return [found[rank] for rank in ranks]
            if time.monotonic() >= deadline:
                raise errors.DeviceTimeoutError(
                    f"rank {self.rank} waited {timeout:g} s at {name!r} for rank "
                    f"{', '.join(map(str, missing))}",
                    "see whether those processes run and made the same call; timeout= is the limit",
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)


class LocalTable:
    """What the ranks of one process share."""

    def __init__(self) -> None:
        self._values: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def put(self, key: str, value: bytes) -> bool:
        """Write once; False when the key was there already."""
        with self._lock:
            if key in self._values:
                return False
            self._values[key] = value
            return True

    def look(self, key: str) -> bytes | None:
        """Return the value of a key, None when there is none yet."""
        with self._lock:
            return self._values.get(key)


class LocalRendezvous(KeyValueRendezvous):
    """Ranks that are threads of one process."""

    def __init__(self, table: LocalTable, rank: int, world_size: int) -> None:
        super().__init__(rank, world_size)
        self._table = table

    def put(self, key: str, value: bytes) -> bool:
        """See :class:`KeyValueRendezvous`."""
        return self._table.put(key, value)

    def look(self, key: str) -> bytes | None:
        """See :class:`KeyValueRendezvous`."""
        return self._table.look(key)


class FileRendezvous(KeyValueRendezvous):
    """Ranks that see one folder, which only their user may read; one file for each key.

    The folder is new, or empty; at the end only what the ranks wrote is removed.
    """

    def __init__(self, path: str | os.PathLike[str], rank: int, world_size: int) -> None:
        super().__init__(rank, world_size)
        self._folder = Path(path)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            status = self._folder.stat()
            foreign = [f.name for f in self._folder.iterdir() if not f.name.startswith(_PREFIX)]
        except OSError as error:
            raise errors.InvalidArgumentError(
                f"no folder for the ranks to meet in at {self._folder}: {error}",
                "give init_method='file:///PATH' a new path in a writable folder that exists",
            ) from error
        if foreign:
            raise errors.InvalidArgumentError(
                f"the folder {self._folder} holds other things: {foreign[0]!r}",
                "give init_method='file:///PATH' the path of a folder that does not exist yet",
            )
        if status.st_uid != os.geteuid() or status.st_mode & 0o077:
            raise errors.InvalidArgumentError(
                f"the folder {self._folder} can be used by others than this user",
                "give a path that does not exist yet, or make the folder private (chmod 700)",
            )

    def _file(self, key: str) -> Path:
        return self._folder / (_PREFIX + key.encode().hex())

    def put(self, key: str, value: bytes) -> bool:
        """See :class:`KeyValueRendezvous`; a file is there whole or not at all."""
        handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=f"{_PREFIX}part-")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(value)
            os.link(temporary, self._file(key))
        except FileExistsError:
            return False
        finally:
            os.unlink(temporary)
        return True

    def look(self, key: str) -> bytes | None:
        """See :class:`KeyValueRendezvous`."""
        try:
            return self._file(key).read_bytes()
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Remove what the ranks wrote, and the folder, at rank 0."""
        if self.rank != 0:
            return
        with suppress(OSError):  # gone already, or not empty: nobody's business any more
            for file in self._folder.glob(f"{_PREFIX}*"):
                file.unlink(missing_ok=True)
            self._folder.rmdir()
