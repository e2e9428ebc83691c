// SPDX-License-Identifier: Apache-2.0
// Private: finds the kernels in preprocessed source, and takes the words of the language out of it.
#pragma once

#include <string>
#include <vector>

namespace device_api::engine::simt {

struct FoundKernel {
    std::string name;   // qualified: "::space::scale"
    std::string bounds; // the arguments of __launch_bounds__; "" for none
};
struct Scanned {
    std::string text;                 // what is to be compiled
    std::vector<FoundKernel> kernels; // those that are no templates
    std::vector<std::string> bound;   // names of dynamic shared arrays outside functions
};
Scanned scan(const std::string& preprocessed);

} // namespace device_api::engine::simt
