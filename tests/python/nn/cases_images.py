# SPDX-License-Identifier: Apache-2.0
"""Cases of nn.functional, second part: convolutions, pools, resizing, losses, attention."""

from __future__ import annotations

import numpy as np
from nn.cases import (
    Case,
    activations,
    case,
    mixed,
    normal,
    norms,
    not_numbers,
    softmaxes,
    whole,
)  # fmt: skip


def convolutions() -> list[Case]:
    line, image, volume = normal(2, 4, 9), normal(2, 4, 7, 8), normal(1, 2, 4, 5, 6)
    w1, w2, w3 = normal(6, 4, 3), normal(6, 4, 3, 2), normal(3, 2, 2, 3, 2)
    grouped, depth = normal(6, 2, 3, 3), normal(4, 1, 3, 3)
    last = normal(2, 7, 8, 4)
    t2, tg = normal(4, 3, 3, 2), normal(4, 2, 3, 3)
    bias = normal(6)
    return [
        case("conv1d", x=line, weight=w1, bias=bias), case("conv1d", x=line, weight=w1, stride=2),
        case("conv1d", x=line, weight=w1, padding=2, dilation=2),
        case("conv1d", x=line, weight=w1, padding=[1, 2]),
        case("conv1d", x=normal(2, 9, 4), weight=w1, padding="SAME", data_format="NLC"),
        case("conv1d", x=normal(2, 4, 3), weight=w1, note="one"),
        case("conv1d", x=normal(0, 4, 9), weight=w1, bias=bias, note="empty"),
        case("conv2d", x=image, weight=w2, bias=bias),
        case("conv2d", x=image, weight=w2, stride=[2, 3]),
        case("conv2d", x=image, weight=w2, padding=[1, 2]),
        case("conv2d", x=image, weight=w2, padding=[1, 0, 2, 1], dilation=[2, 1]),
        case("conv2d", x=image, weight=w2, padding=[[0, 0], [0, 0], [1, 2], [0, 1]]),
        case("conv2d", x=image, weight=w2, padding="SAME", stride=2),
        case("conv2d", x=image, weight=w2, padding="SAME", dilation=2),
        case("conv2d", x=image, weight=w2, padding="VALID", stride=2),
        case("conv2d", x=image, weight=grouped, groups=2, padding=1),
        case("conv2d", x=image, weight=depth, groups=4, padding=1),
        case("conv2d", x=last, weight=w2, bias=bias, padding=1, data_format="NHWC"),
        case("conv2d", x=last, weight=w2, padding=[[0, 0], [1, 0], [0, 1], [0, 0]],
             data_format="NHWC"),
        case("conv2d", x=image, weight=normal(5, 4, 1, 1), note="point"),
        case("conv2d", x=normal(0, 4, 7, 8), weight=w2, note="empty"),
        case("conv3d", x=volume, weight=w3, bias=normal(3)),
        case("conv3d", x=volume, weight=w3, stride=[1, 2, 1], padding=[1, 0, 1], dilation=[2, 1,
             1]),
        case("conv3d", x=normal(1, 4, 5, 6, 2), weight=w3, padding=1, data_format="NDHWC"),
        case("conv2d_transpose", x=image, weight=t2, bias=normal(3)),
        case("conv2d_transpose", x=image, weight=t2, stride=2, padding=1),
        case("conv2d_transpose", x=image, weight=t2, stride=[2, 3], output_padding=[1, 2]),
        case("conv2d_transpose", x=image, weight=t2, stride=2, padding=1, output_size=[14, 15]),
        case("conv2d_transpose", x=image, weight=t2, dilation=2, padding=[1, 2]),
        case("conv2d_transpose", x=image, weight=tg, groups=2, stride=2, padding=1),
        case("conv2d_transpose", x=last, weight=t2, stride=2, data_format="NHWC"),
        case("conv2d_transpose", x=normal(1, 4, 1, 1), weight=t2, note="one"),
        case("conv2d_transpose", x=normal(0, 4, 3, 3), weight=t2, note="empty"),
    ]  # fmt: skip


