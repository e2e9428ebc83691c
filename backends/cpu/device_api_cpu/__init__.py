# SPDX-License-Identifier: Apache-2.0
"""The CPU backend of device_api: a shared library behind the backend table, and its plugin module."""

__version__ = "0.1.0"
