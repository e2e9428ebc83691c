# SPDX-License-Identifier: Apache-2.0
"""Other suites on the same planted defects: what `benchmarks/yardsticks.py` measures with."""
