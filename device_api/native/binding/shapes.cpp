// SPDX-License-Identifier: Apache-2.0
// Functions that change the shape, mostly by views, and concat.
#include <algorithm>
#include <vector>

#include "arguments.hpp"

namespace device_api::binding {
namespace {

PyObject* reshape(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[3] = {nullptr, nullptr, Py_None};
    if (!read(arguments, count, names, {"x", "shape", "copy"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("reshape", "an array and a shape");
    int64_t shape[DA_MAX_RANK];
    int rank;
    if (!expect_tensor(given[0]) || (rank = to_shape(given[1], shape)) < 0) return nullptr;
    const int wish = given[2] == Py_None ? 0 : PyObject_IsTrue(given[2]);
    if (wish < 0) return nullptr;
    const int copy = given[2] == Py_None ? -1 : wish;
    dah_tensor* out;
    return ok(dah_reshape(tensor_of(given[0]), rank, shape, copy, &out)) ? wrap(out) : nullptr;
}

PyObject* permute_dims(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[2] = {nullptr, nullptr};
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
    for (int i = 0; i < n; ++i) {
        // Numbers that do not fit are out of range as well: they must not wrap into it.
        narrow[i] =
            static_cast<int32_t>(std::clamp<int64_t>(axes[i], -DA_MAX_RANK - 1, DA_MAX_RANK));
    }
    dah_tensor* out;
    return ok(dah_permute(tensor_of(given[0]), narrow, &out)) ? wrap(out) : nullptr;
}

PyObject* broadcast_to(PyObject*, PyObject* const* a, Py_ssize_t count) {
    if (count != 2) return wrong_count("broadcast_to", "an array and a shape");
    int64_t shape[DA_MAX_RANK];
    int rank;
    if (!expect_tensor(a[0]) || (rank = to_shape(a[1], shape)) < 0) return nullptr;
    dah_tensor* out;
    return ok(dah_broadcast(tensor_of(a[0]), rank, shape, &out)) ? wrap(out) : nullptr;
}

PyObject* expand_dims(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[2] = {nullptr, nullptr};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("expand_dims", "an array and an axis");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes; // of the result
    if (given[1] == Py_None) return wrong_count("expand_dims", "an axis or several");
    const bool several = PyTuple_Check(given[1]) || PyList_Check(given[1]);
    const Py_ssize_t rank = x.rank + (several ? PySequence_Size(given[1]) : 1);
    if (rank > DA_MAX_RANK) return raise_kind("shape", "a tensor has at most 32 dimensions", "");
    if (!to_axes(given[1], static_cast<int>(rank), &axes)) return name_op("expand_dims");
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    for (int i = 0, k = 0; i < rank; ++i) {
        const bool added = (axes >> i) & 1;
        shape[i] = added ? 1 : x.shape[k];
        strides[i] = added ? 0 : x.strides[k];
        k += !added;
    }
    dah_tensor* out;
    return ok(dah_view(tensor_of(given[0]), rank, shape, strides, 0, &out)) ? wrap(out) : nullptr;
}

PyObject* squeeze(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[2] = {nullptr, nullptr};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0] || !given[1]) return wrong_count("squeeze", "an array and an axis");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes;
    if (!to_axes(given[1], x.rank, &axes)) return name_op("squeeze");
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
    dah_tensor* out;
    return ok(dah_view(tensor_of(given[0]), rank, shape, strides, 0, &out)) ? wrap(out) : nullptr;
}

PyObject* flip(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* given[2] = {nullptr, Py_None};
    if (!read(arguments, count, names, {"x", "axis"}, given)) return nullptr;
    if (!given[0]) return wrong_count("flip", "an array");
    if (!expect_tensor(given[0])) return nullptr;
    da_tensor x;
    dah_tensor_describe(tensor_of(given[0]), &x);
    uint64_t axes;
    if (!to_axes(given[1], x.rank, &axes)) return name_op("flip");
    int64_t strides[DA_MAX_RANK], offset = 0;
    for (int i = 0; i < x.rank; ++i) {
        const bool flipped = (axes >> i) & 1;
        strides[i] = flipped ? -x.strides[i] : x.strides[i];
        if (flipped && x.shape[i]) offset += (x.shape[i] - 1) * x.strides[i];
    }
    dah_tensor* out;
    return ok(dah_view(tensor_of(given[0]), x.rank, x.shape, strides, offset, &out)) ? wrap(out)
                                                                                     : nullptr;
}

PyObject* concat(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* axis = PyLong_FromLong(0);
    Py_DECREF(axis); // small integers are immortal enough
    PyObject* given[2] = {nullptr, axis};
    if (!read(arguments, count, names, {"arrays", "axis"}, given)) return nullptr;
    if (!given[0]) return wrong_count("concat", "a sequence of arrays");
    PyObject* sequence = PySequence_Fast(given[0], "concat takes a sequence of arrays");
    if (!sequence) return nullptr;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    std::vector<dah_tensor*> parts;
    bool good = true;
    int at = 0;
    for (Py_ssize_t i = 0; good && i < n; ++i) {
        PyObject* part = PySequence_Fast_GET_ITEM(sequence, i);
        good = expect_tensor(part);
        if (!good) break;
        dah_tensor* t = tensor_of(part);
        const int64_t all = -1;
        if (given[1] != Py_None)
            dah_tensor_retain(t);
        else
            good = ok(dah_reshape(t, 1, &all, -1, &t));
        if (good) parts.push_back(t);
    }
    if (good && given[1] != Py_None && n) {
        good = to_axis(given[1], rank_of(parts[0]), &at);
        if (!good) name_op("concat");
    }
    dah_tensor* out = nullptr;
    good = good && ok(dah_concat(parts.data(), static_cast<int32_t>(n), at, &out));
    for (dah_tensor* t : parts) dah_tensor_release(t);
    Py_DECREF(sequence);
    return good ? wrap(out) : nullptr;
}

PyMethodDef functions[] = {
    KEYWORDS(reshape), KEYWORDS(permute_dims), FAST(broadcast_to), KEYWORDS(expand_dims),
    KEYWORDS(squeeze), KEYWORDS(flip),         KEYWORDS(concat),   {nullptr, nullptr, 0, nullptr},
};

} // namespace

bool add_shapes(PyObject* module) {
    return add_table(module, functions);
}

} // namespace device_api::binding
