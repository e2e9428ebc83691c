// SPDX-License-Identifier: Apache-2.0
// Figures and snapshots of the allocator, pinned memory, and raw memory for tests of devices.
#include "memory.hpp"

#include <memory>

#include "device_api/host_memory.h"
#include "runtime.hpp"
#include "streams.hpp"

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

py::dict memory_details(py::handle device) {
    dah_memory_details s{};
    s.size = sizeof s;
    check(dah_get_memory_details(resolve(device), &s));
    py::dict d;
    d["limit"] = s.limit;
    d["held_back"] = s.held_back;
    d["cached"] = s.cached;
    d["stranded"] = s.stranded;
    d["fragmentation"] = s.fragmentation;
    d["pinned_reserved"] = s.pinned_reserved;
    d["pinned_allocated"] = s.pinned_allocated;
    d["pinned_live"] = s.pinned_live;
    d["peer_copies"] = s.peer_copies;
    d["staged_copies"] = s.staged_copies;
    return d;
}

constexpr const char* states[] = {"segment", "live", "held", "free", "uncarved"};
constexpr const char* uses[] = {"large", "small", "direct"};

py::dict describe(const dah_memory_piece& piece) {
    py::dict d;
    d["state"] = states[piece.state];
    d["use"] = uses[piece.use];
    d["address"] = reinterpret_cast<uint64_t>(piece.address);
    d["bytes"] = piece.bytes;
    d["owner"] = dah_memory_owner(piece.owner);
    d["stream"] = piece.stream;
    d["age"] = piece.age;
    d["seconds"] = piece.seconds < 0 ? py::object(py::none()) : py::float_(piece.seconds);
    return d;
}

// The pieces are collected first: Python may free tensors while it makes objects.
py::list memory_snapshot(py::handle device) {
    std::vector<dah_memory_piece> pieces;
    auto add = [](const dah_memory_piece* piece, void* data) {
        static_cast<std::vector<dah_memory_piece>*>(data)->push_back(*piece);
    };
    check(dah_memory_snapshot(resolve(device), add, &pieces));
    py::list rows;
    for (const dah_memory_piece& piece : pieces) rows.append(describe(piece));
    return rows;
}

// Page-locked memory; lives as long as some buffer of it.
struct PinnedMemory {
    dah_device device;
    void* address = nullptr;
    uint64_t bytes;
    PinnedMemory(dah_device d, uint64_t n) : device(d), bytes(n) {
        check(dah_host_malloc(device, bytes ? bytes : 1, &address));
    }
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() { dah_host_free(device, address); }
};

void define_pinned(py::module_& m) {
    py::class_<PinnedMemory>(m, "PinnedMemory", py::buffer_protocol(),
                             "Page-locked host memory of a device.")
        .def_buffer([](PinnedMemory& p) {
            const auto n = static_cast<py::ssize_t>(p.bytes);
            return py::buffer_info(static_cast<uint8_t*>(p.address), n);
        });
    m.def(
        "pinned_memory",
        [](uint64_t bytes, py::handle device) {
            return std::make_unique<PinnedMemory>(resolve(device), bytes);
        },
        arg("nbytes"), arg("device") = py::none());
}

// Whether the copy is only enqueued: where the host memory is pinned. Else it is done on return.
bool copy_host(py::handle x, const py::buffer& host, bool to_host, py::handle stream) {
    if (!is_tensor(x.ptr())) throw py::type_error("an array of device_api is needed");
    dah_tensor* tensor = tensor_of(x.ptr());
    da_tensor t;
    dah_tensor_describe(tensor, &t);
    const py::buffer_info info = host.request(to_host);
    const auto bytes = static_cast<uint64_t>(info.size * info.itemsize);
    if (!bytes) return false;
    const dah_device device = dah_tensor_device(tensor);
    dah_stream* order;
    if (stream.is_none()) {
        check(dah_current_stream(device, &order));
    } else {
        order = stream_of(stream);
    }
    check(dah_tensor_record_stream(tensor, order));
    const bool pinned = dah_host_is_pinned(device, info.ptr) != 0;
    da_status status;
    {
        const Unlocked unlocked(true);
        status = to_host ? dah_copy(DAH_HOST, info.ptr, device, t.data, bytes, order)
                         : dah_copy(device, t.data, DAH_HOST, info.ptr, bytes, order);
        if (!status && !pinned) status = dah_stream_synchronize(order, -1);
    }
    check(status);
    return pinned;
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

PyObject* record_stream(PyObject* tensor, PyObject* stream) {
    try {
        check(dah_tensor_record_stream(tensor_of(tensor), stream_of(stream)));
        Py_RETURN_NONE;
    } catch (py::error_already_set& error) {
        error.restore();
    } catch (const py::builtin_exception& error) {
        error.set_error();
    }
    return nullptr;
}

void add_memory(py::module_& m) {
    define_pinned(m);
    m.def("memory_details", memory_details, arg("device") = py::none());
    m.def("memory_snapshot", memory_snapshot, arg("device") = py::none());
    m.def(
        "set_memory_fraction",
        [](double fraction, py::handle device) {
            check(dah_set_memory_fraction(resolve(device), fraction));
        },
        arg("fraction"), arg("device") = py::none());
    m.def("copy_host", copy_host, arg("x"), arg("host"), arg("to_host"),
          arg("stream") = py::none());
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
