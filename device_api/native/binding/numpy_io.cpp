// SPDX-License-Identifier: Apache-2.0
// To and from NumPy arrays and Python numbers; always by copy.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "binding.hpp"

namespace py = pybind11;

namespace device_api::binding {
namespace {

// Names of NumPy's own types; bfloat16 has none.
const char* const numpy_names[DA_DTYPE_COUNT] = {
    "bool",   "int8",    "int16", "int32",   "int64",   "uint8",     "uint16",    "uint32",
    "uint64", "float16", nullptr, "float32", "float64", "complex64", "complex128"};

void check(da_status status) {
    if (!ok(status)) throw py::error_already_set();
}

// Waits where Ctrl-C can interrupt, so that the copy that follows is short.
void wait_for_work(dah_device device) {
    dah_stream* stream;
    check(dah_current_stream(device, &stream));
    if (!wait_for_stream(stream, -1)) throw py::error_already_set();
}

void read_out(dah_tensor* tensor, void* data) {
    wait_for_work(dah_tensor_device(tensor));
    da_status status;
    {
        Unlocked unlocked(worthwhile(tensor));
        status = dah_to_host(tensor, data);
    }
    check(status);
}

da_tensor describe(dah_tensor* tensor) {
    da_tensor view;
    dah_tensor_describe(tensor, &view);
    return view;
}

py::array make_array(dah_tensor* tensor) {
    const da_tensor x = describe(tensor);
    if (!numpy_names[x.dtype]) {
        raise_kind("dtype", "NumPy has no bfloat16",
                   "convert first: device_api.astype(x, device_api.float32)");
        throw py::error_already_set();
    }
    py::array array(py::dtype(numpy_names[x.dtype]),
                    std::vector<py::ssize_t>(x.shape, x.shape + x.rank));
    read_out(tensor, array.mutable_data());
    return array;
}

py::object from_numpy(py::array source, py::handle dtype_given, py::handle device_given) {
    uint16_t have = DA_FLOAT32, want;
    if (!to_dtype(source.dtype().ptr(), &have)) throw py::error_already_set();
    want = have;
    if (!dtype_given.is_none() && !to_dtype(dtype_given.ptr(), &want)) {
        throw py::error_already_set();
    }
    dah_device device;
    if (!to_device(device_given.ptr(), &device)) throw py::error_already_set();
    const uint16_t travel = numpy_names[want] ? want : static_cast<uint16_t>(DA_FLOAT32);
    // C order, native byte order, in the type that travels.
    py::object dense = py::module_::import("numpy").attr("ascontiguousarray")(
        source, py::dtype(numpy_names[travel]));
    py::array array = dense.cast<py::array>().reshape(
        std::vector<py::ssize_t>(source.shape(), source.shape() + source.ndim()));
    int64_t shape[DA_MAX_RANK];
    if (array.ndim() > DA_MAX_RANK) {
        raise_kind("shape", "a tensor has at most 32 dimensions", "");
        throw py::error_already_set();
    }
    for (py::ssize_t i = 0; i < array.ndim(); ++i) shape[i] = array.shape(i);
    wait_for_work(device); // the copy waits for it in any case, and here Ctrl-C can end that
    dah_tensor* out = nullptr;
    check(dah_from_host(device, travel, static_cast<int>(array.ndim()), shape, array.data(), &out));
    if (travel == want) return py::reinterpret_steal<py::object>(wrap(out));
    dah_tensor* cast = nullptr;
    const da_status status = dah_cast(out, want, 0, &cast);
    dah_tensor_release(out);
    check(status);
    return py::reinterpret_steal<py::object>(wrap(cast));
}

PyObject* number(const da_tensor& x, const void* data) {
    switch (dah_dtype_kind(x.dtype)) {
    case 'b': return PyBool_FromLong(*static_cast<const uint8_t*>(data));
    case 'i':
    case 'u': {
        int64_t value = 0;
        const int bits = 8 * dah_dtype_size(x.dtype);
        memcpy(&value, data, dah_dtype_size(x.dtype));
        if (dah_dtype_kind(x.dtype) == 'u') {
            return PyLong_FromUnsignedLongLong(static_cast<uint64_t>(value));
        }
        const int shift = 64 - bits;
        return PyLong_FromLongLong(static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >>
                                   shift);
    }
    default: return nullptr; // through NumPy
    }
}

dah_tensor* widened(dah_tensor* tensor) {
    dah_tensor* out = nullptr;
    check(dah_cast(tensor, DA_FLOAT32, 0, &out));
    return out;
}

} // namespace

PyObject* to_numpy(PyObject* tensor) {
    try {
        return make_array(tensor_of(tensor)).release().ptr();
    } catch (py::error_already_set& error) {
        error.restore();
        return nullptr;
    }
}

PyObject* item(PyObject* tensor) {
    dah_tensor* t = tensor_of(tensor);
    if (dah_tensor_elements(t) != 1) {
        return raise_kind("shape", "only an array of one element is a number",
                          "index one element, or reduce with sum(), any() or all()");
    }
    try {
        const da_tensor x = describe(t);
        if (x.dtype == DA_FLOAT32 || x.dtype == DA_FLOAT64) {
            double d = 0;
            float f = 0;
            read_out(t, x.dtype == DA_FLOAT64 ? static_cast<void*>(&d) : &f);
            return PyFloat_FromDouble(x.dtype == DA_FLOAT64 ? d : static_cast<double>(f));
        }
        if (dah_dtype_kind(x.dtype) != 'f' && dah_dtype_kind(x.dtype) != 'c') {
            uint64_t element = 0;
            read_out(t, &element);
            return number(x, &element);
        }
        if (x.dtype == DA_BFLOAT16) {
            auto wide = py::reinterpret_steal<py::object>(wrap(widened(t)));
            return item(wide.ptr());
        }
        return make_array(t).attr("item")().release().ptr();
    } catch (py::error_already_set& error) {
        error.restore();
        return nullptr;
    }
}

bool add_numpy(PyObject* module) {
    auto m = py::reinterpret_borrow<py::module_>(module);
    // pybind11 looks NumPy up at the first use, and gives the interpreter lock up for that: a
    // thread whose first use comes at the interpreter's end would be unwound there.
    py::dtype::of<float>();
    m.def("from_numpy", from_numpy, py::arg("array"), py::arg("dtype") = py::none(),
          py::arg("device") = py::none());
    return true;
}

} // namespace device_api::binding
