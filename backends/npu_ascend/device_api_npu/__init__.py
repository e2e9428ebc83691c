# SPDX-License-Identifier: Apache-2.0
"""The Ascend NPU backend of device_api; everything it has is in ``device_api_npu.plugin``."""
