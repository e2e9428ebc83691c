// SPDX-License-Identifier: Apache-2.0
// Finds and reads chip files; which one is in use.
#include "chip_file.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "engine.hpp"

namespace device_api::engine {
namespace {

struct State {
    std::mutex mutex;
    std::string chosen; // by the control table
    ChipPtr chip;
    std::string problem;
};
State& state() {
    static auto* s = new State;
    return *s;
}

constexpr const char* suffix = ".toml";

/// chips/ beside the library that this code is in.
std::string folder() {
    static const char here = 0;
    Dl_info info;
    char path[PATH_MAX];
    if (!dladdr(&here, &info) || !info.dli_fname || !realpath(info.dli_fname, path)) return "";
    std::string out = path;
    return out.substr(0, out.rfind('/')) + "/chips";
}

bool is_path(const std::string& name) {
    return name.find('/') != std::string::npos ||
           (name.size() > 5 && name.compare(name.size() - 5, 5, suffix) == 0);
}

std::string all_names() {
    std::string out;
    for (const std::string& name : chip_names()) out += " " + name;
    return out.empty() ? " (none is installed)" : out;
}

/// A regular file of at most toml::most_bytes, closed again in any case.
bool read_all(const std::string& file, std::string* text, std::string* cause) {
    const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about{};
    bool good = fd >= 0 && fstat(fd, &about) == 0;
    if (!good) *cause = std::strerror(errno);
    if (good && !S_ISREG(about.st_mode)) *cause = "it is no regular file";
    if (good && about.st_size > off_t(toml::most_bytes)) *cause = "it has more than 256 KiB";
    good = good && cause->empty();
    char chunk[4096];
    ssize_t n = 0;
    while (good && text->size() <= toml::most_bytes && (n = read(fd, chunk, sizeof chunk)) > 0)
        text->append(chunk, static_cast<std::size_t>(n));
    if (good && n < 0) *cause = std::strerror(errno);
    if (fd >= 0) close(fd);
    return cause->empty();
}

/// With state().mutex held: what is asked for, and by whom.
std::string wanted(std::string* by) {
    const Vendor& v = engine().vendor;
    if (!state().chosen.empty()) return state().chosen;
    const char* set = v.chip_variable ? std::getenv(v.chip_variable) : nullptr;
    if (set && *set) {
        *by = std::string(v.chip_variable) + "=" + set + ": ";
        return set;
    }
    return v.chip_default ? v.chip_default : "";
}

void load(State& s) {
    std::string by;
    const std::string name = wanted(&by);
    s.problem.clear();
    if (!name.empty()) {
        s.chip = chip_read(name, &s.problem);
    } else {
        toml::Document d;
        toml::Error e;
        s.chip = toml::parse(generic_chip(), &d, &e) ? chip_of(d, "", &s.problem) : nullptr;
    }
    if (!s.chip) s.problem = by + s.problem;
}

} // namespace

std::vector<std::string> chip_names() {
    std::vector<std::string> names;
    DIR* dir = opendir(folder().c_str());
    if (!dir) return names;
    while (const dirent* entry = readdir(dir)) {
        const std::string name = entry->d_name;
        if (name[0] != '.' && is_path(name)) names.push_back(name.substr(0, name.size() - 5));
    }
    closedir(dir);
    std::sort(names.begin(), names.end());
    return names;
}

bool chip_text(const std::string& name, std::string* file, std::string* text,
               std::string* problem) {
    const bool path = is_path(name);
    *file = path ? name : folder() + "/" + name + suffix;
    char absolute[PATH_MAX];
    if (realpath(file->c_str(), absolute)) *file = absolute;
    std::string cause;
    if (read_all(*file, text, &cause)) return true;
    *problem = path ? "the chip file " + *file + " cannot be read: " + cause +
                          "; give the path of a file as docs/chips.md describes, or one of" +
                          all_names()
                    : "no chip " + name + " (" + *file + ": " + cause + "); choose one of" +
                          all_names() + ", or give the path of a chip file";
    return false;
}

ChipPtr chip_read(const std::string& name, std::string* problem) {
    std::string file, text;
    if (!chip_text(name, &file, &text, problem)) return nullptr;
    toml::Document d;
    toml::Error e;
    if (toml::parse(text, &d, &e)) return chip_of(d, file, problem);
    *problem = file + ":" + std::to_string(e.line) + ": " + e.cause + "; " + e.remedy;
    return nullptr;
}

bool chip_choose(const std::string& name, std::string* problem) {
    if (!name.empty() && !chip_read(name, problem)) return false;
    std::lock_guard<std::mutex> lock(state().mutex);
    state().chosen = name;
    state().chip = nullptr;
    state().problem.clear();
    return true;
}

void chip_forget() noexcept {
    std::lock_guard<std::mutex> lock(state().mutex);
    state().chosen.clear();
    state().chip = nullptr;
    state().problem.clear();
}

ChipPtr chip() noexcept {
    State& s = state();
    std::lock_guard<std::mutex> lock(s.mutex);
    if (!s.chip && s.problem.empty()) load(s);
    return s.chip;
}

std::string chip_problem() noexcept {
    chip();
    std::lock_guard<std::mutex> lock(state().mutex);
    return state().problem;
}

} // namespace device_api::engine
