// SPDX-License-Identifier: Apache-2.0
// Errors of the core as exceptions of device_api.errors.
#include <string>

#include "binding.hpp"

namespace device_api::binding {
namespace {

PyObject* from_core = nullptr;

const char* const status_kinds[] = {
    "internal",    "invalid_argument", "out_of_memory",  "not_supported", "not_ready",
    "device_lost", "timeout",          "hardware_fault", "busy",          "version_mismatch",
    "internal",    "no_driver",        "forked"};
const char* const error_kinds[] = {nullptr,        "shape",         "dtype",  "device_mismatch",
                                   "index",        "fallback",      "plugin", "no_device",
                                   "device_index", "unknown_device"};

const char* kind_of(const dah_error& error) {
    if (error.kind > 0 && error.kind < 10) return error_kinds[error.kind];
    const bool known = error.status >= 0 && error.status < 13;
    return known ? status_kinds[error.status] : "internal";
}

// The exception behind an error of kind DAH_ERROR_COMPOSER, on its way through the core; owned.
thread_local PyObject* kept = nullptr;

PyObject* raise(const char* kind, const dah_error& error) {
    PyObject* exception = stay_at_exit([&] {
        return PyObject_CallFunction(from_core, "sssssLsiK", kind, error.message, error.remedy,
                                     error.op, error.device,
                                     static_cast<long long>(error.vendor_code), error.vendor_text,
                                     error.status, static_cast<unsigned long long>(error.stream));
    });
    if (!exception) return nullptr;
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
    Py_DECREF(exception);
    return nullptr;
}

} // namespace

bool import_errors() {
    PyObject* module = PyImport_ImportModule("device_api.errors");
    if (!module) return false;
    from_core = PyObject_GetAttrString(module, "from_core");
    Py_DECREF(module);
    return from_core != nullptr;
}

PyObject* raise_error() {
    const dah_error error = *dah_last_error();
    if (error.kind == DAH_ERROR_COMPOSER && kept) {
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(kept)), kept);
        Py_CLEAR(kept);
        return nullptr;
    }
    return raise(kind_of(error), error);
}

da_status keep_exception(const std::string& note) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback) PyException_SetTraceback(value, traceback);
    PyObject* added = PyObject_CallMethod(value, "add_note", "s", note.c_str());
    PyObject* text = PyObject_Str(value);
    const char* message = text ? PyUnicode_AsUTF8(text) : nullptr;
    const std::string words =
        std::string(Py_TYPE(value)->tp_name) + ": " + (message ? message : "");
    PyErr_Clear(); // of the last three
    Py_XDECREF(added);
    Py_XDECREF(text);
    Py_DECREF(type);
    Py_XDECREF(traceback);
    Py_XSETREF(kept, value);
    return dah_fail(DA_INTERNAL, DAH_ERROR_COMPOSER, words.c_str(), "");
}

PyObject* raise_kind(const char* kind, const char* message, const char* remedy) {
    dah_error error{};
    error.status = DA_INVALID_ARGUMENT;
    snprintf(error.message, sizeof error.message, "%s", message);
    snprintf(error.remedy, sizeof error.remedy, "%s", remedy);
    return raise(kind, error);
}

PyObject* name_op(const char* op) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject* named = PyObject_GetAttrString(value, "op");
    if (named == Py_None) {
        PyObject* name = PyUnicode_FromString(op);
        if (name) PyObject_SetAttrString(value, "op", name);
        Py_XDECREF(name);
    }
    Py_XDECREF(named);
    PyErr_Clear(); // an exception of another kind has no op
    PyErr_Restore(type, value, traceback);
    return nullptr;
}

} // namespace device_api::binding
