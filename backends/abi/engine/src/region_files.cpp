// SPDX-License-Identifier: Apache-2.0
// The files in which groups of devices meet.
#include "region_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>

namespace device_api::engine {
namespace {

constexpr int most_files = 512;
std::atomic<int> open_files[most_files]; // the file's number + 1; 0 is free

void close_in_child() {
    for (auto& entry : open_files)
        if (const int file = entry.exchange(0)) close(file - 1);
}

struct flock lock_of(short type, long byte) {
    struct flock l{};
    l.l_type = type;
    l.l_whence = SEEK_SET;
    l.l_start = byte;
    l.l_len = byte < 0 ? 0 : 1;
    if (byte < 0) l.l_start = 0; // all of them
    return l;
}

bool held(int file, long byte) {
    struct flock l = lock_of(F_WRLCK, byte);
    return fcntl(file, F_OFD_GETLK, &l) != 0 || l.l_type != F_UNLCK;
}

bool usable_folder(const std::string& path) {
    return !path.empty() && path[0] == '/' && access(path.c_str(), W_OK | X_OK) == 0;
}

} // namespace

const std::string& group_folder() {
    static const std::string* folder = [] {
        const char* temporary = std::getenv("TMPDIR");
        for (const char* candidate : {"/dev/shm", temporary ? temporary : ""})
            if (usable_folder(candidate)) return new std::string(candidate);
        return new std::string("/tmp");
    }();
    return *folder;
}

std::string file_prefix() {
    return "device_api_sim_" + std::to_string(geteuid()) + "_";
}

bool names_group(const std::string& path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos || path[0] != '/') return false;
    const std::string prefix = file_prefix();
    const std::string name = path.substr(slash + 1);
    return name.size() == prefix.size() + 32 && name.compare(0, prefix.size(), prefix) == 0 &&
           name.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
}

bool lock_byte(int file, long byte, bool wait) {
    struct flock l = lock_of(F_WRLCK, byte);
    return fcntl(file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &l) == 0;
}
void unlock_byte(int file, long byte) {
    struct flock l = lock_of(F_UNLCK, byte);
    fcntl(file, F_OFD_SETLK, &l);
}
bool byte_locked(int file, long byte) {
    return held(file, byte);
}

void sweep_files() {
    constexpr int old_s = 60; // whoever makes a file locks it at once
    DIR* folder = opendir(group_folder().c_str());
    if (!folder) return;
    const std::time_t now = std::time(nullptr);
    while (const dirent* entry = readdir(folder)) {
        const std::string path = group_folder() + "/" + entry->d_name;
        if (!names_group(path)) continue;
        const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        struct stat s;
        if (file < 0) continue;
        if (fstat(file, &s) == 0 && s.st_uid == geteuid() && now - s.st_mtime > old_s &&
            !held(file, -1))
            unlink(path.c_str());
        close(file);
    }
    closedir(folder);
}

void note_file(int file) {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, close_in_child); });
    for (auto& entry : open_files) {
        int none = 0;
        if (entry.compare_exchange_strong(none, file + 1)) return;
    }
}
void forget_file(int file) {
    for (auto& entry : open_files) {
        int mine = file + 1;
        if (entry.compare_exchange_strong(mine, 0)) return;
    }
}

} // namespace device_api::engine
