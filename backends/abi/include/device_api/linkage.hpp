// SPDX-License-Identifier: Apache-2.0
// Opening vendor libraries, real or simulated, so that one never answers for the other.
//
// The dynamic linker knows a library by its soname: once some file with a soname is mapped, a later
// dlopen of that soname gets the mapped one, whatever folder it came from. So every opening here is
// RTLD_LOCAL, looks first at what is mapped, and reports which file it got. A library that (through
// what it needs) has the symbol das_control_table is a simulated one.
#pragma once

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace device_api::linkage {

/// A file mapped into this process by the dynamic linker.
struct Mapped {
    std::string path;   // as the linker has it; "" for the program itself
    std::string soname; // DT_SONAME, "" when the file has none
};

enum class Outcome { loaded, not_found, refused, broken };

struct Library {
    Outcome outcome = Outcome::not_found;
    void* handle = nullptr; // for dlsym; never dlclose it: vendor libraries do not survive that
    std::string path;       // the file that was mapped
    bool simulated = false;
    std::string message; // unless loaded: what happened and what to do

    explicit operator bool() const { return outcome == Outcome::loaded; }
    void* symbol(const char* name) const { return handle ? dlsym(handle, name) : nullptr; }
};

inline std::string basename_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1); // npos + 1 == 0
}

namespace detail {

inline std::string soname_of_mapped(const dl_phdr_info& info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        auto* d = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
        ElfW(Addr) strings = 0, offset = 0;
        bool found = false;
        for (; d->d_tag != DT_NULL; ++d) {
            if (d->d_tag == DT_STRTAB) strings = d->d_un.d_ptr;
            if (d->d_tag == DT_SONAME) offset = d->d_un.d_val, found = true;
        }
        if (!found || !strings) return "";
        if (strings < info.dlpi_addr) strings += info.dlpi_addr; // not relocated by every linker
        return reinterpret_cast<const char*>(strings) + offset;
    }
    return "";
}

inline int collect(dl_phdr_info* info, size_t, void* out) {
    std::string path = info->dlpi_name ? info->dlpi_name : "";
    if (path.find('/') == std::string::npos) return 0; // the program itself, the vdso
    static_cast<std::vector<Mapped>*>(out)->push_back({std::move(path), soname_of_mapped(*info)});
    return 0;
}

inline bool same_file(const std::string& a, const std::string& b) {
    struct stat sa, sb;
    if (stat(a.c_str(), &sa) != 0 || stat(b.c_str(), &sb) != 0) return a == b;
    return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

inline std::string path_of(void* handle, const std::string& fallback) {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name || !*map->l_name)
        return fallback;
    return map->l_name;
}

inline std::string last_error() {
    const char* text = dlerror();
    return text ? text : "unknown dynamic linker error";
}

/// Is the file there at all? Tells "not installed" from "installed but does not load".
inline bool exists(const std::string& path) {
    struct stat s;
    return stat(path.c_str(), &s) == 0;
}

} // namespace detail

/// All files that the dynamic linker has mapped, in load order.
inline std::vector<Mapped> mapped() {
    std::vector<Mapped> all;
    dl_iterate_phdr(detail::collect, &all);
    return all;
}

