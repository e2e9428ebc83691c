# SPDX-License-Identifier: Apache-2.0
"""Other people's libraries, unchanged, on our arrays: what their tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import device_api as xp

Same = Callable[..., None]


def _plain(x: Any) -> Any:
    return x.numpy() if isinstance(x, xp.Tensor) else np.asarray(x)


@pytest.fixture
def same(device: str) -> Same:
    """Compare a result on the device with the library's own result for NumPy arrays."""

    def check(got: Any, expected: Any, rtol: float = 1e-6, atol: float = 1e-7) -> None:
        for x in got if isinstance(got, tuple) else (got,):
            assert isinstance(x, xp.Tensor), f"a {type(x).__name__} came back"
            assert str(x.device).startswith(device.split(":")[0])
        pairs = zip(got, expected, strict=True) if isinstance(got, tuple) else [(got, expected)]
        for x, y in pairs:
            np.testing.assert_allclose(_plain(x), _plain(y), rtol=rtol, atol=atol)

    return check
