// SPDX-License-Identifier: Apache-2.0
// Child processes and their folder.
#include "process.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "device_api/engine/simt.hpp"

extern char** environ;

namespace device_api::engine::simt {
namespace {

namespace fs = std::filesystem;

std::string found_on_path(const std::string& name) {
    if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
    const char* path = std::getenv("PATH");
    std::stringstream folders(path ? path : "/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + name;
        if (access(file.c_str(), X_OK) == 0 && !fs::is_directory(file)) return file;
    }
    return "";
}

/// Messages in English and without colours, whatever the user has set.
std::vector<std::string> child_environment() {
    std::vector<std::string> all;
    for (char** e = environ; *e; ++e) {
        const std::string entry = *e;
        bool kept = true;
        for (const char* out : {"LC_", "LANG", "GCC_", "CPATH=", "CPLUS_INCLUDE_PATH=",
                                "LD_PRELOAD=", "LD_LIBRARY_PATH=", "LIBRARY_PATH="})
            kept = kept && entry.compare(0, std::strlen(out), out) != 0;
        if (kept) all.push_back(entry);
    }
    all.push_back("LC_ALL=C");
    return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> all;
    for (const std::string& w : words) all.push_back(const_cast<char*>(w.c_str()));
    all.push_back(nullptr);
    return all;
}

std::string drain(int fd) {
    std::string all;
    char part[4096];
    for (ssize_t n; (n = read(fd, part, sizeof part)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        if (n > 0) all.append(part, static_cast<std::size_t>(n));
    }
    return all;
}

} // namespace

Folder::Folder() {
    std::error_code none;
    const fs::path base = fs::temp_directory_path(none);
    std::string name = (base.empty() ? fs::path("/tmp") : base) / "device-api-simt-XXXXXX";
    if (mkdtemp(&name[0])) {
        path = name;
    } else {
        why_ = "no temporary folder " + name + ": " + std::strerror(errno);
    }
}

Folder::~Folder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
}

bool Folder::write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(path) / name;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.close();
    if (out) return true;
    why_ = "cannot write " + file.string() + "; is the disk full?";
    return false;
}

std::string Folder::read(const std::string& name) const {
    std::ifstream in(fs::path(path) / name, std::ios::binary);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

std::string Folder::problem() const {
    return why_ + "\n";
}

Ended run_process(const std::vector<std::string>& words) {
    Ended e;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        e.output = std::string("no pipe: ") + std::strerror(errno);
        return e;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawnattr_t attributes; // signals as if the process were new
    posix_spawnattr_init(&attributes);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const std::vector<std::string> environment = child_environment();
    pid_t pid = 0;
    const int error = posix_spawn(&pid, words[0].c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (error == 0) {
        e.started = true;
        e.output = drain(ends[0]);
        int status = 0;
        pid_t ended;
        while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
        }
        if (ended == pid) e.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        if (ended != pid) e.code = 0; // somebody else waits for all children: the files tell
    } else {
        e.output = words[0] + ": " + std::strerror(error);
    }
    close(ends[0]);
    return e;
}

bool is_gcc(const std::string& program) {
    static std::mutex* lock = new std::mutex;
    static auto* known = new std::map<std::string, bool>;
    std::lock_guard<std::mutex> guard(*lock);
    const auto it = known->find(program);
    if (it != known->end()) return it->second;
    const std::string text = run_process({program, "--version"}).output;
    return (*known)[program] = text.find("clang") == std::string::npos;
}

std::string compiler() noexcept {
    if (const char* named = std::getenv("DEVICE_API_SIM_CXX"); named && *named)
        return found_on_path(named);
    for (const char* name : {"g++", "c++", "clang++"}) {
        const std::string file = found_on_path(name);
        if (!file.empty()) return file;
    }
    return "";
}

} // namespace device_api::engine::simt