/// The DT_SONAME of a shared library file, "" when it has none or is not one for this machine.
inline std::string soname_of_file(const std::string& path) {
    std::FILE* f = std::fopen(path.c_str(), "rb");
    if (!f) return "";
    auto read_at = [f](std::uint64_t at, void* to, size_t n) {
        return std::fseek(f, static_cast<long>(at), SEEK_SET) == 0 && std::fread(to, 1, n, f) == n;
    };
    std::string name;
    ElfW(Ehdr) head;
    if (read_at(0, &head, sizeof head) && std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
        head.e_ident[EI_CLASS] == (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) {
        std::vector<ElfW(Phdr)> segments(head.e_phnum);
        std::vector<ElfW(Dyn)> dynamic;
        bool good = read_at(head.e_phoff, segments.data(), segments.size() * sizeof(ElfW(Phdr)));
        for (auto& s : segments) {
            if (!good || s.p_type != PT_DYNAMIC || s.p_filesz > (1u << 20)) continue;
            dynamic.resize(s.p_filesz / sizeof(ElfW(Dyn)));
            good = read_at(s.p_offset, dynamic.data(), dynamic.size() * sizeof(ElfW(Dyn)));
        }
        std::uint64_t strings = 0, offset = UINT64_MAX;
        for (auto& d : dynamic) {
            if (d.d_tag == DT_NULL) break;
            if (d.d_tag == DT_STRTAB) strings = d.d_un.d_ptr;
            if (d.d_tag == DT_SONAME) offset = d.d_un.d_val;
        }
        for (auto& s : segments) {
            if (!good || offset == UINT64_MAX || s.p_type != PT_LOAD) continue;
            if (strings < s.p_vaddr || strings >= s.p_vaddr + s.p_filesz) continue;
            if (std::fseek(f, static_cast<long>(strings - s.p_vaddr + s.p_offset + offset),
                           SEEK_SET))
                break;
            for (int c; (c = std::fgetc(f)) > 0 && name.size() < 4096;) name.push_back(char(c));
            break;
        }
    }
    std::fclose(f);
    return name;
}

/// A mapped file other than `path` (which may not exist) that answers to the same soname or file
/// name; "" when none.
inline std::string conflict(const std::string& path) {
    const std::string base = basename_of(path);
    std::string soname = soname_of_file(path);
    if (soname.empty()) soname = base;
    for (const Mapped& m : mapped()) {
        const std::string other = basename_of(m.path);
        const bool alike =
            m.soname == soname || m.soname == base || other == soname || other == base;
        if (alike && !detail::same_file(m.path, path)) return m.path;
    }
    return "";
}

/// Open exactly this file. Refused when another file with its soname or file name is mapped.
inline Library open_path(const std::string& path) {
    Library lib;
    lib.path = path;
    if (!detail::exists(path)) {
        lib.message = path + ": no such file";
        return lib;
    }
    const std::string other = conflict(path);
    if (!other.empty()) {
        lib.outcome = Outcome::refused;
        lib.message = "not loading " + path + ": " + other +
                      " with the same library name is already mapped in this process and would "
                      "answer in its place; "
                      "use one of the two per process (start a fresh one)";
        return lib;
    }
    lib.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!lib.handle) {
        lib.outcome = Outcome::broken;
        lib.message = path + " does not load: " + detail::last_error();
        return lib;
    }
    lib.outcome = Outcome::loaded;
    lib.path = detail::path_of(lib.handle, path);
    lib.simulated = dlsym(lib.handle, "das_control_table") != nullptr;
    return lib;
}

/// Open a simulated library of `folder`. A file there that is not simulated is refused.
inline Library open_simulated(const std::string& folder, const std::string& soname) {
    Library lib = open_path(folder + "/" + soname);
    if (lib && !lib.simulated) {
        lib.outcome = Outcome::refused;
        lib.handle = nullptr;
        lib.message =
            lib.path +
            " is not a simulated library (it has no das_control_table); reinstall the backend";
    }
    return lib;
}

/// Open a real vendor library: the first of `names` that loads, each a soname (the linker's own
/// search: LD_LIBRARY_PATH, run paths, the system's folders) or a path. A simulated library is
/// refused.
inline Library open_real(const std::vector<std::string>& names) {
    Library result;
    std::string tried;
    for (const std::string& name : names) {
        const bool is_path = name.find('/') != std::string::npos;
        Library lib;
        if (is_path) {
            lib = open_path(name);
        } else if ((lib.handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) != nullptr) {
            lib.outcome = Outcome::loaded;
            lib.path = detail::path_of(lib.handle, name);
            lib.simulated = dlsym(lib.handle, "das_control_table") != nullptr;
        } else {
            lib.message = detail::last_error();
            const bool absent = lib.message.find(name + ": cannot open shared object file") == 0;
            lib.outcome = absent ? Outcome::not_found : Outcome::broken;
        }
        if (lib && lib.simulated) {
            lib.outcome = Outcome::refused;
            lib.handle = nullptr;
            lib.message =
                "not using " + lib.path + " for " + name +
                ": it is a simulated library and a real one was asked for; a process that has "
                "simulated a "
                "chip cannot use the real one (start a fresh process without DEVICE_API_SIMULATE)";
        }
        if (lib || lib.outcome == Outcome::refused) return lib;
        tried += (tried.empty() ? "" : "; ") + lib.message;
        if (result.outcome == Outcome::not_found)
            result = lib; // the first real failure is the headline
    }
    result.message = tried.empty() ? "no library name given" : tried;
    return result;
}

} // namespace device_api::linkage
