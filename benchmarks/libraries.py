# SPDX-License-Identifier: Apache-2.0
"""The array libraries that are compared: the functions that the cases call, by one name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Library:
    """What the cases need of an array library; a function that it lacks is not there."""

    name: str
    array: Callable[[np.ndarray], Any]
    functions: dict[str, Callable[..., Any]]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return self.functions[name]
        except KeyError:
            raise NotImplementedError(f"{self.name} has no {name}") from None


def numpy_library() -> Library:
    """NumPy."""

    def softmax(x: np.ndarray) -> np.ndarray:
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def layer_norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) * weight + bias

    return Library("numpy", np.copy, {
        "sum": np.sum, "exp": np.exp, "tanh": np.tanh, "reshape": np.reshape,
        "add_into": lambda x, y, out: np.add(x, y, out=out),
        "exp_into": lambda x, out: np.exp(x, out=out),
        "sum_columns": lambda x: np.sum(x, axis=0),
        "softmax": softmax, "layer_norm": layer_norm,
        "transpose_copy": lambda x: np.ascontiguousarray(x.T),
        "to_float16": lambda x: x.astype(np.float16),
        "where": np.where, "sort": np.sort,
        "argsort": lambda x: np.argsort(x, kind="stable"),
        "cumulative_sum": np.cumsum,
    })  # fmt: skip


def torch_library() -> Library:
    """PyTorch on the CPU with one thread."""
    import torch
    from torch.nn import functional as nn

    torch.set_num_threads(1)
    return Library("torch", lambda a: torch.from_numpy(a.copy()), {
        "sum": torch.sum, "exp": torch.exp, "tanh": torch.tanh, "reshape": torch.reshape,
        "add_into": lambda x, y, out: torch.add(x, y, out=out),
        "exp_into": lambda x, out: torch.exp(x, out=out),
        "sum_columns": lambda x: torch.sum(x, 0),
        "softmax": lambda x: nn.softmax(x, -1),
        "layer_norm": lambda x, weight, bias: nn.layer_norm(x, weight.shape, weight, bias),
        "gelu": nn.gelu,
        "transpose_copy": lambda x: x.T.contiguous(),
        "to_bfloat16": lambda x: x.to(torch.bfloat16), "to_float16": lambda x: x.to(torch.float16),
        "where": torch.where,
        "sort": lambda x: torch.sort(x).values,
        "argsort": lambda x: torch.argsort(x, stable=True),
        "cumulative_sum": lambda x: torch.cumsum(x, 0),
        "convolution": lambda x, weight: nn.conv2d(x, weight, padding=1),
    })  # fmt: skip


def own_library() -> Library:
    """device_api on the CPU.

    Its functions take no result to write into: where the others do, it makes a new one, whose
    memory comes from its cache.
    """
    import device_api as xp
    from device_api.nn import functional as nn

    return Library("device_api", xp.asarray, {
        "sum": xp.sum, "exp": xp.exp, "tanh": xp.tanh, "reshape": xp.reshape,
        "add_into": lambda x, y, _: x + y, "exp_into": lambda x, _: xp.exp(x),
        "sum_columns": lambda x: xp.sum(x, axis=0),
        "softmax": nn.softmax,
        "layer_norm": lambda x, weight, bias: nn.layer_norm(x, weight.shape, weight, bias),
        "gelu": nn.gelu,
        "transpose_copy": lambda x: xp.asarray(x.T, copy=True),
        "to_bfloat16": lambda x: xp.astype(x, xp.bfloat16),
        "to_float16": lambda x: xp.astype(x, xp.float16),
        "where": xp.where, "sort": xp.sort, "argsort": xp.argsort,
        "cumulative_sum": xp.cumulative_sum,
        "convolution": lambda x, weight: nn.conv2d(x, weight, padding=1),
    })  # fmt: skip


LIBRARIES = {"numpy": numpy_library, "torch": torch_library, "device_api": own_library}