def pools() -> list[Case]:
    line, image, last = normal(2, 3, 11), normal(2, 3, 7, 9), normal(2, 7, 9, 3)
    holes = normal(1, 1, 6, 6)
    holes[0, 0, 2, 3] = np.nan
    return [
        case("max_pool1d", x=line, kernel_size=3),
        case("max_pool1d", x=line, kernel_size=2, stride=1),
        case("max_pool1d", x=line, kernel_size=3, stride=2, padding=1, return_mask=True),
        case("max_pool1d", x=line, kernel_size=3, stride=2, ceil_mode=True),
        case("max_pool2d", x=image, kernel_size=2),
        case("max_pool2d", x=image, kernel_size=[3, 2], stride=[1, 2], padding=[1, 0]),
        case("max_pool2d", x=image, kernel_size=3, stride=2, padding=1, return_mask=True),
        case("max_pool2d", x=image, kernel_size=3, stride=2, ceil_mode=True, return_mask=True),
        case("max_pool2d", x=last, kernel_size=3, padding=1, data_format="NHWC"),
        case("max_pool2d", x=image, kernel_size=3, stride=2, padding="SAME"),
        case("max_pool2d", x=normal(0, 3, 4, 4), kernel_size=2, return_mask=True, note="empty"),
        case("max_pool2d", x=normal(1, 1, 1, 1), kernel_size=1, note="one"),
        case("max_pool2d", x=holes, kernel_size=2, note="nan"),
        case("avg_pool1d", x=line, kernel_size=3),
        case("avg_pool1d", x=line, kernel_size=3, padding=1),
        case("avg_pool1d", x=line, kernel_size=3, stride=2, padding=1, exclusive=False),
        case("avg_pool1d", x=line, kernel_size=4, stride=3, ceil_mode=True),
        case("avg_pool2d", x=image, kernel_size=2),
        case("avg_pool2d", x=image, kernel_size=3, stride=2, padding=1),
        case("avg_pool2d", x=image, kernel_size=3, stride=2, padding=1, exclusive=False,
             ceil_mode=True),
        case("avg_pool2d", x=image, kernel_size=[2, 3], divisor_override=4),
        case("avg_pool2d", x=last, kernel_size=3, padding=1, data_format="NHWC"),
        case("avg_pool2d", x=image, kernel_size=3, stride=2, padding="SAME"),
        case("avg_pool2d", x=normal(0, 3, 4, 4), kernel_size=2, note="empty"),
        case("adaptive_avg_pool1d", x=line, output_size=4),
        case("adaptive_avg_pool1d", x=line, output_size=1),
        case("adaptive_avg_pool2d", x=image, output_size=[3, 4]),
        case("adaptive_avg_pool2d", x=image, output_size=1),
        case("adaptive_avg_pool2d", x=image, output_size=[None, 12]),
        case("adaptive_avg_pool2d", x=last, output_size=[2, 5], data_format="NHWC"),
        case("adaptive_avg_pool2d", x=normal(0, 3, 4, 4), output_size=3, note="empty"),
        case("adaptive_max_pool1d", x=line, output_size=4, return_mask=True),
        case("adaptive_max_pool2d", x=image, output_size=[3, 4]),
        case("adaptive_max_pool2d", x=image, output_size=[7, 3]),
        case("adaptive_max_pool1d", x=line, output_size=1),
        case("adaptive_avg_pool2d", x=image, output_size=[1, 3]),
        case("adaptive_max_pool2d", x=image, output_size=[5, None], return_mask=True),
        case("adaptive_max_pool2d", x=normal(0, 3, 4, 4), output_size=3, note="empty"),
    ]  # fmt: skip


