// SPDX-License-Identifier: Apache-2.0
// Attributes and methods of Tensor.
#include "arguments.hpp"
#include "memory.hpp"

namespace device_api::binding {
namespace {

da_tensor describe(PyObject* self) {
    da_tensor view;
    dah_tensor_describe(tensor_of(self), &view);
    return view;
}

PyObject* tuple_of(const int64_t* values, int n) {
    PyObject* tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; ++i) {
        PyObject* value = PyLong_FromLongLong(values[i]);
        if (!value) {
            Py_DECREF(tuple);
            return nullptr;
        }
        PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}

// A tensor's shape never changes, so neither does the tuple.
PyObject* shape(PyObject* self, void*) {
    PyObject*& tuple = reinterpret_cast<PyTensor*>(self)->shape;
    if (!tuple) {
        const da_tensor x = describe(self);
        PyObject* made = tuple_of(x.shape, x.rank);
        if (!made) return nullptr;
        if (tuple) // making it may have run other code, which asked for it too
            Py_DECREF(made);
        else
            tuple = made;
    }
    Py_INCREF(tuple);
    return tuple;
}
PyObject* strides(PyObject* self, void*) {
    const da_tensor x = describe(self);
    return tuple_of(x.strides, x.rank);
}
PyObject* ndim(PyObject* self, void*) {
    return PyLong_FromLong(describe(self).rank);
}
PyObject* size(PyObject* self, void*) {
    return PyLong_FromLongLong(dah_tensor_elements(tensor_of(self)));
}
PyObject* itemsize(PyObject* self, void*) {
    return PyLong_FromLong(dah_dtype_size(describe(self).dtype));
}
PyObject* nbytes(PyObject* self, void*) {
    return PyLong_FromLongLong(dah_tensor_elements(tensor_of(self)) *
                               dah_dtype_size(describe(self).dtype));
}
PyObject* dtype(PyObject* self, void*) {
    PyObject* object = dtype_object(describe(self).dtype);
    Py_INCREF(object);
    return object;
}
PyObject* device(PyObject* self, void*) {
    return device_object(dah_tensor_device(tensor_of(self)));
}
PyObject* data_pointer(PyObject* self, void*) {
    return PyLong_FromVoidPtr(describe(self).data);
}

PyObject* swap_last_two(PyObject* self) {
    const int rank = rank_of(tensor_of(self));
    int32_t axes[DA_MAX_RANK];
    for (int i = 0; i < rank; ++i) axes[i] = i;
    axes[rank - 2] = rank - 1;
    axes[rank - 1] = rank - 2;
    dah_tensor* out;
    return ok(dah_permute(tensor_of(self), axes, &out)) ? wrap(out) : nullptr;
}
PyObject* transpose(PyObject* self, void*) {
    if (rank_of(tensor_of(self)) == 2) return swap_last_two(self);
    return raise_kind("shape", "T is defined for two dimensions only", "use mT or permute_dims()");
}
PyObject* matrix_transpose(PyObject* self, void*) {
    if (rank_of(tensor_of(self)) >= 2) return swap_last_two(self);
    return raise_kind("shape", "mT is defined for two or more dimensions", "");
}

PyObject* is_contiguous(PyObject* self, PyObject*) {
    return PyBool_FromLong(describe(self).flags & DA_TENSOR_CONTIGUOUS);
}

PyObject* item_method(PyObject* self, PyObject*) {
    return item(self);
}
PyObject* numpy_method(PyObject* self, PyObject*) {
    return to_numpy(self);
}

// As a number of Python's: a format of numbers needs an array of one element.
PyObject* format(PyObject* self, PyObject* specification) {
    if (!PyUnicode_Check(specification)) {
        PyErr_Format(PyExc_TypeError, "a format is a string, not %s",
                     Py_TYPE(specification)->tp_name);
        return nullptr;
    }
    if (PyUnicode_GetLength(specification) == 0) return PyObject_Str(self);
    PyObject* value = item(self);
    if (!value) return nullptr;
    PyObject* text = PyObject_Format(value, specification);
    Py_DECREF(value);
    return text;
}

PyObject* complex_method(PyObject* self, PyObject*) {
    PyObject* value = item(self);
    if (!value || PyComplex_Check(value)) return value;
    const double real = PyFloat_AsDouble(value);
    Py_DECREF(value);
    return real == -1 && PyErr_Occurred() ? nullptr : PyComplex_FromDoubles(real, 0);
}

// NumPy has no bfloat16, but every value of it is one of float32.
PyObject* host_array(PyObject* self) {
    if (describe(self).dtype != DA_BFLOAT16) return to_numpy(self);
    dah_tensor* out;
    if (!ok(dah_cast(tensor_of(self), DA_FLOAT32, 0, &out))) return nullptr;
    PyObject* wide = wrap(out);
    if (!wide) return nullptr;
    PyObject* array = to_numpy(wide);
    Py_DECREF(wide);
    return array;
}

PyObject* tolist(PyObject* self, PyObject*) {
    if (!rank_of(tensor_of(self))) return item(self);
    PyObject* array = host_array(self);
    if (!array) return nullptr;
    PyObject* list = PyObject_CallMethod(array, "tolist", nullptr);
    Py_DECREF(array);
    return list;
}

PyObject* array_protocol(PyObject* self, PyObject* arguments, PyObject* names) {
    static const char* keywords[] = {"dtype", "copy", nullptr};
    PyObject *type = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|OO", const_cast<char**>(keywords), &type,
                                     &copy)) {
        return nullptr;
    }
    if (copy == Py_False) {
        return raise_kind("invalid_argument",
                          "a NumPy array of a tensor is always a copy, so copy=False cannot be",
                          "use numpy.asarray(x), or numpy.from_dlpack(x) for a view");
    }
    PyObject* array = to_numpy(self);
    if (!array || type == Py_None) return array;
    PyObject* cast = PyObject_CallMethod(array, "astype", "O", type);
    Py_DECREF(array);
    return cast;
}

