// SPDX-License-Identifier: Apache-2.0
// Basic indexing: integers, slices, Ellipsis and None make views; the rest goes to Python.
#include "binding.hpp"

namespace device_api::binding {
namespace {

struct View {
    int rank = 0;
    int64_t shape[DA_MAX_RANK];
    int64_t strides[DA_MAX_RANK];
    int64_t offset = 0;
};

enum Outcome { done, advanced, failed };

Outcome index_error(int64_t index, int axis, int64_t size) {
    char message[128];
    snprintf(message, sizeof message, "index %lld is out of range for axis %d of size %lld",
             static_cast<long long>(index), axis, static_cast<long long>(size));
    raise_kind("index", message, "count from 0, or from -1 backwards");
    return failed;
}

// Of an index that is no 64-bit integer; other exceptions than that of its size stay.
Outcome unreadable(int axis, int64_t size) {
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return failed;
    PyErr_Clear();
    char message[128];
    snprintf(message, sizeof message,
             "an index of more than 64 bits is out of range for axis %d of size %lld", axis,
             static_cast<long long>(size));
    raise_kind("index", message, "count from 0, or from -1 backwards");
    return failed;
}

Outcome too_many(int rank) {
    char message[96];
    snprintf(message, sizeof message, "too many indices for an array of %d dimension%s", rank,
             rank == 1 ? "" : "s");
    raise_kind("index", message, "give at most one index for each dimension");
    return failed;
}

bool push(View& view, int64_t size, int64_t stride) {
    if (view.rank == DA_MAX_RANK) {
        raise_kind("shape", "a tensor has at most 32 dimensions", "");
        return false;
    }
    view.shape[view.rank] = size;
    view.strides[view.rank++] = stride;
    return true;
}

Outcome take_index(PyObject* key, const da_tensor& x, int axis, View& view) {
    const Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_OverflowError);
    const int64_t size = x.shape[axis];
    if (index == -1 && PyErr_Occurred()) return unreadable(axis, size);
    if (index < -size || index >= size) return index_error(index, axis, size);
    view.offset += (index < 0 ? index + size : index) * x.strides[axis];
    return done;
}

Outcome take_slice(PyObject* key, const da_tensor& x, int axis, View& view) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step)) return failed;
    const Py_ssize_t n = PySlice_AdjustIndices(x.shape[axis], &start, &stop, step);
    if (n) view.offset += start * x.strides[axis];
    return push(view, n, x.strides[axis] * step) ? done : failed;
}

bool is_index(PyObject* key) {
    if (PyLong_Check(key)) return !PyBool_Check(key);
    // NumPy's integer scalars, but neither arrays nor tensors.
    return PyIndex_Check(key) && !is_tensor(key) && !PyObject_HasAttrString(key, "__setitem__") &&
           !PyBool_Check(key);
}

Outcome take(PyObject* key, const da_tensor& x, int* axis, View& view) {
    if (key == Py_None) return push(view, 1, 0) ? done : failed;
    const bool integer = is_index(key);
    if (!integer && !PySlice_Check(key)) return advanced;
    if (*axis >= x.rank) return too_many(x.rank);
    const int at = (*axis)++;
    return integer ? take_index(key, x, at, view) : take_slice(key, x, at, view);
}

Outcome take_all(PyObject* const* keys, Py_ssize_t n, const da_tensor& x, View& view) {
    int used = 0;
    bool ellipsis = false;
    for (Py_ssize_t i = 0; i < n; ++i) {
        if (keys[i] == Py_Ellipsis) {
            if (ellipsis) {
                raise_kind("index", "an index has at most one ellipsis", "");
                return failed;
            }
            ellipsis = true;
        } else if (keys[i] != Py_None) {
            ++used;
        }
    }
    int axis = 0;
    for (Py_ssize_t i = 0; i < n; ++i) {
        if (keys[i] == Py_Ellipsis) {
            for (int k = used; k < x.rank; ++k, ++axis) {
                if (!push(view, x.shape[axis], x.strides[axis])) return failed;
            }
            continue;
        }
        const Outcome outcome = take(keys[i], x, &axis, view);
        if (outcome != done) return outcome;
    }
    for (; axis < x.rank; ++axis) {
        if (!push(view, x.shape[axis], x.strides[axis])) return failed;
    }
    return done;
}

