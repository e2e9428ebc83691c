# SPDX-License-Identifier: Apache-2.0
"""A ctypes client of CANN, with signatures read from our own declarations (include/).

It is written from the declarations alone, as any user of the vendor's libraries would write it.
Every function of the tables is an attribute: ``client.aclrtMalloc(...)`` returns the vendor's code.
"""

import ctypes as C
import importlib.util
import os
import re
import shutil
from pathlib import Path

import numpy as np
from sim_control import Control, Fault, Launch, Setup

HEADERS = Path(__file__).parents[2] / "include" / "device_api_npu"
ENGINE = "libdevice_api_sim_npu.so"
SONAMES = (
    "libascendcl.so",
    "libacl_rt.so",
    "libnnopbase.so",
    "libopapi.so",
    "libopapi_math.so",
    "libopapi_nn.so",
)
DTYPES = {
    "float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "uint16": 7,
    "uint32": 8, "int64": 9, "uint64": 10, "float64": 11, "bool": 12, "complex64": 16,
    "complex128": 17,
}  # fmt: skip
BF16, ND = 27, 2
H2H, H2D, D2H, D2D, DEFAULT = 0, 1, 2, 3, 4
SCALARS = {
    "int32_t": C.c_int32, "uint32_t": C.c_uint32, "int64_t": C.c_int64, "uint64_t": C.c_uint64,
    "int8_t": C.c_int8, "size_t": C.c_size_t, "float": C.c_float, "double": C.c_double,
    "bool": C.c_bool,
    "HcclResult": C.c_int, "aclError": C.c_int, "aclnnStatus": C.c_int32, "void": None,
}  # fmt: skip
POINTERS = {
    "aclrtStream", "aclrtEvent", "aclrtContext", "aclrtCallback", "aclrtHostFunc",
    "aclrtExceptionInfoCallback", "HcclComm",
}  # fmt: skip


def library_folder() -> Path:
    """Where the simulated libraries are: DEVICE_API_NPU_SIM_DIR, or the installed package's."""
    if folder := os.environ.get("DEVICE_API_NPU_SIM_DIR"):
        return Path(folder)
    spec = importlib.util.find_spec("device_api_npu")
    for place in spec.submodule_search_locations or [] if spec else []:
        if (folder := Path(place) / "lib" / "sim").is_dir():
            return folder
    raise FileNotFoundError("install device-api-npu, or set DEVICE_API_NPU_SIM_DIR")


def library_copy(folder: Path) -> Path:
    """A copy of the engine library with a soname of its own.

    The dynamic linker knows libraries by soname: under its own name the copy would answer for the
    library that other tests of the process use, and these tests reset it at will.
    """
    name = ENGINE.encode()
    data = (library_folder() / ENGINE).read_bytes()
    copy = folder / ENGINE.replace("_sim_", "_tst_")
    copy.write_bytes(data.replace(name + b"\0", copy.name.encode() + b"\0"))
    shutil.copytree(library_folder() / "chips", folder / "chips", dirs_exist_ok=True)
    return copy


def c_type(text: str, returned: bool = False):
    """The ctypes type of a C type or parameter as our headers spell it."""
    if "*" in text:
        return C.c_char_p if returned and "char" in text else C.c_void_p
    words = [w for w in re.findall(r"\w+", text) if w != "const"]
    if words[0] in POINTERS:
        return C.c_void_p
    return SCALARS.get(words[0], C.c_int)  # what is left are enums


def read_signatures() -> dict[str, tuple]:
    """Name -> (return type, argument types) of every symbol of our tables."""
    row = re.compile(r"^    X\(([^,()]+), (\w+), \(([^()]*)\), \w+, \w+, \w+\)", re.MULTILINE)
    found = {}
    for header in ("cann_runtime.h", "cann_aclnn.h", "cann_hccl.h", "cann_clients.h"):
        for ret, name, params in row.findall((HEADERS / header).read_text()):
            named = [p for p in params.split(",") if "..." not in p]
            types = [] if params == "void" else [c_type(p) for p in named]
            found[name] = (c_type(ret, returned=True), types)
    text = (HEADERS / "cann_operators.h").read_text().replace("\\\n", " ")
    signatures = dict(re.findall(r"#define CANN_SIG_(\w+)\s+([^\n]+)", text))
    for op, signature in re.findall(r"X\((\w+), (\w+), \w+, \w+, \w+\)", text):
        if signature in signatures:
            first = [c_type(p) for p in signatures[signature].split(",")]
            found[f"aclnn{op}GetWorkspaceSize"] = (C.c_int32, [*first, C.c_void_p, C.c_void_p])
            found[f"aclnn{op}"] = (C.c_int32, [C.c_void_p, C.c_uint64, C.c_void_p, C.c_void_p])
    return found


