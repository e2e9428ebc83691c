// SPDX-License-Identifier: Apache-2.0
// Reading of the arguments of vectorcall functions.
#include "arguments.hpp"

namespace device_api::binding {

PyObject* wrong_count(const char* name, const char* takes) {
    PyErr_Format(PyExc_TypeError, "%s takes %s", name, takes);
    return nullptr;
}

bool expect_tensor(PyObject* object) {
    if (is_tensor(object)) return true;
    PyErr_Format(PyExc_TypeError, "expected a Tensor, not %s (use device_api.asarray)",
                 Py_TYPE(object)->tp_name);
    return false;
}

bool read(PyObject* const* arguments, Py_ssize_t count, PyObject* names,
          std::initializer_list<const char*> expected, PyObject** out) {
    const auto limit = static_cast<Py_ssize_t>(expected.size());
    if (count > limit) {
        PyErr_Format(PyExc_TypeError, "at most %zd arguments, %zd given", limit, count);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) out[i] = arguments[i];
    const Py_ssize_t n = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t k = 0; k < n; ++k) {
        PyObject* name = PyTuple_GET_ITEM(names, k);
        Py_ssize_t at = 0;
        for (const char* candidate : expected) {
            if (PyUnicode_CompareWithASCIIString(name, candidate) == 0) break;
            ++at;
        }
        if (at == limit) {
            PyErr_Format(PyExc_TypeError, "unexpected keyword '%U'", name);
            return false;
        }
        out[at] = arguments[count + k];
    }
    return true;
}

bool add_table(PyObject* module, PyMethodDef* functions) {
    describe(functions);
    return PyModule_AddFunctions(module, functions) == 0;
}

} // namespace device_api::binding
