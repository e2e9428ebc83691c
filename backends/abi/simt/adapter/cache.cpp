// SPDX-License-Identifier: Apache-2.0
// Entry: magic, length of key, length of image, checksum of both, key, image.
#include "cache.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace device_api::simt {
namespace {

constexpr char magic[8] = {'d', 'a', 's', 'i', 'm', 't', '0', '1'};

struct Header {
    char magic[8];
    std::uint64_t key_bytes;
    std::uint64_t image_bytes;
    std::uint64_t checksum;
};

constexpr std::uint64_t most_image = 64u << 20;
constexpr std::uint64_t default_megabytes = 512;

class File {
  public:
    explicit File(int fd) : fd_(fd) {}
    ~File() {
        if (fd_ >= 0) close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }

  private:
    int fd_;
};

bool only_ours(const struct stat& s) {
    return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Make the folder and its parents; one that others may write is not used.
bool make_folder(const std::string& folder) {
    for (std::size_t at = 1; at != std::string::npos;) {
        at = folder.find('/', at);
        const std::string part = folder.substr(0, at);
        if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) return false;
        if (at != std::string::npos) ++at;
    }
    struct stat s;
    return stat(folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && only_ours(s);
}

std::string path_of(const std::string& folder, const std::string& key) {
    char name[64];
    std::snprintf(name, sizeof name, "/%016llx%016llx.kernel", hash_of(key),
                  hash_of(key, 0x9e3779b97f4a7c15ull));
    return folder + name;
}

bool read_all(int fd, void* to, std::size_t bytes) {
    char* at = static_cast<char*>(to);
    while (bytes) {
        const ssize_t n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

bool write_all(int fd, const void* from, std::size_t bytes) {
    const char* at = static_cast<const char*>(from);
    while (bytes) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= static_cast<std::size_t>(n);
    }
    return true;
}

std::uint64_t limit_bytes() {
    const char* value = std::getenv("DEVICE_API_KERNEL_CACHE_MB");
    const unsigned long long mb = value && *value ? std::strtoull(value, nullptr, 10) : 0;
    return (mb ? mb : default_megabytes) << 20;
}

struct Entry {
    std::string path;
    std::uint64_t bytes;
    timespec used;
};

// Remove what was used longest ago until three quarters of the limit are left.
void shrink(const std::string& folder) {
    DIR* dir = opendir(folder.c_str());
    if (!dir) return;
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    while (const dirent* e = readdir(dir)) {
        const std::string name = e->d_name, path = folder + "/" + name;
        struct stat s;
        if (name.find(".kernel") == std::string::npos || lstat(path.c_str(), &s) != 0) continue;
        if (!S_ISREG(s.st_mode)) continue;
        entries.push_back({path, static_cast<std::uint64_t>(s.st_size), s.st_mtim});
        total += entries.back().bytes;
    }
    closedir(dir);
    const std::uint64_t limit = limit_bytes();
    if (total <= limit) return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec
                                              : a.used.tv_nsec < b.used.tv_nsec;
    });
    for (const Entry& e : entries) {
        if (total <= limit / 4 * 3) break;
        if (unlink(e.path.c_str()) == 0) total -= e.bytes;
    }
}

} // namespace

unsigned long long hash_of(const std::string& text, unsigned long long seed) {
    unsigned long long h = seed;
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return h;
}

std::string cache_folder() {
    const char* own = std::getenv("DEVICE_API_KERNEL_CACHE");
    if (own) return std::strcmp(own, "0") == 0 ? "" : own;
    const char* base = std::getenv("XDG_CACHE_HOME");
    if (base && base[0] == '/') return std::string(base) + "/device_api/kernels";
    const char* home = std::getenv("HOME");
    return home && home[0] == '/' ? std::string(home) + "/.cache/device_api/kernels" : "";
}

std::string cache_read(const std::string& key) {
    const std::string folder = cache_folder();
    if (folder.empty()) return "";
    const File file(open(path_of(folder, key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat s;
    if (!file || fstat(file.get(), &s) != 0 || !S_ISREG(s.st_mode) || !only_ours(s)) return "";
    Header h;
    if (!read_all(file.get(), &h, sizeof h) || std::memcmp(h.magic, magic, sizeof magic) != 0)
        return "";
    if (h.key_bytes != key.size() || h.image_bytes == 0 || h.image_bytes > most_image) return "";
    std::string stored(h.key_bytes, '\0'), image(h.image_bytes, '\0');
    if (!read_all(file.get(), stored.data(), stored.size()) || stored != key) return "";
    if (!read_all(file.get(), image.data(), image.size())) return "";
    if (hash_of(image, hash_of(stored)) != h.checksum) return "";
    futimens(file.get(), nullptr); // it was used now
    return image;
}

void cache_write(const std::string& key, const std::string& image) {
    const std::string folder = cache_folder();
    if (folder.empty() || image.size() > most_image || !make_folder(folder)) return;
    static std::atomic<unsigned> counter{0};
    const unsigned number = counter.fetch_add(1);
    const std::string path = path_of(folder, key);
    const std::string draft =
        path + "." + std::to_string(getpid()) + "." + std::to_string(number) + ".tmp";
    Header h{};
    std::memcpy(h.magic, magic, sizeof magic);
    h.key_bytes = key.size();
    h.image_bytes = image.size();
    h.checksum = hash_of(image, hash_of(key));
    bool whole = false;
    {
        const File file(open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!file) return;
        whole = write_all(file.get(), &h, sizeof h) &&
                write_all(file.get(), key.data(), key.size()) &&
                write_all(file.get(), image.data(), image.size());
    }
    if (!whole || rename(draft.c_str(), path.c_str()) != 0) {
        unlink(draft.c_str());
        return;
    }
    if (number % 64 == 0) shrink(folder);
}

} // namespace device_api::simt
