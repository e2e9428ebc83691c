// SPDX-License-Identifier: Apache-2.0
// Observers in Python: what they are told, and ops repeated on the host.
#include <unordered_map>

#include "runtime.hpp"

namespace device_api::binding {
namespace {

using py::arg;

struct Replica {
    dah_replica* replica;
    explicit Replica(dah_replica* r) : replica(r) {}
    Replica(const Replica&) = delete;
    Replica& operator=(const Replica&) = delete;
    ~Replica() { dah_replica_release(replica); }
};

// What an observer is told; empty once its call is over.
struct Observation {
    const dah_observation* seen;
    const dah_observation& get() const {
        if (seen) return *seen;
        raise_kind("invalid_argument", "the observation is over",
                   "read what is needed while the observer is called");
        throw py::error_already_set();
    }
};

py::object owned(dah_tensor* tensor) {
    PyObject* object = wrap(tensor);
    if (!object) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(object);
}

py::object device_or_none(dah_device device) {
    if (device == DAH_HOST) return py::none();
    return py::reinterpret_steal<py::object>(device_object(device));
}

const std::pair<uint32_t, const char*> kinds[] = {{DAH_OBSERVE_OP, "op"},
                                                  {DAH_OBSERVE_ALLOC, "alloc"},
                                                  {DAH_OBSERVE_FREE, "free"},
                                                  {DAH_OBSERVE_COPY, "copy"},
                                                  {DAH_OBSERVE_FALLBACK, "fallback"},
                                                  {DAH_OBSERVE_COMPOSED, "composed"}};
const char* const phases[] = {"point", "begin", "end"};

const char* kind_name(const Observation& o) {
    for (const auto& [bit, name] : kinds) {
        if (bit == o.get().kind) return name;
    }
    return "";
}

uint32_t mask_of(const py::iterable& names) {
    uint32_t mask = 0;
    for (py::handle name : names) {
        uint32_t found = 0;
        for (const auto& [bit, known] : kinds) {
            if (name.cast<std::string>() == known) found = bit;
        }
        if (!found) {
            raise_kind(
                "invalid_argument",
                ("nothing of the kind '" + name.cast<std::string>() + "' is observed").c_str(),
                "use op, alloc, free, copy, fallback or composed");
            throw py::error_already_set();
        }
        mask |= found;
    }
    return mask;
}

// Shape and type name of each operand.
py::list operands(const Observation& o) {
    const dah_observation& seen = o.get();
    py::list all;
    for (int k = 0; seen.operands && k <= seen.n_inputs; ++k) {
        const da_tensor& t = seen.operands[k];
        const bool immediate = t.flags & DA_TENSOR_IMMEDIATE;
        py::tuple shape(immediate ? 0 : t.rank);
        for (int i = 0; !immediate && i < t.rank; ++i) shape[static_cast<size_t>(i)] = t.shape[i];
        all.append(py::make_tuple(shape, dah_dtype_name(t.dtype)));
    }
    return all;
}

py::object tensor(const Observation& o, int32_t k) {
    dah_tensor* made = nullptr;
    check(dah_observed_tensor(&o.get(), k, &made));
    return owned(made);
}

// ---- the callables, by the number of their observer; guarded by the interpreter lock ----

using Callables = std::unordered_map<uint64_t, PyObject*>;
Callables& callables() {
    static auto* instance = new Callables; // outlives static destructors
    return *instance;
}

da_status call(const dah_observation* seen, void* context) {
    if (!Py_IsInitialized() || finalizing()) return DA_OK;
    const Locked locked;
    const auto found = callables().find(reinterpret_cast<uintptr_t>(context));
    if (found == callables().end()) return DA_OK;
    const auto callable = py::reinterpret_borrow<py::object>(found->second);
    // An op's end may be told while an exception is on its way.
    const py::error_scope outer;
    try {
        auto told = std::make_shared<Observation>(Observation{seen});
        const py::object object = py::cast(told);
        PyObject* result =
            stay_at_exit([&] { return PyObject_CallOneArg(callable.ptr(), object.ptr()); });
        told->seen = nullptr;
        if (result) {
            Py_DECREF(result);
            return DA_OK;
        }
    } catch (py::error_already_set& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    const bool may_object = seen->kind == DAH_OBSERVE_OP && !seen->status;
    if (may_object) return keep_exception("while an observer was told of it");
    stay_at_exit([&] { PyErr_WriteUnraisable(callable.ptr()); });
    return DA_OK;
}

uint64_t add(const py::iterable& names, const py::function& callable) {
    static uintptr_t next = 0;
    const uint32_t mask = mask_of(names);
    const uintptr_t key = ++next;
    uint64_t id = 0;
    callables()[key] = callable.inc_ref().ptr();
    const da_status status = dah_observer_add(mask, call, reinterpret_cast<void*>(key), &id);
    if (status) {
        callables().erase(key);
        callable.dec_ref();
        check(status);
    }
    return (static_cast<uint64_t>(key) << 32) | id;
}

void remove(uint64_t handle) {
    dah_observer_remove(handle & UINT32_MAX);
    const auto found = callables().find(handle >> 32);
    if (found == callables().end()) return;
    PyObject* callable = found->second;
    callables().erase(found);
    Py_DECREF(callable);
}

template <class F>
auto member(F&& read) {
    return [read](const Observation& o) { return read(o.get()); };
}

void define_observation(py::module_& m) {
    py::class_<Observation, std::shared_ptr<Observation>>(m, "Observation")
        .def_property_readonly("kind", kind_name)
        .def_property_readonly("phase", member([](auto& s) { return phases[s.phase]; }))
        .def_property_readonly("op", member([](auto& s) { return s.op ? op_names[s.op] : ""; }))
        .def_property_readonly("span", member([](auto& s) { return s.span; }))
        .def_property_readonly("within", member([](auto& s) { return s.within; }))
        .def_property_readonly("depth", member([](auto& s) { return s.depth; }))
        .def_property_readonly("status", member([](auto& s) { return static_cast<int>(s.status); }))
        .def_property_readonly("device", member([](auto& s) { return device_or_none(s.device); }))
        .def_property_readonly("source", member([](auto& s) { return device_or_none(s.source); }))
        .def_property_readonly("stream", member([](auto& s) {
                                   return s.stream ? stream_object(s.stream) : py::none();
                               }))
        .def_property_readonly("operands", operands)
        .def_property_readonly(
            "address", member([](auto& s) { return reinterpret_cast<uintptr_t>(s.address); }))
        .def_property_readonly("bytes", member([](auto& s) { return s.bytes; }))
        .def_property_readonly("seconds", member([](auto& s) { return s.seconds; }))
        .def_property_readonly("reason", member([](auto& s) { return s.reason ? s.reason : ""; }))
        .def("tensor", tensor, arg("index"))
        .def("replica", [](const Observation& o) {
            dah_replica* replica = nullptr;
            check(dah_replica_take(&o.get(), &replica));
            return std::make_unique<Replica>(replica);
        });
}

} // namespace

void add_observers(py::module_& m) {
    define_observation(m);
    py::class_<Replica>(m, "Replica")
        .def("run",
             [](const Replica& r) {
                 da_status status;
                 {
                     const Unlocked unlocked(true);
                     status = dah_replica_run(r.replica);
                 }
                 check(status);
             })
        .def(
            "operand",
            [](const Replica& r, int32_t k) {
                dah_tensor* made = nullptr;
                check(dah_replica_operand(r.replica, k, &made));
                return owned(made);
            },
            arg("index"));
    m.def("add_observer", add, arg("kinds"), arg("function"));
    m.def("remove_observer", remove, arg("handle"));
    m.def("synchronous_ops", [] { return dah_synchronous_ops() != 0; });
    m.def("set_synchronous_ops", [](bool on) { dah_set_synchronous_ops(on); }, arg("on"));
}

} // namespace device_api::binding
