# SPDX-License-Identifier: Apache-2.0
"""A group of one rank in host memory: every collective is a copy, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device_api import _core, errors
from device_api.distributed._work import DoneWork, Work


class LoneTransport:
    """The only rank of its group; needs no library."""

    def __init__(self, device: _core.Device) -> None:
        self.device = device

    def wire(self, x: _core.Tensor, reduces: bool) -> _core.DType:
        """Return the data type in which an array goes."""
        return x.dtype

    def call(
        self,
        kind: int,
        reduction: int,
        peer: int,
        source: _core.Tensor | None,
        target: _core.Tensor | None,
        then: Callable[[], None] | None,
    ) -> Work:
        """Copy the source to the target, whose elements are as many."""
        if source is not None and target is not None and source is not target:
            target[...] = _core.reshape(source, target.shape)
        if then:
            then()
        return DoneWork()

    def pass_all(self, items: Sequence[tuple[int, int, _core.Tensor]]) -> Work:
        """Refuse: there is no other rank."""
        raise errors.OutOfRangeError("a group of one rank has no other to send to")

    def check(self) -> None:
        """Nothing can have failed."""

    def abort(self) -> None:
        """Nothing can wait."""

    def close(self) -> None:
        """Nothing is held."""