Outcome view_of(PyObject* self, PyObject* key, dah_tensor** out) {
    da_tensor x;
    dah_tensor_describe(tensor_of(self), &x);
    View view;
    Outcome outcome;
    if (PyTuple_Check(key)) {
        auto* tuple = reinterpret_cast<PyTupleObject*>(key);
        outcome = take_all(tuple->ob_item, PyTuple_GET_SIZE(key), x, view);
    } else {
        outcome = take_all(&key, 1, x, view);
    }
    if (outcome != done) return outcome;
    const da_status status =
        dah_view(tensor_of(self), view.rank, view.shape, view.strides, view.offset, out);
    return ok(status) ? done : failed;
}

PyObject* get(PyObject* self, PyObject* key) {
    dah_tensor* out;
    const Outcome outcome = view_of(self, key, &out);
    if (outcome == done) return wrap(out);
    if (outcome == failed) return nullptr;
    PyObject* callable = hook("getitem");
    return callable ? PyObject_CallFunctionObjArgs(callable, self, key, nullptr) : nullptr;
}

int set_by_hook(PyObject* self, PyObject* key, PyObject* value) {
    PyObject* callable = hook("setitem");
    if (!callable) return -1;
    PyObject* result = PyObject_CallFunctionObjArgs(callable, self, key, value, nullptr);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

int set(PyObject* self, PyObject* key, PyObject* value) {
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
        return -1;
    }
    dah_scalar scalar{};
    const bool is_scalar = !is_tensor(value) && to_scalar(value, &scalar);
    if (is_scalar && !scalar.kind) return -1;
    dah_tensor* view;
    const Outcome outcome = is_tensor(value) || is_scalar ? view_of(self, key, &view) : advanced;
    if (outcome == failed) return -1;
    if (outcome == advanced) return set_by_hook(self, key, value);
    const da_status status =
        is_scalar ? dah_assign_scalar(view, &scalar) : dah_assign(view, tensor_of(value));
    dah_tensor_release(view);
    return ok(status) ? 0 : -1;
}

Py_ssize_t length(PyObject* self) {
    da_tensor x;
    dah_tensor_describe(tensor_of(self), &x);
    if (x.rank) return x.shape[0];
    PyErr_SetString(PyExc_TypeError, "a zero-dimensional array has no length");
    return -1;
}

// Whether any element equals the value.
int contains(PyObject* self, PyObject* value) {
    PyObject* equal = PyObject_RichCompare(self, value, Py_EQ);
    if (!equal || !is_tensor(equal)) {
        const int result = equal ? PyObject_IsTrue(equal) : -1;
        Py_XDECREF(equal);
        return result;
    }
    PyObject* callable = hook("namespace");
    PyObject* space = callable ? PyObject_CallNoArgs(callable) : nullptr;
    PyObject* any = space ? PyObject_CallMethod(space, "any", "O", equal) : nullptr;
    const int result = any ? PyObject_IsTrue(any) : -1;
    Py_XDECREF(any);
    Py_XDECREF(space);
    Py_DECREF(equal);
    return result;
}

PyObject* element(PyObject* self, Py_ssize_t i) {
    da_tensor x;
    dah_tensor_describe(tensor_of(self), &x);
    if (!x.rank || i < 0 || i >= x.shape[0]) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return nullptr;
    }
    dah_tensor* out;
    const da_status status =
        dah_view(tensor_of(self), x.rank - 1, x.shape + 1, x.strides + 1, i * x.strides[0], &out);
    return ok(status) ? wrap(out) : nullptr;
}

} // namespace

PyMappingMethods mapping_methods = {length, get, set};
PySequenceMethods sequence_methods = [] {
    PySequenceMethods m{};
    m.sq_length = length;
    m.sq_item = element; // for iteration
    m.sq_contains = contains;
    return m;
}();

} // namespace device_api::binding