PyObject* to_device_method(PyObject* self, PyObject* arguments, PyObject* names) {
    static const char* keywords[] = {"device", "stream", nullptr};
    PyObject *target, *stream = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "O|$O", const_cast<char**>(keywords),
                                     &target, &stream)) {
        return nullptr;
    }
    if (stream != Py_None) {
        return raise_kind("invalid_argument", "to_device() takes no stream",
                          "use stream_guard(stream) around the call");
    }
    dah_device handle;
    if (!to_device(target, &handle)) return nullptr;
    dah_tensor* out;
    da_status status;
    {
        Unlocked unlocked(true);
        status = dah_to_device(tensor_of(self), handle, &out);
    }
    return ok(status) ? wrap(out) : nullptr;
}

// Versions of the array API standard; each holds what the earlier ones have.
const char* const standard_versions[] = {"2021.12", "2022.12", "2023.12", "2024.12", "2025.12"};

bool check_version(PyObject* version) {
    if (version == Py_None) return true;
    if (!PyUnicode_Check(version)) {
        PyErr_SetString(PyExc_TypeError, "api_version is a string such as '2025.12', or None");
        return false;
    }
    for (const char* known : standard_versions) {
        if (PyUnicode_CompareWithASCIIString(version, known) == 0) return true;
    }
    PyObject* text = PyUnicode_FromFormat("version %R of the array API is not supported", version);
    const char* message = text ? PyUnicode_AsUTF8(text) : nullptr;
    if (message) {
        raise_kind("invalid_argument", message,
                   "ask for 2021.12, 2022.12, 2023.12, 2024.12 or 2025.12, or for none");
    }
    Py_XDECREF(text);
    return false;
}

PyObject* array_namespace(PyObject*, PyObject* arguments, PyObject* names) {
    static const char* keywords[] = {"api_version", nullptr};
    PyObject* version = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, names, "|$O", const_cast<char**>(keywords),
                                     &version)) {
        return nullptr;
    }
    if (!check_version(version)) return nullptr;
    PyObject* callable = hook("namespace");
    return callable ? PyObject_CallNoArgs(callable) : nullptr;
}

