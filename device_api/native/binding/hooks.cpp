// SPDX-License-Identifier: Apache-2.0
// Callables of the Python part that the native part needs, by name.
#include "binding.hpp"

namespace device_api::binding {

static PyObject* hooks = nullptr; // dict

PyObject* set_hook(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !PyUnicode_Check(arguments[0]) || !PyCallable_Check(arguments[1])) {
        PyErr_SetString(PyExc_TypeError, "set_hook(name, callable)");
        return nullptr;
    }
    if (!hooks && !(hooks = PyDict_New())) return nullptr;
    if (PyDict_SetItem(hooks, arguments[0], arguments[1])) return nullptr;
    Py_RETURN_NONE;
}

PyObject* find_hook(const char* name) {
    return hooks ? PyDict_GetItemString(hooks, name) : nullptr;
}

PyObject* hook(const char* name) {
    PyObject* callable = find_hook(name);
    if (!callable) PyErr_Format(PyExc_RuntimeError, "device_api has set no hook '%s'", name);
    return callable;
}

} // namespace device_api::binding
