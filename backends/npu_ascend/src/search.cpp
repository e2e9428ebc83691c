// SPDX-License-Identifier: Apache-2.0
// The vendor's search rules for libraries.
#include "search.hpp"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>

namespace device_api::npu {

std::vector<std::string> library_folders() {
    std::vector<std::string> folders;
    const auto add = [&folders](const std::string& folder) {
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    };
    for (const char* variable : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"}) {
        const char* root = std::getenv(variable);
        if (root && *root) add(std::string(root) + "/lib64");
    }
    add("/usr/local/Ascend/cann/lib64");
    add("/usr/local/Ascend/ascend-toolkit/latest/lib64");
    return folders;
}

std::vector<std::string> candidates(const std::vector<std::string>& sonames) {
    std::vector<std::string> names;
    for (const std::string& soname : sonames) {
        names.push_back(soname);
        for (const std::string& folder : library_folders()) names.push_back(folder + "/" + soname);
    }
    return names;
}

std::vector<std::string> split_operator_libraries(const std::string& folder) {
    std::vector<std::string> paths;
    DIR* dir = opendir(folder.c_str());
    if (!dir) return paths;
    while (const dirent* entry = readdir(dir)) {
        const std::string name = entry->d_name;
        const bool fits = name.compare(0, 9, "libopapi_") == 0 && name.size() > 12 &&
                          name.compare(name.size() - 3, 3, ".so") == 0;
        if (fits) paths.push_back(folder + "/" + name);
    }
    closedir(dir);
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string folders_in_words() {
    std::string text;
    for (const std::string& folder : library_folders()) text += (text.empty() ? "" : ", ") + folder;
    return text;
}

} // namespace device_api::npu
