// SPDX-License-Identifier: Apache-2.0
// Python values as scalars, shapes and axes of the core.
#include "binding.hpp"

namespace device_api::binding {
namespace {

bool to_integer(PyObject* object, dah_scalar* out) {
    int overflow = 0;
    out->value.i = PyLong_AsLongLongAndOverflow(object, &overflow);
    out->kind = 'i';
    if (!overflow) return true;
    if (overflow > 0) {
        out->value.u = PyLong_AsUnsignedLongLong(object);
        out->kind = 'u';
        if (!PyErr_Occurred()) return true;
        PyErr_Clear();
    }
    raise_kind("dtype", "the integer does not fit into 64 bits", "use a float");
    out->kind = 0;
    return true;
}

// NumPy scalars and others that act as numbers, but not arrays.
bool to_foreign(PyObject* object, dah_scalar* out) {
    if (PyObject_HasAttrString(object, "__array__") && !PyObject_HasAttrString(object, "item")) {
        return false;
    }
    if (PyObject_HasAttrString(object, "shape")) {
        PyObject* shape = PyObject_GetAttrString(object, "shape");
        const bool is_scalar = shape && PyTuple_Check(shape) && PyTuple_GET_SIZE(shape) == 0 &&
                               !PyObject_HasAttrString(object, "__setitem__");
        Py_XDECREF(shape);
        if (!is_scalar) return false;
        PyObject* number = PyObject_CallMethod(object, "item", nullptr);
        if (!number) {
            PyErr_Clear();
            return false;
        }
        const bool done = to_scalar(number, out);
        Py_DECREF(number);
        return done;
    }
    if (!PyIndex_Check(object) || PyType_Check(object)) return false;
    PyObject* number = PyNumber_Index(object);
    if (!number) {
        PyErr_Clear();
        return false;
    }
    const bool done = to_integer(number, out);
    Py_DECREF(number);
    return done;
}

bool one_axis(PyObject* object, int rank, int* axis) {
    const Py_ssize_t value = PyNumber_AsSsize_t(object, PyExc_IndexError);
    if (value == -1 && PyErr_Occurred()) return false;
    if (value < -rank || value >= rank) {
        char message[96];
        snprintf(message, sizeof message, "axis %zd is out of range for %d dimension%s", value,
                 rank, rank == 1 ? "" : "s");
        raise_kind("index", message, "count axes from 0, or from -1 backwards");
        return false;
    }
    *axis = static_cast<int>(value < 0 ? value + rank : value);
    return true;
}

} // namespace

bool to_scalar(PyObject* object, dah_scalar* out) {
    if (PyFloat_Check(object)) {
        out->value.f = PyFloat_AS_DOUBLE(object);
        out->kind = 'f';
        return true;
    }
    if (PyBool_Check(object)) {
        out->value.u = object == Py_True;
        out->kind = 'b';
        return true;
    }
    if (PyLong_Check(object)) return to_integer(object, out);
    if (PyComplex_Check(object)) {
        out->value.c[0] = PyComplex_RealAsDouble(object);
        out->value.c[1] = PyComplex_ImagAsDouble(object);
        out->kind = 'c';
        return true;
    }
    if (is_tensor(object) || PyUnicode_Check(object) || object == Py_None) return false;
    return to_foreign(object, out);
}

int to_shape(PyObject* object, int64_t* sizes) {
    if (PyLong_Check(object) || (PyIndex_Check(object) && !PySequence_Check(object))) {
        sizes[0] = PyNumber_AsSsize_t(object, PyExc_OverflowError);
        return sizes[0] == -1 && PyErr_Occurred() ? -1 : 1;
    }
    PyObject* sequence = PySequence_Fast(object, "a shape is an integer or a tuple of integers");
    if (!sequence) return -1;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    if (n > DA_MAX_RANK) {
        Py_DECREF(sequence);
        raise_kind("shape", "a tensor has at most 32 dimensions", "");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; ++i) {
        sizes[i] = PyNumber_AsSsize_t(PySequence_Fast_GET_ITEM(sequence, i), PyExc_OverflowError);
        if (sizes[i] == -1 && PyErr_Occurred()) {
            Py_DECREF(sequence);
            return -1;
        }
    }
    Py_DECREF(sequence);
    return static_cast<int>(n);
}

bool to_axis(PyObject* object, int rank, int* axis) {
    return one_axis(object, rank, axis);
}

bool to_axes(PyObject* object, int rank, uint64_t* axes) {
    if (object == Py_None) {
        *axes = ~uint64_t{0};
        return true;
    }
    *axes = 0;
    int axis;
    if (!PyTuple_Check(object) && !PyList_Check(object)) {
        if (!one_axis(object, rank, &axis)) return false;
        *axes = uint64_t{1} << axis;
        return true;
    }
    const Py_ssize_t n = PySequence_Size(object);
    for (Py_ssize_t i = 0; i < n; ++i) {
        PyObject* element = PySequence_GetItem(object, i);
        const bool good = element && one_axis(element, rank, &axis);
        Py_XDECREF(element);
        if (!good) return false;
        if (*axes & (uint64_t{1} << axis)) {
            raise_kind("index", "an axis is named twice", "name each axis once");
            return false;
        }
        *axes |= uint64_t{1} << axis;
    }
    return true;
}

int rank_of(const dah_tensor* tensor) {
    da_tensor view;
    dah_tensor_describe(tensor, &view);
    return view.rank;
}

} // namespace device_api::binding
