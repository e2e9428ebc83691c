// SPDX-License-Identifier: Apache-2.0
// The disk cache of kernels: what it gives back, what it refuses, how it stays small and whole.
#include "cache.hpp"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "device_api/simt/driver.hpp"

using namespace device_api::simt;

// The library wants a plugin; these tests open none.
namespace device_api::simt {
const Plugin plugin{"none", "none", "0", "NONE", nullptr};
}

namespace {

int failures = 0;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                            \
            ++failures;                                                                            \
        }                                                                                          \
    } while (false)

std::string root;

std::string fresh_folder() {
    static int number = 0;
    const std::string folder = root + "/cache" + std::to_string(number++) + "/deep/er";
    setenv("DEVICE_API_KERNEL_CACHE", folder.c_str(), 1);
    return folder;
}

std::vector<std::string> entries(const std::string& folder) {
    std::vector<std::string> found;
    DIR* dir = opendir(folder.c_str());
    while (const dirent* e = dir ? readdir(dir) : nullptr)
        if (e->d_name[0] != '.') found.push_back(folder + "/" + e->d_name);
    if (dir) closedir(dir);
    return found;
}

void gives_back_what_was_stored() {
    const std::string folder = fresh_folder();
    CHECK(cache_read("key").empty());
    const std::string image("with\0zeros", 10);
    cache_write("key", image);
    CHECK(cache_read("key") == image);
    CHECK(cache_read("other key").empty());
    cache_write("key", "another");
    CHECK(cache_read("key") == "another");
    CHECK(entries(folder).size() == 1); // no drafts are left
}

void refuses_damage() {
    const std::string folder = fresh_folder();
    const std::string image(5000, 'x');
    cache_write("key", image);
    const std::string path = entries(folder).at(0);
    struct stat s;
    CHECK(stat(path.c_str(), &s) == 0);
    for (off_t at = 0; at < s.st_size; at += 97) { // a byte changed anywhere
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(at);
        const char old = static_cast<char>(file.get());
        file.seekp(at);
        file.put(static_cast<char>(old ^ 0x20));
        file.close();
        CHECK(cache_read("key").empty());
        cache_write("key", image); // made anew
        CHECK(cache_read("key") == image);
    }
    for (const off_t length : {off_t(0), off_t(7), off_t(31), s.st_size / 2, s.st_size - 1}) {
        CHECK(truncate(path.c_str(), length) == 0);
        CHECK(cache_read("key").empty());
        cache_write("key", image);
    }
    CHECK(cache_read("key") == image);
}

void refuses_what_others_may_write() {
    const std::string folder = fresh_folder();
    cache_write("key", "image");
    const std::string path = entries(folder).at(0);
    chmod(path.c_str(), 0622);
    CHECK(cache_read("key").empty());
    chmod(path.c_str(), 0600);
    CHECK(cache_read("key") == "image");
    const std::string elsewhere = root + "/elsewhere";
    CHECK(rename(path.c_str(), elsewhere.c_str()) == 0 &&
          symlink(elsewhere.c_str(), path.c_str()) == 0);
    CHECK(cache_read("key").empty());
    unlink(path.c_str());
    chmod(folder.c_str(), 0777);
    cache_write("key", "image");
    CHECK(entries(folder).empty());
    chmod(folder.c_str(), 0700);
}

void can_be_off() {
    setenv("DEVICE_API_KERNEL_CACHE", "0", 1);
    CHECK(cache_folder().empty());
    cache_write("key", "image");
    CHECK(cache_read("key").empty());
    unsetenv("DEVICE_API_KERNEL_CACHE");
    setenv("XDG_CACHE_HOME", root.c_str(), 1);
    CHECK(cache_folder() == root + "/device_api/kernels");
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    CHECK(cache_folder() == "/home/somebody/.cache/device_api/kernels");
    unsetenv("HOME");
    CHECK(cache_folder().empty());
}

void stays_small() {
    const std::string folder = fresh_folder();
    setenv("DEVICE_API_KERNEL_CACHE_MB", "1", 1);
    const std::string image(100000, 'x');
    for (int i = 0; i < 200; ++i) cache_write("key " + std::to_string(i), image);
    std::size_t total = 0;
    for (const std::string& path : entries(folder)) {
        struct stat s;
        if (stat(path.c_str(), &s) == 0) total += static_cast<std::size_t>(s.st_size);
    }
    CHECK(total <= (1u << 20) + 64 * 101000); // looked at once in 64 entries
    CHECK(cache_read("key 199") == image);
    unsetenv("DEVICE_API_KERNEL_CACHE_MB");
}

// Several processes write and read the same entries: each read gives a whole image or nothing.
void is_safe_under_many_processes() {
    const std::string folder = fresh_folder();
    constexpr int processes = 4, rounds = 60;
    for (int p = 0; p < processes; ++p) {
        if (fork() != 0) continue;
        int wrong = 0;
        for (int i = 0; i < rounds; ++i) {
            const std::string key = "key " + std::to_string(i % 5);
            const std::string image(20000 + 100 * (i % 5), static_cast<char>('a' + i % 5));
            cache_write(key, image);
            const std::string found = cache_read(key);
            if (found != image) ++wrong; // all write the same image under a key
        }
        _exit(wrong ? 1 : 0);
    }
    for (int p = 0; p < processes; ++p) {
        int status = 0;
        wait(&status);
        CHECK(status == 0);
    }
    CHECK(entries(folder).size() == 5);
}

} // namespace

int main() {
    char name[] = "/tmp/kernel_cache_XXXXXX";
    const char* base = std::getenv("TMPDIR");
    root = base && *base ? std::string(base) + "/kernel_cache_" + std::to_string(getpid()) : "";
    if (root.empty())
        root = mkdtemp(name);
    else
        mkdir(root.c_str(), 0700);
    gives_back_what_was_stored();
    refuses_damage();
    refuses_what_others_may_write();
    can_be_off();
    stays_small();
    is_safe_under_many_processes();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
