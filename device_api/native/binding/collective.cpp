// SPDX-License-Identifier: Apache-2.0
// Communicators for Python.
#include "device_api/host_collective.h"

#include <memory>

#include "runtime.hpp"
#include "streams.hpp"

namespace device_api::binding {
namespace {

using py::arg;

// While it lives, launches give the interpreter lock up, as behind a callback: one that finds the
// stream's queue full waits for a collective, and so for a rank that may be a thread of this
// process.
struct Comm {
    dah_comm* comm = nullptr;
    explicit Comm(dah_comm* c) : comm(c) { ++callbacks_ahead; }
    Comm(const Comm&) = delete;
    Comm& operator=(const Comm&) = delete;
    ~Comm() { close(); }
    void close() {
        if (!comm) return;
        dah_comm* mine = comm;
        comm = nullptr;
        {
            const Unlocked unlocked(true); // waits for its streams
            dah_comm_release(mine);
        }
        --callbacks_ahead;
    }
    dah_comm* get() const {
        if (comm) return comm;
        raise_kind("invalid_argument", "the communicator has been closed", "make a new group");
        throw py::error_already_set();
    }
};

py::bytes make_id(py::handle device) {
    std::string id(DAB_COMM_ID_MAX, '\0');
    uint32_t bytes = 0;
    check(dah_comm_id(resolve(device), &id[0], &bytes));
    id.resize(bytes);
    return py::bytes(id);
}

std::unique_ptr<Comm> join(py::handle device, const std::string& id, int32_t ranks, int32_t rank,
                           double timeout) {
    const dah_device handle = resolve(device);
    const int32_t ms = timeout < 0 ? -1 : static_cast<int32_t>(timeout * 1e3);
    dah_comm* comm = nullptr;
    da_status status;
    {
        const Unlocked unlocked(true);
        status = dah_comm_create(handle, id.data(), static_cast<uint32_t>(id.size()), ranks, rank,
                                 ms, &comm);
    }
    check(status);
    return std::make_unique<Comm>(comm);
}

dah_tensor* optional(py::handle object) {
    if (object.is_none()) return nullptr;
    if (!is_tensor(object.ptr())) throw py::type_error("a device_api.Tensor is needed");
    return tensor_of(object.ptr());
}

void collective(const Comm& c, int kind, int reduction, int peer, py::handle source,
                py::handle target, py::handle stream) {
    dah_comm* comm = c.get();
    dah_tensor* from = optional(source);
    dah_tensor* to = optional(target);
    dah_stream* queue = stream_of(stream);
    da_status status;
    {
        const Unlocked unlocked(true);
        status = dah_comm_collective(comm, queue, kind, reduction, peer, from, to);
    }
    check(status);
}

} // namespace

void add_collectives(py::module_& m) {
    m.def("comm_id", make_id, arg("device"));
    m.def("comm_group_begin",
          [](py::handle device) { check(dah_comm_group_begin(resolve(device))); });
    m.def("comm_group_end", [](py::handle device) {
        const dah_device handle = resolve(device);
        da_status status;
        {
            const Unlocked unlocked(true); // launches what the group holds
            status = dah_comm_group_end(handle);
        }
        check(status);
    });
    py::class_<Comm>(m, "Comm", "One rank of a group of devices.")
        .def(py::init(&join), arg("device"), arg("id"), arg("ranks"), arg("rank"),
             arg("timeout") = -1.0)
        .def_property_readonly("rank", [](const Comm& c) { return dah_comm_rank(c.get()); })
        .def_property_readonly("ranks", [](const Comm& c) { return dah_comm_ranks(c.get()); })
        .def("collective", collective, arg("kind"), arg("reduction"), arg("peer"), arg("source"),
             arg("target"), arg("stream"))
        .def("check", [](const Comm& c) { check(dah_comm_query(c.get())); })
        .def("abort", [](const Comm& c) { check(dah_comm_abort(c.get())); })
        .def("close", &Comm::close);
}

} // namespace device_api::binding
