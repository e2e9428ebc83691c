// SPDX-License-Identifier: Apache-2.0
// Lets torch_npu be loaded beside a PyTorch that was built with CUDA.
//
// Both register the options of their allocators under the same names, which PyTorch refuses. The
// function below, found before PyTorch's own of this name, gives torch_npu a set of names of its
// own. A PyTorch without CUDA, which is what torch_npu is made for, does not need it.
#include <string>
#include <unordered_set>

using Names = std::unordered_set<std::string>;

__attribute__((visibility("default"))) Names& allocator_option_names() __asm__(
    "_ZN3c1016CachingAllocator26AcceleratorAllocatorConfig14getMutableKeysB5cxx11Ev");

Names& allocator_option_names() {
    static Names* names = new Names;
    return *names;
}
