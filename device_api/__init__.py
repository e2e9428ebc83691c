# SPDX-License-Identifier: Apache-2.0
"""One array namespace for many kinds of device.

``import device_api as xp`` is a namespace by the Python array API standard (2025.12);
``set_device("type:index")`` chooses where arrays live, by names as in PaddlePaddle 3.3. Importing
this package loads no plugin and opens no vendor library.
"""

from __future__ import annotations

import importlib
import math
from types import ModuleType
from typing import TYPE_CHECKING

from device_api import _hooks as _hooks  # connects the native core to this package
from device_api import dtypes as _dtypes
from device_api._core import Tensor as Tensor
from device_api.capabilities import __array_namespace_info__ as __array_namespace_info__
from device_api.capabilities import native_ops as native_ops
from device_api.capabilities import op_support as op_support
from device_api.conversion import asarray as asarray
from device_api.conversion import from_dlpack as from_dlpack
from device_api.creation import arange as arange
from device_api.creation import empty as empty
from device_api.creation import empty_like as empty_like
from device_api.creation import eye as eye
from device_api.creation import full as full
from device_api.creation import full_like as full_like
from device_api.creation import linspace as linspace
from device_api.creation import ones as ones
from device_api.creation import ones_like as ones_like
from device_api.creation import tril as tril
from device_api.creation import triu as triu
from device_api.creation import zeros as zeros
from device_api.creation import zeros_like as zeros_like
from device_api.devices import Device as Device
from device_api.devices import current_device as current_device
from device_api.devices import device_count as device_count
from device_api.devices import device_guard as device_guard
from device_api.devices import get_all_device_type as get_all_device_type
from device_api.devices import get_available_device as get_available_device
from device_api.devices import get_device as get_device
from device_api.devices import get_device_properties as get_device_properties
from device_api.devices import reset_device as reset_device
from device_api.devices import set_device as set_device
from device_api.devices import synchronize as synchronize
from device_api.dtypes import DType as DType
from device_api.dtypes import astype as astype
from device_api.dtypes import bfloat16 as bfloat16
from device_api.dtypes import can_cast as can_cast
from device_api.dtypes import complex64 as complex64
from device_api.dtypes import complex128 as complex128
from device_api.dtypes import finfo as finfo
from device_api.dtypes import float16 as float16
from device_api.dtypes import float32 as float32
from device_api.dtypes import float64 as float64
from device_api.dtypes import iinfo as iinfo
from device_api.dtypes import int8 as int8
from device_api.dtypes import int16 as int16
from device_api.dtypes import int32 as int32
from device_api.dtypes import int64 as int64
from device_api.dtypes import isdtype as isdtype
from device_api.dtypes import result_type as result_type
from device_api.dtypes import uint8 as uint8
from device_api.dtypes import uint16 as uint16
from device_api.dtypes import uint32 as uint32
from device_api.dtypes import uint64 as uint64
from device_api.elementwise import abs as abs
from device_api.elementwise import acos as acos
from device_api.elementwise import acosh as acosh
from device_api.elementwise import add as add
from device_api.elementwise import asin as asin
from device_api.elementwise import asinh as asinh
from device_api.elementwise import atan as atan
from device_api.elementwise import atan2 as atan2
from device_api.elementwise import atanh as atanh
from device_api.elementwise import bitwise_and as bitwise_and
from device_api.elementwise import bitwise_invert as bitwise_invert
from device_api.elementwise import bitwise_left_shift as bitwise_left_shift
from device_api.elementwise import bitwise_or as bitwise_or
from device_api.elementwise import bitwise_right_shift as bitwise_right_shift
from device_api.elementwise import bitwise_xor as bitwise_xor
from device_api.elementwise import ceil as ceil
from device_api.elementwise import clip as clip
from device_api.elementwise import conj as conj
from device_api.elementwise import copysign as copysign
from device_api.elementwise import cos as cos
from device_api.elementwise import cosh as cosh
from device_api.elementwise import divide as divide
from device_api.elementwise import equal as equal
from device_api.elementwise import exp as exp
from device_api.elementwise import expm1 as expm1
from device_api.elementwise import floor as floor
from device_api.elementwise import floor_divide as floor_divide
from device_api.elementwise import greater as greater
from device_api.elementwise import greater_equal as greater_equal
from device_api.elementwise import hypot as hypot
from device_api.elementwise import imag as imag
from device_api.elementwise import isfinite as isfinite
from device_api.elementwise import isinf as isinf
from device_api.elementwise import isnan as isnan
from device_api.elementwise import less as less
from device_api.elementwise import less_equal as less_equal
from device_api.elementwise import log as log
from device_api.elementwise import log1p as log1p
from device_api.elementwise import log2 as log2
from device_api.elementwise import log10 as log10
from device_api.elementwise import logaddexp as logaddexp
from device_api.elementwise import logical_and as logical_and
from device_api.elementwise import logical_not as logical_not
from device_api.elementwise import logical_or as logical_or
from device_api.elementwise import logical_xor as logical_xor
from device_api.elementwise import maximum as maximum
from device_api.elementwise import minimum as minimum
from device_api.elementwise import multiply as multiply
from device_api.elementwise import negative as negative
from device_api.elementwise import nextafter as nextafter
from device_api.elementwise import not_equal as not_equal
from device_api.elementwise import positive as positive
from device_api.elementwise import pow as pow
from device_api.elementwise import real as real
from device_api.elementwise import reciprocal as reciprocal
from device_api.elementwise import remainder as remainder
from device_api.elementwise import round as round
from device_api.elementwise import sign as sign
from device_api.elementwise import signbit as signbit
from device_api.elementwise import sin as sin
from device_api.elementwise import sinh as sinh
from device_api.elementwise import sqrt as sqrt
from device_api.elementwise import square as square
from device_api.elementwise import subtract as subtract
from device_api.elementwise import tan as tan
from device_api.elementwise import tanh as tanh
from device_api.elementwise import trunc as trunc
from device_api.elementwise import where as where
from device_api.errors import BusyError as BusyError
from device_api.errors import CopyNeededError as CopyNeededError
from device_api.errors import DataNotFoundError as DataNotFoundError
from device_api.errors import DeviceApiError as DeviceApiError
from device_api.errors import DeviceIndexError as DeviceIndexError
from device_api.errors import DeviceLostError as DeviceLostError
from device_api.errors import DeviceMismatchError as DeviceMismatchError
from device_api.errors import DeviceTimeoutError as DeviceTimeoutError
from device_api.errors import DTypeError as DTypeError
from device_api.errors import DuplicatePluginError as DuplicatePluginError
from device_api.errors import FallbackError as FallbackError
from device_api.errors import FallbackWarning as FallbackWarning
from device_api.errors import ForkedError as ForkedError
from device_api.errors import HardwareFaultError as HardwareFaultError
from device_api.errors import InternalError as InternalError
from device_api.errors import InvalidArgumentError as InvalidArgumentError
from device_api.errors import NoDeviceError as NoDeviceError
from device_api.errors import NoDriverError as NoDriverError
from device_api.errors import NoInterchangeError as NoInterchangeError
from device_api.errors import NotSupportedError as NotSupportedError
from device_api.errors import OutOfMemoryError as OutOfMemoryError
from device_api.errors import OutOfRangeError as OutOfRangeError
from device_api.errors import PluginBrokenError as PluginBrokenError
from device_api.errors import PluginError as PluginError
from device_api.errors import PluginNotInstalledError as PluginNotInstalledError
from device_api.errors import ShapeError as ShapeError
from device_api.errors import UnknownDeviceError as UnknownDeviceError
from device_api.errors import VersionMismatchError as VersionMismatchError
from device_api.fallback import fallback_policy as fallback_policy
from device_api.fallback import fallback_report as fallback_report
from device_api.fallback import native_op_counts as native_op_counts
from device_api.fallback import reset_op_counts as reset_op_counts
from device_api.indexing import nonzero as nonzero
from device_api.indexing import take as take
from device_api.indexing import take_along_axis as take_along_axis
from device_api.manipulation import broadcast_arrays as broadcast_arrays
from device_api.manipulation import broadcast_shapes as broadcast_shapes
from device_api.manipulation import broadcast_to as broadcast_to
from device_api.manipulation import concat as concat
from device_api.manipulation import expand_dims as expand_dims
from device_api.manipulation import flip as flip
from device_api.manipulation import meshgrid as meshgrid
from device_api.manipulation import moveaxis as moveaxis
from device_api.manipulation import permute_dims as permute_dims
from device_api.manipulation import repeat as repeat
from device_api.manipulation import reshape as reshape
from device_api.manipulation import roll as roll
from device_api.manipulation import squeeze as squeeze
from device_api.manipulation import stack as stack
from device_api.manipulation import tile as tile
from device_api.manipulation import unstack as unstack
from device_api.memory import copy_from_host as copy_from_host
from device_api.memory import copy_to_host as copy_to_host
from device_api.memory import empty_cache as empty_cache
from device_api.memory import empty_pinned as empty_pinned
from device_api.memory import max_memory_allocated as max_memory_allocated
from device_api.memory import max_memory_reserved as max_memory_reserved
from device_api.memory import memory_allocated as memory_allocated
from device_api.memory import memory_reserved as memory_reserved
from device_api.memory import memory_snapshot as memory_snapshot
from device_api.memory import memory_snapshot_html as memory_snapshot_html
from device_api.memory import memory_stats as memory_stats
from device_api.memory import pin_memory as pin_memory
from device_api.memory import reset_peak_memory_stats as reset_peak_memory_stats
from device_api.memory import set_memory_fraction as set_memory_fraction
from device_api.products import matmul as matmul
from device_api.products import matrix_transpose as matrix_transpose
from device_api.products import tensordot as tensordot
from device_api.products import vecdot as vecdot
from device_api.reductions import all as all
from device_api.reductions import any as any
from device_api.reductions import argmax as argmax
from device_api.reductions import argmin as argmin
from device_api.reductions import count_nonzero as count_nonzero
from device_api.reductions import max as max
from device_api.reductions import mean as mean
from device_api.reductions import min as min
from device_api.reductions import prod as prod
from device_api.reductions import std as std
from device_api.reductions import sum as sum
from device_api.reductions import var as var
from device_api.scans import cumulative_prod as cumulative_prod
from device_api.scans import cumulative_sum as cumulative_sum
from device_api.scans import diff as diff
from device_api.sensors import Telemetry as Telemetry
from device_api.sensors import telemetry as telemetry
from device_api.serialization import load as load
from device_api.serialization import save as save
from device_api.sets import isin as isin
from device_api.sets import unique_all as unique_all
from device_api.sets import unique_counts as unique_counts
from device_api.sets import unique_inverse as unique_inverse
from device_api.sets import unique_values as unique_values
from device_api.sorting import argsort as argsort
from device_api.sorting import searchsorted as searchsorted
from device_api.sorting import sort as sort
from device_api.streams import Event as Event
from device_api.streams import Stream as Stream
from device_api.streams import current_stream as current_stream
from device_api.streams import set_stream as set_stream
from device_api.streams import stream_guard as stream_guard

