# SPDX-License-Identifier: Apache-2.0
"""Ops made of other ops: with the 25 core ops a device has the whole op table.

The core asks :func:`compose` for each op that a device lacks, before it thinks of the host. The
modules here hold one composite for every op of the table that is not core; nothing is imported
before a device lacks an op.
"""

from __future__ import annotations

from device_api.composites._registry import available as available
from device_api.composites._registry import compose as compose
from device_api.composites._registry import composites as composites
