// SPDX-License-Identifier: Apache-2.0
// The elementwise functions: one for each op of the table that is unary, binary, a comparison or
// logical.
#include <vector>

#include "arguments.hpp"

namespace device_api::binding {
namespace {

template <uint16_t op>
PyObject* unary_function(PyObject*, PyObject* x) {
    return unary(op, x);
}

template <uint16_t code>
PyObject* binary_function(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2) return wrong_count("this function", "two arrays");
    PyObject* result = binary(code, arguments[0], arguments[1]);
    if (result != Py_NotImplemented) return result;
    Py_DECREF(result);
    PyErr_Format(PyExc_TypeError, "expected arrays of device_api or numbers, not %s and %s",
                 Py_TYPE(arguments[0])->tp_name, Py_TYPE(arguments[1])->tp_name);
    return nullptr;
}

// The array API's name of an op, where it is not the op table's; "" where it has none.
constexpr const char* api_name(uint16_t op, const char* name) {
    switch (op) {
    case DA_OP_NEG: return "negative";
    case DA_OP_SUB: return "subtract";
    case DA_OP_MUL: return "multiply";
    case DA_OP_DIV: return "divide";
    case DA_OP_BITWISE_NOT: return "bitwise_invert";
    case DA_OP_SHIFT_LEFT: return "bitwise_left_shift";
    case DA_OP_SHIFT_RIGHT: return "bitwise_right_shift";
    case DA_OP_MAGNITUDE: return ""; // abs() of complex arrays
    default: return name;
    }
}

template <uint16_t op, da_op_kind kind>
void add_row(std::vector<PyMethodDef>& rows, const char* name) {
    const char* api = api_name(op, name);
    if (!*api) return;
    if constexpr (kind == DA_KIND_UNARY) rows.push_back({api, unary_function<op>, METH_O, nullptr});
    if constexpr (kind == DA_KIND_BINARY || kind == DA_KIND_COMPARE || kind == DA_KIND_LOGICAL) {
        rows.push_back({api, method(binary_function<op>), METH_FASTCALL, nullptr});
    }
}

} // namespace

bool add_elementwise(PyObject* module) {
    static std::vector<PyMethodDef> rows; // the module's functions refer to them
#define ROW(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, c)      \
    add_row<id, DA_KIND_##KIND>(rows, #name);
    DA_OPS(ROW)
#undef ROW
    rows.push_back({"greater", method(binary_function<op_greater>), METH_FASTCALL, nullptr});
    rows.push_back(
        {"greater_equal", method(binary_function<op_greater_equal>), METH_FASTCALL, nullptr});
    rows.push_back({nullptr, nullptr, 0, nullptr});
    return add_table(module, rows.data());
}

} // namespace device_api::binding
