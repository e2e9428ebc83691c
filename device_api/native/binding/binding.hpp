// SPDX-License-Identifier: Apache-2.0
// What the files of the Python extension share.
#pragma once

#include <Python.h>
#include <atomic>
#include <cxxabi.h>
#include <unistd.h>

#include <string>

#include "device_api/host.h"

namespace device_api::binding {

// ---- tensors as Python objects (tensor_type.cpp) ----

struct PyTensor {
    PyObject ob_base;
    dah_tensor* tensor;
    PyObject* weak_references;
    PyObject* shape; // the tuple, once it has been asked for
};
extern PyTypeObject tensor_type;
inline bool is_tensor(PyObject* object) {
    return Py_TYPE(object) == &tensor_type;
}
inline dah_tensor* tensor_of(PyObject* object) {
    return reinterpret_cast<PyTensor*>(object)->tensor;
}
// Takes over the reference; NULL with MemoryError when there is no memory.
PyObject* wrap(dah_tensor* tensor);
bool ready_tensor_type();

extern PyNumberMethods number_methods;     // operators.cpp
extern PyMappingMethods mapping_methods;   // indexing.cpp
extern PySequenceMethods sequence_methods; // indexing.cpp
extern PyMethodDef tensor_methods[];       // methods.cpp
extern PyGetSetDef tensor_members[];       // methods.cpp
PyObject* rich_compare(PyObject* a, PyObject* b, int comparison);

// ---- errors (errors.cpp) ----

// Raises this thread's last error of the core; returns NULL.
PyObject* raise_error();
// Raises device_api.errors' class of that kind.
PyObject* raise_kind(const char* kind, const char* message, const char* remedy);
// Names the op in the exception that is set, if it is one of ours and names none. Returns NULL.
PyObject* name_op(const char* op);
bool import_errors();
// Takes the exception that is set out of Python and makes it the core's error: raise_error() gives
// the very same exception back. `note` is added to it.
da_status keep_exception(const std::string& note);
// True when the call worked; otherwise the exception is set.
inline bool ok(da_status status) {
    if (__builtin_expect(status == DA_OK, 1)) return true;
    raise_error();
    return false;
}

// ---- conversions (convert.cpp) ----

// True for Python and NumPy numbers; `out` then holds the value, or an exception is set and `kind`
// is 0 (an integer beyond 64 bits).
bool to_scalar(PyObject* object, dah_scalar* out);
// A shape from an integer or a sequence of them; -1 with the exception set.
int to_shape(PyObject* object, int64_t* sizes);
// Bit mask of axes from None, an integer or a tuple; false with the exception set.
bool to_axes(PyObject* object, int rank, uint64_t* axes);
bool to_axis(PyObject* object, int rank, int* axis);
int rank_of(const dah_tensor* tensor);

// ---- data types and devices (types.cpp) ----

PyObject* dtype_object(uint16_t dtype);     // borrowed
PyObject* device_object(dah_device device); // new reference
// From DType, name, NumPy dtype or Python type; false with the exception set.
bool to_dtype(PyObject* object, uint16_t* dtype);
// From None (the current device), Device or name; loads the plugin by the hook where needed.
bool to_device(PyObject* object, dah_device* device);

// ---- hooks into the Python part (hooks.cpp) ----

// The callable of that name, borrowed; NULL with the exception set when it is missing.
PyObject* hook(const char* name);
PyObject* find_hook(const char* name); // the same without an exception
PyObject* set_hook(PyObject* module, PyObject* const* arguments, Py_ssize_t count);

// Has the core ask the hook "compose" for ops that a device lacks (compose.cpp).
void hook_composer();

// ---- elementwise ops by code (operators.cpp) ----

// Codes of ops with their operands swapped, beside the DA_OP_* numbers.
enum Swapped : uint16_t { op_greater = 2000, op_greater_equal };
// One operand may be a number; NotImplemented (a new reference) when neither fits.
PyObject* binary(uint16_t code, PyObject* a, PyObject* b);
PyObject* unary(uint16_t op, PyObject* x);

// ---- waiting (wait.cpp) ----

// Waits with the interpreter lock released, and returns to Python's signal handlers in between.
// timeout in milliseconds, below 0 for ever; false with the exception set, also at the timeout.
bool wait_for_stream(dah_stream* stream, int64_t timeout_ms);
bool wait_for_event(dah_event* event, int64_t timeout_ms);
bool wait_for_device(dah_device device, int64_t timeout_ms);

// Has the core give up the interpreter lock while it waits for a device.
void hook_waits();

// Whether the interpreter is ending: other threads then get its lock never again.
bool finalizing();

// Calls f, which takes Python's lock or runs Python code. CPython before 3.14 ends a thread that
// asks for the lock once the interpreter ends by unwinding it, also through frames of ours that
// cannot be (destructors). Such a thread stays where it is, as it does from 3.14 on.
template <class F>
auto stay_at_exit(F f) {
    try {
        return f();
    } catch (abi::__forced_unwind&) {
        for (;;) pause();
    }
}

// Python's lock for a thread of any kind, from here to the end of the scope.
class Locked {
  public:
    Locked() : state_(stay_at_exit([] { return PyGILState_Ensure(); })) {}
    ~Locked() { PyGILState_Release(state_); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    PyGILState_STATE state_;
};

// Takes the interpreter lock back; a thread that comes back after the interpreter's end stays here
// until the process is gone, since CPython would unwind it through frames of ours.
void take_lock(PyThreadState* state);

// Python callbacks that wait on streams. A launch behind one may wait for it, where the stream's
// queue is full, and the callback needs the interpreter lock.
extern std::atomic<int> callbacks_ahead;

// Releases the interpreter lock for the lifetime of this, where the work is worth it, and always
// while a callback of Python's waits on a stream.
class Unlocked {
  public:
    // The thread that ends the interpreter keeps the lock: nobody else may have it any more.
    explicit Unlocked(bool worthwhile)
        : state_((worthwhile || callbacks_ahead.load(std::memory_order_relaxed)) && !finalizing()
                     ? PyEval_SaveThread()
                     : nullptr) {}
    // CPython may still end the thread by a forced unwind, when the end comes in this very moment.
    ~Unlocked() noexcept(false) {
        if (state_) take_lock(state_);
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

  private:
    PyThreadState* state_;
};
constexpr int64_t worthwhile_elements = 1 << 15;
inline bool worthwhile(const dah_tensor* t) {
    return dah_tensor_elements(t) >= worthwhile_elements;
}

// ---- parts of the module, each adds its functions; false with the exception set ----

void describe(PyMethodDef* functions); // docs.cpp: gives functions their docstrings
bool add_functions(PyObject* module);  // functions.cpp
bool add_reductions(PyObject* module); // reductions.cpp
bool add_shapes(PyObject* module);     // shapes.cpp
bool add_creation(PyObject* module);   // creation.cpp
bool add_numpy(PyObject* module);      // numpy_io.cpp
bool add_dlpack(PyObject* module);     // dlpack.cpp
bool add_types(PyObject* module);      // types.cpp
PyObject* to_numpy(PyObject* tensor);  // numpy_io.cpp; a new array
PyObject* item(PyObject* tensor);      // numpy_io.cpp; a Python number
PyObject* dlpack_capsule(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* names); // dlpack.cpp
PyObject* dlpack_device(PyObject* self, PyObject* unused);

} // namespace device_api::binding
