// SPDX-License-Identifier: Apache-2.0
// Operators of Tensor, and elementwise functions by op code.
#include "binding.hpp"

namespace device_api::binding {
namespace {

bool run(uint16_t op, dah_tensor* a, dah_tensor* b, dah_tensor** out) {
    da_status status;
    {
        Unlocked unlocked(worthwhile(a) || worthwhile(b));
        status = dah_binary(op, a, b, out);
    }
    return ok(status);
}

bool run(uint16_t op, dah_tensor* a, const dah_scalar& b, bool first, dah_tensor** out) {
    da_status status;
    {
        Unlocked unlocked(worthwhile(a));
        status = dah_binary_scalar(op, a, &b, first, out);
    }
    return ok(status);
}

// Two operands, at least one of which is a tensor.
struct Operands {
    dah_tensor* a = nullptr;
    dah_tensor* b = nullptr; // NULL: the scalar is the other one
    dah_scalar scalar{};
    bool scalar_first = false;
};

// 1 when they fit, 0 when they do not, -1 with the exception set.
int read(PyObject* x, PyObject* y, Operands& out) {
    const bool first = is_tensor(x), second = is_tensor(y);
    if (first && second) {
        out.a = tensor_of(x);
        out.b = tensor_of(y);
        return 1;
    }
    if (!first && !second) return 0;
    out.a = tensor_of(first ? x : y);
    out.scalar_first = !first;
    if (!to_scalar(first ? y : x, &out.scalar)) return 0;
    return out.scalar.kind ? 1 : -1;
}

bool run(uint16_t op, const Operands& o, bool swapped, dah_tensor** out) {
    if (!o.b) return run(op, o.a, o.scalar, o.scalar_first != swapped, out);
    return swapped ? run(op, o.b, o.a, out) : run(op, o.a, o.b, out);
}

bool run_code(uint16_t code, const Operands& o, dah_tensor** out) {
    switch (code) {
    case op_greater: return run(DA_OP_LESS, o, true, out);
    case op_greater_equal: return run(DA_OP_LESS_EQUAL, o, true, out);
    default: return run(code, o, false, out);
    }
}

PyObject* not_implemented() {
    Py_INCREF(Py_NotImplemented);
    return Py_NotImplemented;
}

PyObject* in_place(uint16_t op, PyObject* self, PyObject* other) {
    Operands o;
    const int fits = read(self, other, o);
    if (fits <= 0) return fits ? nullptr : not_implemented();
    if (!is_tensor(self)) return not_implemented();
    da_status status;
    {
        Unlocked unlocked(worthwhile(o.a));
        status = dah_binary_inplace(op, o.a, o.b, o.b ? nullptr : &o.scalar);
    }
    if (!ok(status)) return nullptr;
    Py_INCREF(self);
    return self;
}

uint16_t dtype_of(PyObject* x) {
    da_tensor view;
    dah_tensor_describe(tensor_of(x), &view);
    return view.dtype;
}

bool is_bool(PyObject* x) {
    return is_tensor(x) ? dtype_of(x) == DA_BOOL : PyBool_Check(x);
}

template <uint16_t op>
PyObject* slot(PyObject* a, PyObject* b) {
    return binary(op, a, b);
}
template <uint16_t op>
PyObject* slot_in_place(PyObject* a, PyObject* b) {
    return in_place(op, a, b);
}
template <uint16_t op>
PyObject* slot_unary(PyObject* x) {
    return unary(op, x);
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
    return modulus == Py_None ? binary(DA_OP_POW, a, b) : not_implemented();
}
PyObject* power_in_place(PyObject* a, PyObject* b, PyObject*) {
    return in_place(DA_OP_POW, a, b);
}
// The bit operators of bool are the logical ones, named at once.
template <uint16_t op, uint16_t of_bool>
PyObject* slot_bits(PyObject* a, PyObject* b) {
    return binary(is_bool(a) && is_bool(b) ? of_bool : op, a, b);
}
PyObject* invert(PyObject* x) {
    return unary(is_bool(x) ? DA_OP_LOGICAL_NOT : DA_OP_BITWISE_NOT, x);
}
PyObject* positive(PyObject* x) {
    dah_tensor* out;
    return ok(dah_contiguous(tensor_of(x), 1, &out)) ? wrap(out) : nullptr;
}

PyObject* matrix_product(PyObject* a, PyObject* b) {
    if (!is_tensor(a) || !is_tensor(b)) return not_implemented();
    dah_tensor* out;
    da_status status;
    {
        Unlocked unlocked(worthwhile(tensor_of(a)) || worthwhile(tensor_of(b)));
        status = dah_matmul(tensor_of(a), tensor_of(b), &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

PyObject* product_in_place(PyObject* self, PyObject* other) {
    PyObject* product = matrix_product(self, other);
    if (!product || product == Py_NotImplemented) return product;
    da_tensor target, made;
    dah_tensor_describe(tensor_of(self), &target);
    dah_tensor_describe(tensor_of(product), &made);
    bool fits = target.rank == made.rank && target.dtype == made.dtype;
    for (int i = 0; fits && i < made.rank; ++i) fits = target.shape[i] == made.shape[i];
    if (!fits) {
        Py_DECREF(product);
        return raise_kind("shape",
                          "the product does not have the shape and type of the array that "
                          "it is to replace",
                          "write x = x @ y");
    }
    const bool good = ok(dah_assign(tensor_of(self), tensor_of(product)));
    Py_DECREF(product);
    if (!good) return nullptr;
    Py_INCREF(self);
    return self;
}

int truth(PyObject* x) {
    PyObject* value = item(x);
    if (!value) return -1;
    const int result = PyObject_IsTrue(value);
    Py_DECREF(value);
    return result;
}

template <PyObject* (*convert)(PyObject*)>
PyObject* number(PyObject* x) {
    PyObject* value = item(x);
    if (!value) return nullptr;
    PyObject* result = convert(value);
    Py_DECREF(value);
    return result;
}

PyObject* index(PyObject* x) {
    const uint16_t dtype = dtype_of(x);
    if (dtype < DA_INT8 || dtype > DA_UINT64) {
        PyErr_SetString(PyExc_TypeError, "only an integer array of one element is an index");
        return nullptr;
    }
    return number<PyNumber_Long>(x);
}

PyNumberMethods make_number_methods() {
    PyNumberMethods m{};
    m.nb_add = slot<DA_OP_ADD>;
    m.nb_subtract = slot<DA_OP_SUB>;
    m.nb_multiply = slot<DA_OP_MUL>;
    m.nb_true_divide = slot<DA_OP_DIV>;
    m.nb_power = power;
    m.nb_matrix_multiply = matrix_product;
    m.nb_negative = slot_unary<DA_OP_NEG>;
    m.nb_positive = positive;
    m.nb_absolute = slot_unary<DA_OP_ABS>;
    m.nb_invert = invert;
    m.nb_and = slot_bits<DA_OP_BITWISE_AND, DA_OP_LOGICAL_AND>;
    m.nb_or = slot_bits<DA_OP_BITWISE_OR, DA_OP_LOGICAL_OR>;
    m.nb_xor = slot_bits<DA_OP_BITWISE_XOR, DA_OP_NOT_EQUAL>;
    m.nb_lshift = slot<DA_OP_SHIFT_LEFT>;
    m.nb_rshift = slot<DA_OP_SHIFT_RIGHT>;
    m.nb_floor_divide = slot<DA_OP_FLOOR_DIVIDE>;
    m.nb_remainder = slot<DA_OP_REMAINDER>;
    m.nb_inplace_add = slot_in_place<DA_OP_ADD>;
    m.nb_inplace_subtract = slot_in_place<DA_OP_SUB>;
    m.nb_inplace_multiply = slot_in_place<DA_OP_MUL>;
    m.nb_inplace_true_divide = slot_in_place<DA_OP_DIV>;
    m.nb_inplace_power = power_in_place;
    m.nb_inplace_floor_divide = slot_in_place<DA_OP_FLOOR_DIVIDE>;
    m.nb_inplace_remainder = slot_in_place<DA_OP_REMAINDER>;
    m.nb_inplace_and = slot_in_place<DA_OP_BITWISE_AND>;
    m.nb_inplace_or = slot_in_place<DA_OP_BITWISE_OR>;
    m.nb_inplace_xor = slot_in_place<DA_OP_BITWISE_XOR>;
    m.nb_inplace_lshift = slot_in_place<DA_OP_SHIFT_LEFT>;
    m.nb_inplace_rshift = slot_in_place<DA_OP_SHIFT_RIGHT>;
    m.nb_inplace_matrix_multiply = product_in_place;
    m.nb_bool = truth;
    m.nb_int = number<PyNumber_Long>;
    m.nb_float = number<PyNumber_Float>;
    m.nb_index = index;
    return m;
}

} // namespace

PyNumberMethods number_methods = make_number_methods();

PyObject* binary(uint16_t code, PyObject* a, PyObject* b) {
    Operands o;
    const int fits = read(a, b, o);
    if (__builtin_expect(fits <= 0, 0)) return fits ? nullptr : not_implemented();
    dah_tensor* out;
    return run_code(code, o, &out) ? wrap(out) : nullptr;
}

PyObject* unary(uint16_t op, PyObject* x) {
    if (!is_tensor(x)) {
        PyErr_Format(PyExc_TypeError, "expected a Tensor, not %s (use device_api.asarray)",
                     Py_TYPE(x)->tp_name);
        return nullptr;
    }
    dah_tensor* out;
    da_status status;
    {
        Unlocked unlocked(worthwhile(tensor_of(x)));
        status = dah_unary(op, tensor_of(x), &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

PyObject* rich_compare(PyObject* a, PyObject* b, int comparison) {
    switch (comparison) {
    case Py_EQ: return binary(DA_OP_EQUAL, a, b);
    case Py_NE: return binary(DA_OP_NOT_EQUAL, a, b);
    case Py_LT: return binary(DA_OP_LESS, a, b);
    case Py_LE: return binary(DA_OP_LESS_EQUAL, a, b);
    case Py_GT: return binary(op_greater, a, b);
    default: return binary(op_greater_equal, a, b);
    }
}

} // namespace device_api::binding
