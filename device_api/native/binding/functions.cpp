// SPDX-License-Identifier: Apache-2.0
// Selection, casts and copies.
#include "arguments.hpp"

namespace device_api::binding {
namespace {

// A number as a tensor like `like`, for functions whose ops take tensors only.
dah_tensor* as_operand(PyObject* object, PyObject* like) {
    if (is_tensor(object)) {
        dah_tensor_retain(tensor_of(object));
        return tensor_of(object);
    }
    dah_scalar scalar;
    if (!to_scalar(object, &scalar) || !scalar.kind) {
        if (!PyErr_Occurred()) expect_tensor(object);
        return nullptr;
    }
    da_tensor view;
    dah_tensor_describe(tensor_of(like), &view);
    const auto dtype = static_cast<uint16_t>(dah_promote_scalar(view.dtype, scalar.kind));
    dah_tensor* out;
    return ok(dah_full(dah_tensor_device(tensor_of(like)), dtype, 0, nullptr, &scalar, &out))
               ? out
               : nullptr;
}

PyObject* where(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 3) return wrong_count("where", "a condition and two values");
    if (!expect_tensor(a[0])) return nullptr;
    PyObject* like = is_tensor(a[1]) ? a[1] : a[2];
    if (!is_tensor(like)) {
        PyErr_SetString(PyExc_TypeError, "one of the two values of where() must be an array");
        return nullptr;
    }
    dah_tensor *x = as_operand(a[1], like), *y = x ? as_operand(a[2], like) : nullptr;
    dah_tensor* out = nullptr;
    bool good = y != nullptr;
    if (good) {
        da_status status;
        {
            Unlocked unlocked(worthwhile(tensor_of(a[0])));
            status = dah_where(tensor_of(a[0]), x, y, &out);
        }
        good = ok(status);
    }
    if (x) dah_tensor_release(x);
    if (y) dah_tensor_release(y);
    return good ? wrap(out) : nullptr;
}

PyObject* astype(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[3] = {nullptr, nullptr, Py_True};
    if (!read(arguments, count, names, {"x", "dtype", "copy"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("astype", "an array and a data type");
    uint16_t dtype;
    if (!expect_tensor(given[0]) || !to_dtype(given[1], &dtype)) return nullptr;
    const int copy = PyObject_IsTrue(given[2]);
    if (copy < 0) return nullptr;
    dah_tensor* out;
    da_status status;
    {
        Unlocked unlocked(worthwhile(tensor_of(given[0])));
        status = dah_cast(tensor_of(given[0]), dtype, copy, &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

PyObject* copy(PyObject*, PyObject* x) {
    if (!expect_tensor(x)) return nullptr;
    dah_tensor* out;
    return ok(dah_contiguous(tensor_of(x), 1, &out)) ? wrap(out) : nullptr;
}

PyObject* copyto(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 2) return wrong_count("copyto", "a target and a source");
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    if (!ok(dah_assign(tensor_of(a[0]), tensor_of(a[1])))) return nullptr;
    Py_RETURN_NONE;
}

PyObject* fill(PyObject*, PyObject* const* a, Py_ssize_t count) {
    dah_scalar scalar;
    if (count != 2) return wrong_count("fill_", "an array and a number");
    if (!expect_tensor(a[0])) return nullptr;
    if (!to_scalar(a[1], &scalar)) return wrong_count("fill_", "an array and a number");
    if (!scalar.kind || !ok(dah_assign_scalar(tensor_of(a[0]), &scalar))) return nullptr;
    Py_INCREF(a[0]);
    return a[0];
}

PyMethodDef functions[] = {
    FAST(where),
    KEYWORDS(astype),
    {"copy", copy, METH_O, nullptr},
    FAST(copyto),
    {"fill_", method(fill), METH_FASTCALL, nullptr},
    {"set_hook", method(set_hook), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

bool add_functions(PyObject* module) {
    return add_elementwise(module) && add_table(module, functions);
}

} // namespace device_api::binding
