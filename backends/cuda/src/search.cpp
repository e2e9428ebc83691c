// SPDX-License-Identifier: Apache-2.0
// The search rules for libraries.
#include "search.hpp"

#include <cstdlib>

namespace device_api::cuda {
namespace {

constexpr int newest = 13, oldest = 12;

void add_folder(std::vector<std::string>& names, const std::string& folder,
                const std::string& soname) {
    const std::string path = folder + "/" + soname;
    if (linkage::detail::exists(path)) names.push_back(path);
}

} // namespace

std::vector<std::string> driver_candidates(const std::string& soname) {
    std::vector<std::string> names{soname};
    for (const char* folder :
         {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
          "/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/local/cuda/compat"})
        add_folder(names, folder, soname);
    return names;
}

std::vector<std::string> toolkit_candidates(const Options& options, const std::string& soname,
                                            const std::vector<std::string>& wheel_folders) {
    std::vector<std::string> names;
    // Wheels first: what was installed beside us is what was tested with us.
    if (!options.wheels.empty())
        for (const std::string& folder : wheel_folders)
            add_folder(names, options.wheels + "/nvidia/" + folder + "/lib", soname);
    names.push_back(soname);
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* root = std::getenv(variable);
        if (root && *root) add_folder(names, std::string(root) + "/lib64", soname);
    }
    add_folder(names, "/usr/local/cuda/lib64", soname);
    return names;
}

linkage::Library open_toolkit(const Cuda& cuda, const std::string& stem, const std::string& wheel,
                              int* major) {
    linkage::Library first;
    // Code of a newer major version than the driver's does not load.
    const int most = cuda.version >= 1000 ? cuda.version / 1000 : newest;
    for (int m = most < newest ? most : newest; m >= oldest; --m) {
        const std::string soname = stem + std::to_string(m);
        *major = m;
        linkage::Library library =
            cuda.simulated ? linkage::open_simulated(cuda.options.simulator, soname)
                           : linkage::open_real(toolkit_candidates(
                                 cuda.options, soname, {"cu" + std::to_string(m), wheel}));
        if (library) return library;
        const bool better =
            first.message.empty() || (first.outcome == linkage::Outcome::not_found &&
                                      library.outcome != linkage::Outcome::not_found);
        if (better) first = library;
    }
    return first;
}

} // namespace device_api::cuda
