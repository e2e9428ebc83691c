// SPDX-License-Identifier: Apache-2.0
// Functions over arrays: elementwise, reductions, products, views. All by vectorcall.
#include <vector>

#include "binding.hpp"

namespace device_api::binding {
namespace {

PyObject *wrong_count(const char *name, const char *takes) {
    PyErr_Format(PyExc_TypeError, "%s takes %s", name, takes);
    return nullptr;
}

bool expect_tensor(PyObject *object) {
    if (is_tensor(object)) return true;
    PyErr_Format(PyExc_TypeError, "expected a Tensor, not %s (use device_api.asarray)",
                 Py_TYPE(object)->tp_name);
    return false;
}

// Positional arguments and keywords by the names given; missing ones stay as they are.
bool read(PyObject *const *arguments, Py_ssize_t count, PyObject *names,
          std::initializer_list<const char *> expected, PyObject **out) {
    const auto limit = static_cast<Py_ssize_t>(expected.size());
    if (count > limit) {
        PyErr_Format(PyExc_TypeError, "at most %zd arguments, %zd given", limit, count);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) out[i] = arguments[i];
    const Py_ssize_t n = names ? PyTuple_GET_SIZE(names) : 0;
    for (Py_ssize_t k = 0; k < n; ++k) {
        PyObject *name = PyTuple_GET_ITEM(names, k);
        Py_ssize_t at = 0;
        for (const char *candidate : expected) {
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

template <uint16_t op> PyObject *unary_function(PyObject *, PyObject *x) { return unary(op, x); }

template <uint16_t code>
PyObject *binary_function(PyObject *, PyObject *const *arguments, Py_ssize_t count) {
    if (count != 2) return wrong_count("this function", "two arrays");
    PyObject *result = binary(code, arguments[0], arguments[1]);
    if (result != Py_NotImplemented) return result;
    Py_DECREF(result);
    PyErr_Format(PyExc_TypeError, "expected arrays of device_api or numbers, not %s and %s",
                 Py_TYPE(arguments[0])->tp_name, Py_TYPE(arguments[1])->tp_name);
    return nullptr;
}

// A number as a tensor like `like`, for functions whose ops take tensors only.
dah_tensor *as_operand(PyObject *object, PyObject *like) {
    if (is_tensor(object)) {
        dah_tensor_retain(tensor_of(object));
        return tensor_of(object);
    }
    dah_scalar scalar;
    if (!to_scalar(object, &scalar) || !scalar.kind) {
        if (!PyErr_Occurred()) expect_tensor(object);
        return nullptr;
    }
    da_tensor view;
    dah_tensor_describe(tensor_of(like), &view);
    uint16_t dtype = view.dtype;
    const bool floating = dtype >= DA_FLOAT16;
    if (scalar.kind == 'f' && !floating) dtype = DA_FLOAT32;
    if (scalar.kind != 'b' && dtype == DA_BOOL) dtype = DA_INT64;
    dah_tensor *out;
    return ok(dah_full(dah_tensor_device(tensor_of(like)), dtype, 0, nullptr, &scalar, &out))
               ? out
               : nullptr;
}

PyObject *where(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 3) return wrong_count("where", "a condition and two values");
    if (!expect_tensor(a[0])) return nullptr;
    PyObject *like = is_tensor(a[1]) ? a[1] : a[2];
    if (!is_tensor(like)) {
        PyErr_SetString(PyExc_TypeError, "one of the two values of where() must be an array");
        return nullptr;
    }
    dah_tensor *x = as_operand(a[1], like), *y = x ? as_operand(a[2], like) : nullptr;
    dah_tensor *out = nullptr;
    bool good = y != nullptr;
    if (good) {
        da_status status;
        {
            Unlocked unlocked(worthwhile(tensor_of(a[0])));
            status = dah_where(tensor_of(a[0]), x, y, &out);
        }
        good = ok(status);
    }
    if (x) dah_tensor_release(x);
    if (y) dah_tensor_release(y);
    return good ? wrap(out) : nullptr;
}

PyObject *astype(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[3] = {nullptr, nullptr, Py_True};
    if (!read(arguments, count, names, {"x", "dtype", "copy"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("astype", "an array and a data type");
    uint16_t dtype;
    if (!expect_tensor(given[0]) || !to_dtype(given[1], &dtype)) return nullptr;
    dah_tensor *out;
    da_status status;
    {
        const int copy = PyObject_IsTrue(given[2]);
        Unlocked unlocked(worthwhile(tensor_of(given[0])));
        status = dah_cast(tensor_of(given[0]), dtype, copy, &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

PyObject *copy(PyObject *, PyObject *x) {
    if (!expect_tensor(x)) return nullptr;
    dah_tensor *out;
    return ok(dah_contiguous(tensor_of(x), 1, &out)) ? wrap(out) : nullptr;
}

PyObject *copyto(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 2) return wrong_count("copyto", "a target and a source");
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    if (!ok(dah_assign(tensor_of(a[0]), tensor_of(a[1])))) return nullptr;
    Py_RETURN_NONE;
}

PyObject *fill(PyObject *, PyObject *const *a, Py_ssize_t count) {
    dah_scalar scalar;
    if (count != 2) return wrong_count("fill_", "an array and a number");
    if (!expect_tensor(a[0])) return nullptr;
    if (!to_scalar(a[1], &scalar)) return wrong_count("fill_", "an array and a number");
    if (!scalar.kind || !ok(dah_assign_scalar(tensor_of(a[0]), &scalar))) return nullptr;
    Py_INCREF(a[0]);
    return a[0];
}

PyObject *reduced(uint16_t op, dah_tensor *x, PyObject *axis, int keepdims) {
    uint64_t axes;
    if (!to_axes(axis, rank_of(x), &axes)) return nullptr;
    dah_tensor *out;
    da_status status;
    {
        Unlocked unlocked(worthwhile(x));
        status = dah_reduce(op, x, axes, keepdims, &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

PyObject *sum(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[4] = {nullptr, Py_None, Py_None, Py_False};
    if (count == 1 && !names && is_tensor(arguments[0])) {
        return reduced(DA_OP_SUM, tensor_of(arguments[0]), Py_None, 0);
    }
    if (!read(arguments, count, names, {"x", "axis", "dtype", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("sum", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    dah_tensor *x = tensor_of(given[0]), *cast = nullptr;
    if (given[2] != Py_None) {
        uint16_t dtype;
        if (!to_dtype(given[2], &dtype) || !ok(dah_cast(x, dtype, 0, &cast))) return nullptr;
        x = cast;
    }
    PyObject *result = reduced(DA_OP_SUM, x, given[1], PyObject_IsTrue(given[3]));
    if (result && cast) { // narrow integers are summed in wider ones: back to what was asked
        da_tensor asked, got;
        dah_tensor_describe(cast, &asked);
        dah_tensor_describe(tensor_of(result), &got);
        dah_tensor *back;
        if (asked.dtype != got.dtype) {
            const bool good = ok(dah_cast(tensor_of(result), asked.dtype, 0, &back));
            Py_DECREF(result);
            result = good ? wrap(back) : nullptr;
        }
    }
    if (cast) dah_tensor_release(cast);
    return result;
}

PyObject *max(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[3] = {nullptr, Py_None, Py_False};
    if (!read(arguments, count, names, {"x", "axis", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("max", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    return reduced(DA_OP_MAX, tensor_of(given[0]), given[1], PyObject_IsTrue(given[2]));
}

PyObject *argmax(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[3] = {nullptr, Py_None, Py_False};
    if (!read(arguments, count, names, {"x", "axis", "keepdims"}, given)) return nullptr;
    if (!given[0]) return wrong_count("argmax", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    dah_tensor *x = tensor_of(given[0]), *flat = nullptr, *out = nullptr;
    int axis = 0;
    const int keepdims = PyObject_IsTrue(given[2]);
    const int rank = rank_of(x);
    if (given[1] == Py_None) {
        const int64_t all = -1;
        if (!ok(dah_reshape(x, 1, &all, -1, &flat))) return nullptr;
    } else if (!to_axis(given[1], rank, &axis)) {
        return nullptr;
    }
    da_status status;
    {
        Unlocked unlocked(worthwhile(x));
        status = dah_arg_reduce(DA_OP_ARGMAX, flat ? flat : x, axis, flat ? 0 : keepdims, &out);
    }
    if (flat) dah_tensor_release(flat);
    if (!ok(status)) return nullptr;
    if (flat && keepdims) {
        int64_t ones[DA_MAX_RANK];
        for (int i = 0; i < rank; ++i) ones[i] = 1;
        dah_tensor *shaped;
        const bool good = ok(dah_reshape(out, rank, ones, 0, &shaped));
        dah_tensor_release(out);
        return good ? wrap(shaped) : nullptr;
    }
    return wrap(out);
}

PyObject *matmul(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 2) return wrong_count("matmul", "two arrays");
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    return number_methods.nb_matrix_multiply(a[0], a[1]);
}

PyObject *take_along_axis(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 3) return wrong_count("take_along_axis", "an array, indices and an axis");
    int axis;
    if (!expect_tensor(a[0]) || !expect_tensor(a[1])) return nullptr;
    if (!to_axis(a[2], rank_of(tensor_of(a[0])), &axis)) return nullptr;
    dah_tensor *out;
    return ok(dah_take_along_axis(tensor_of(a[0]), tensor_of(a[1]), axis, &out)) ? wrap(out)
                                                                                 : nullptr;
}

PyObject *index_accumulate(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 4) {
        return wrong_count("index_accumulate", "an array, indices, updates and an axis");
    }
    int axis;
    if (!expect_tensor(a[0]) || !expect_tensor(a[1]) || !expect_tensor(a[2])) return nullptr;
    if (!to_axis(a[3], rank_of(tensor_of(a[0])), &axis)) return nullptr;
    dah_tensor *out;
    return ok(dah_index_accumulate(tensor_of(a[0]), tensor_of(a[1]), tensor_of(a[2]), axis, &out))
               ? wrap(out)
               : nullptr;
}

PyObject *reshape(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[3] = {nullptr, nullptr, Py_None};
    if (!read(arguments, count, names, {"x", "shape", "copy"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("reshape", "an array and a shape");
    int64_t shape[DA_MAX_RANK];
    int rank;
    if (!expect_tensor(given[0]) || (rank = to_shape(given[1], shape)) < 0) return nullptr;
    const int copy = given[2] == Py_None ? -1 : PyObject_IsTrue(given[2]);
    dah_tensor *out;
    return ok(dah_reshape(tensor_of(given[0]), rank, shape, copy, &out)) ? wrap(out) : nullptr;
}

PyObject *permute_dims(PyObject *, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *names) {
    PyObject *given[2] = {nullptr, nullptr};
    if (!read(arguments, count, names, {"x", "axes"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("permute_dims", "an array and axes");
    int64_t axes[DA_MAX_RANK];
    int n;
    if (!expect_tensor(given[0]) || (n = to_shape(given[1], axes)) < 0) return nullptr;
    if (n != rank_of(tensor_of(given[0]))) {
        return raise_kind("shape", "a permutation names every axis of the array exactly once",
                          "give as many axes as the array has dimensions");
    }
    int32_t narrow[DA_MAX_RANK];
    for (int i = 0; i < n; ++i) narrow[i] = static_cast<int32_t>(axes[i]);
    dah_tensor *out;
    return ok(dah_permute(tensor_of(given[0]), narrow, &out)) ? wrap(out) : nullptr;
}

PyObject *broadcast_to(PyObject *, PyObject *const *a, Py_ssize_t count) {
    if (count != 2) return wrong_count("broadcast_to", "an array and a shape");
    int64_t shape[DA_MAX_RANK];
    int rank;
    if (!expect_tensor(a[0]) || (rank = to_shape(a[1], shape)) < 0) return nullptr;
    dah_tensor *out;
    return ok(dah_broadcast(tensor_of(a[0]), rank, shape, &out)) ? wrap(out) : nullptr;
}

PyObject *expand_dims(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[2] = {nullptr, nullptr};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("expand_dims", "an array and an axis");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes; // of the result
    const int extra = PyTuple_Check(given[1]) ? static_cast<int>(PyTuple_GET_SIZE(given[1])) : 1;
    const int rank = x.rank + extra;
    if (rank > DA_MAX_RANK) return raise_kind("shape", "a tensor has at most 16 dimensions", "");
    if (!to_axes(given[1], rank, &axes)) return nullptr;
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    for (int i = 0, k = 0; i < rank; ++i) {
        const bool added = (axes >> i) & 1;
        shape[i] = added ? 1 : x.shape[k];
        strides[i] = added ? 0 : x.strides[k];
        k += !added;
    }
    dah_tensor *out;
    return ok(dah_view(tensor_of(given[0]), rank, shape, strides, 0, &out)) ? wrap(out) : nullptr;
}

PyObject *squeeze(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[2] = {nullptr, nullptr};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("squeeze", "an array and an axis");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes;
    if (!to_axes(given[1], x.rank, &axes)) return nullptr;
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < x.rank; ++i) {
        const bool dropped = (axes >> i) & 1;
        if (dropped && x.shape[i] != 1) {
            return raise_kind("shape", "only axes of size 1 can be squeezed", "");
        }
        if (dropped) continue;
        shape[rank] = x.shape[i];
        strides[rank++] = x.strides[i];
    }
    dah_tensor *out;
    return ok(dah_view(tensor_of(given[0]), rank, shape, strides, 0, &out)) ? wrap(out) : nullptr;
}

PyObject *flip(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *given[2] = {nullptr, Py_None};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0]) return wrong_count("flip", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes;
    if (!to_axes(given[1], x.rank, &axes)) return nullptr;
    int64_t strides[DA_MAX_RANK], offset = 0;
    for (int i = 0; i < x.rank; ++i) {
        const bool flipped = (axes >> i) & 1;
        strides[i] = flipped ? -x.strides[i] : x.strides[i];
        if (flipped && x.shape[i]) offset += (x.shape[i] - 1) * x.strides[i];
    }
    dah_tensor *out;
    return ok(dah_view(tensor_of(given[0]), x.rank, x.shape, strides, offset, &out)) ? wrap(out)
                                                                                     : nullptr;
}

PyObject *concat(PyObject *, PyObject *const *arguments, Py_ssize_t count, PyObject *names) {
    PyObject *axis = PyLong_FromLong(0);
    Py_DECREF(axis); // small integers are immortal enough
    PyObject *given[2] = {nullptr, axis};
    if (!read(arguments, count, names, {"arrays", "axis"}, given)) return nullptr;
    if (!given[0]) return wrong_count("concat", "a sequence of arrays");
    PyObject *sequence = PySequence_Fast(given[0], "concat takes a sequence of arrays");
    if (!sequence) return nullptr;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    std::vector<dah_tensor *> parts;
    bool good = true;
    int at = 0;
    for (Py_ssize_t i = 0; good && i < n; ++i) {
        PyObject *part = PySequence_Fast_GET_ITEM(sequence, i);
        good = expect_tensor(part);
        if (!good) break;
        dah_tensor *t = tensor_of(part);
        const int64_t all = -1;
        if (given[1] != Py_None) dah_tensor_retain(t);
        else good = ok(dah_reshape(t, 1, &all, -1, &t));
        if (good) parts.push_back(t);
    }
    if (good && given[1] != Py_None && n) good = to_axis(given[1], rank_of(parts[0]), &at);
    dah_tensor *out = nullptr;
    good = good && ok(dah_concat(parts.data(), static_cast<int32_t>(n), at, &out));
    for (dah_tensor *t : parts) dah_tensor_release(t);
    Py_DECREF(sequence);
    return good ? wrap(out) : nullptr;
}

template <class F> PyCFunction method(F function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

#define UNARY(name, op) {name, unary_function<op>, METH_O, nullptr}
#define BINARY(name, op) {name, method(binary_function<op>), METH_FASTCALL, nullptr}
#define FAST(name) {#name, method(name), METH_FASTCALL, nullptr}
#define KEYWORDS(name) {#name, method(name), METH_FASTCALL | METH_KEYWORDS, nullptr}
PyMethodDef functions[] = {
    UNARY("negative", DA_OP_NEG),
    UNARY("abs", DA_OP_ABS),
    UNARY("exp", DA_OP_EXP),
    UNARY("log", DA_OP_LOG),
    UNARY("sqrt", DA_OP_SQRT),
    UNARY("tanh", DA_OP_TANH),
    UNARY("floor", DA_OP_FLOOR),
    UNARY("sign", DA_OP_SIGN),
    UNARY("isnan", DA_OP_ISNAN),
    UNARY("logical_not", DA_OP_LOGICAL_NOT),
    BINARY("add", DA_OP_ADD),
    BINARY("subtract", DA_OP_SUB),
    BINARY("multiply", DA_OP_MUL),
    BINARY("divide", DA_OP_DIV),
    BINARY("maximum", DA_OP_MAXIMUM),
    BINARY("minimum", DA_OP_MINIMUM),
    BINARY("pow", DA_OP_POW),
    BINARY("equal", DA_OP_EQUAL),
    BINARY("less", DA_OP_LESS),
    BINARY("not_equal", op_not_equal),
    BINARY("less_equal", op_less_equal),
    BINARY("greater", op_greater),
    BINARY("greater_equal", op_greater_equal),
    BINARY("logical_and", DA_OP_LOGICAL_AND),
    BINARY("logical_or", DA_OP_LOGICAL_OR),
    FAST(where),
    KEYWORDS(astype),
    {"copy", copy, METH_O, nullptr},
    FAST(copyto),
    {"fill_", method(fill), METH_FASTCALL, nullptr},
    KEYWORDS(sum),
    KEYWORDS(max),
    KEYWORDS(argmax),
    FAST(matmul),
    FAST(take_along_axis),
    FAST(index_accumulate),
    KEYWORDS(reshape),
    KEYWORDS(permute_dims),
    FAST(broadcast_to),
    KEYWORDS(expand_dims),
    KEYWORDS(squeeze),
    KEYWORDS(flip),
    KEYWORDS(concat),
    {"set_hook", method(set_hook), METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace

bool add_functions(PyObject *module) {
    describe(functions);
    return PyModule_AddFunctions(module, functions) == 0;
}

} // namespace device_api::binding
