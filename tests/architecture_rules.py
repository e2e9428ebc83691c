# SPDX-License-Identifier: Apache-2.0
"""The rules that tests/test_architecture.py holds: who may include whom, which words stay out."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NATIVE_SUFFIXES = {".h", ".hpp", ".inc", ".c", ".cc", ".cpp"}
SOURCE_SUFFIXES = NATIVE_SUFFIXES | {".py", ".pyi", ".toml", ".cmake"}
SKIPPED_FOLDERS = {"build", "wheelhouse", "__pycache__", ".git", ".tox", ".dev"}


@dataclass(frozen=True)
class Layer:
    """A part of the native sources: its folders, and the layers whose headers it may include."""

    name: str
    folders: tuple[str, ...]
    below: tuple[str, ...] = ()


# One row per layer. Arrows point downwards only: what is not named here is refused.
LAYERS = (
    Layer("abi", ("backends/abi/include",)),
    Layer("engine", ("backends/abi/engine",), ("abi",)),
    Layer("simt", ("backends/abi/simt",), ("abi",)),
    Layer("abi-tests", ("backends/abi/tests",), ("abi", "engine")),
    Layer("host-api", ("device_api/native/include",), ("abi",)),
    Layer("core", ("device_api/native/src", "device_api/native/tests"), ("abi", "host-api")),
    Layer("binding", ("device_api/native/binding",), ("abi", "host-api")),
    Layer("cpu", ("backends/cpu",), ("abi",)),
    Layer("cann", ("backends/npu_ascend/include",)),
    Layer("npu-adapter", ("backends/npu_ascend/src",), ("abi", "cann")),
    Layer("npu-simulator", ("backends/npu_ascend/simulator",), ("abi", "engine", "cann")),
    Layer("npu-tests", ("backends/npu_ascend/tests",), ("abi", "cann", "npu-adapter")),
    Layer("cuda-abi", ("backends/cuda/include",)),
    Layer("cuda-adapter", ("backends/cuda/src",), ("abi", "simt", "cuda-abi")),
    Layer("cuda-simulator", ("backends/cuda/simulator",), ("abi", "engine", "cuda-abi")),
    Layer("cuda-tests", ("backends/cuda/tests",), ("abi", "engine", "cuda-abi")),
    Layer("plants", ("conformance/native",), ("abi",)),
    Layer("bridge", ("bridges/paddle",), ("abi", "host-api")),
)

# Names of vendors and of their software: nowhere in the core or in conformance, comments included.
VENDOR_WORDS = re.compile(
    r"\b(?:nvidia|cublas\w*|cudnn|nccl|amd|rocm|rocblas|miopen|rccl|hip[A-Z]\w*|ascend|huawei|cann|"
    r"acl(?:rt|nn)\w*|hccl|kunlun\w*|baidu|xpurt|xdnn\w*|hygon|dtk|cambricon|cnrt\w*|cnnl\w*)\b",
    re.IGNORECASE,
)
# Device types and host frameworks: prose may show them as examples; code may not know them
# (a whole device name, "npu:0", is an example too: help texts need one).
CODE_WORDS = re.compile(r"\b(?:cuda|gpu|npu|xpu|dcu|mlu|paddle\w*)\b(?!:\d)", re.IGNORECASE)

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def files(folder: str, suffixes: set[str], root: Path = ROOT) -> list[Path]:
    """Return the files below a folder with one of the suffixes, generated folders left out."""
    found = (p for p in (root / folder).rglob("*") if p.suffix in suffixes and p.is_file())
    return sorted(p for p in found if not SKIPPED_FOLDERS & set(p.relative_to(root).parts))


def layer_of(path: Path, root: Path = ROOT) -> Layer | None:
    """Return the layer a native file belongs to."""
    relative = path.relative_to(root).as_posix()
    return next((w for w in LAYERS for f in w.folders if relative.startswith(f + "/")), None)


def header_index(root: Path = ROOT) -> dict[str, list[Path]]:
    """Return the headers of the repository by every suffix of their path."""
    index: dict[str, list[Path]] = {}
    for layer in LAYERS:
        for folder in layer.folders:
            for header in files(folder, {".h", ".hpp", ".inc"}, root):
                parts = header.relative_to(root / folder).parts
                for start in range(len(parts)):
                    index.setdefault("/".join(parts[start:]), []).append(header)
    return index


def targets(source: Path, name: str, index: dict[str, list[Path]]) -> list[Path]:
    """Return the repository's headers that an include of this name in this file may mean."""
    beside = (source.parent / name).resolve()
    return [beside] if beside.is_file() else index.get(name, [])


def forbidden_includes(root: Path = ROOT) -> list[str]:
    """Return every include that points against the arrows, as "file: includes header (layer)"."""
    index = header_index(root)
    found = []
    for layer in LAYERS:
        allowed = {layer.name, *layer.below}
        for folder in layer.folders:
            for source in files(folder, NATIVE_SUFFIXES, root):
                for name in INCLUDE.findall(source.read_text()):
                    owners = [layer_of(h, root) for h in targets(source, name, index)]
                    names = {o.name for o in owners if o is not None}
                    if names and not names & allowed:
                        where = source.relative_to(root)
                        found.append(f"{where}: includes {name} ({', '.join(sorted(names))})")
    return found


def code_only(path: Path) -> str:
    """Return a file's text without comments and, for Python, without docstrings."""
    text = path.read_text()
    if path.suffix not in {".py", ".pyi"}:
        return C_COMMENT.sub("", text) if path.suffix in NATIVE_SUFFIXES else text
    kept = []
    begins_statement = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_prose = token.type == tokenize.COMMENT or (
            token.type == tokenize.STRING and begins_statement
        )
        if not is_prose:
            kept.append(token.string)
        if token.type not in {tokenize.NL, tokenize.COMMENT}:
            begins_statement = token.type in {
                tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
            }  # fmt: skip
    return " ".join(kept)


def vendor_words(folder: str, root: Path = ROOT) -> list[str]:
    """Return the vendors' names, and in code also the device types, found below a folder."""
    found = []
    for path in files(folder, NATIVE_SUFFIXES | {".py", ".pyi"}, root):
        words = VENDOR_WORDS.findall(path.read_text()) + CODE_WORDS.findall(code_only(path))
        found += [f"{path.relative_to(root)}: {word}" for word in sorted(set(words))]
    return found