// Through host bytes; device_api._core.rebuild is the other half.
PyObject* reduce(PyObject* self, PyObject*) {
    const da_tensor x = describe(self);
    const int64_t bytes = dah_tensor_elements(tensor_of(self)) * dah_dtype_size(x.dtype);
    PyObject* data = PyBytes_FromStringAndSize(nullptr, bytes);
    if (!data) return nullptr;
    if (!ok(dah_to_host(tensor_of(self), PyBytes_AS_STRING(data)))) {
        Py_DECREF(data);
        return nullptr;
    }
    PyObject* module = PyImport_ImportModule("device_api._core");
    PyObject* rebuild = module ? PyObject_GetAttrString(module, "rebuild") : nullptr;
    Py_XDECREF(module);
    if (!rebuild) {
        Py_DECREF(data);
        return nullptr;
    }
    PyObject* name = PyObject_Str(device(self, nullptr));
    return Py_BuildValue("N(NsNN)", rebuild, data, dah_dtype_name(x.dtype), shape(self, nullptr),
                         name);
}

PyObject* deep_copy(PyObject* self, PyObject*) {
    dah_tensor* out;
    return ok(dah_contiguous(tensor_of(self), 1, &out)) ? wrap(out) : nullptr;
}

} // namespace

PyGetSetDef tensor_members[] = {
    {"shape", shape, nullptr, "Sizes of the dimensions.", nullptr},
    {"strides", strides, nullptr, "Steps between elements, in elements.", nullptr},
    {"ndim", ndim, nullptr, "Number of dimensions.", nullptr},
    {"size", size, nullptr, "Number of elements.", nullptr},
    {"itemsize", itemsize, nullptr, "Bytes of one element.", nullptr},
    {"nbytes", nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"dtype", dtype, nullptr, "Type of the elements.", nullptr},
    {"device", device, nullptr, "Where the elements are.", nullptr},
    {"data_ptr", data_pointer, nullptr, "Address of the first element, on its device.", nullptr},
    {"T", transpose, nullptr, "The transpose of a matrix, as a view.", nullptr},
    {"mT", matrix_transpose, nullptr, "The last two dimensions swapped, as a view.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// Docstrings begin with the signature, as CPython reads it.
#define SIGNED(name, parameters, text) name "(" parameters ")\n--\n\n" text
#define BARE(name, function, text)     {name, function, METH_NOARGS, SIGNED(name, "$self", text)}
#define NAMED                          METH_VARARGS | METH_KEYWORDS
PyMethodDef tensor_methods[] = {
    BARE("is_contiguous", is_contiguous, "Whether elements are dense in row-major order."),
    BARE("item", item_method, "The only element, as a Python number."),
    BARE("numpy", numpy_method, "A NumPy array with a copy of the elements."),
    BARE("tolist", tolist, "Nested lists of Python numbers."),
    {"record_stream", record_stream, METH_O,
     SIGNED("record_stream", "$self, stream, /",
            "Work of that stream uses the memory: it is not reused before that is done.")},
    BARE("__complex__", complex_method, "The only element, as a complex number."),
    {"__format__", format, METH_O,
     SIGNED("__format__", "$self, format_spec, /",
            "As the only element, a Python number, is formatted.")},
    {"__array__", method(array_protocol), NAMED,
     SIGNED("__array__", "$self, dtype=None, copy=None", "A NumPy array with a copy.")},
    {"to_device", method(to_device_method), NAMED,
     SIGNED("to_device", "$self, device, /, *, stream=None",
            "The same array on another device; itself when it is there.")},
    {"__array_namespace__", method(array_namespace), NAMED,
     SIGNED("__array_namespace__", "$self, /, *, api_version=None",
            "The module with the functions of the array API standard.")},
    {"__dlpack__", method(dlpack_capsule), METH_FASTCALL | METH_KEYWORDS,
     SIGNED("__dlpack__", "$self, /, *, stream=None, max_version=None, dl_device=None, copy=None",
            "A DLPack capsule of the same memory, or of a copy where that is asked for.")},
    BARE("__dlpack_device__", dlpack_device, "DLPack's type and number of the device."),
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__copy__", deep_copy, METH_NOARGS, nullptr},
    {"__deepcopy__", deep_copy, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

} // namespace device_api::binding
