# SPDX-License-Identifier: Apache-2.0
"""A model for `device-api bench-model`: one block of a transformer's encoder.

    device-api bench-model examples/encoder.py npu --batch 8 --report figures/
    device-api bench-model examples/encoder.py npu --with weights=encoder.safetensors

`bench-model` calls `model` in processes of its own, with the device under test as the current one.
"""

from __future__ import annotations

from pathlib import Path

import device_api as xp
from device_api.nn import functional as nn

WIDTH, HEADS, INNER, LENGTH = 64, 4, 256, 32
SHAPES = {
    "query": (WIDTH, WIDTH), "key": (WIDTH, WIDTH), "value": (WIDTH, WIDTH),
    "joined": (WIDTH, WIDTH), "wide": (WIDTH, INNER), "narrow": (INNER, WIDTH),
}  # fmt: skip
"""The weights by name: from how many features to how many."""

Tensor = xp.Tensor


def drawn(seed: int = 0) -> dict[str, Tensor]:
    """Weights from the seed, float32, on the current device."""
    generator = xp.random.Generator(seed)
    return {name: normal(generator, shape, shape[0] ** -0.5) for name, shape in SHAPES.items()}


def normal(generator: xp.random.Generator, shape: tuple[int, ...], std: float = 1.0) -> Tensor:
    """Numbers that are drawn on the CPU, so that the same ones come to every device."""
    return generator.normal(shape, std=std, device="cpu").to_device(xp.get_device())


def load(path: str) -> dict[str, Tensor]:
    """Weights of a .safetensors file, on the current device; it must hold those of SHAPES."""
    found = xp.load(Path(path))
    if not isinstance(found, dict) or any(
        name not in found or found[name].shape != shape for name, shape in SHAPES.items()
    ):
        raise ValueError(f"{path} does not hold the weights of this model: {SHAPES}")
    return found


class Encoder:
    """Attention and two layers, each with a normalisation before it and a sum behind it."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        self.weights = weights

    def __call__(self, x: Tensor) -> Tensor:
        """Map x (batch, length, WIDTH) to the same shape."""
        x = x + self.attention(nn.layer_norm(x, WIDTH))
        hidden = nn.gelu(nn.linear(nn.layer_norm(x, WIDTH), self.weights["wide"]))
        return x + nn.linear(hidden, self.weights["narrow"])

    def attention(self, x: Tensor) -> Tensor:
        """Self-attention of x (batch, length, WIDTH)."""
        batch, length, _ = x.shape
        split = (batch, length, HEADS, WIDTH // HEADS)
        query, key, value = (
            xp.reshape(nn.linear(x, self.weights[name]), split)
            for name in ("query", "key", "value")
        )
        found = nn.scaled_dot_product_attention(query, key, value, training=False)
        return nn.linear(xp.reshape(found, (batch, length, WIDTH)), self.weights["joined"])


def model(batch: int = 1, weights: str = "") -> tuple[Encoder, tuple[Tensor]]:
    """The encoder and its input (batch, LENGTH, WIDTH); drawn weights unless a file is named."""
    encoder = Encoder(load(weights) if weights else drawn())
    return encoder, (normal(xp.random.Generator(1), (batch, LENGTH, WIDTH)),)
