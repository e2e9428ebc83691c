# SPDX-License-Identifier: Apache-2.0
"""Geometry of convolutions and pools: window, stride, padding and dilation by spatial dimension."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

AXES = "dhw"


@dataclass(frozen=True)
class Geometry:
    """How windows lie over the spatial dimensions; one number per dimension (1 to 3)."""

    window: tuple[int, ...]
    stride: tuple[int, ...]
    pad: tuple[int, ...]
    dilation: tuple[int, ...]

    @classmethod
    def of(cls, attributes: dict[str, Any], window: tuple[int, ...]) -> Geometry:
        """From the attributes of a call, of which the last ones count."""
        n = len(window)
        found = {
            name: tuple(int(attributes.get(f"{name}_{a}", 1)) for a in AXES[3 - n :])
            for name in ("stride", "pad", "dilation")
        }
        return cls(window, found["stride"], found["pad"], found["dilation"])

    def attributes(self, with_window: bool, with_dilation: bool) -> dict[str, int]:
        """The attributes of a call, in the order of the op table."""
        names = ["window"] if with_window else []
        names += ["stride", "pad"] + (["dilation"] if with_dilation else [])
        found: dict[str, int] = {}
        for name in names:
            neutral = 0 if name == "pad" else 1
            values = (neutral,) * (3 - len(self.window)) + getattr(self, name)
            found |= {f"{name}_{a}": v for a, v in zip(AXES, values, strict=True)}
        return found

    def positions(
        self, spatial: tuple[int, ...], room: tuple[int, ...] | None = None
    ) -> tuple[int, ...]:
        """Number of windows in each dimension.

        There is `room` - 1 more padding after x than before it; 1 where nothing is given.
        """
        rows = zip(
            spatial, self.window, self.stride, self.pad, self.dilation,
            room or (1,) * len(spatial), strict=True,
        )  # fmt: skip
        return tuple(
            max((n + 2 * p + r - 1 - d * (w - 1) - 1) // s + 1, 0) for n, w, s, p, d, r in rows
        )

    def seen(self, at: tuple[int, ...], spatial: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """What the window at a position sees: (number in the window, number in x), inside x."""
        lines = []
        for i, n in enumerate(spatial):
            first = at[i] * self.stride[i] - self.pad[i]
            points = [first + k * self.dilation[i] for k in range(self.window[i])]
            lines.append([(k, x) for k, x in enumerate(points) if 0 <= x < n])
        found = [(0, 0)]
        for i, line in enumerate(lines):
            w, n = self.window[i], spatial[i]
            found = [(k * w + j, x * n + y) for k, x in found for j, y in line]
        yield from found

    def padded(self, at: tuple[int, ...], spatial: tuple[int, ...]) -> int:
        """Number of the window's elements inside x with padding on both sides."""
        counts = []
        for i, n in enumerate(spatial):
            first = at[i] * self.stride[i] - self.pad[i]
            points = [first + k * self.dilation[i] for k in range(self.window[i])]
            counts.append(sum(-self.pad[i] <= x < n + self.pad[i] for x in points))
        return math.prod(counts)
