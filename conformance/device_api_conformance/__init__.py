# SPDX-License-Identifier: Apache-2.0
"""The conformance suite of device_api: certifies a backend from its op table."""

from __future__ import annotations

__all__ = ["__version__"]
__version__ = "0.1.0"
