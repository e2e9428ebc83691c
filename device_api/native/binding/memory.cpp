// SPDX-License-Identifier: Apache-2.0
// Figures of the allocator, and raw memory for tests of devices.
#include "runtime.hpp"

namespace device_api::binding {
namespace {

using py::arg;

py::dict memory_stats(py::handle device) {
    dah_memory_stats s{};
    s.size = sizeof s;
    check(dah_get_memory_stats(resolve(device), &s));
    py::dict d;
    d["allocated"] = s.allocated;
    d["peak_allocated"] = s.peak_allocated;
    d["reserved"] = s.reserved;
    d["peak_reserved"] = s.peak_reserved;
    d["live"] = s.live;
    d["allocations"] = s.allocations;
    d["frees"] = s.frees;
    d["segments"] = s.reserved_count;
    d["cache_releases"] = s.cache_releases;
    d["largest_free"] = s.largest_free;
    d["free"] = s.device_free;
    d["total"] = s.device_total;
    return d;
}

uint64_t raw_malloc(uint64_t bytes, py::handle device) {
    void* address = nullptr;
    check(dah_malloc(resolve(device), bytes, nullptr, &address));
    return reinterpret_cast<uint64_t>(address);
}

void raw_free(uint64_t address, py::handle device) {
    check(dah_free(resolve(device), reinterpret_cast<void*>(address)));
}

void copy_in(uint64_t address, const py::buffer& source, py::handle device) {
    const py::buffer_info info = source.request();
    check(dah_copy(resolve(device), reinterpret_cast<void*>(address), DAH_HOST, info.ptr,
                   static_cast<uint64_t>(info.size * info.itemsize), nullptr));
}

py::bytes copy_out(uint64_t address, uint64_t bytes, py::handle device) {
    const dah_device handle = resolve(device);
    py::bytes out(nullptr, bytes);
    check(dah_copy(DAH_HOST, PyBytes_AS_STRING(out.ptr()), handle, reinterpret_cast<void*>(address),
                   bytes, nullptr));
    return out;
}

void raw_fill(uint64_t address, uint8_t value, uint64_t bytes, py::handle device) {
    check(dah_fill(resolve(device), reinterpret_cast<void*>(address), value, bytes, nullptr));
}

} // namespace

void add_memory(py::module_& m) {
    m.def("memory_stats", memory_stats, arg("device") = py::none());
    m.def(
        "empty_cache", [](py::handle device) { check(dah_empty_cache(resolve(device))); },
        arg("device") = py::none());
    m.def(
        "reset_peak", [](py::handle device) { check(dah_reset_peak_memory(resolve(device))); },
        arg("device") = py::none());
    m.def("malloc", raw_malloc, arg("bytes"), arg("device") = py::none());
    m.def("free", raw_free, arg("address"), arg("device") = py::none());
    m.def("memcpy_h2d", copy_in, arg("address"), arg("source"), arg("device") = py::none());
    m.def("memcpy_d2h", copy_out, arg("address"), arg("bytes"), arg("device") = py::none());
    m.def("memset", raw_fill, arg("address"), arg("value"), arg("bytes"),
          arg("device") = py::none());
}

} // namespace device_api::binding
