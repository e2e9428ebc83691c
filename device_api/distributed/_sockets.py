# SPDX-License-Identifier: Apache-2.0
"""A rendezvous over sockets: rank 0 keeps a table of bytes for the others.

Connections are authenticated by a shared key (``multiprocessing.connection``: a challenge with an
HMAC); only bytes are sent and nothing that arrives is unpickled.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
import tempfile
import threading
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from device_api import errors
from device_api.distributed._rendezvous import KeyValueRendezvous, LocalTable

KEY_VARIABLE = "DEVICE_API_DISTRIBUTED_KEY"
_MOST = 1 << 20  # bytes of a message


def _is_local(host: str) -> bool:
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    return all(ipaddress.ip_address(str(a).split("%")[0]).is_loopback for a in addresses)


def _private_key() -> bytes:
    """Return the key that all processes of this user on this machine share, made at first use."""
    folder = Path(tempfile.gettempdir()) / f"device_api_{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise errors.InvalidArgumentError(
            f"the folder {folder} is not private to this user", f"remove it, or set {KEY_VARIABLE}"
        )
    path = folder / "key"
    try:
        handle, temporary = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as out:
            out.write(secrets.token_bytes(32))
        os.link(temporary, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(temporary)
    return path.read_bytes()


def authentication_key(host: str) -> bytes:
    """Return the key for a rendezvous at a host: of the environment, or this machine's own."""
    given = os.environ.get(KEY_VARIABLE, "")
    if given:
        return given.encode()
    if _is_local(host):
        return _private_key()
    raise errors.InvalidArgumentError(
        f"MASTER_ADDR is {host!r}, another machine, and no key is set that keeps strangers out",
        f"set {KEY_VARIABLE} to one secret text on every rank, or start with mpirun",
    )


def _pack(key: str, value: bytes) -> bytes:
    name = key.encode()
    return len(name).to_bytes(4, "little") + name + value


def _unpack(message: bytes) -> tuple[str, bytes]:
    length = int.from_bytes(message[:4], "little")
    return message[4 : 4 + length].decode(), message[4 + length :]


class _Server:
    """Rank 0's table, served by threads."""

    def __init__(self, host: str, port: int, key: bytes) -> None:
        self.table = LocalTable()
        self._open = True
        try:
            self._listener = Listener((host, port), backlog=128, authkey=key)
        except OSError as error:
            raise errors.BusyError(
                f"rank 0 cannot listen at {host}:{port}: {error}",
                "give MASTER_PORT a free port, the same for every rank",
            ) from error
        threading.Thread(target=self._accept, name="device_api store", daemon=True).start()

    def _accept(self) -> None:
        while self._open:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, OSError, EOFError):
                continue  # a stranger, or the end
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        with connection:
            while True:
                try:
                    message = connection.recv_bytes(_MOST)
                    answer = self._answer(message)
                    connection.send_bytes(answer)
                except (EOFError, OSError):
                    return

    def _answer(self, message: bytes) -> bytes:
        key, value = _unpack(message[1:])
        if message[:1] == b"P":
            return b"1" if self.table.put(key, value) else b"0"
        found = self.table.look(key)
        return b"0" if found is None else b"1" + found

    def close(self) -> None:
        self._open = False
        self._listener.close()


class SocketRendezvous(KeyValueRendezvous):
    """Ranks that reach rank 0 at a host and port."""

    def __init__(self, host: str, port: int, rank: int, world_size: int, timeout: float) -> None:
        super().__init__(rank, world_size)
        key = authentication_key(host)
        self._server = _Server(host, port, key) if rank == 0 else None
        self._lock = threading.Lock()
        self._connection = None if rank == 0 else self._connect(host, port, key, timeout)

    def _connect(self, host: str, port: int, key: bytes, timeout: float) -> Connection:
        deadline = time.monotonic() + timeout
        while True:
            try:
                return Client((host, port), authkey=key)
            except AuthenticationError as error:
                raise errors.InvalidArgumentError(
                    f"rank 0 at {host}:{port} has another key",
                    f"set {KEY_VARIABLE} to the same text on every rank",
                ) from error
            except (OSError, EOFError) as error:
                if time.monotonic() >= deadline:
                    raise errors.DeviceTimeoutError(
                        f"rank {self.rank} could not reach rank 0 at {host}:{port} within "
                        f"{timeout:g} s: {error}",
                        "see whether rank 0 runs; MASTER_ADDR and MASTER_PORT say where",
                    ) from error
                time.sleep(0.02)

    def _ask(self, message: bytes) -> bytes:
        with self._lock:
            assert self._connection is not None
            try:
                self._connection.send_bytes(message)
                return self._connection.recv_bytes(_MOST)
            except (OSError, EOFError) as error:
                raise errors.InternalError(
                    f"rank {self.rank} lost rank 0: {error}", "see rank 0's own error"
                ) from error

    def put(self, key: str, value: bytes) -> bool:
        """See :class:`KeyValueRendezvous`."""
        if self._server:
            return self._server.table.put(key, value)
        return self._ask(b"P" + _pack(key, value)) == b"1"

    def look(self, key: str) -> bytes | None:
        """See :class:`KeyValueRendezvous`."""
        if self._server:
            return self._server.table.look(key)
        answer = self._ask(b"L" + _pack(key, b""))
        return answer[1:] if answer[:1] == b"1" else None

    def close(self) -> None:
        """Close the connection; rank 0 ends the table."""
        if self._server:
            self._server.close()
        if self._connection:
            self._connection.close()
