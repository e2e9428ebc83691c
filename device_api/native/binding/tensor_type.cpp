// SPDX-License-Identifier: Apache-2.0
// The Tensor type: a raw CPython type with a free list.
#include <cstddef>

#include "binding.hpp"

namespace device_api::binding {
namespace {

constexpr int free_limit = 256;
PyTensor* free_objects[free_limit];
int n_free = 0;

void deallocate(PyObject* self) {
    auto* object = reinterpret_cast<PyTensor*>(self);
    if (object->weak_references) PyObject_ClearWeakRefs(self);
    if (object->tensor) dah_tensor_release(object->tensor);
    Py_XDECREF(object->shape);
    if (n_free < free_limit)
        free_objects[n_free++] = object;
    else
        PyObject_Free(object);
}

PyObject* call_hook(const char* name, PyObject* self) {
    PyObject* callable = hook(name);
    return callable ? PyObject_CallOneArg(callable, self) : nullptr;
}
PyObject* represent(PyObject* self) {
    return call_hook("repr", self);
}
PyObject* as_text(PyObject* self) {
    return call_hook("str", self);
}

PyObject* iterate(PyObject* self) {
    if (rank_of(tensor_of(self)) > 0) return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "a zero-dimensional array cannot be iterated");
    return nullptr;
}

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError,
                    "Tensor is not called directly; use device_api.asarray() or empty()");
    return nullptr;
}

} // namespace

PyTypeObject tensor_type{}; // filled in by ready_tensor_type

PyObject* wrap(dah_tensor* tensor) {
    PyTensor* object;
    if (n_free) {
        object = free_objects[--n_free];
        PyObject_Init(&object->ob_base, &tensor_type);
    } else {
        object = PyObject_New(PyTensor, &tensor_type);
        if (!object) {
            dah_tensor_release(tensor);
            return nullptr;
        }
    }
    object->tensor = tensor;
    object->weak_references = nullptr;
    object->shape = nullptr;
    return &object->ob_base;
}

bool ready_tensor_type() {
    PyTypeObject& type = tensor_type;
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
    type.tp_name = "device_api.Tensor";
    type.tp_doc = "An n-dimensional array on one device; see the Python array API standard.";
    type.tp_basicsize = sizeof(PyTensor);
    type.tp_flags = Py_TPFLAGS_DEFAULT;
    type.tp_dealloc = deallocate;
    type.tp_repr = represent;
    type.tp_str = as_text;
    type.tp_iter = iterate;
    type.tp_new = refuse_new;
    type.tp_weaklistoffset = offsetof(PyTensor, weak_references);
    type.tp_as_number = &number_methods;
    type.tp_as_mapping = &mapping_methods;
    type.tp_as_sequence = &sequence_methods;
    type.tp_richcompare = rich_compare;
    type.tp_hash = PyObject_HashNotImplemented;
    type.tp_methods = tensor_methods;
    type.tp_getset = tensor_members;
    if (PyType_Ready(&type)) return false;
    // NumPy leaves operators to us, instead of copying the array to the host without a word.
    return PyDict_SetItemString(type.tp_dict, "__array_ufunc__", Py_None) == 0;
}

} // namespace device_api::binding
