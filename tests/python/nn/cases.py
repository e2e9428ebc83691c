# SPDX-License-Identifier: Apache-2.0
"""What the functions of nn.functional are called with, and how near the results must come.

One table for all references: every case is a call with the parameters of PaddlePaddle 3.3. Arrays
are float64 here and take the type under test; integers and truth values stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

Host = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """A call: function, arrays and other parameters by name."""

    function: str
    arrays: dict[str, Host]
    options: dict[str, Any] = field(default_factory=dict)
    note: str = ""

    def __str__(self) -> str:
        shapes = "-".join("x".join(map(str, a.shape)) or "0d" for a in self.arrays.values())
        options = ",".join(f"{k}={v}" for k, v in self.options.items()).replace(" ", "")
        return "-".join(part for part in (self.function, shapes, options, self.note) if part)


@dataclass(frozen=True)
class Bound:
    """Largest error in units of the last place of a type.

    ``of``: of the number itself ("own"), or of the largest magnitude in the result ("largest"),
    where sums cancel, or of 1 ("one"). Subnormal numbers count as zeros.
    """

    single: float  # float32 and float64
    half: float  # float16 and bfloat16
    of: str = "own"


BOUNDS = {
    "relu": Bound(0, 0), "relu6": Bound(0, 0), "leaky_relu": Bound(1, 2), "elu": Bound(4, 2),
    "selu": Bound(8, 2), "gelu": Bound(64, 2), "silu": Bound(8, 2), "mish": Bound(16, 2),
    "sigmoid": Bound(8, 2), "hardswish": Bound(4, 2), "hardsigmoid": Bound(4, 2, "one"),
    "softplus": Bound(8, 2), "softmax": Bound(16, 2), "log_softmax": Bound(8, 2, "largest"),
    "layer_norm": Bound(16, 2, "largest"), "rms_norm": Bound(8, 2, "largest"),
    "group_norm": Bound(16, 2, "largest"), "batch_norm": Bound(16, 2, "largest"),
    "normalize": Bound(8, 2), "linear": Bound(16, 4, "largest"), "embedding": Bound(4, 2),
    "one_hot": Bound(0, 0), "cosine_similarity": Bound(8, 2, "one"), "unfold": Bound(0, 0),
    "conv1d": Bound(32, 4, "largest"), "conv2d": Bound(32, 4, "largest"),
    "conv3d": Bound(32, 4, "largest"), "conv2d_transpose": Bound(32, 4, "largest"),
    "max_pool1d": Bound(0, 0), "max_pool2d": Bound(0, 0), "avg_pool1d": Bound(8, 2, "largest"),
    "avg_pool2d": Bound(8, 2, "largest"), "adaptive_avg_pool1d": Bound(8, 2, "largest"),
    "adaptive_avg_pool2d": Bound(8, 2, "largest"), "adaptive_max_pool1d": Bound(0, 0),
    "adaptive_max_pool2d": Bound(0, 0), "interpolate": Bound(16, 2, "largest"),
    "pad": Bound(0, 0), "cross_entropy": Bound(16, 2, "largest"),
    "nll_loss": Bound(8, 2, "largest"),
    "mse_loss": Bound(8, 2, "largest"), "l1_loss": Bound(8, 2, "largest"),
    "scaled_dot_product_attention": Bound(32, 4, "largest"),
}  # fmt: skip


def normal(*shape: int, seed: int = 0, scale: float = 1.0) -> Host:
    return np.random.default_rng([seed, *shape]).normal(0, scale, shape)


def whole(low: int, high: int, *shape: int, seed: int = 0) -> Host:
    return np.random.default_rng([seed, *shape]).integers(low, high, shape)


def case(function: str, note: str = "", **parameters: Any) -> Case:
    arrays = {k: v for k, v in parameters.items() if isinstance(v, np.ndarray)}
    options = {k: v for k, v in parameters.items() if k not in arrays}
    return Case(function, arrays, options, note)


EDGES = np.array([0.0, -0.0, 1e-6, -1e-6, 3, -3, 6, 6.5, 20, 20.5, -8, 88, -88, 1e4, -1e4, np.inf])
NANS = np.array([np.nan, 1.0, -np.inf])

ACTIVATIONS: list[tuple[str, dict[str, Any]]] = [
    ("relu", {}), ("relu6", {}), ("leaky_relu", {}), ("leaky_relu", {"negative_slope": 0.25}),
    ("elu", {}), ("elu", {"alpha": 0.5}), ("selu", {}), ("selu", {"scale": 2.0, "alpha": 0.5}),
    ("gelu", {}), ("gelu", {"approximate": True}), ("silu", {}), ("mish", {}), ("sigmoid", {}),
    ("hardswish", {}), ("hardsigmoid", {}), ("hardsigmoid", {"slope": 0.25, "offset": 0.25}),
    ("hardsigmoid", {"slope": 1 / 6}),
    ("softplus", {}), ("softplus", {"beta": 2.0, "threshold": 5.0}),
]  # fmt: skip


def activations() -> list[Case]:
    found = []
    for function, options in ACTIVATIONS:
        for note, x in (
            ("", normal(4, 33, scale=3)), ("empty", normal(0, 3)), ("0d", normal()),
            ("one", normal(1)), ("edges", EDGES),
        ):  # fmt: skip
            found.append(case(function, note, x=x, **options))
    for function, options in ACTIVATIONS:
        if function != "hardswish":  # of -inf: 0 or NaN, by the op table
            found.append(case(function, "nan", x=NANS, **options))
    return found


def softmaxes() -> list[Case]:
    huge = np.array([[1e4, 1e4, -1e4], [0.0, -np.inf, 1.0], [6e4, 0, -6e4], [-np.inf, 5, -np.inf]])
    lost = np.array([[-np.inf, -np.inf], [np.nan, 1.0], [np.inf, 0.0]])
    found = []
    for function in ("softmax", "log_softmax"):
        found += [
            case(function, x=normal(3, 4, 5, scale=3)), case(function, x=normal(3, 4, 5), axis=1),
            case(function, x=normal(3, 4, 5), axis=0), case(function, x=normal(2, 300)),
            case(function, "empty", x=normal(0, 3)), case(function, "emptyaxis", x=normal(3, 0)),
            case(function, "one", x=normal(1, 1)), case(function, "0d", x=normal()),
            case(function, "huge", x=huge), case(function, "lost", x=lost),
        ]  # fmt: skip
    return found


def norms() -> list[Case]:
    w, b = normal(6, seed=1), normal(6, seed=2)
    image, sequence = normal(2, 6, 3, 4), normal(2, 5, 6)
    mean, var = normal(6, seed=3), np.abs(normal(6, seed=4)) + 0.5
    running = {"running_mean": mean, "running_var": var}
    return [
        case("layer_norm", x=sequence, weight=w, bias=b, normalized_shape=6),
        case("layer_norm", x=sequence, normalized_shape=[5, 6], epsilon=0.001),
        case("layer_norm", x=normal(4, 300) + 10, normalized_shape=[300], note="far"),
        case("layer_norm", x=normal(3, 1), normalized_shape=[1], note="one"),
        case("layer_norm", x=normal(0, 6), weight=w, bias=b, normalized_shape=[6], note="empty"),
        case("rms_norm", input=sequence, weight=w, normalized_shape=[6]),
        case("rms_norm", input=sequence, normalized_shape=[5, 6], eps=0.1),
        case("rms_norm", input=normal(0, 6), weight=w, normalized_shape=[6], note="empty"),
        case("group_norm", x=image, num_groups=3, weight=w, bias=b),
        case("group_norm", x=image, num_groups=6, epsilon=0.1),
        case("group_norm", x=normal(2, 3, 4, 6), num_groups=2, weight=w, data_format="NHWC"),
        case("group_norm", x=normal(0, 6, 2), num_groups=2, note="empty"),
        case("batch_norm", x=image, **running, weight=w, bias=b),
        case("batch_norm", x=image, **running, weight=w, bias=b, training=True),
        case("batch_norm", x=normal(7, 6), **running, training=True, momentum=0.3, epsilon=0.1),
        case("batch_norm", x=sequence, **running, data_format="NLC", training=True),
        case("batch_norm", x=image, **running, use_global_stats=False),
        case("batch_norm", x=image, **running, training=True, use_global_stats=True),
        case("batch_norm", x=normal(0, 6, 2), **running, note="empty"),
        case("normalize", x=sequence), case("normalize", x=sequence, p=1, axis=-1),
        case("normalize", x=sequence, p=3, axis=0), case("normalize", x=sequence, p=np.inf),
        case("normalize", x=sequence, p=0), case("normalize", x=np.zeros((2, 3)), note="zero"),
        case("normalize", x=normal(2, 0), note="empty"), case("normalize", x=normal(1, 1)),
    ]  # fmt: skip


def not_numbers() -> list[Case]:
    """NaN and infinities go where the formula takes them, and nowhere else."""
    x = normal(4, 6)
    x[1, 2], x[2, 0] = np.nan, np.inf
    w = normal(6, 3)
    image = normal(2, 3, 5, 5)
    image[1, 2, 2, 3], image[0, 0, 0, 0] = np.nan, -np.inf
    nan = "nan"
    return [
        case("layer_norm", nan, x=x, normalized_shape=6),
        case("rms_norm", nan, input=x[:2], normalized_shape=[6]),
        case("group_norm", nan, x=x, num_groups=2),
        case("batch_norm", nan, x=x, running_mean=w[:, 0], running_var=w[:, 1] ** 2),
        case("normalize", nan, x=x),
        case("linear", nan, x=x, weight=np.abs(w)),
        case("cosine_similarity", nan, x1=x[:2], x2=normal(2, 6)),
        case("mse_loss", nan, input=x, label=normal(4, 6), reduction="none"),
        case("cross_entropy", nan, input=x, label=whole(0, 6, 4), reduction="none"),
        case("conv2d", nan, x=image, weight=np.abs(normal(2, 3, 2, 2))),
        case("conv2d_transpose", nan, x=image, weight=np.abs(normal(3, 2, 2, 2)), stride=2),
        case("avg_pool2d", nan, x=image, kernel_size=2, padding=1),
        case("adaptive_avg_pool2d", nan, x=image, output_size=3),
        case("adaptive_max_pool2d", nan, x=image, output_size=[2, 3]),
        case("pad", nan, x=image, pad=[1, 0, 2, 1], mode="reflect"),
    ]


def mixed() -> list[Case]:
    w, b = normal(7, 5), normal(5, seed=1)
    ids = whole(0, 7, 3, 4)
    a, c = normal(4, 9), normal(4, 9, seed=1)
    return [
        case("linear", x=normal(3, 4, 7), weight=w, bias=b), case("linear", x=normal(7), weight=w),
        case("linear", x=normal(0, 7), weight=w, bias=b, note="empty"),
        case("linear", x=normal(2, 0), weight=normal(0, 5), bias=b, note="noinput"),
        case("embedding", x=ids, weight=w), case("embedding", x=ids, weight=w, padding_idx=-1),
        case("embedding", x=ids.astype(np.int32), weight=w, padding_idx=2),
        case("embedding", x=whole(0, 7, 0, 2), weight=w, note="empty"),
        case("embedding", x=np.array(3), weight=w),
        case("embedding", x=ids, weight=w, max_norm=1.5),
        case("one_hot", x=ids), case("one_hot", x=ids, num_classes=9),
        case("one_hot", x=np.array(2), num_classes=3),
        case("one_hot", x=whole(0, 7, 0), num_classes=3, note="empty"),
        case("cosine_similarity", x1=a, x2=c), case("cosine_similarity", x1=a, x2=a, axis=0),
        case("cosine_similarity", x1=a, x2=normal(1, 9), axis=-1),
        case("cosine_similarity", x1=np.zeros((2, 3)), x2=normal(2, 3), note="zero"),
        case("cosine_similarity", x1=normal(2, 0), x2=normal(2, 0), note="empty"),
        case("unfold", x=normal(2, 3, 5, 6), kernel_sizes=[2, 3]),
        case("unfold", x=normal(2, 3, 5, 6), kernel_sizes=3, strides=2, paddings=1, dilations=2),
        case("unfold", x=normal(1, 2, 4, 4), kernel_sizes=2, strides=[1, 2], paddings=[1, 0, 0, 2]),
        case("unfold", x=normal(1, 2, 3, 3), kernel_sizes=1, note="one"),
        case("unfold", x=normal(0, 2, 3, 3), kernel_sizes=2, note="empty"),
    ]  # fmt: skip
