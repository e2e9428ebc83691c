# SPDX-License-Identifier: Apache-2.0
"""Running sums and products, and differences, along an axis (array API standard 2025.12).

Bad axes raise OutOfRangeError, bool where numbers are needed DTypeError.
"""

from __future__ import annotations

from typing import Any

from device_api import _core, dtypes, errors
from device_api._core import Tensor
from device_api.dtypes import DTypeLike
from device_api.reductions import as_axes


def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running sums along an axis (None: the only one); begins with 0 when asked to.

    Without ``dtype`` small integers become int64 or uint64; integers wrap.
    """
    return _scan("cumsum", x, axis, dtype, 0 if include_initial else None)


def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Tensor:
    """Return running products along an axis (None: the only one); begins with 1 when asked to.

    Without ``dtype`` small integers become int64 or uint64; integers wrap.
    """
    return _scan("cumprod", x, axis, dtype, 1 if include_initial else None)


def _scan(
    op: str, x: Tensor, axis: int | None, dtype: DTypeLike | None, initial: int | None
) -> Tensor:
    along = _one_axis(x, axis, op)
    wanted = dtypes.accumulated_type(x.dtype) if dtype is None else dtypes.as_dtype(dtype)
    work = dtypes.astype(x, wanted, copy=False)
    if x.size:
        result = _core.apply(op, [work], attributes=(along,))
    else:
        result = _core.copy(work)
    if initial is None:
        return result
    shape = tuple(1 if i == along else n for i, n in enumerate(x.shape))
    return _core.concat([_core.full(shape, initial, wanted, x.device), result], along)


def _one_axis(x: Tensor, axis: int | None, name: str) -> int:
    if axis is None:
        if x.ndim != 1:
            raise errors.InvalidArgumentError(
                f"{name}: an array of {x.ndim} dimensions needs an axis", "name the axis"
            )
        return 0
    return as_axes(axis, x.ndim)[0]


def diff(
    x: Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Return the n-th differences of neighbours along an axis (numeric); integers wrap.

    ``prepend`` and ``append`` are joined to x first; their types are promoted together.
    """
    (along,) = as_axes(axis, x.ndim)
    if n < 0:
        raise errors.InvalidArgumentError(f"diff: n is {n}", "give 0 or more")
    if x.dtype.kind == "b":
        raise errors.DTypeError("diff is not defined for bool", "convert with astype", op="diff")
    parts = [part for part in (prepend, x, append) if part is not None]
    work = _core.concat(parts, along) if len(parts) > 1 else x
    before: tuple[Any, ...] = (slice(None),) * along
    for _ in range(min(n, work.shape[along])):
        work = _core.subtract(work[(*before, slice(1, None))], work[(*before, slice(None, -1))])
    return _core.copy(work) if work is x else work
