// SPDX-License-Identifier: Apache-2.0
// DLPack outwards. A simulated device never travels under a real vendor's code.
#include "dlpack.hpp"

#include <cstring>
#include <pybind11/pybind11.h>

#include "binding.hpp"

namespace py = pybind11;

namespace device_api::binding {
namespace {

using namespace dlpack;

// What a capsule keeps alive.
struct Exported {
    dah_tensor* tensor;
    int64_t shape[DA_MAX_RANK];
    int64_t strides[DA_MAX_RANK];
};

Device device_of(const dah_tensor* tensor) {
    const dah_device handle = dah_tensor_device(tensor);
    dab_properties properties{};
    properties.size = sizeof properties;
    dah_device_properties(handle, &properties);
    const bool assigned = properties.dlpack_type != 0 && !(properties.flags & DAB_DEVICE_SIMULATED);
    if (assigned) return {properties.dlpack_type, handle % 256};
    // Ordinals of extension devices must not collide between types.
    return {extension, handle};
}

Array fill(Exported& kept) {
    da_tensor x;
    dah_tensor_describe(kept.tensor, &x);
    std::memcpy(kept.shape, x.shape, sizeof(int64_t) * static_cast<size_t>(x.rank));
    std::memcpy(kept.strides, x.strides, sizeof(int64_t) * static_cast<size_t>(x.rank));
    const auto bits = static_cast<uint8_t>(dah_dtype_size(x.dtype) * 8);
    return {x.data,     device_of(kept.tensor), x.rank, {type_codes[x.dtype], bits, 1},
            kept.shape, kept.strides,           0};
}

template <class T>
void delete_managed(T* managed) {
    auto* kept = static_cast<Exported*>(managed->context);
    dah_tensor_release(kept->tensor);
    delete kept;
    delete managed;
}

template <class T>
void drop_capsule(PyObject* capsule, const char* name) {
    if (!PyCapsule_IsValid(capsule, name)) return; // consumed
    auto* managed = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
    if (managed && managed->deleter) managed->deleter(managed);
}

template <class T>
PyObject* make_capsule(dah_tensor* tensor, const char* name, uint64_t flags) {
    auto* kept = new Exported;
    kept->tensor = tensor; // takes over the reference
    auto* managed = new T{};
    managed->array = fill(*kept);
    managed->context = kept;
    managed->deleter = delete_managed<T>;
    if constexpr (std::is_same_v<T, ManagedVersioned>) {
        managed->version = {1, 0};
        managed->flags = flags;
    }
    return PyCapsule_New(managed, name, [](PyObject* capsule) {
        if constexpr (std::is_same_v<T, ManagedVersioned>)
            drop_capsule<T>(capsule, name_new);
        else
            drop_capsule<T>(capsule, name_old);
    });
}

bool wants_version_1(PyObject* max_version) {
    if (!PyTuple_Check(max_version) || PyTuple_GET_SIZE(max_version) < 1) return false;
    return PyLong_AsLong(PyTuple_GET_ITEM(max_version, 0)) >= 1;
}

struct Request {
    PyObject *stream = Py_None, *max_version = Py_None, *device = Py_None, *copy = Py_None;
};

bool read_request(PyObject* const* arguments, Py_ssize_t count, PyObject* names, Request& r) {
    if (count) {
        PyErr_SetString(PyExc_TypeError, "__dlpack__ takes keyword arguments only");
        return false;
    }
    const std::pair<const char*, PyObject**> known[] = {{"stream", &r.stream},
                                                        {"max_version", &r.max_version},
                                                        {"dl_device", &r.device},
                                                        {"copy", &r.copy}};
    for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k) {
        PyObject* name = PyTuple_GET_ITEM(names, k);
        bool found = false;
        for (const auto& [text, target] : known) {
            if (PyUnicode_CompareWithASCIIString(name, text)) continue;
            *target = arguments[k];
            found = true;
        }
        if (!found) {
            PyErr_Format(PyExc_TypeError, "unexpected keyword '%U'", name);
            return false;
        }
    }
    return true;
}

// Where the consumer wants it: here, or on the host by a copy. NULL with the exception set.
dah_tensor* place(dah_tensor* t, const Request& r) {
    dah_tensor* out = nullptr;
    const Device here = device_of(t);
    int type = here.type, id = here.id;
    if (r.device != Py_None && !PyTuple_Check(r.device)) {
        PyErr_SetString(PyExc_TypeError, "dl_device is a pair: device type and number");
        return nullptr;
    }
    if (r.device != Py_None && !PyArg_ParseTuple(r.device, "ii", &type, &id)) return nullptr;
    const bool moves = type != here.type || id != here.id;
    if (moves && (type != cpu || r.copy == Py_False)) {
        PyErr_SetString(PyExc_BufferError,
                        "the array cannot be exported to that device without a copy");
        return nullptr;
    }
    if (moves) {
        dah_device host;
        if (!to_device(py::str("cpu:0").ptr(), &host)) return nullptr;
        return ok(dah_to_device(t, host, &out)) ? out : nullptr;
    }
    if (r.copy == Py_True) return ok(dah_contiguous(t, 1, &out)) ? out : nullptr;
    dah_tensor_retain(t);
    return t;
}

} // namespace

PyObject* dlpack_capsule(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* names) {
    Request r;
    if (!read_request(arguments, count, names, r)) return nullptr;
    dah_tensor* t = tensor_of(self);
    if (!ok(dah_tensor_check(t))) return nullptr;
    if (device_of(t).type == cpu && r.stream != Py_None) {
        return raise_kind("invalid_argument", "arrays on the CPU have no streams",
                          "call __dlpack__(stream=None)");
    }
    // The consumer's stream is not ours: all work on the array is done before it is handed over.
    dah_stream* stream;
    if (!ok(dah_current_stream(dah_tensor_device(t), &stream))) return nullptr;
    if (!wait_for_stream(stream, -1)) return nullptr;
    dah_tensor* placed = place(t, r);
    if (!placed) return nullptr;
    const uint64_t flags = placed == t ? 0 : flag_copied;
    return wants_version_1(r.max_version) ? make_capsule<ManagedVersioned>(placed, name_new, flags)
                                          : make_capsule<Managed>(placed, name_old, flags);
}

PyObject* dlpack_device(PyObject* self, PyObject*) {
    const Device device = device_of(tensor_of(self));
    return Py_BuildValue("(ii)", device.type, device.id);
}

} // namespace device_api::binding
