# SPDX-License-Identifier: Apache-2.0
"""Neural networks: :mod:`device_api.nn.functional`, the functions without state."""

from device_api.nn import functional as functional

__all__ = ["functional"]
