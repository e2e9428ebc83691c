// SPDX-License-Identifier: Apache-2.0
// DLPack inwards. The shared extension code says nothing of whose memory it is, so it is taken from
// our own tensors only.
#include "dlpack.hpp"

#include <pybind11/pybind11.h>

#include "binding.hpp"

namespace py = pybind11;

namespace device_api::binding {
namespace {

using namespace dlpack;

int dtype_from(const DataType& type) {
    for (int i = 0; i < DA_DTYPE_COUNT; ++i) {
        const bool same =
            type_codes[i] == type.code && dah_dtype_size(uint16_t(i)) * 8 == type.bits;
        if (same && type.lanes == 1) return i;
    }
    return -1;
}

[[noreturn]] void refuse(const char* kind, const std::string& message, const char* remedy) {
    raise_kind(kind, message.c_str(), remedy);
    throw py::error_already_set();
}

// The loaded device that an array's memory belongs to.
dah_device owner_of(const Device& device) {
    if (device.type == extension) {
        refuse("invalid_argument",
               "DLPack's extension device code does not say whose memory it is, so it is taken "
               "from device_api's own arrays only",
               "copy through host memory: device_api.asarray(numpy.asarray(x))");
    }
    for (int32_t type = 0; type < dah_type_count(); ++type) {
        int32_t count = 0;
        if (dah_device_count(type, &count)) continue;
        for (int32_t i = 0; i < count; ++i) {
            dab_properties p{};
            p.size = sizeof p;
            dah_device_properties(type * 256 + i, &p);
            const bool simulated = p.flags & DAB_DEVICE_SIMULATED;
            const bool one_host = device.type == cpu;
            if (p.dlpack_type == device.type && !simulated && (one_host || i == device.id)) {
                return type * 256 + i;
            }
        }
    }
    refuse("invalid_argument",
           "no loaded plugin uses memory of DLPack device type " + std::to_string(device.type),
           "load the device first with set_device(), or copy through host memory");
}

template <class T>
py::object take(py::handle capsule, const char* name, const char* used) {
    auto* managed = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (!managed) throw py::error_already_set();
    const Array& a = managed->array;
    if constexpr (std::is_same_v<T, ManagedVersioned>) {
        if (managed->version.major != 1) {
            refuse("version_mismatch",
                   "the producer speaks version " + std::to_string(managed->version.major) +
                       " of DLPack, this is version 1",
                   "upgrade the older of the two libraries");
        }
        if (managed->flags & flag_read_only) {
            refuse("invalid_argument", "the producer's memory is read-only",
                   "leave copy=False out, or use copy=True");
        }
    }
    const int dtype = dtype_from(a.dtype);
    if (dtype < 0) refuse("dtype", "the producer's data type is not one of device_api's", "");
    if (a.ndim < 0 || a.ndim > DA_MAX_RANK) {
        refuse("shape", "a tensor has at most 32 dimensions", "");
    }
    const dah_device device = owner_of(a.device);
    char* data = static_cast<char*>(a.data) + a.byte_offset;
    int64_t low = 0, high = 0, expected = 1;
    int64_t strides[DA_MAX_RANK];
    for (int i = a.ndim - 1; i >= 0; --i) {
        strides[i] = a.strides ? a.strides[i] : expected;
        expected *= a.shape[i];
        (strides[i] < 0 ? low : high) += (a.shape[i] - 1) * strides[i];
    }
    const int64_t item = dah_dtype_size(uint16_t(dtype));
    const uint64_t bytes = expected ? static_cast<uint64_t>((high - low + 1) * item) : 0;
    dah_tensor* out = nullptr;
    auto release = [](void* context) {
        auto* m = static_cast<T*>(context);
        if (m->deleter) m->deleter(m);
    };
    if (!ok(dah_wrap(device, uint16_t(dtype), a.ndim, a.shape, strides, data,
                     expected ? data + low * item : data, bytes, release, managed, &out))) {
        throw py::error_already_set();
    }
    PyCapsule_SetName(capsule.ptr(), used);
    return py::reinterpret_steal<py::object>(wrap(out));
}

// A producer on another device than the host is asked for a copy there, if that is the target.
py::object ask_producer(py::handle producer, py::handle target, bool never) {
    py::dict arguments;
    arguments["max_version"] = py::make_tuple(1, 0);
    bool elsewhere = false;
    if (!target.is_none() && py::hasattr(producer, "__dlpack_device__")) {
        const auto here = stay_at_exit([&] {
                              return producer.attr("__dlpack_device__")();
                          }).cast<std::pair<int, int>>();
        dah_device handle;
        if (!to_device(target.ptr(), &handle)) throw py::error_already_set();
        dab_properties properties{sizeof(dab_properties)};
        if (!ok(dah_device_properties(handle, &properties))) throw py::error_already_set();
        elsewhere = here.first != cpu && properties.dlpack_type == cpu;
        if (elsewhere) {
            arguments["dl_device"] = py::make_tuple(int(cpu), 0);
            arguments["copy"] = never ? py::object(py::bool_(false)) : py::none();
        }
    }
    try {
        return stay_at_exit([&] { return producer.attr("__dlpack__")(**arguments); });
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_TypeError) || elsewhere) throw;
        return stay_at_exit(
            [&] { return producer.attr("__dlpack__")(); }); // a producer of before version 1
    }
}