def resizing() -> list[Case]:
    image, line, volume = normal(2, 3, 5, 7), normal(2, 3, 6), normal(1, 2, 3, 4, 5)
    last = normal(2, 5, 7, 3)
    numbers = whole(-9, 9, 2, 3)
    return [
        case("interpolate", x=image, size=[10, 3]), case("interpolate", x=image, scale_factor=2),
        case("interpolate", x=image, scale_factor=[1.5, 0.6]),
        case("interpolate", x=last, size=[3, 9], data_format="NHWC"),
        case("interpolate", x=volume, size=[2, 8, 5]),
        case("interpolate", x=image, size=[10, 3], mode="bilinear"),
        case("interpolate", x=image, size=[9, 13], mode="bilinear", align_corners=True),
        case("interpolate", x=image, size=[8, 9], mode="bilinear", align_mode=1),
        case("interpolate", x=image, scale_factor=[1.5, 2.3], mode="bilinear"),
        case("interpolate", x=image, scale_factor=[1.5, 2.3], mode="bilinear",
             recompute_scale_factor=True),
        case("interpolate", x=image, size=[1, 1], mode="bilinear", align_corners=True),
        case("interpolate", x=last, size=[3, 9], mode="bilinear", data_format="NHWC"),
        case("interpolate", x=line, size=[9], mode="linear"),
        case("interpolate", x=volume, size=[2, 8, 5], mode="trilinear"),
        case("interpolate", x=image, size=[2, 3], mode="area"),
        case("interpolate", x=normal(0, 3, 5, 7), size=[2, 3], note="empty"),
        case("interpolate", x=normal(1, 1, 1, 1), size=[3, 2], mode="bilinear", note="one"),
        case("pad", x=line, pad=[1, 2]), case("pad", x=image, pad=[1, 2, 0, 3], value=2.5),
        case("pad", x=last, pad=[1, 2, 0, 3], data_format="NHWC"),
        case("pad", x=volume, pad=[1, 0, 2, 1, 0, 1]),
        case("pad", x=image, pad=[0, 1, 2, 0, 1, 1, 0, 2]),
        case("pad", x=image, pad=[0, 1, 2, 0, 1, 1, 0, 2], pad_from_left_axis=False),
        case("pad", x=normal(3, 4), pad=[1, 2]), case("pad", x=normal(4), pad=[1, 0]),
        case("pad", x=numbers, pad=[1, 2], value=7), case("pad", x=image, pad=[-1, 2, 0, -2]),
        case("pad", x=line, pad=[3, 5], mode="reflect"),
        case("pad", x=image, pad=[1, 2, 3, 0], mode="reflect"),
        case("pad", x=last, pad=[1, 2, 0, 3], mode="replicate", data_format="NHWC"),
        case("pad", x=image, pad=[1, 2, 3, 0], mode="replicate"),
        case("pad", x=image, pad=[1, 2, 3, 0], mode="circular"),
        case("pad", x=volume, pad=[1, 0, 2, 1, 0, 1], mode="circular"),
        case("pad", x=normal(0, 2, 3), pad=[1, 1], mode="reflect", note="empty"),
    ]  # fmt: skip


