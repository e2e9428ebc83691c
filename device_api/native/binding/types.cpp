// SPDX-License-Identifier: Apache-2.0
// DType and Device: interned objects that name data types and devices.
#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "binding.hpp"

namespace py = pybind11;

namespace device_api::binding {
namespace {

struct DType {
    uint16_t number;
};

struct DeviceName {
    std::string type;
    int32_t index;
    dah_device handle = -2; // not looked up yet
    std::string text() const { return type + ":" + std::to_string(index); }
};

py::object* dtypes; // DA_DTYPE_COUNT of them; never freed
std::map<std::string, py::object>* devices;
std::map<dah_device, py::object>* devices_by_handle;

py::object intern_device(const std::string& type, int32_t index) {
    const std::string name = type + ":" + std::to_string(index);
    auto found = devices->find(name);
    if (found != devices->end()) return found->second;
    py::object object = py::cast(DeviceName{type, index});
    devices->emplace(name, object);
    return object;
}

py::object parse_device(const std::string& text) {
    const size_t colon = text.find(':');
    const std::string type = text.substr(0, colon);
    const std::string index = colon == std::string::npos ? "0" : text.substr(colon + 1);
    const bool digits = !index.empty() && index.size() < 6 &&
                        index.find_first_not_of("0123456789") == std::string::npos;
    if (type.empty() || !digits) {
        raise_kind("unknown_device", ("'" + text + "' is not the name of a device").c_str(),
                   "write a type, or a type and an index: 'cpu', 'cpu:0'");
        throw py::error_already_set();
    }
    return intern_device(type, std::stoi(index));
}

// The text of a str; "?" for one that is no Unicode (lone surrogates), which no name is.
std::string text_of(py::handle object) {
    if (const char* text = PyUnicode_AsUTF8(object.ptr())) return text;
    PyErr_Clear();
    return "?";
}

py::object device_argument(py::handle object) {
    if (py::isinstance<DeviceName>(object)) return py::reinterpret_borrow<py::object>(object);
    if (py::isinstance<py::str>(object)) return parse_device(text_of(object));
    raise_kind("unknown_device", "a device is given by its name or as a Device",
               "write e.g. device='cpu:0'");
    throw py::error_already_set();
}

bool same_device(const DeviceName& a, py::handle b) {
    if (py::isinstance<DeviceName>(b)) return a.text() == b.cast<DeviceName&>().text();
    if (!py::isinstance<py::str>(b)) return false;
    const std::string text = text_of(b);
    return text == a.text() || (text == a.type && a.index == 0);
}

void define_dtype(py::module_& m) {
    py::class_<DType>(m, "DType", "An element type; equal to its name and hashable.")
        .def_property_readonly("name", [](const DType& d) { return dah_dtype_name(d.number); })
        .def_property_readonly("itemsize", [](const DType& d) { return dah_dtype_size(d.number); })
        .def_property_readonly(
            "kind", [](const DType& d) { return std::string(1, dah_dtype_kind(d.number)); })
        .def_property_readonly("number", [](const DType& d) { return int{d.number}; })
        .def("__repr__",
             [](const DType& d) { return std::string("device_api.") + dah_dtype_name(d.number); })
        .def("__str__", [](const DType& d) { return dah_dtype_name(d.number); })
        .def("__hash__", [](const DType& d) { return size_t{d.number}; })
        .def("__eq__",
             [](const DType& d, py::handle other) {
                 if (py::isinstance<DType>(other)) {
                     return d.number == other.cast<DType&>().number;
                 }
                 return py::isinstance<py::str>(other) &&
                        text_of(other) == dah_dtype_name(d.number);
             })
        .def("__reduce__", [m](const DType& d) {
            return py::make_tuple(m.attr("as_dtype"), py::make_tuple(dah_dtype_name(d.number)));
        });
    dtypes = new py::object[DA_DTYPE_COUNT];
    py::dict by_name;
    for (uint16_t i = 0; i < DA_DTYPE_COUNT; ++i) {
        dtypes[i] = py::cast(DType{i});
        by_name[dah_dtype_name(i)] = dtypes[i];
    }
    m.attr("dtypes") = by_name;
    m.def("as_dtype", [](py::handle object) {
        uint16_t number;
        if (!to_dtype(object.ptr(), &number)) throw py::error_already_set();
        return dtypes[number];
    });
}

void define_device(py::module_& m) {
    devices = new std::map<std::string, py::object>;
    devices_by_handle = new std::map<dah_device, py::object>;
    // __new__ returns interned objects, so that identity is equality.
    py::class_<DeviceName>(m, "Device", "Names a device; nothing is loaded by making one.")
        .def_property_readonly("type", [](const DeviceName& d) { return d.type; })
        .def_property_readonly("index", [](const DeviceName& d) { return d.index; })
        .def(py::init([](const std::string& type, int32_t index) {
                 if (type.find(':') == std::string::npos) return DeviceName{type, index};
                 py::object parsed = parse_device(type);
                 return DeviceName(parsed.cast<DeviceName&>());
             }),
             py::arg("type"), py::arg("index") = 0)
        .def("__repr__", [](const DeviceName& d) { return "Device('" + d.text() + "')"; })
        .def("__str__", &DeviceName::text)
        .def("__hash__", [](const DeviceName& d) { return std::hash<std::string>()(d.text()); })
        .def("__eq__", same_device)
        .def("__reduce__", [m](const DeviceName& d) {
            return py::make_tuple(m.attr("Device"), py::make_tuple(d.type, d.index));
        });
    m.def("as_device", [](py::handle object) { return device_argument(object); });
}

// Loads the plugin of a type; the hook returns the type's own name where `type` is an alias.
bool load_type(std::string& type) {
    if (dah_type_find(type.c_str()) >= 0) return true;
    PyObject* callable = hook("missing_device");
    PyObject* result =
        callable ? stay_at_exit([&] { return PyObject_CallFunction(callable, "s", type.c_str()); })
                 : nullptr;
    if (!result) return false;
    if (const char* canonical = PyUnicode_AsUTF8(result)) type = canonical;
    Py_DECREF(result);
    return !PyErr_Occurred();
}

bool look_up(DeviceName& name) {
    std::string type = name.type;
    return load_type(type) && ok(dah_device_get(type.c_str(), name.index, &name.handle));
}

// The device in force when none is named. The environment's wish is asked for once.
bool current(dah_device* device) {
    static bool asked = false;
    if (!asked) {
        asked = true; // before the call, which comes back here
        PyObject* callable = hook("default_device");
        PyObject* result =
            callable ? stay_at_exit([callable] { return PyObject_CallNoArgs(callable); }) : nullptr;
        Py_XDECREF(result);
        asked = result != nullptr; // a wish that cannot be met is not forgotten
        if (!result) return false;
    }
    *device = dah_current_device();
    std::string host = "cpu";
    if (*device < 0 && !load_type(host)) return false;
    *device = dah_current_device();
    return *device >= 0 || raise_error();
}

const char* const python_types[] = {"bool", "int", "float", "complex"};
const uint16_t python_dtypes[] = {DA_BOOL, DAH_DEFAULT_INT, DAH_DEFAULT_FLOAT, DA_COMPLEX64};

int dtype_by_name(const char* name) {
    for (uint16_t i = 0; i < DA_DTYPE_COUNT; ++i) {
        if (!strcmp(name, dah_dtype_name(i))) return i;
    }
    return -1;
}

// The name of a NumPy dtype, of a NumPy scalar type or of a Python type; "" when it is none.
std::string name_of_type(py::handle object) {
    if (PyType_Check(object.ptr())) {
        const std::string name = reinterpret_cast<PyTypeObject*>(object.ptr())->tp_name;
        for (int i = 0; i < 4; ++i) {
            if (name == python_types[i]) return dah_dtype_name(python_dtypes[i]);
        }
        const size_t dot = name.rfind('.');
        const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
        return last == "bool_" ? "bool" : last;
    }
    py::object name = py::getattr(object, "name", py::none());
    return py::isinstance<py::str>(name) ? text_of(name) : "";
}

} // namespace

PyObject* dtype_object(uint16_t dtype) {
    return dtypes[dtype].ptr();
}

PyObject* device_object(dah_device device) {
    auto found = devices_by_handle->find(device);
    if (found == devices_by_handle->end()) {
        py::object object = intern_device(dah_type_name(device / 256), device % 256);
        found = devices_by_handle->emplace(device, object).first;
    }
    return found->second.inc_ref().ptr();
}

bool to_dtype(PyObject* object, uint16_t* dtype) {
    const py::handle handle(object);
    if (py::isinstance<DType>(handle)) {
        *dtype = handle.cast<DType&>().number;
        return true;
    }
    const std::string name = PyUnicode_Check(object) ? text_of(handle) : name_of_type(handle);
    const int number = dtype_by_name(name.c_str());
    if (number >= 0) {
        *dtype = static_cast<uint16_t>(number);
        return true;
    }
    const std::string text = py::repr(handle).cast<std::string>();
    raise_kind("dtype", (text + " is not a data type").c_str(),
               "use one of device_api's, e.g. device_api.float32 or 'float32'");
    return false;
}

bool to_device(PyObject* object, dah_device* device) {
    if (!object || object == Py_None) return current(device);
    try {
        py::object name = device_argument(object);
        auto& known = name.cast<DeviceName&>();
        if (known.handle < 0 && !look_up(known)) return false;
        *device = known.handle;
        return true;
    } catch (py::error_already_set& error) {
        error.restore();
        return false;
    }
}

bool add_types(PyObject* module) {
    auto m = py::reinterpret_borrow<py::module_>(module);
    define_dtype(m);
    define_device(m);
    return true;
}

} // namespace device_api::binding
