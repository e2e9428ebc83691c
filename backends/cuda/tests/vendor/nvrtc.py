# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's run-time compiler through ctypes: source in, machine code and ptxas' figures out."""

from __future__ import annotations

import ctypes
import re
import struct
from dataclasses import dataclass
from pathlib import Path

import nvidia_wheels as wheels

EM_CUDA = 190


@dataclass(frozen=True)
class Compiled:
    """The outcome of a compilation: ``code`` is empty when it failed, ``log`` is the whole log."""

    result: int
    log: str
    code: bytes

    @property
    def registers(self) -> int:
        """The most registers that a kernel of it uses."""
        return max((int(n) for n in re.findall(r"Used (\d+) registers", self.log)), default=0)

    @property
    def spilled(self) -> int:
        """Bytes that its kernels store to memory for want of registers."""
        return sum(int(n) for n in re.findall(r"(\d+) bytes spill stores", self.log))

    @property
    def stack(self) -> int:
        """Bytes of stack of its kernels."""
        return sum(int(n) for n in re.findall(r"(\d+) bytes stack frame", self.log))


class Nvrtc:
    """The library of one major version."""

    def __init__(self, major: int) -> None:
        path = wheels.library(major, f"libnvrtc.so.{major}")
        if path is None:
            raise FileNotFoundError(f"no wheel with libnvrtc.so.{major}")
        self._library = ctypes.CDLL(str(path))

    def compile(self, source: str, options: list[str]) -> Compiled:
        """Compile to machine code, with ptxas' figures in the log."""
        lib, program = self._library, ctypes.c_void_p()
        lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
        texts = [o.encode() for o in (*options, "--ptxas-options=-v")]
        array = (ctypes.c_char_p * len(texts))(*texts)
        result = lib.nvrtcCompileProgram(program, len(texts), array)
        log = self._text(program, "nvrtcGetProgramLog")
        code = self._text(program, "nvrtcGetCUBIN") if result == 0 else b""
        lib.nvrtcDestroyProgram(ctypes.byref(program))
        return Compiled(result, log.rstrip(b"\0").decode(), code)

    def _text(self, program: ctypes.c_void_p, call: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(self._library, call + "Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self._library, call)(program, buffer)
        return buffer.raw


def sections(cubin: bytes) -> set[str]:
    """Names of the sections of an ELF file for NVIDIA's chips; checks that it is one."""
    assert cubin[:4] == b"\x7fELF", "not an ELF file"
    machine = struct.unpack_from("<H", cubin, 18)[0]
    assert machine == EM_CUDA, f"for machine {machine}"
    offset = struct.unpack_from("<Q", cubin, 40)[0]
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(count)]
    text = cubin[headers[names][4] : headers[names][4] + headers[names][5]]
    return {text[h[0] : text.index(b"\0", h[0])].decode() for h in headers}


def recorded(path: Path) -> tuple[str, list[str], set[str]]:
    """A file that the recorder wrote: source, options, names of kernels."""
    text = path.read_text()
    options = re.findall(r"^// option: (.*)$", text, re.M)
    return text, options, set(re.findall(r"^// entry: (\w+)$", text, re.M))