def losses() -> list[Case]:
    x, w = normal(5, 4), np.abs(normal(4)) + 0.1
    label = np.array([0, 3, 1, 3, 2])
    some = np.array([0, -100, 1, 3, -100])
    probabilities = np.exp(normal(5, 4))
    probabilities /= probabilities.sum(1, keepdims=True)
    planes, plane_labels = normal(2, 4, 3), whole(0, 4, 2, 3)
    huge = np.array([[1e4, -1e4, 0.0], [0.0, 6e4, 0.0]])
    hard = [
        case("cross_entropy", input=x, label=label),
        case("cross_entropy", input=x, label=label, weight=w),
        case("cross_entropy", input=x, label=some),
        case("cross_entropy", input=x, label=some, weight=w),
        case("cross_entropy", input=x, label=label, ignore_index=3),
        case("cross_entropy", input=x, label=label, ignore_index=3, weight=w, reduction="sum"),
        case("cross_entropy", input=x, label=np.full(5, 3), ignore_index=3, note="allignored"),
        case("cross_entropy", input=x, label=label[:, None], reduction="none"),
        case("cross_entropy", input=planes, label=plane_labels, axis=1, reduction="none"),
        case("cross_entropy", input=planes, label=plane_labels, axis=1, weight=w),
        case("cross_entropy", input=x, label=probabilities, soft_label=True),
        case("cross_entropy", input=x, label=probabilities, soft_label=True, reduction="none"),
        case("cross_entropy", input=x, label=probabilities, soft_label=True, weight=w),
        case("cross_entropy", input=x, label=label, label_smoothing=0.2),
        case("cross_entropy", input=x, label=label, label_smoothing=0.2, reduction="none"),
        case("cross_entropy", input=probabilities, label=label, use_softmax=False),
        case("cross_entropy", input=huge, label=np.array([1, 0]), note="huge"),
        case("cross_entropy", input=normal(0, 4), label=whole(0, 4, 0), note="empty"),
        case("cross_entropy", input=normal(1, 1), label=np.array([0]), note="one"),
        case("nll_loss", input=x, label=label), case("nll_loss", input=x, label=some, weight=w),
        case("nll_loss", input=x, label=label, weight=w, reduction="none", ignore_index=3),
        case("nll_loss", input=planes, label=plane_labels, reduction="sum"),
        case("nll_loss", input=x, label=np.full(5, 1), ignore_index=1, note="allignored"),
    ]  # fmt: skip
    for function in ("mse_loss", "l1_loss"):
        hard += [
            case(function, input=x, label=normal(5, 4, seed=1), reduction=r)
            for r in ("mean", "sum", "none")
        ]
        hard.append(case(function, input=x, label=normal(4), note="broadcast"))
        hard.append(case(function, input=normal(0), label=normal(0), note="empty"))
        hard.append(case(function, input=normal(), label=normal(seed=1), note="0d"))
    return hard


def attentions() -> list[Case]:
    def qkv(rows: int = 5, columns: int = 7, heads: int = 4, key_heads: int = 4, size: int = 6):  # type: ignore[no-untyped-def]
        return {
            "query": normal(2, rows, heads, 8),
            "key": normal(2, columns, key_heads, 8, seed=1),
            "value": normal(2, columns, key_heads, size, seed=2),
        }

    f = "scaled_dot_product_attention"
    mask = whole(0, 2, 2, 1, 5, 7).astype(bool)
    mask[..., 0] = True
    blocked = mask.copy()
    blocked[0, 0, 2] = False
    silent = np.where(mask, normal(2, 1, 5, 7), -np.inf)
    loud = {name: a * 50 for name, a in qkv().items()}
    unbatched = {name: a[0] for name, a in qkv().items()}
    return [
        case(f, **qkv()), case(f, **qkv(), scale=0.5), case(f, **qkv(6, 6), is_causal=True),
        case(f, **qkv(), is_causal=True, note="wide"),
        case(f, **qkv(7, 5), is_causal=True, note="tall"),
        case(f, **qkv(), attn_mask=mask), case(f, **qkv(), attn_mask=normal(5, 7, scale=2)),
        case(f, **qkv(), attn_mask=normal(2, 4, 5, 7)), case(f, **qkv(key_heads=2)),
        case(f, **qkv(key_heads=1), attn_mask=mask),
        case(f, **qkv(), attn_mask=blocked, note="blocked"),
        case(f, **qkv(), attn_mask=silent, note="minusinf"),
        case(f, **loud, note="huge"), case(f, **unbatched), case(f, **qkv(1, 1), note="one"),
        case(f, **qkv(0, 3), note="noqueries"), case(f, **qkv(3, 0), note="nokeys"),
    ]  # fmt: skip


CASES = [
    *activations(), *softmaxes(), *norms(), *mixed(), *convolutions(), *pools(), *resizing(),
    *losses(), *attentions(), *not_numbers(),
]  # fmt: skip
