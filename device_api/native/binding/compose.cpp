// SPDX-License-Identifier: Apache-2.0
// Ops that a device lacks, made in Python of others: the hook "compose".
#include "runtime.hpp"

namespace device_api::binding {
namespace {

da_tensor describe(const dah_tensor* tensor) {
    da_tensor view;
    dah_tensor_describe(tensor, &view);
    return view;
}

// Another reference to the tensor.
py::object share(dah_tensor* tensor) {
    dah_tensor_retain(tensor);
    PyObject* object = wrap(tensor);
    if (!object) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(object);
}

py::object attribute(const da_value& value, char kind, uint16_t key) {
    if (kind == 'a') return py::int_(value.i);
    if (kind != 's') return py::int_(value.u);
    switch (dah_dtype_kind(key)) {
    case 'f': return py::float_(value.f);
    case 'i': return py::int_(value.i);
    case 'c':
        return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(value.c[0], value.c[1]));
    default: return py::int_(value.u);
    }
}

py::tuple attributes_of(uint16_t op, const da_value* values, uint16_t key) {
    int n = 0;
    while (dah_attribute_kind(op, n)) ++n;
    py::tuple all(n);
    for (int i = 0; i < n; ++i) {
        all[static_cast<size_t>(i)] = attribute(values[i], dah_attribute_kind(op, i), key);
    }
    return all;
}

py::tuple shape_of(const da_tensor& x) {
    py::tuple shape(x.rank);
    for (int i = 0; i < x.rank; ++i) shape[static_cast<size_t>(i)] = x.shape[i];
    return shape;
}

void check_result(uint16_t op, py::handle made, dah_tensor* output) {
    bool fits = is_tensor(made.ptr());
    if (fits) {
        dah_tensor* t = tensor_of(made.ptr());
        const da_tensor got = describe(t), want = describe(output);
        fits = got.dtype == want.dtype && got.rank == want.rank &&
               dah_tensor_device(t) == dah_tensor_device(output);
        for (int i = 0; fits && i < got.rank; ++i) fits = got.shape[i] == want.shape[i];
    }
    if (fits) return;
    const da_tensor want = describe(output);
    const std::string text =
        std::string("the composite of '") + op_names[op] + "' was to return a tensor of " +
        dah_dtype_name(want.dtype) + " and shape " + py::str(shape_of(want)).cast<std::string>() +
        " on the device of its inputs, not " + py::repr(made).cast<std::string>();
    raise_kind("internal", text.c_str(), "report it: a composite of device_api is wrong");
    throw py::error_already_set();
}

// False when there is no composite.
bool run(uint16_t op, dah_tensor* const* inputs, int32_t n, dah_tensor* output,
         const da_value* values) {
    PyObject* callable = find_hook("compose");
    if (!callable) return false;
    py::tuple arrays(n);
    for (int32_t k = 0; k < n; ++k) arrays[static_cast<size_t>(k)] = share(inputs[k]);
    const da_tensor out = describe(output);
    const int key = op_key(op);
    const uint16_t key_type = key < n ? describe(inputs[key]).dtype : out.dtype;
    const py::tuple given =
        py::make_tuple(op_names[op], arrays, attributes_of(op, values, key_type), shape_of(out),
                       py::reinterpret_borrow<py::object>(dtype_object(out.dtype)));
    const auto made = py::reinterpret_steal<py::object>(
        stay_at_exit([&] { return PyObject_Call(callable, given.ptr(), nullptr); }));
    if (!made) throw py::error_already_set();
    if (made.is_none()) return false;
    check_result(op, made, output);
    check(dah_assign(output, tensor_of(made.ptr())));
    return true;
}

std::string note_of(uint16_t op, const dah_tensor* output) {
    const dah_device device = dah_tensor_device(output);
    return std::string("while '") + op_names[op] + "' was composed of other ops on " +
           dah_type_name(device / 256) + ":" + std::to_string(device % 256);
}

da_status composer(uint16_t op, dah_tensor* const* inputs, int32_t n, dah_tensor* output,
                   const da_value* values) {
    if (!Py_IsInitialized() || finalizing()) return DA_NOT_SUPPORTED;
    const Locked locked;
    try {
        return run(op, inputs, n, output, values) ? DA_OK : DA_NOT_SUPPORTED;
    } catch (py::error_already_set& error) {
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return keep_exception(note_of(op, output));
}

} // namespace

void hook_composer() {
    dah_set_composer(composer);
}

} // namespace device_api::binding