class Hold:
    """Work that hangs on a stream: what is queued after it has certainly not begun."""

    def __init__(self, client: "Client", stream) -> None:
        self.client = client
        self.fault = client.fault(7, b"memset", count=1)  # DAS_FAULT_HANG
        client.ok(client.aclrtMemsetAsync(client.malloc(64), 64, 0, 64, stream))

    def release(self) -> None:
        self.client.control.fault_remove(self.fault)

    def __enter__(self) -> "Hold":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Client:
    """The simulated libraries, and short ways to do what every test does."""

    def __init__(self, path: Path) -> None:
        self.library = C.CDLL(str(path), mode=os.RTLD_LOCAL | os.RTLD_NOW)
        for name, (ret, types) in read_signatures().items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = ret, types
            setattr(self, name, function)
        entry = self.library.das_control_table
        entry.restype = C.POINTER(Control)
        self.control = entry().contents
        self.keep: list = []  # buffers that must outlive queued work

    # ---- control -------------------------------------------------------------------------------
    def reset(self) -> None:
        assert self.control.reset() == 0, self.control.message()
        self.aclrtGetLastError(0)
        self.aclGetRecentErrMsg()

    def setup(self, **members) -> None:
        s = Setup(size=C.sizeof(Setup), **members)
        assert self.control.setup(C.byref(s)) == 0, self.control.message()

    def fault(self, kind: int, name: bytes = b"", count: int = 1, code: int = 0) -> int:
        f = Fault(size=C.sizeof(Fault), kind=kind, device=-1, count=count, code=code, name=name)
        return self.control.fault_add(C.byref(f))

    def hold(self, stream) -> "Hold":
        """Queue work on the stream that does not end before ``release()`` or the block's end."""
        return Hold(self, stream)

    def misuses(self) -> list[str]:
        """Texts of the reported misuses, newest first."""
        texts = []
        for i in range(min(self.control.misuse_count(), 64)):
            buffer = C.create_string_buffer(4096)
            self.control.misuse_read(i, buffer, len(buffer))
            texts.append(buffer.value.decode())
        return texts

    def kernels(self) -> list[str]:
        """Names of the kernels in the launch log."""
        names = []
        for i in range(self.control.launch_kept()):
            entry = Launch(size=C.sizeof(Launch))
            assert self.control.launch_read(i, C.byref(entry)) == 0
            if entry.kind == 1:
                names.append(entry.name.decode())
        return names

    def live(self, what: str) -> int:
        return self.control.live(what.encode())

    # ---- runtime -------------------------------------------------------------------------------
    def message(self) -> str:
        text = self.aclGetRecentErrMsg()
        return text.decode() if text else ""

    def ok(self, code: int) -> None:
        assert code == 0, f"{code}: {self.message()}"

    def fails(self, code: int, *expected: int, says: str = "") -> None:
        """`code` is one of the expected ones, and aclGetRecentErrMsg explains it."""
        text = self.message()
        assert code in expected, f"{code}: {text}"
        assert text, "no message"
        assert says in text

    def out(self, function, *args, kind=C.c_void_p):
        """Call a function whose first parameter is an output; return what it gave."""
        value = kind()
        self.ok(function(C.byref(value), *args))
        return value.value

    def malloc(self, size: int) -> int:
        return self.out(self.aclrtMalloc, size, 0)

    def stream(self) -> int:
        return self.out(self.aclrtCreateStream)

    def to_device(self, array: np.ndarray) -> int:
        array = np.ascontiguousarray(array)
        p = self.malloc(max(array.nbytes, 1))
        self.ok(self.aclrtMemcpy(p, array.nbytes, array.ctypes.data, array.nbytes, H2D))
        return p

    def to_host(self, p: int, shape, dtype) -> np.ndarray:
        array = np.empty(shape, dtype)
        self.ok(self.aclrtMemcpy(array.ctypes.data, array.nbytes, p, array.nbytes, D2H))
        return array

    # ---- operators -----------------------------------------------------------------------------
    def tensor(self, p: int, shape, dtype, strides=None, offset=0, storage=None, fmt=ND) -> int:
        """An aclTensor; dtype is a NumPy name or an aclDataType."""
        code = dtype if isinstance(dtype, int) else DTYPES[np.dtype(dtype).name]
        dims = (C.c_int64 * max(len(shape), 1))(*shape)
        steps = (C.c_int64 * max(len(shape), 1))(*strides) if strides is not None else None
        whole = [int(storage)] if storage is not None else list(shape)
        store = (C.c_int64 * max(len(whole), 1))(*whole)
        return self.aclCreateTensor(
            dims, len(shape), code, steps, offset, fmt, store, len(whole), p
        )

    def upload(self, array: np.ndarray) -> int:
        """An aclTensor on a device copy of the array."""
        return self.tensor(self.to_device(array), array.shape, array.dtype)

    def scalar(self, value, dtype="float32") -> int:
        held = np.array(value, dtype)
        return self.aclCreateScalar(held.ctypes.data, DTYPES[held.dtype.name])

    def ints(self, *values: int) -> int:
        return self.aclCreateIntArray((C.c_int64 * max(len(values), 1))(*values), len(values))

    def phase1(self, op: str, *args) -> tuple[int, int, int]:
        """Status, workspace bytes, executor."""
        size, executor = C.c_uint64(), C.c_void_p()
        function = getattr(self, f"aclnn{op}GetWorkspaceSize")
        status = function(*args, C.byref(size), C.byref(executor))
        return status, size.value, executor.value

    def run(self, op: str, *args, stream=None) -> None:
        """Both phases with a workspace of its own, and wait."""
        status, size, executor = self.phase1(op, *args)
        self.ok(status)
        workspace = self.malloc(size) if size else None
        self.ok(getattr(self, f"aclnn{op}")(workspace, size, executor, stream))
        self.ok(self.aclrtSynchronizeStream(stream))
        if workspace:
            self.ok(self.aclrtFree(workspace))

    def refuses(self, op: str, *args, code: int = 161002, says: str = "") -> None:
        """Phase 1 refuses the arguments with this code."""
        status, _, executor = self.phase1(op, *args)
        assert executor is None
        self.fails(status, code, says=says)
