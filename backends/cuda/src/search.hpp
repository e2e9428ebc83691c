// SPDX-License-Identifier: Apache-2.0
// Where NVIDIA's libraries may be: the linker's own search, wheels, the toolkit's folders.
#pragma once

#include <string>
#include <vector>

#include "cuda.hpp"
#include "device_api/linkage.hpp"

namespace device_api::cuda {

/// What to try for the driver's own libraries.
std::vector<std::string> driver_candidates(const std::string& soname);

/// What to try for a library of the toolkit: `soname` ("libnvrtc.so.13"), and the folder that the
/// wheels of its major version put it in ("cu13", "cuda_nvrtc").
std::vector<std::string> toolkit_candidates(const Options& options, const std::string& soname,
                                            const std::vector<std::string>& wheel_folders);

/// Open a toolkit library of the newest major version that the driver takes: `stem` is
/// "libnvrtc.so.", `wheel` its folder in the wheels of CUDA 12 ("cuda_nvrtc").
linkage::Library open_toolkit(const Cuda& cuda, const std::string& stem, const std::string& wheel,
                              int* major);

} // namespace device_api::cuda
