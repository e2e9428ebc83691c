// SPDX-License-Identifier: Apache-2.0
// The method of tensors that concerns their memory.
#pragma once

#include <Python.h>

namespace device_api::binding {

// Tensor.record_stream(stream); NULL with the exception set.
PyObject* record_stream(PyObject* tensor, PyObject* stream);

} // namespace device_api::binding
