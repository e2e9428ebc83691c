# SPDX-License-Identifier: Apache-2.0
"""The array libraries that are compared: the functions that the cases call, by one name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Library:
    """What the cases need of an array library; a function that it lacks is not there.

    `wait`, if any, returns when its argument has been computed; `mutable` tells whether `+=`
    writes into the array.
    """

    name: str
    array: Callable[[np.ndarray], Any]
    functions: dict[str, Callable[..., Any]]
    wait: Callable[[Any], Any] | None = None
    mutable: bool = True

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


def jax_library() -> Library:
    """JAX on the CPU with one thread; functions are compiled, operators are its eager ones."""
    # Read when it is imported, which is here.
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    from jax import lax
    from jax import numpy as jnp

    jax.config.update("jax_cpu_enable_async_dispatch", False)

    def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
        d = x - x.mean(-1, keepdims=True)
        return d * lax.rsqrt((d * d).mean(-1, keepdims=True) + 1e-5) * weight + bias

    def convolution(x: Any, weight: Any) -> Any:
        return lax.conv_general_dilated(x, weight, (1, 1), "SAME")

    functions: dict[str, Callable[..., Any]] = {
        "sum": jnp.sum, "exp": jnp.exp, "tanh": jnp.tanh,
        "sum_columns": lambda x: jnp.sum(x, axis=0),
        "softmax": jax.nn.softmax, "layer_norm": layer_norm,
        "gelu": lambda x: jax.nn.gelu(x, approximate=False),
        "transpose_copy": jnp.transpose,
        "to_bfloat16": lambda x: x.astype(jnp.bfloat16),
        "to_float16": lambda x: x.astype(jnp.float16),
        "where": jnp.where, "sort": jnp.sort, "argsort": jnp.argsort,
        "cumulative_sum": jnp.cumsum, "convolution": convolution,
    }  # fmt: skip
    compiled = {name: jax.jit(function) for name, function in functions.items()}
    compiled["reshape"] = jax.jit(jnp.reshape, static_argnums=1)
    return Library("jax", jnp.array, compiled, wait=jax.block_until_ready, mutable=False)


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


LIBRARIES = {
    "numpy": numpy_library,
    "torch": torch_library,
    "jax": jax_library,
    "device_api": own_library,
}
OPTIONAL = ("torch", "jax")
"""Those that are left out where they are not installed."""
