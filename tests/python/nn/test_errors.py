# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments of nn.functional are refused with the cause and what to do."""

from __future__ import annotations

from typing import Any

import pytest

import device_api as xp
import device_api.nn.functional as F
from device_api import errors


def z(*shape: int, dtype: str = "float32") -> xp.Tensor:
    return xp.zeros(shape, dtype=getattr(xp, dtype))


WRONG: list[tuple[str, dict[str, Any], type[Exception]]] = [
    ("relu", {"x": (2,), "dtype": "int64"}, errors.DTypeError),
    ("selu", {"x": (2,), "scale": 0.5}, errors.InvalidArgumentError),
    ("selu", {"x": (2,), "alpha": -1.0}, errors.InvalidArgumentError),
    ("gelu", {"x": (2,), "approximate": "erf"}, errors.InvalidArgumentError),
    ("softplus", {"x": (2,), "beta": 0}, errors.InvalidArgumentError),
    ("softmax", {"x": (2,), "axis": 1}, errors.OutOfRangeError),
    ("log_softmax", {"x": (), "axis": 1}, errors.OutOfRangeError),
    ("softmax", {"x": (2,), "dtype": "int64"}, errors.DTypeError),
    ("layer_norm", {"x": (2, 3), "normalized_shape": 4}, errors.ShapeError),
    ("layer_norm", {"x": (2, 3), "normalized_shape": []}, errors.ShapeError),
    ("layer_norm", {"x": (2, 3), "normalized_shape": 3, "weight": (2,)}, errors.ShapeError),
    ("rms_norm", {"input": (2, 3), "normalized_shape": [2]}, errors.ShapeError),
    ("group_norm", {"x": (2, 3, 4), "num_groups": 2}, errors.ShapeError),
    ("group_norm", {"x": (2, 4), "num_groups": 2, "data_format": "X"}, errors.InvalidArgumentError),
    ("group_norm", {"x": (2, 4), "num_groups": 2, "weight": (3,)}, errors.ShapeError),
    ("batch_norm", {"x": (2, 3), "running_mean": (2,), "running_var": (3,)}, errors.ShapeError),
    ("batch_norm", {"x": (2,), "running_mean": (2,), "running_var": (2,)}, errors.ShapeError),
    ("normalize", {"x": (2,)}, errors.OutOfRangeError),
    ("linear", {"x": (2, 3), "weight": (4, 3)}, errors.ShapeError),
    ("linear", {"x": (2, 3), "weight": (3, 4), "bias": (3,)}, errors.ShapeError),
    ("embedding", {"x": (2,), "weight": (3, 4)}, errors.DTypeError),
    ("one_hot", {"x": (2,), "num_classes": 3}, errors.DTypeError),
    ("dropout", {"x": (2,), "p": 1.5}, errors.InvalidArgumentError),
    ("dropout", {"x": (2,), "mode": "none"}, errors.InvalidArgumentError),
    ("dropout", {"x": (2,), "axis": 1}, errors.OutOfRangeError),
    ("cosine_similarity", {"x1": (2,), "x2": (2,)}, errors.OutOfRangeError),
    ("unfold", {"x": (1, 1, 2, 2), "kernel_sizes": 3}, errors.ShapeError),
    ("unfold", {"x": (1, 1, 2, 2), "kernel_sizes": 0}, errors.InvalidArgumentError),
    ("unfold", {"x": (1, 2, 2), "kernel_sizes": 1}, errors.ShapeError),
    ("conv1d", {"x": (1, 2, 3), "weight": (4, 3, 2)}, errors.ShapeError),
    ("conv1d", {"x": (1, 2, 3), "weight": (4, 2, 4)}, errors.ShapeError),
    ("conv1d", {"x": (1, 2, 3), "weight": (4, 2, 2), "bias": (3,)}, errors.ShapeError),
    ("conv2d", {"x": (1, 2, 3), "weight": (4, 2, 2, 2)}, errors.ShapeError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (4, 2, 2, 2), "stride": 0},
     errors.InvalidArgumentError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (4, 2, 2, 2), "padding": -1},
     errors.InvalidArgumentError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (4, 2, 2, 2), "padding": "FULL"},
     errors.InvalidArgumentError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (4, 2, 2, 2), "padding": [[1, 1], [0, 0], [0, 0],
     [0, 0]]}, errors.InvalidArgumentError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (3, 1, 2, 2), "groups": 2}, errors.ShapeError),
    ("conv2d", {"x": (1, 2, 3, 3), "weight": (4, 2, 2, 2), "data_format": "NCL"},
     errors.InvalidArgumentError),
    ("conv2d_transpose", {"x": (1, 2, 3, 3), "weight": (3, 2, 2, 2)}, errors.ShapeError),
    ("conv2d_transpose", {"x": (1, 2, 3, 3), "weight": (2, 2, 2, 2), "output_padding": 1},
     errors.InvalidArgumentError),
    ("conv2d_transpose", {"x": (1, 2, 3, 3), "weight": (2, 2, 2, 2), "output_size": 9},
     errors.InvalidArgumentError),
    ("conv2d_transpose", {"x": (1, 2, 1, 1), "weight": (2, 2, 2, 2), "padding": 2},
     errors.ShapeError),
    ("max_pool1d", {"x": (1, 2, 3), "kernel_size": 4}, errors.ShapeError),
    ("max_pool2d", {"x": (1, 3, 3, 2), "kernel_size": 2, "data_format": "NHWC",
     "return_mask": True}, errors.InvalidArgumentError),
    ("max_pool2d", {"x": (1, 2, 3, 3), "kernel_size": 2, "padding": "VALID", "ceil_mode": True},
     errors.InvalidArgumentError),
    ("avg_pool2d", {"x": (1, 2, 3, 3), "kernel_size": 2, "divisor_override": 0},
     errors.InvalidArgumentError),
    ("avg_pool1d", {"x": (1, 2), "kernel_size": 2}, errors.ShapeError),
    ("adaptive_avg_pool1d", {"x": (1, 2, 0), "output_size": 2}, errors.ShapeError),
    ("adaptive_max_pool2d", {"x": (1, 2, 3, 3), "output_size": [1, 2, 3]},
     errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3, 3)}, errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3, 3), "size": [1, 2], "scale_factor": 2.0},
     errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3, 3), "size": [1]}, errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3), "size": [1]}, errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3, 3), "size": [1, 1], "mode": "bicubic"},
     errors.NotSupportedError),
    ("interpolate", {"x": (1, 2, 3, 3), "size": [1, 1], "align_corners": True},
     errors.InvalidArgumentError),
    ("interpolate", {"x": (1, 2, 3, 3), "scale_factor": 0.1}, errors.InvalidArgumentError),
    ("pad", {"x": (2, 3), "pad": [1, 1], "mode": "mirror"}, errors.InvalidArgumentError),
    ("pad", {"x": (2, 3), "pad": [1, 1], "mode": "reflect"}, errors.InvalidArgumentError),
    ("pad", {"x": (2, 3), "pad": [1, 1, 1]}, errors.InvalidArgumentError),
    ("pad", {"x": (1, 1, 3), "pad": [3, 0], "mode": "reflect"}, errors.InvalidArgumentError),
    ("pad", {"x": (1, 1, 3), "pad": [-2, -2]}, errors.InvalidArgumentError),
    ("mse_loss", {"input": (2,), "label": (2,), "reduction": "all"}, errors.InvalidArgumentError),
    ("mse_loss", {"input": (2,), "label": (3,)}, errors.ShapeError),
    ("nll_loss", {"input": (2, 3), "label": (3,)}, errors.ShapeError),
    ("nll_loss", {"input": (2, 3), "label": (2,)}, errors.DTypeError),
    ("cross_entropy", {"input": (2, 3), "label": (3,)}, errors.ShapeError),
    ("cross_entropy", {"input": (2, 3), "label": (2,)}, errors.DTypeError),
    ("cross_entropy", {"input": (2, 3), "label": (2, 3), "soft_label": True, "ignore_index": 1},
     errors.InvalidArgumentError),
    ("cross_entropy", {"input": (2, 3), "label": (2, 3), "label_smoothing": 2.0},
     errors.InvalidArgumentError),
    ("scaled_dot_product_attention", {"query": (1, 2, 3, 4), "key": (1, 2, 2, 4),
     "value": (1, 2, 2, 4)}, errors.ShapeError),
    ("scaled_dot_product_attention", {"query": (1, 2, 2, 4), "key": (1, 2, 2, 5),
     "value": (1, 2, 2, 4)}, errors.ShapeError),
    ("scaled_dot_product_attention", {"query": (1, 2, 2, 4), "key": (1, 2, 2, 4),
     "value": (1, 2, 2, 4), "attn_mask": (3, 3)}, errors.ShapeError),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "arguments", "error"), WRONG, ids=[f"{i}-{w[0]}" for i, w in enumerate(WRONG)]
)
def test_wrong_arguments(
    device: str, function: str, arguments: dict[str, Any], error: type[Exception]
) -> None:
    given = dict(arguments)
    dtype = given.pop("dtype", "float32")
    options = {"dtype": dtype} if function == "softmax" else {}
    shape_like = ("x", "input", "label", "weight", "bias", "query", "key", "value", "attn_mask",
                  "x1", "x2", "running_mean", "running_var")  # fmt: skip
    for name in set(shape_like) & set(given):
        given[name] = z(*given[name], dtype="float32" if options else dtype)
    with pytest.raises(error) as caught:
        getattr(F, function)(**given, **options)
    assert isinstance(caught.value, errors.DeviceApiError)
    assert caught.value.cause and caught.value.remedy


def test_numbers_out_of_range_are_found_on_the_cpu(cpu: str) -> None:
    weight, label = z(3, 4), xp.asarray([0, 3])
    with pytest.raises(errors.OutOfRangeError):
        F.embedding(label, weight)
    with pytest.raises(errors.OutOfRangeError):
        F.one_hot(label, 3)
    with pytest.raises(errors.OutOfRangeError):
        F.cross_entropy(z(2, 3), label)
    with pytest.raises(errors.OutOfRangeError):
        F.nll_loss(z(2, 3), xp.asarray([0, -1]))
    with pytest.raises(errors.InvalidArgumentError):
        F.embedding(xp.asarray([0]), weight, padding_idx=3)
