# SPDX-License-Identifier: Apache-2.0
"""Handles for libraries of arrays: NumPy, PyTorch and JAX, through the Python array API.

Each function opens one library as a device of the conformance suite. Another library needs three
lines like these: its namespace, as the array API wants it, and what it has beyond the standard.
"""

from __future__ import annotations

from importlib.metadata import version

from array_api_plugin.handle import ArrayHandle, Library


def open_numpy(device: str) -> ArrayHandle:
    """NumPy's arrays."""
    from array_api_compat import numpy

    return ArrayHandle(device, Library("NumPy", version("numpy"), numpy, sees_overlap=True))


def open_torch(device: str) -> ArrayHandle:
    """PyTorch's CPU tensors, with the ops of ``torch.nn.functional`` that the op table has."""
    from array_api_compat import torch

    from array_api_plugin.torch_ops import CALLS

    return ArrayHandle(device, Library("PyTorch CPU", version("torch"), torch, CALLS))


def open_jax(device: str) -> ArrayHandle:
    """JAX's arrays on the host, with 64-bit types; they never change, so nothing is updated."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    return ArrayHandle(device, Library("JAX CPU", version("jax"), jax.numpy, flushes=True))
