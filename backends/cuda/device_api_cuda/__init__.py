# SPDX-License-Identifier: Apache-2.0
"""The NVIDIA CUDA backend of device_api; everything it has is in ``device_api_cuda.plugin``."""
