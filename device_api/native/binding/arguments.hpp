// SPDX-License-Identifier: Apache-2.0
// Reading of the arguments of vectorcall functions.
#pragma once

#include <initializer_list>

#include "binding.hpp"

namespace device_api::binding {

// Raises TypeError; returns NULL.
PyObject* wrong_count(const char* name, const char* takes);

// False with TypeError when it is none.
bool expect_tensor(PyObject* object);

// Positional arguments and keywords by the names given; missing ones stay as they are.
bool read(PyObject* const* arguments, Py_ssize_t count, PyObject* names,
          std::initializer_list<const char*> expected, PyObject** out);

// Any of CPython's calling conventions as the one that its tables hold.
template <class F>
PyCFunction method(F function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// Rows of a PyMethodDef table.
#define FAST(name)     {#name, method(name), METH_FASTCALL, nullptr}
#define KEYWORDS(name) {#name, method(name), METH_FASTCALL | METH_KEYWORDS, nullptr}

bool add_elementwise(PyObject* module); // elementwise.cpp

// Adds a table's functions with their docstrings; false with the exception set.
bool add_table(PyObject* module, PyMethodDef* functions);

} // namespace device_api::binding
