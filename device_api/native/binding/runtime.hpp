// SPDX-License-Identifier: Apache-2.0
// The parts of the module that are written with pybind11.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "binding.hpp"

namespace device_api::binding {

namespace py = pybind11;

inline void check(da_status status) {
    if (!ok(status)) throw py::error_already_set();
}

// A device argument as a handle; throws with the exception set.
dah_device resolve(py::handle device);

// Of the op table: names by number, and the number of a name; throws for one that is none.
extern const char* const op_names[DA_OP_COUNT + 1];
int op_key(uint16_t op); // index of the key operand; the number of inputs: the output
uint16_t op_number(const std::string& name);
// A Stream of Python; shares the stream.
py::object stream_object(dah_stream* stream);

py::list names_of(da_dtype_mask mask); // of data types

void add_primitives(py::module_& m);
void add_runtime(py::module_& m);
void add_memory(py::module_& m);
void add_accounts(py::module_& m);
void add_streams(py::module_& m);
void add_observers(py::module_& m);
void add_collectives(py::module_& m);
void add_telemetry(py::module_& m);

} // namespace device_api::binding
