// SPDX-License-Identifier: Apache-2.0
// Loading images: from a file without a name, into this process, visible to nobody else.
#include "module.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.hpp"
#include "process.hpp"

namespace device_api::engine::simt {
namespace {

void* open_file(const std::string& name) {
    return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// A way to say the file that no module had before: the linker takes a file whose name it knows for
/// the one that it has loaded, and numbers of files come again.
std::string unique_path(int fd) {
    static std::atomic<unsigned> counter{0};
    std::string path = "/proc/self/";
    for (unsigned bits = counter.fetch_add(1) + 1; bits; bits /= 2)
        path += bits % 2 ? "fd/../" : "./";
    return path + "fd/" + std::to_string(fd);
}

/// From memory, or, where such files may not hold code, from a temporary one.
void* open_image(const void* image, std::size_t bytes) {
    const int fd = memfd_create("simulated-kernels", MFD_CLOEXEC);
    void* handle = nullptr;
    if (fd >= 0) {
        std::size_t done = 0;
        for (ssize_t n; done < bytes; done += static_cast<std::size_t>(n))
            if ((n = write(fd, static_cast<const char*>(image) + done, bytes - done)) <= 0) break;
        if (done == bytes) handle = open_file(unique_path(fd));
        close(fd);
    }
    if (handle) return handle;
    const Folder in;
    if (!in.write("kernels.so", std::string(static_cast<const char*>(image), bytes)))
        return nullptr;
    return open_file(in.path + "/kernels.so");
}

struct TlsSearch {
    const void* inside;
    std::size_t bytes = 0;
    void* block = nullptr;
};

int find_tls(dl_phdr_info* info, std::size_t, void* argument) {
    auto* search = static_cast<TlsSearch*>(argument);
    const auto p = reinterpret_cast<std::uintptr_t>(search->inside);
    bool mine = false;
    std::size_t bytes = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& h = info->dlpi_phdr[i];
        const std::uintptr_t begin = info->dlpi_addr + h.p_vaddr;
        if (h.p_type == PT_LOAD && p >= begin && p < begin + h.p_memsz) mine = true;
        if (h.p_type == PT_TLS) bytes = h.p_memsz;
    }
    if (!mine) return 0;
    search->bytes = bytes;
    search->block = info->dlpi_tls_data;
    return 1;
}

std::string lowered(const Entry& e) {
    Dl_info info{};
    Elf64_Sym* symbol = nullptr;
    if (dladdr1(e.address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) &&
        info.dli_sname && info.dli_saddr == e.address)
        return info.dli_sname;
    return e.name;
}

bool begins_with(const std::string& text, const std::string& prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

/// What the compiler calls the local statics of a function begins so.
std::string prefix_of_locals(const std::string& function) {
    const std::string encoded = begins_with(function, "_Z")
                                    ? function.substr(2)
                                    : std::to_string(function.size()) + function;
    return "_ZZ" + encoded + "E";
}

bool of_prelude(const std::string& name) {
    if (begins_with(name, "simt_bound.")) return true;
    for (const char* own :
         {"_ZL9threadIdx", "_ZL8blockIdx", "_ZL8blockDim", "_ZL7gridDim", "_ZL10simt_begin",
          "_ZL8simt_end", "_ZL12simt_dynamic", "_ZL18simt_dynamic_bytes"})
        if (name == own) return true;
    return false;
}

/// Arrays of functions that kernels call are counted for each kernel: who calls whom is not known.
void count_shared(Module* m, const std::vector<SharedSymbol>& symbols) {
    for (const SharedSymbol& s : symbols) {
        if (of_prelude(s.name)) continue;
        Function* owner = nullptr;
        for (Function& f : m->functions)
            if (begins_with(s.name, prefix_of_locals(f.name))) owner = &f;
        for (Function& f : m->functions)
            if (!owner || owner == &f) f.static_shared += s.bytes;
    }
}

void list_functions(Module* m) {
    for (unsigned i = 0; i < m->table->count; ++i) {
        const Entry& e = m->table->entries[i];
        const std::string name = lowered(e);
        if (e.expression) m->expressions[e.name] = name;
        if (!e.run) continue;
        const bool known = std::any_of(m->functions.begin(), m->functions.end(),
                                       [&](const Function& f) { return f.name == name; });
        if (known) continue;
        Function f;
        f.name = name;
        for (unsigned p = 0; p < e.count; ++p)
            f.params.push_back({e.params[p].offset, e.params[p].size});
        f.param_bytes = e.bytes;
        f.max_threads = static_cast<int>(e.max_threads);
        f.entry = reinterpret_cast<void (*)(const void*)>(e.run);
        m->functions.push_back(std::move(f));
    }
}

} // namespace

Module::~Module() {
    if (handle) dlclose(handle);
}

void* Module::thread_block() const {
    TlsSearch search{table};
    dl_iterate_phdr(find_tls, &search);
    return search.block;
}

Status load(const void* image, std::size_t bytes, ModulePtr* out) noexcept {
    try {
        if (!image || image_size(image, bytes) == 0)
            return fail(Status::invalid_value,
                        "the image is none that the simulated run-time compiler has made");
        auto m = std::make_shared<Module>();
        m->handle = open_image(image, bytes);
        if (!m->handle)
            return fail(Status::invalid_value, "the image cannot be loaded: %s", dlerror());
        m->table = static_cast<const Table*>(dlsym(m->handle, table_symbol));
        if (!m->table || m->table->version != table_version)
            return fail(Status::invalid_value, "the image is of another release of the simulator");
        if (m->table->level > host_level())
            return fail(Status::invalid_value,
                        "the image was compiled on a host with wider vectors than this one has; "
                        "compile it again here");
        *m->table->runtime = &runtime;
        TlsSearch search{m->table};
        dl_iterate_phdr(find_tls, &search);
        m->tls_bytes = search.bytes;
        list_functions(m.get());
        count_shared(m.get(), thread_symbols(image, bytes));
        *out = m;
        return Status::ok;
    } catch (...) {
        return fail(Status::internal, "host memory exhausted");
    }
}

std::vector<std::string> function_names(const Module& m) {
    std::vector<std::string> all;
    for (const Function& f : m.functions) all.push_back(f.name);
    return all;
}

FunctionPtr find_function(const ModulePtr& m, const std::string& name) {
    for (const Function& f : m->functions)
        if (f.name == name) {
            auto found = std::make_shared<Function>(f);
            found->module = m;
            return found;
        }
    return nullptr;
}

std::string architecture(const Module& m) {
    return m.table->architecture;
}

int warp_size(const Module& m) {
    return static_cast<int>(m.table->warp);
}

std::string lowered_name(const Module& m, const std::string& expression) {
    const auto it = m.expressions.find(expression);
    return it == m.expressions.end() ? "" : it->second;
}

unsigned host_level() noexcept {
    static const unsigned level = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                          __builtin_cpu_supports("bmi2")
                                      ? level_v3
                                      : level_baseline;
    return level;
}

} // namespace device_api::engine::simt