// Read-only memory cannot be shared, as our arrays can be written; whether it may be copied.
bool copy_of_read_only(py::handle capsule) {
    auto* m = static_cast<ManagedVersioned*>(PyCapsule_GetPointer(capsule.ptr(), name_new));
    const bool read_only = m->flags & flag_read_only;
    m->flags &= ~flag_read_only;
    return read_only;
}

py::object view_or_copy(py::handle source, bool copy) {
    dah_tensor* t = tensor_of(source.ptr());
    dah_tensor* out = t;
    if (!copy)
        dah_tensor_retain(t);
    else if (!ok(dah_contiguous(t, 1, &out)))
        throw py::error_already_set();
    return py::reinterpret_steal<py::object>(wrap(out));
}

py::object import_array(py::handle producer, py::handle device, py::handle copy) {
    const int wish = copy.is_none() ? 0 : PyObject_IsTrue(copy.ptr());
    if (wish < 0) throw py::error_already_set();
    const bool always = wish == 1, never = !copy.is_none() && wish == 0;
    py::object array;
    if (is_tensor(producer.ptr())) {
        array = view_or_copy(producer, always);
    } else {
        if (!py::hasattr(producer, "__dlpack__")) {
            throw py::type_error("from_dlpack() takes an object with __dlpack__");
        }
        // Without the CPU's plugin there is no owner for host memory.
        dah_device ignored;
        if (!to_device(Py_None, &ignored)) throw py::error_already_set();
        py::object capsule = ask_producer(producer, device, never);
        const bool versioned = PyCapsule_IsValid(capsule.ptr(), name_new);
        const bool read_only = versioned && !never && copy_of_read_only(capsule);
        const bool copies = always || read_only;
        array = versioned ? take<ManagedVersioned>(capsule, name_new, name_new_used)
                          : take<Managed>(capsule, name_old, name_old_used);
        if (copies) array = view_or_copy(array, true);
    }
    if (device.is_none()) return array;
    dah_device target;
    if (!to_device(device.ptr(), &target)) throw py::error_already_set();
    if (dah_tensor_device(tensor_of(array.ptr())) == target) return array;
    if (never) refuse("invalid_argument", "another device cannot be had without a copy", "");
    dah_tensor* out = nullptr;
    if (!ok(dah_to_device(tensor_of(array.ptr()), target, &out))) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(wrap(out));
}

} // namespace

bool add_dlpack(PyObject* module) {
    auto m = py::reinterpret_borrow<py::module_>(module);
    m.def("from_dlpack", import_array, py::arg("x"), py::arg("device") = py::none(),
          py::arg("copy") = py::none());
    return true;
}

} // namespace device_api::binding
