// SPDX-License-Identifier: Apache-2.0
// New arrays: empty, full, counted, random, strided views and moves between devices.
#include <pybind11/pybind11.h>

#include "binding.hpp"

namespace py = pybind11;

namespace device_api::binding {
namespace {

// `tensor` by reference: it is read after the call that makes `status` has set it.
py::object result(da_status status, dah_tensor* const& tensor) {
    if (!ok(status)) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(wrap(tensor));
}

struct Place {
    uint16_t dtype;
    dah_device device;
    Place(py::handle dtype_given, py::handle device_given, uint16_t dtype_default) {
        dtype = dtype_default;
        if (!dtype_given.is_none() && !to_dtype(dtype_given.ptr(), &dtype)) {
            throw py::error_already_set();
        }
        if (!to_device(device_given.ptr(), &device)) throw py::error_already_set();
    }
};

struct Sizes {
    int rank;
    int64_t values[DA_MAX_RANK];
    explicit Sizes(py::handle shape) {
        rank = to_shape(shape.ptr(), values);
        if (rank < 0) throw py::error_already_set();
    }
};

dah_scalar number(py::handle object) {
    dah_scalar scalar{};
    if (!to_scalar(object.ptr(), &scalar)) {
        throw py::type_error("expected a number, not " + py::repr(object).cast<std::string>());
    }
    if (!scalar.kind) throw py::error_already_set();
    return scalar;
}

uint16_t type_of(const dah_scalar& scalar) {
    switch (scalar.kind) {
    case 'b': return DA_BOOL;
    case 'u': return DA_UINT64;
    case 'f': return DAH_DEFAULT_FLOAT;
    case 'c': return DA_COMPLEX64;
    default: return DAH_DEFAULT_INT;
    }
}

dah_tensor* checked(py::handle object) {
    if (is_tensor(object.ptr())) return tensor_of(object.ptr());
    throw py::type_error(std::string("expected a Tensor, not ") + Py_TYPE(object.ptr())->tp_name +
                         " (use device_api.asarray)");
}

py::object empty(py::handle shape, py::handle dtype, py::handle device) {
    const Sizes sizes(shape);
    const Place place(dtype, device, DAH_DEFAULT_FLOAT);
    dah_tensor* out = nullptr;
    return result(dah_empty(place.device, place.dtype, sizes.rank, sizes.values, &out), out);
}

py::object full(py::handle shape, py::handle value, py::handle dtype, py::handle device) {
    const Sizes sizes(shape);
    const dah_scalar scalar = number(value);
    const Place place(dtype, device, type_of(scalar));
    dah_tensor* out = nullptr;
    return result(dah_full(place.device, place.dtype, sizes.rank, sizes.values, &scalar, &out),
                  out);
}

py::object iota(int64_t n, py::handle start, py::handle step, py::handle dtype, py::handle device) {
    const dah_scalar first = number(start), by = number(step);
    const bool real = first.kind == 'f' || by.kind == 'f';
    const Place place(dtype, device, real ? DAH_DEFAULT_FLOAT : DAH_DEFAULT_INT);
    dah_tensor* out = nullptr;
    return result(dah_iota(place.device, place.dtype, n, &first, &by, &out), out);
}

py::object random_bits(int64_t n, uint64_t seed, uint64_t offset, py::handle device) {
    const Place place(py::none(), device, DA_UINT32);
    dah_tensor* out = nullptr;
    return result(dah_random_bits(place.device, n, seed, offset, &out), out);
}

py::object as_strided(py::handle x, py::handle shape, py::handle strides, int64_t offset) {
    const Sizes sizes(shape), steps(strides);
    dah_tensor* base = checked(x);
    if (sizes.rank != steps.rank) throw py::value_error("as many strides as sizes are needed");
    da_tensor view;
    dah_tensor_describe(base, &view);
    const int64_t item = dah_dtype_size(view.dtype);
    const int64_t first = (static_cast<char*>(view.data) - static_cast<char*>(view.storage)) / item;
    int64_t low = 0, high = 0; // of the first and last element in the memory
    bool any = true, far = __builtin_add_overflow(first, offset, &low);
    high = low;
    for (int i = 0; i < sizes.rank; ++i) {
        any &= sizes.values[i] > 0;
        int64_t reach;
        far |= __builtin_mul_overflow(sizes.values[i] - 1, steps.values[i], &reach);
        int64_t& end = reach < 0 ? low : high;
        far |= __builtin_add_overflow(end, reach, &end);
    }
    const auto elements = static_cast<int64_t>(view.storage_bytes) / item;
    if (any && (far || low < 0 || high >= elements)) {
        raise_kind("index", "the view would reach outside the array's memory",
                   "check shape, strides and offset (in elements)");
        throw py::error_already_set();
    }
    dah_tensor* out = nullptr;
    return result(dah_view(base, sizes.rank, sizes.values, steps.values, offset, &out), out);
}

py::object rebuild(const py::bytes& data, const std::string& dtype, py::handle shape,
                   const std::string& device) {
    const Sizes sizes(shape);
    const Place place(py::str(dtype), py::str(device), DA_FLOAT32);
    int64_t bytes = dah_dtype_size(place.dtype);
    for (int i = 0; i < sizes.rank; ++i) {
        if (sizes.values[i] < 0 || __builtin_mul_overflow(bytes, sizes.values[i], &bytes))
            bytes = -1;
        if (bytes < 0) break;
    }
    if (bytes != PyBytes_GET_SIZE(data.ptr())) {
        raise_kind("invalid_argument", "the data do not have the size that shape and type tell",
                   "make them anew: they are damaged");
        throw py::error_already_set();
    }
    dah_tensor* out = nullptr;
    return result(dah_from_host(place.device, place.dtype, sizes.rank, sizes.values,
                                PyBytes_AS_STRING(data.ptr()), &out),
                  out);
}

} // namespace

bool add_creation(PyObject* module) {
    auto m = py::reinterpret_borrow<py::module_>(module);
    using py::arg;
    m.def("empty", empty, arg("shape"), arg("dtype") = py::none(), arg("device") = py::none());
    m.def("full", full, arg("shape"), arg("value"), arg("dtype") = py::none(),
          arg("device") = py::none());
    m.def("iota", iota, arg("n"), arg("start") = 0, arg("step") = 1, arg("dtype") = py::none(),
          arg("device") = py::none());
    m.def("random_bits", random_bits, arg("n"), arg("seed"), arg("offset") = 0,
          arg("device") = py::none());
    m.def("as_strided", as_strided, arg("x"), arg("shape"), arg("strides"), arg("offset") = 0);
    m.def("rebuild", rebuild);
    m.def(
        "to_device",
        [](py::handle x, py::handle device) {
            dah_device handle;
            if (!to_device(device.ptr(), &handle)) throw py::error_already_set();
            dah_tensor* out = nullptr;
            da_status status;
            {
                Unlocked unlocked(true);
                status = dah_to_device(checked(x), handle, &out);
            }
            return result(status, out);
        },
        arg("x"), arg("device"));
    return true;
}

} // namespace device_api::binding
