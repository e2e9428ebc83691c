// SPDX-License-Identifier: Apache-2.0
// Private: running the host's compiler in a folder of its own.
#pragma once

#include <string>
#include <vector>

namespace device_api::engine::simt {

/// A new folder that only this user can read; gone, with its files, at the end.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// `name` may have folders in it, which are made.
    bool write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;
    std::string problem() const;

    std::string path; // "" when it cannot be made

  private:
    mutable std::string why_;
};

struct Ended {
    bool started = false;
    int code = -1;      // of its exit; below 0: the signal that ended it
    std::string output; // stdout and stderr
};
Ended run_process(const std::vector<std::string>& words);

/// Does the program say that it is GCC? Asked once for each.
bool is_gcc(const std::string& program);

} // namespace device_api::engine::simt
