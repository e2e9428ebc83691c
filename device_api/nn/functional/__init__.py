# SPDX-License-Identifier: Apache-2.0
"""Functions of neural networks, named and defined as ``paddle.nn.functional`` of PaddlePaddle 3.3.

Forward only. Arrays are floating (float16, bfloat16, float32, float64) unless a function says
otherwise; 16-bit types accumulate in float32. Results lie on the device of the inputs. ``name`` is
taken for compatibility and has no effect. Errors: DTypeError for types that have no meaning,
ShapeError for shapes that do not fit, OutOfRangeError for an axis out of range,
InvalidArgumentError for other arguments; each says what to do.
"""

from device_api.nn.functional.activation import elu as elu
from device_api.nn.functional.activation import gelu as gelu
from device_api.nn.functional.activation import hardsigmoid as hardsigmoid
from device_api.nn.functional.activation import hardswish as hardswish
from device_api.nn.functional.activation import leaky_relu as leaky_relu
from device_api.nn.functional.activation import log_softmax as log_softmax
from device_api.nn.functional.activation import mish as mish
from device_api.nn.functional.activation import relu as relu
from device_api.nn.functional.activation import relu6 as relu6
from device_api.nn.functional.activation import selu as selu
from device_api.nn.functional.activation import sigmoid as sigmoid
from device_api.nn.functional.activation import silu as silu
from device_api.nn.functional.activation import softmax as softmax
from device_api.nn.functional.activation import softplus as softplus
from device_api.nn.functional.adaptive import adaptive_avg_pool1d as adaptive_avg_pool1d
from device_api.nn.functional.adaptive import adaptive_avg_pool2d as adaptive_avg_pool2d
from device_api.nn.functional.adaptive import adaptive_max_pool1d as adaptive_max_pool1d
from device_api.nn.functional.adaptive import adaptive_max_pool2d as adaptive_max_pool2d
from device_api.nn.functional.attention import (
    scaled_dot_product_attention as scaled_dot_product_attention,
)
from device_api.nn.functional.common import cosine_similarity as cosine_similarity
from device_api.nn.functional.common import dropout as dropout
from device_api.nn.functional.common import embedding as embedding
from device_api.nn.functional.common import linear as linear
from device_api.nn.functional.common import one_hot as one_hot
from device_api.nn.functional.common import unfold as unfold
from device_api.nn.functional.conv import conv1d as conv1d
from device_api.nn.functional.conv import conv2d as conv2d
from device_api.nn.functional.conv import conv2d_transpose as conv2d_transpose
from device_api.nn.functional.conv import conv3d as conv3d
from device_api.nn.functional.loss import cross_entropy as cross_entropy
from device_api.nn.functional.loss import l1_loss as l1_loss
from device_api.nn.functional.loss import mse_loss as mse_loss
from device_api.nn.functional.loss import nll_loss as nll_loss
from device_api.nn.functional.norm import batch_norm as batch_norm
from device_api.nn.functional.norm import group_norm as group_norm
from device_api.nn.functional.norm import layer_norm as layer_norm
from device_api.nn.functional.norm import normalize as normalize
from device_api.nn.functional.norm import rms_norm as rms_norm
from device_api.nn.functional.padding import pad as pad
from device_api.nn.functional.pooling import avg_pool1d as avg_pool1d
from device_api.nn.functional.pooling import avg_pool2d as avg_pool2d
from device_api.nn.functional.pooling import max_pool1d as max_pool1d
from device_api.nn.functional.pooling import max_pool2d as max_pool2d
from device_api.nn.functional.resize import interpolate as interpolate
