// SPDX-License-Identifier: Apache-2.0
// Primitives by name: calls, and the facts of the op table.
#include <pybind11/stl.h>

#include <unordered_map>

#include "runtime.hpp"

namespace device_api::binding {

using py::arg;

const char* const op_names[DA_OP_COUNT + 1] = {
#define ROW(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, c) #name,
    "none", DA_OPS(ROW)
#undef ROW
};

uint16_t op_number(const std::string& name) {
    static const auto* numbers = [] {
        auto* map = new std::unordered_map<std::string, uint16_t>;
        for (uint16_t op = 1; op <= DA_OP_COUNT; ++op) map->emplace(op_names[op], op);
        return map;
    }();
    const auto found = numbers->find(name);
    if (found != numbers->end()) return found->second;
    raise_kind("invalid_argument", ("'" + name + "' is no op of the op table").c_str(),
               "see device_api._core.op_info() for their names");
    throw py::error_already_set();
}

py::list names_of(da_dtype_mask mask) {
    py::list names;
    for (uint16_t i = 0; i < DA_DTYPE_COUNT; ++i) {
        if ((mask >> i) & 1) names.append(dah_dtype_name(i));
    }
    return names;
}

namespace {

struct Fact {
    const char *name, *kind, *result;
    uint8_t inputs, attributes, key;
    da_dtype_mask dtypes, others;
    bool core;
};
const Fact facts[] = {
#define ROW(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, c)      \
    {#name, #KIND, #RESULT, inputs, attributes, key, types, others, c},
    DA_OPS(ROW)
#undef ROW
};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return text;
}

const char* attribute_type(char kind) {
    switch (kind) {
    case 'a': return "axis";
    case 'm': return "axes";
    case 's': return "scalar";
    default: return "u64";
    }
}

py::dict op_info() {
    py::dict all;
    uint16_t op = 0;
    for (const Fact& f : facts) {
        ++op;
        py::list attributes;
        for (int i = 0; i < f.attributes; ++i) {
            attributes.append(attribute_type(dah_attribute_kind(op, i)));
        }
        py::dict row;
        row["number"] = op;
        row["kind"] = lower(f.kind);
        row["result"] = lower(f.result);
        row["inputs"] = f.inputs;
        row["key"] = f.key;
        row["attributes"] = attributes;
        row["dtypes"] = names_of(f.dtypes);
        row["others"] = names_of(f.others);
        row["core"] = f.core;
        all[f.name] = row;
    }
    return all;
}

dah_tensor* tensor_argument(py::handle object) {
    if (is_tensor(object.ptr())) return tensor_of(object.ptr());
    throw py::type_error(std::string("expected a Tensor, not ") + Py_TYPE(object.ptr())->tp_name);
}

uint16_t dtype_of(const dah_tensor* tensor) {
    da_tensor view;
    dah_tensor_describe(tensor, &view);
    return view.dtype;
}

da_value attribute(py::handle object, char kind, uint16_t key) {
    dah_scalar scalar{};
    if (!to_scalar(object.ptr(), &scalar)) {
        throw py::type_error("an attribute is a number, not " +
                             py::repr(object).cast<std::string>());
    }
    if (!scalar.kind) throw py::error_already_set();
    const bool integer = scalar.kind == 'i' || scalar.kind == 'u' || scalar.kind == 'b';
    if (kind != 's' && (!integer || (kind != 'a' && scalar.kind == 'i' && scalar.value.i < 0))) {
        raise_kind(
            "invalid_argument",
            ("the attribute " + py::repr(object).cast<std::string>() + " has no meaning").c_str(),
            "give an integer of 0 or more; an axis may be negative");
        throw py::error_already_set();
    }
    if (kind != 's') return scalar.value;
    const char type = dah_dtype_kind(key);
    const double real = scalar.kind == 'f'   ? scalar.value.f
                        : scalar.kind == 'c' ? scalar.value.c[0]
                        : scalar.kind == 'i' ? static_cast<double>(scalar.value.i)
                                             : static_cast<double>(scalar.value.u);
    da_value value{};
    if (type == 'c') {
        value.c[0] = real;
        value.c[1] = scalar.kind == 'c' ? scalar.value.c[1] : 0;
    } else if (type == 'f') {
        value.f = real;
    } else {
        value = scalar.value;
    }
    return value;
}

py::object apply(const std::string& name, const py::sequence& inputs, py::handle shape,
                 py::handle dtype, const py::sequence& attributes) {
    const uint16_t op = op_number(name);
    dah_tensor* tensors[8];
    const auto n = static_cast<int32_t>(inputs.size());
    if (n > 8) throw py::value_error("no op has that many inputs");
    std::vector<py::object> kept; // a sequence may make its elements anew
    for (int32_t i = 0; i < n; ++i) {
        kept.push_back(inputs[static_cast<size_t>(i)]);
        tensors[i] = tensor_argument(kept.back());
    }
    const Fact& fact = facts[op - 1];
    if (attributes.size() != fact.attributes) {
        raise_kind("invalid_argument",
                   ("'" + name + "' has " + std::to_string(fact.attributes) + " attributes, not " +
                    std::to_string(attributes.size()))
                       .c_str(),
                   "see device_api._core.op_info()");
        throw py::error_already_set();
    }
    da_value values[16]{};
    for (int i = 0; i < fact.attributes; ++i) {
        const uint16_t key = fact.key < n ? dtype_of(tensors[fact.key]) : uint16_t{DA_FLOAT32};
        values[i] = attribute(attributes[static_cast<size_t>(i)], dah_attribute_kind(op, i), key);
    }
    int64_t sizes[DA_MAX_RANK];
    const int rank = shape.is_none() ? -1 : to_shape(shape.ptr(), sizes);
    if (rank < 0 && !shape.is_none()) throw py::error_already_set();
    uint16_t type = 0;
    if (!dtype.is_none() && !to_dtype(dtype.ptr(), &type)) throw py::error_already_set();
    dah_tensor* out = nullptr;
    da_status status;
    {
        bool large = false;
        for (int32_t i = 0; i < n; ++i) large |= worthwhile(tensors[i]);
        const Unlocked unlocked(large);
        status = dah_apply(op, tensors, n, rank, sizes, dtype.is_none() ? -1 : type, values, &out);
    }
    check(status);
    return py::reinterpret_steal<py::object>(wrap(out));
}

bool has_op(py::handle device, const std::string& name, py::handle dtype) {
    uint16_t type;
    if (!to_dtype(dtype.ptr(), &type)) throw py::error_already_set();
    const dab_op* entry = dah_device_op(resolve(device), op_number(name));
    return entry && ((entry->dtypes >> type) & 1);
}

py::object view_as_real(py::handle x) {
    dah_tensor* out = nullptr;
    check(dah_view_as_real(tensor_argument(x), &out));
    return py::reinterpret_steal<py::object>(wrap(out));
}

py::object view_as_bits(py::handle x) {
    dah_tensor* out = nullptr;
    check(dah_view_as_bits(tensor_argument(x), &out));
    return py::reinterpret_steal<py::object>(wrap(out));
}

} // namespace

int op_key(uint16_t op) {
    return facts[op - 1].key;
}

void add_primitives(py::module_& m) {
    m.def("apply", apply, arg("op"), arg("inputs"), arg("shape") = py::none(),
          arg("dtype") = py::none(), arg("attributes") = py::tuple());
    m.def("has_op", has_op, arg("device"), arg("op"), arg("dtype"));
    m.def("op_info", op_info);
    m.def("view_as_real", view_as_real, arg("x"));
    m.def("view_as_bits", view_as_bits, arg("x"));
}

} // namespace device_api::binding