if TYPE_CHECKING:
    from device_api import compare as compare
    from device_api import fft as fft
    from device_api import health as health
    from device_api import linalg as linalg
    from device_api import observers as observers
    from device_api import plugins as plugins
    from device_api import profiler as profiler
    from device_api import random as random
    from device_api import simulation as simulation
    from device_api.health import Report

__version__ = "0.1.0"
__array_api_version__ = "2025.12"

e, pi, inf, nan = math.e, math.pi, math.inf, math.nan
newaxis = None
bool = _dtypes.bool_

_LAZY = (
    "compare", "fft", "health", "linalg", "nn", "observers", "plugins", "profiler", "random",
    "simulation",
)  # fmt: skip


def run_check(device: str | Device | None = None) -> Report:
    """Check a device (default: the current one): allocate, copy, compute, compare with the CPU.

    Returns a report that is true when the device is healthy; raises what ``set_device`` raises
    when it cannot be used at all. See :mod:`device_api.health`.
    """
    from device_api import health

    return health.run_check(device)


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY:
        return importlib.import_module(f"device_api.{name}")
    raise AttributeError(f"module 'device_api' has no attribute {name!r}")


def __dir__() -> list[str]:
    names = {name for name in globals() if not name.startswith("_")}
    return sorted(names | set(_LAZY) | {"__array_namespace_info__", "__version__"})
