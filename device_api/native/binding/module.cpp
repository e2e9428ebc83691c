// SPDX-License-Identifier: Apache-2.0
// The module device_api._core.
#include "runtime.hpp"

using namespace device_api::binding;

PYBIND11_MODULE(_core, m) {
    m.doc() = "The native part of device_api.";
    if (!import_errors() || !ready_tensor_type()) throw py::error_already_set();
    m.attr("Tensor") =
        py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&tensor_type));
    add_types(m.ptr());
    const bool good = add_functions(m.ptr()) && add_reductions(m.ptr()) && add_shapes(m.ptr()) &&
                      add_creation(m.ptr()) && add_numpy(m.ptr()) && add_dlpack(m.ptr());
    if (!good) throw py::error_already_set();
    add_primitives(m);
    add_runtime(m);
    add_memory(m);
    add_accounts(m);
    hook_composer();
    add_streams(m);
    add_observers(m);
    add_collectives(m);
    add_telemetry(m);
}
