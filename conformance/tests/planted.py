# SPDX-License-Identifier: Apache-2.0
"""All planted faults: the modules that register them."""

from __future__ import annotations

import faults_chapters
import faults_complex
import faults_copies
import faults_edges
import faults_functions
import faults_fused
import faults_interop
import faults_layouts
import faults_numeric
import faults_order
import faults_plugin
import faults_shapes
import faults_windows
import runtime_faults
import telemetry_faults
from faults import FAULTS

__all__ = ["FAULTS"]
MODULES = (
    faults_chapters, faults_complex, faults_copies, faults_edges, faults_functions, faults_fused,
    faults_interop, faults_layouts, faults_numeric, faults_order, faults_plugin, faults_shapes,
    faults_windows, runtime_faults, telemetry_faults,
)  # fmt: skip
