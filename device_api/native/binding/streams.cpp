// SPDX-License-Identifier: Apache-2.0
// Stream and Event.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "runtime.hpp"
#include "streams.hpp"

namespace device_api::binding {
namespace {

using py::arg;

struct Stream {
    dah_stream* stream;
    explicit Stream(dah_stream* s) : stream(s) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() {
        const Unlocked unlocked(true); // the last release waits for the stream's work
        dah_stream_release(stream);
    }
};

struct Event {
    dah_event* event;
    explicit Event(dah_event* e) : event(e) {}
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { dah_event_destroy(event); }
};

std::unique_ptr<Stream> borrow(dah_stream* stream) {
    dah_stream_retain(stream);
    return std::make_unique<Stream>(stream);
}

int64_t milliseconds(py::handle seconds) {
    return seconds.is_none() ? -1 : static_cast<int64_t>(seconds.cast<double>() * 1e3);
}

bool answer(da_status status) {
    if (status == DA_NOT_READY) return false;
    check(status);
    return true;
}

dah_stream* stream_or_current(py::handle given, dah_device device) {
    if (!given.is_none()) return stream_of(given);
    dah_stream* stream;
    check(dah_current_stream(device, &stream));
    return stream;
}

// Callbacks under way, and whether the interpreter takes no more of them.
std::atomic<int> callbacks{0};
std::atomic<bool> closed{false};

void call(void* data) {
    if (closed || !Py_IsInitialized()) return; // the callable is gone with the interpreter
    const Locked locked;
    stay_at_exit([data] {
        auto* callable = static_cast<PyObject*>(data);
        PyObject* result = PyObject_CallNoArgs(callable);
        if (!result) PyErr_WriteUnraisable(callable);
        Py_XDECREF(result);
        Py_DECREF(callable);
    });
}

// Runs on a thread of the plugin; owns one reference to the callable.
void run_callback(void* data) {
    ++callbacks;
    call(data);
    --callbacks_ahead;
    --callbacks;
}

// Before the interpreter ends: a thread that then asked for its lock would be unwound by CPython.
void close_callbacks() {
    closed = true;
    const Unlocked unlocked(true);
    while (callbacks) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void add_callback(const Stream& s, py::object function) {
    if (!PyCallable_Check(function.ptr())) {
        throw py::type_error("a callback is a function without arguments, not " +
                             py::repr(function).cast<std::string>());
    }
    PyObject* data = function.inc_ref().ptr();
    da_status status;
    ++callbacks_ahead; // before the callback can run
    {
        const Unlocked unlocked(true);
        status = dah_stream_callback(s.stream, run_callback, data);
    }
    if (status) {
        --callbacks_ahead;
        Py_DECREF(data);
    }
    check(status);
}

// An integer, clamped to what fits: devices clamp it further.
int32_t to_priority(py::handle given) {
    if (!PyIndex_Check(given.ptr())) {
        throw py::type_error("a stream's priority is an integer, not " +
                             py::repr(given).cast<std::string>());
    }
    const Py_ssize_t value = PyNumber_AsSsize_t(given.ptr(), nullptr);
    return static_cast<int32_t>(std::clamp<Py_ssize_t>(value, INT32_MIN, INT32_MAX));
}

py::object device_name(dah_device device) {
    return py::reinterpret_steal<py::object>(device_object(device));
}

std::unique_ptr<Event> make_event(bool timing, py::handle device) {
    dah_event* event = nullptr;
    check(dah_event_create(resolve(device), timing ? DAB_EVENT_TIMING : 0, &event));
    return std::make_unique<Event>(event);
}

// Borrowed; throws TypeError for anything else than an Event.
dah_event* event_of(py::handle object) {
    if (py::isinstance<Event>(object)) return object.cast<Event&>().event;
    throw py::type_error("a device_api.Event is needed, not " +
                         std::string(py::str(py::type::of(object).attr("__name__"))));
}

void wait_event(dah_stream* stream, dah_event* event) {
    da_status status;
    {
        const Unlocked unlocked(true); // waits where the plugin cannot make a stream wait
        status = dah_stream_wait_event(stream, event);
    }
    check(status);
}

// Where the plugin has no events the core waits, and gives the interpreter lock up for that.
void record_event(dah_event* event, dah_stream* stream) {
    da_status status;
    {
        const Unlocked unlocked(false);
        status = dah_event_record(event, stream);
    }
    check(status);
}

void define_stream(py::module_& m) {
    py::class_<Stream>(m, "Stream", "An in-order queue of work on one device.")
        .def(py::init([](py::handle device, py::handle priority) {
                 dah_stream* stream = nullptr;
                 check(dah_stream_create(resolve(device), to_priority(priority), &stream));
                 return std::make_unique<Stream>(stream);
             }),
             arg("device") = py::none(), arg("priority") = 0)
        .def_property_readonly(
            "device", [](const Stream& s) { return device_name(dah_stream_device(s.stream)); })
        .def_property_readonly("id", [](const Stream& s) { return dah_stream_id(s.stream); })
        .def(
            "synchronize",
            [](const Stream& s, py::handle timeout) {
                if (!wait_for_stream(s.stream, milliseconds(timeout))) {
                    throw py::error_already_set();
                }
            },
            arg("timeout") = py::none())
        .def("query", [](const Stream& s) { return answer(dah_stream_query(s.stream)); })
        .def(
            "wait_event",
            [](const Stream& s, py::handle event) { wait_event(s.stream, event_of(event)); },
            arg("event"))
        .def(
            "wait_stream",
            [](const Stream& s, py::handle given) {
                dah_stream* other = stream_of(given);
                const auto event = make_event(false, device_name(dah_stream_device(other)));
                record_event(event->event, other);
                wait_event(s.stream, event->event);
            },
            arg("stream"))
        .def(
            "record_event",
            [](const Stream& s, py::object event) {
                if (event.is_none()) {
                    event = py::cast(make_event(false, device_name(dah_stream_device(s.stream))));
                }
                record_event(event_of(event), s.stream);
                return event;
            },
            arg("event") = py::none())
        .def("add_callback", add_callback, arg("function"))
        .def("__eq__",
             [](const Stream& s, py::handle other) {
                 return py::isinstance<Stream>(other) && other.cast<Stream&>().stream == s.stream;
             })
        .def("__hash__", [](const Stream& s) { return dah_stream_id(s.stream); })
        .def("__repr__", [](const Stream& s) {
            return "Stream(id=" + std::to_string(dah_stream_id(s.stream)) + ", device='" +
                   std::string(py::str(device_name(dah_stream_device(s.stream)))) + "')";
        });
}

void define_event(py::module_& m) {
    py::class_<Event>(m, "Event", "A point in a stream that can be waited for and timed.")
        .def(py::init(&make_event), arg("enable_timing") = false, arg("device") = py::none())
        .def_property_readonly(
            "device", [](const Event& e) { return device_name(dah_event_device(e.event)); })
        .def(
            "record",
            [](const Event& e, py::handle stream) {
                record_event(e.event, stream_or_current(stream, dah_event_device(e.event)));
            },
            arg("stream") = py::none())
        .def(
            "wait",
            [](const Event& e, py::handle stream) {
                wait_event(stream_or_current(stream, dah_event_device(e.event)), e.event);
            },
            arg("stream") = py::none())
        .def("query", [](const Event& e) { return answer(dah_event_query(e.event)); })
        .def(
            "synchronize",
            [](const Event& e, py::handle timeout) {
                if (!wait_for_event(e.event, milliseconds(timeout))) {
                    throw py::error_already_set();
                }
            },
            arg("timeout") = py::none())
        .def(
            "elapsed_time",
            [](const Event& start, py::handle end) {
                double ms = 0;
                check(dah_event_elapsed(start.event, event_of(end), &ms));
                return ms;
            },
            arg("end"));
}

} // namespace

py::object stream_object(dah_stream* stream) {
    return py::cast(borrow(stream));
}

dah_stream* stream_of(py::handle object) {
    if (!py::isinstance<Stream>(object)) {
        throw py::type_error("a device_api.Stream is needed, not " +
                             std::string(py::str(py::type::of(object).attr("__name__"))));
    }
    return object.cast<Stream&>().stream;
}

void add_streams(py::module_& m) {
    hook_waits();
    py::module_::import("atexit").attr("register")(py::cpp_function(close_callbacks));
    define_stream(m);
    define_event(m);
    m.def(
        "current_stream",
        [](py::handle device) {
            dah_stream* stream = nullptr;
            check(dah_current_stream(resolve(device), &stream));
            return borrow(stream);
        },
        arg("device") = py::none());
    m.def(
        "set_current_stream",
        [](py::handle given) {
            dah_stream *stream = stream_of(given), *previous = nullptr;
            check(dah_current_stream(dah_stream_device(stream), &previous));
            auto kept = borrow(previous);
            check(dah_set_current_stream(stream));
            return kept;
        },
        arg("stream"));
}

} // namespace device_api::binding
