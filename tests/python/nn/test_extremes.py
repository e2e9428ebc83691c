# SPDX-License-Identifier: Apache-2.0
"""Sizes that no array can have, tables without rows, results without elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import device_api as xp
import device_api.nn.functional as F

z = xp.zeros
VAST, HUGE = 2**63, 2**62

TOO_LARGE: dict[str, Callable[[], object]] = {
    "conv padding": lambda: F.conv1d(z((1, 1, 5)), z((1, 1, 2)), padding=HUGE),
    "conv stride": lambda: F.conv1d(z((1, 1, 5)), z((1, 1, 2)), stride=VAST),
    "conv fractional padding": lambda: F.conv1d(z((1, 1, 5)), z((1, 1, 2)), padding=1.5),
    "conv result": lambda: F.conv3d(
        z((1, 1, 5, 5, 5)), z((1, 1, 2, 2, 2)), padding=[2**30, 2**30, 2**30]
    ),
    "transpose stride": lambda: F.conv2d_transpose(z((1, 1, 5, 5)), z((1, 1, 2, 2)), stride=VAST),
    "transpose dilation": lambda: F.conv2d_transpose(
        z((1, 1, 5, 5)), z((1, 1, 2, 2)), dilation=2**31 - 1
    ),
    "pool window": lambda: F.max_pool1d(z((1, 1, 5)), 2**31, padding=2**31),
    "pool padding": lambda: F.avg_pool1d(z((1, 1, 5)), 2, padding=VAST),
    "unfold padding": lambda: F.unfold(z((1, 1, 5, 5)), 2, paddings=VAST),
    "unfold result": lambda: F.unfold(z((1, 1, 5, 5)), 2, paddings=2**31 - 1),
    "unfold dilation": lambda: F.unfold(z((1, 1, 5, 5)), 1, dilations=VAST),
    "pad": lambda: F.pad(z((1, 1, 5)), [VAST, 0]),
    "pad by a fraction": lambda: F.pad(z((1, 1, 5)), [1.5, 0]),  # type: ignore[list-item]
    "pad round": lambda: F.pad(z((1, 1, 5)), [VAST, 0], "circular"),
    "pad the edge": lambda: F.pad(z((1, 1, 5)), [0, HUGE], "replicate"),
    "scale": lambda: F.interpolate(z((1, 1, 5, 5)), scale_factor=1e30),
    "scale past float32": lambda: F.interpolate(z((1, 1, 5, 5)), scale_factor=1e300),
    "scale past float64": lambda: F.interpolate(z((1, 1, 5, 5)), scale_factor=10**400),
    "scale of a line": lambda: F.interpolate(z((1, 1, 5)), scale_factor=1e30, mode="linear"),
    "size": lambda: F.interpolate(z((1, 1, 5, 5)), size=[VAST, VAST]),
    "area": lambda: F.interpolate(z((1, 1, 5, 5)), size=[HUGE, 1], mode="area"),
    "adaptive": lambda: F.adaptive_avg_pool1d(z((1, 1, 5)), VAST),
    "adaptive by a fraction": lambda: F.adaptive_avg_pool1d(z((1, 1, 5)), 1.5),  # type: ignore[arg-type]
    "one_hot": lambda: F.one_hot(xp.asarray([0]), VAST),
    "one_hot of the largest": lambda: F.one_hot(xp.asarray([2**63 - 1])),
    "norm": lambda: F.normalize(z((2, 2)), 10**400),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_absurd_sizes_are_refused(device: str, name: str) -> None:
    with pytest.raises(xp.InvalidArgumentError) as caught:
        TOO_LARGE[name]()
    assert caught.value.remedy


def test_strides_of_single_windows_may_be_large(device: str) -> None:
    x = xp.reshape(xp.arange(4.0), (1, 1, 2, 2))
    assert F.unfold(x, 2, strides=2**31 - 1).numpy().ravel().tolist() == [0, 1, 2, 3]
    y, place = F.max_pool2d(x, 2, 2**31 - 1, return_mask=True)
    assert (y.item(), place.item()) == (3.0, 3)


def test_a_table_without_rows_has_no_row(device: str) -> None:
    with pytest.raises(xp.OutOfRangeError, match="without rows") as caught:
        F.embedding(xp.asarray([0]), z((0, 2)))
    assert "-1" not in caught.value.remedy
    with pytest.raises(xp.OutOfRangeError):
        F.embedding(xp.asarray([0, 1]), z((0, 0)), padding_idx=0)
    assert F.embedding(xp.zeros((3, 0), dtype=xp.int64), z((0, 2))).shape == (3, 0, 2)
    assert F.embedding(xp.asarray([1]), z((2, 0))).shape == (1, 0)


def test_losses_without_classes(device: str) -> None:
    for loss in (F.cross_entropy, F.nll_loss):
        with pytest.raises(xp.OutOfRangeError, match="class"):
            loss(z((1, 0)), xp.asarray([0]))


def test_losses_name_the_label_that_is_out_of_range(cpu: str) -> None:
    for label in (-1, 3):
        with pytest.raises(xp.OutOfRangeError, match=f"label {label} ") as caught:
            F.cross_entropy(z((2, 3)), xp.asarray([0, label]))
        assert "0 to 2" in caught.value.remedy


def test_losses_of_no_samples(device: str) -> None:
    label = xp.zeros((0,), dtype=xp.int64)
    assert np.isnan(F.cross_entropy(z((0, 3)), label).item())
    assert F.nll_loss(z((0, 3)), label).item() == 0


def test_a_transposed_convolution_may_leave_nothing(device: str) -> None:
    x, weight = xp.ones((2, 2, 5, 1)), xp.ones((2, 3, 2, 2))
    y = F.conv2d_transpose(x, weight, stride=2, padding=[2, 1])
    assert (y.shape, y.dtype) == ((2, 3, 6, 0), xp.float32)
    assert F.conv2d_transpose(x, weight, xp.ones((3,)), stride=2, padding=[0, 1]).shape == (
        2,
        3,
        10,
        0,
    )
    sized = F.conv2d_transpose(x, weight, stride=2, padding=[0, 1], output_size=[10, 0])
    assert sized.shape == (2, 3, 10, 0)
    with pytest.raises(xp.ShapeError, match="takes more"):
        F.conv2d_transpose(x, weight, stride=2, padding=[0, 2])


def test_smoothed_labels_keep_the_axis(device: str) -> None:
    logits, label = z((4, 3)), xp.asarray([0, 1, 2, 1])
    assert F.cross_entropy(logits, label, reduction="none").shape == (4,)
    smooth = F.cross_entropy(logits, label, reduction="none", label_smoothing=0.1)
    assert smooth.shape == (4, 1)
    np.testing.assert_allclose(smooth.numpy(), np.log(3), rtol=1e-6)


def test_padding_goes_round_more_than_once(device: str) -> None:
    y = F.pad(xp.reshape(xp.arange(3.0), (1, 1, 3)), [4, 7], "circular")
    assert y.numpy().ravel().tolist() == [i % 3 for i in range(-4, 10)]
