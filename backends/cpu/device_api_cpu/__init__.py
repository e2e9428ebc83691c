# SPDX-License-Identifier: Apache-2.0
"""The CPU backend of device_api: a shared library, and the module that names it."""

__version__ = "0.1.0"
