// SPDX-License-Identifier: Apache-2.0
// Functions that reduce, multiply matrices, or move elements by index.
#include "arguments.hpp"
#include "runtime.hpp"

namespace device_api::binding {
namespace {

PyObject* reduced(uint16_t op, dah_tensor* x, PyObject* axis, int keepdims) {
    uint64_t axes;
    if (!to_axes(axis, rank_of(x), &axes)) return name_op(op_names[op]);
    dah_tensor* out;
    da_status status;
    {
        Unlocked unlocked(worthwhile(x));
        status = dah_reduce(op, x, axes, keepdims, &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

// sum and prod, which take a type.
template <uint16_t op>
PyObject* total(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[4] = {nullptr, Py_None, Py_None, Py_False};
    if (count == 1 && !names && is_tensor(arguments[0])) {
        return reduced(op, tensor_of(arguments[0]), Py_None, 0);
    }
    if (!read(arguments, count, names, {"x", "axis", "dtype", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("this function", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    const int keepdims = PyObject_IsTrue(given[3]);
    if (keepdims < 0) return nullptr;
    dah_tensor *x = tensor_of(given[0]), *cast = nullptr;
    if (given[2] != Py_None) {
        uint16_t dtype;
        if (!to_dtype(given[2], &dtype) || !ok(dah_cast(x, dtype, 0, &cast))) return nullptr;
        x = cast;
    }
    PyObject* result = reduced(op, x, given[1], keepdims);
    if (result && cast) { // narrow integers are reduced in wider ones: back to what was asked
        da_tensor asked, got;
        dah_tensor_describe(cast, &asked);
        dah_tensor_describe(tensor_of(result), &got);
        dah_tensor* back;
        if (asked.dtype != got.dtype) {
            const bool good = ok(dah_cast(tensor_of(result), asked.dtype, 0, &back));
            Py_DECREF(result);
            result = good ? wrap(back) : nullptr;
        }
    }
    if (cast) dah_tensor_release(cast);
    return result;
}

template <uint16_t op>
PyObject* reduction(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[3] = {nullptr, Py_None, Py_False};
    if (!read(arguments, count, names, {"x", "axis", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("this function", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    const int keepdims = PyObject_IsTrue(given[2]);
    return keepdims < 0 ? nullptr : reduced(op, tensor_of(given[0]), given[1], keepdims);
}

template <uint16_t op>
PyObject* arg_reduction(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[3] = {nullptr, Py_None, Py_False};
    if (!read(arguments, count, names, {"x", "axis", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("this function", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    dah_tensor *x = tensor_of(given[0]), *flat = nullptr, *out = nullptr;
    int axis = 0;
    const int keepdims = PyObject_IsTrue(given[2]);
    if (keepdims < 0) return nullptr;
    const int rank = rank_of(x);
    if (given[1] == Py_None) {
        const int64_t all = -1;
        if (!ok(dah_reshape(x, 1, &all, -1, &flat))) return nullptr;
    } else if (!to_axis(given[1], rank, &axis)) {
        return name_op(op_names[op]);
    }
    da_status status;
    {
        Unlocked unlocked(worthwhile(x));
        status = dah_arg_reduce(op, flat ? flat : x, axis, flat ? 0 : keepdims, &out);
    }
    if (flat) dah_tensor_release(flat);
    if (!ok(status)) return nullptr;
    if (flat && keepdims) {
        int64_t ones[DA_MAX_RANK];
        for (int i = 0; i < rank; ++i) ones[i] = 1;
        dah_tensor* shaped;
        const bool good = ok(dah_reshape(out, rank, ones, 0, &shaped));
        dah_tensor_release(out);
        return good ? wrap(shaped) : nullptr;
    }
    return wrap(out);
}

PyObject* matmul(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 2) return wrong_count("matmul", "two arrays");
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    return number_methods.nb_matrix_multiply(a[0], a[1]);
}

PyObject* take_along_axis(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 3) return wrong_count("take_along_axis", "an array, indices and an axis");
    int axis;
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    if (!to_axis(a[2], rank_of(tensor_of(a[0])), &axis)) return name_op("take_along_axis");
    dah_tensor* out;
    return ok(dah_take_along_axis(tensor_of(a[0]), tensor_of(a[1]), axis, &out)) ? wrap(out)
                                                                                 : nullptr;
}

PyObject* index_accumulate(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 4) {
        return wrong_count("index_accumulate", "an array, indices, updates and an axis");
    }
    int axis;
    if (!expect_tensor(a[0]) || !expect_tensor(a[1]) || !expect_tensor(a[2])) return nullptr;
    if (!to_axis(a[3], rank_of(tensor_of(a[0])), &axis)) return name_op("index_accumulate");
    dah_tensor* out;
    return ok(dah_index_accumulate(tensor_of(a[0]), tensor_of(a[1]), tensor_of(a[2]), axis, &out))
               ? wrap(out)
               : nullptr;
}

#define REDUCTION(name, function) {name, method(function), METH_FASTCALL | METH_KEYWORDS, nullptr}
PyMethodDef functions[] = {
    REDUCTION("sum", total<DA_OP_SUM>),
    REDUCTION("prod", total<DA_OP_PROD>),
    REDUCTION("max", reduction<DA_OP_MAX>),
    REDUCTION("min", reduction<DA_OP_MIN>),
    REDUCTION("any", reduction<DA_OP_ANY>),
    REDUCTION("all", reduction<DA_OP_ALL>),
    REDUCTION("argmax", arg_reduction<DA_OP_ARGMAX>),
    REDUCTION("argmin", arg_reduction<DA_OP_ARGMIN>),
    FAST(matmul),
    FAST(take_along_axis),
    FAST(index_accumulate),
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

bool add_reductions(PyObject* module) {
    return add_table(module, functions);
}

} // namespace device_api::binding
