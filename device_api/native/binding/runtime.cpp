// SPDX-License-Identifier: Apache-2.0
// Backends, devices and accounts: the cold functions of the module.
#include "runtime.hpp"

#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace device_api::binding {
namespace {

using py::arg;

void load_backend(const std::string& type, const std::string& library,
                  const std::map<std::string, std::string>& options) {
    std::vector<const char*> pairs;
    for (const auto& [key, value] : options) {
        pairs.push_back(key.c_str());
        pairs.push_back(value.c_str());
    }
    da_status status;
    {
        const Unlocked unlocked(true);
        status = dah_backend_load(type.c_str(), library.c_str(), pairs.data(),
                                  static_cast<uint32_t>(options.size()));
    }
    check(status);
}

std::vector<std::string> loaded_types() {
    std::vector<std::string> names;
    for (int32_t i = 0; i < dah_type_count(); ++i) names.emplace_back(dah_type_name(i));
    return names;
}

int32_t type_id(const std::string& type) {
    const int32_t id = dah_type_find(type.c_str());
    if (id >= 0) return id;
    raise_kind("unknown_device", ("no backend for '" + type + "' is loaded").c_str(),
               "call device_api.set_device() first");
    throw py::error_already_set();
}

// Names of the optional members that a plugin has.
py::tuple optional_members(const dab_backend& table) {
    py::list found;
#define OPTIONAL(member)                                                                           \
    if (DAB_HAS(dab_backend, table.size, member) && table.member) found.append(#member);
    OPTIONAL(device_open)
    OPTIONAL(device_synchronize)
    OPTIONAL(device_reset)
    OPTIONAL(memory_info)
    OPTIONAL(host_alloc)
    OPTIONAL(copy_peer)
    OPTIONAL(fill)
    OPTIONAL(stream_query)
    OPTIONAL(stream_wait_event)
    OPTIONAL(stream_callback)
    OPTIONAL(event_create)
    OPTIONAL(telemetry)
    OPTIONAL(comm_create)
    OPTIONAL(comm_query)
    OPTIONAL(comm_abort)
    OPTIONAL(comm_group_begin)
#undef OPTIONAL
    return py::tuple(found);
}

py::dict backend_info(const std::string& type) {
    const int32_t id = type_id(type);
    const dab_backend* table = dah_type_table(id);
    py::dict info;
    info["type"] = type;
    info["vendor"] = table->vendor;
    info["version"] = table->version;
    info["abi"] = py::make_tuple(table->abi_major, table->abi_minor);
    info["library"] = dah_type_library(id);
    info["op_count"] = table->op_count;
    info["optional"] = optional_members(*table);
    return info;
}

py::dict properties(py::handle device, bool given) {
    dab_properties p{};
    p.size = sizeof p;
    const dah_device handle = resolve(device);
    check(given ? dah_device_properties_given(handle, &p) : dah_device_properties(handle, &p));
    py::dict d;
    d["name"] = p.name;
    d["arch"] = p.arch;
    d["uuid"] = p.uuid;
    d["pci_bus_id"] = p.pci_bus_id;
    d["driver"] = p.driver;
    d["runtime"] = p.runtime;
    d["driver_version"] = p.driver_version;
    d["runtime_version"] = p.runtime_version;
    d["total_memory"] = p.total_memory;
    d["alignment"] = p.alignment;
    d["compute_units"] = p.compute_units;
    d["max_threads_per_unit"] = p.max_threads_per_unit;
    d["max_threads_per_block"] = p.max_threads_per_block;
    d["max_grid"] = py::make_tuple(p.max_grid[0], p.max_grid[1], p.max_grid[2]);
    d["capability"] = py::make_tuple(p.capability_major, p.capability_minor);
    d["stream_priorities"] = py::make_tuple(p.stream_priority_least, p.stream_priority_greatest);
    d["dlpack_type"] = p.dlpack_type;
    d["simulated"] = bool(p.flags & DAB_DEVICE_SIMULATED);
    d["host_memory"] = bool(p.flags & DAB_DEVICE_HOST_MEMORY);
    d["synchronous"] = bool(p.flags & DAB_DEVICE_SYNCHRONOUS);
    d["flushes_subnormals"] = bool(p.flags & DAB_DEVICE_FLUSHES_SUBNORMALS);
    return d;
}

const std::pair<uint32_t, const char*> op_flags[] = {
    {DAB_OP_STRIDED, "strided"},
    {DAB_OP_IN_PLACE, "in_place"},
    {DAB_OP_IMMEDIATE, "immediate"},
    {DAB_OP_NONDETERMINISTIC, "nondeterministic"},
};

py::dict ops(py::handle device) {
    const dah_device handle = resolve(device);
    py::dict all;
    for (uint16_t op = 1; op <= DA_OP_COUNT; ++op) {
        const dab_op* entry = dah_device_op(handle, op);
        if (!entry) continue;
        py::dict row;
        row["dtypes"] = names_of(entry->dtypes);
        row["others"] = names_of(entry->others);
        py::list flags;
        for (const auto& [bit, name] : op_flags) {
            if (entry->flags & bit) flags.append(name);
        }
        row["flags"] = flags;
        all[op_names[op]] = row;
    }
    return all;
}

// ---- accounts ----

const char* const policies[] = {"error", "warn", "allow"};

void set_policy(const std::string& policy, bool thread) {
    for (int i = 0; i < 3; ++i) {
        if (policy == policies[i]) return dah_set_fallback_policy(i, thread);
    }
    if (thread && policy.empty()) return dah_set_fallback_policy(-1, 1);
    raise_kind("invalid_argument", ("'" + policy + "' is not a fallback policy").c_str(),
               "use 'error', 'warn' or 'allow'");
    throw py::error_already_set();
}

py::dict record(const dah_fallback_record& r) {
    py::dict d;
    d["op"] = op_names[r.op];
    d["dtype"] = dah_dtype_name(r.dtype);
    d["device"] = py::str(py::reinterpret_steal<py::object>(device_object(r.device)));
    d["count"] = r.count;
    d["bytes"] = r.bytes;
    d["seconds"] = r.seconds;
    d["reason"] = r.reason;
    return d;
}

py::list fallback_report() {
    std::vector<dah_fallback_record> records(dah_fallback_report(nullptr, 0));
    const uint32_t n = dah_fallback_report(records.data(), static_cast<uint32_t>(records.size()));
    py::list list;
    for (uint32_t i = 0; i < std::min<size_t>(n, records.size()); ++i) {
        list.append(record(records[i]));
    }
    return list;
}

// The first fallback of an op: the Python part issues the warning.
void notify(const dah_fallback_record* r) {
    if (!Py_IsInitialized() || finalizing()) return;
    const Locked locked;
    const std::string device = py::str(py::reinterpret_steal<py::object>(device_object(r->device)));
    PyObject* callable = hook("fallback");
    PyObject* result = callable ? stay_at_exit([&] {
        return PyObject_CallFunction(callable, "ssss", op_names[r->op], dah_dtype_name(r->dtype),
                                     device.c_str(), r->reason);
    })
                                : nullptr;
    // A warning turned into an exception cannot leave the op half done: it is reported.
    if (!result) stay_at_exit([callable] { PyErr_WriteUnraisable(callable); });
    Py_XDECREF(result);
}

py::dict native_counts(py::handle device) {
    const dah_device handle = resolve(device);
    py::dict counts;
    for (uint16_t op = 1; op <= DA_OP_COUNT; ++op) {
        if (const uint64_t n = dah_native_count(handle, op)) counts[op_names[op]] = n;
    }
    return counts;
}

py::dict composed_counts(py::handle device) {
    const dah_device handle = resolve(device);
    py::dict counts;
    for (uint16_t op = 1; op <= DA_OP_COUNT; ++op) {
        if (const uint64_t n = dah_composed_count(handle, op)) counts[op_names[op]] = n;
    }
    return counts;
}

} // namespace

dah_device resolve(py::handle device) {
    dah_device handle;
    if (!to_device(device.ptr(), &handle)) throw py::error_already_set();
    return handle;
}

void add_runtime(py::module_& m) {
    m.def("load_backend", load_backend, arg("type"), arg("library"),
          arg("options") = std::map<std::string, std::string>());
    m.def("loaded_types", loaded_types);
    m.def("backend_info", backend_info, arg("type"));
    m.def(
        "device_count",
        [](const std::string& type, bool given) {
            int32_t count = 0;
            const int32_t id = type_id(type);
            check(given ? dah_device_count_given(id, &count) : dah_device_count(id, &count));
            return count;
        },
        arg("type"), arg("given") = false);
    m.def("properties", properties, arg("device") = py::none(), arg("given") = false);
    m.def("ops", ops, arg("device") = py::none());
    m.def("current_device",
          [] { return py::reinterpret_steal<py::object>(device_object(resolve(py::none()))); });
    m.def(
        "set_current_device",
        [](py::handle device, bool thread) {
            const bool none = thread && device.is_none();
            check(dah_set_current_device(none ? -1 : resolve(device), thread));
        },
        arg("device"), arg("thread") = false);
    m.def("thread_device", [] {
        const dah_device own = dah_thread_device();
        return own < 0 ? py::object(py::none())
                       : py::reinterpret_steal<py::object>(device_object(own));
    });
    m.def("open_device", [](py::handle device) {
        dah_stream* stream;
        check(dah_current_stream(resolve(device), &stream));
    });
    m.def(
        "synchronize",
        [](py::handle device) {
            if (!wait_for_device(resolve(device), -1)) throw py::error_already_set();
        },
        arg("device") = py::none());
    m.def(
        "reset_device",
        [](py::handle device) {
            const dah_device handle = resolve(device);
            da_status status;
            {
                const Unlocked unlocked(true);
                status = dah_device_reset(handle);
            }
            check(status);
        },
        arg("device") = py::none());
    m.def(
        "device_generation",
        [](py::handle device) { return dah_device_generation(resolve(device)); },
        arg("device") = py::none());
    m.def("shutdown", [] {
        const Unlocked unlocked(true);
        dah_shutdown();
    });
}

void add_accounts(py::module_& m) {
    m.def("fallback_policy", [] { return policies[dah_fallback_policy()]; });
    m.def("set_fallback_policy", set_policy, arg("policy"), arg("thread") = false);
    m.def("fallback_report", fallback_report);
    m.def("native_counts", native_counts, arg("device") = py::none());
    m.def("composed_counts", composed_counts, arg("device") = py::none());
    m.def("reset_accounts", dah_reset_accounts);
    dah_set_fallback_observer(notify);
}

} // namespace device_api::binding
