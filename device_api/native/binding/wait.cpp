// SPDX-License-Identifier: Apache-2.0
// Waits that release the interpreter lock and that Ctrl-C interrupts.
#include <algorithm>
#include <chrono>
#include <unistd.h>

#include "binding.hpp"

namespace device_api::binding {

std::atomic<int> callbacks_ahead{0};

namespace {

constexpr int64_t slice_ms = 50;

// `wait_once(milliseconds)` returns DA_TIMEOUT when the time was too short.
template <class F>
bool wait(int64_t timeout_ms, F&& wait_once) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        int64_t slice = slice_ms;
        if (timeout_ms >= 0) {
            const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - start);
            slice = std::clamp<int64_t>(timeout_ms - spent.count(), 0, slice_ms);
        }
        da_status status;
        {
            Unlocked unlocked(true);
            status = wait_once(static_cast<int32_t>(slice));
        }
        if (status != DA_TIMEOUT) return ok(status);
        if (PyErr_CheckSignals()) return false;
        if (timeout_ms >= 0 && slice < slice_ms) {
            return ok(status);
        }
    }
}

} // namespace

bool finalizing() {
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

void take_lock(PyThreadState* state) {
    while (finalizing()) pause();
    stay_at_exit([state] { PyEval_RestoreThread(state); });
}

namespace {

void* give_lock_up() {
    if (!Py_IsInitialized() || finalizing() || !PyGILState_Check()) return nullptr;
    return PyEval_SaveThread();
}

// Python's signal handlers, in the main thread: what they raise ends the wait.
da_status run_signal_handlers() {
    if (!Py_IsInitialized() || finalizing()) return DA_OK;
    const Locked locked;
    const bool raised = stay_at_exit([] { return PyErr_CheckSignals() != 0; });
    return raised ? keep_exception("while the device's work was waited for, to give memory back")
                  : DA_OK;
}

} // namespace

void hook_waits() {
    dah_set_wait_hooks(give_lock_up,
                       [](void* state) { take_lock(static_cast<PyThreadState*>(state)); });
    dah_set_interrupt_hook(run_signal_handlers);
}

bool wait_for_stream(dah_stream* stream, int64_t timeout_ms) {
    return wait(timeout_ms, [&](int32_t ms) { return dah_stream_synchronize(stream, ms); });
}

bool wait_for_event(dah_event* event, int64_t timeout_ms) {
    return wait(timeout_ms, [&](int32_t ms) { return dah_event_synchronize(event, ms); });
}

bool wait_for_device(dah_device device, int64_t timeout_ms) {
    return wait(timeout_ms, [&](int32_t ms) { return dah_device_synchronize(device, ms); });
}

} // namespace device_api::binding
