// SPDX-License-Identifier: Apache-2.0
// Waits for a device: the client's hooks round them, and failures that a silent wait has met.
#include "waiting.hpp"

#include <chrono>

#include "error.hpp"
#include "observe.hpp"
#include "op_info.hpp"

namespace device_api::core {
namespace {

std::atomic<void* (*)()> before_wait{nullptr};
std::atomic<void (*)(void*)> after_wait{nullptr};
std::atomic<da_status (*)()> interruption{nullptr};

constexpr int32_t step_ms = 50;

// A failure of earlier work, met by a wait that reports to nobody: the first one is kept.
void keep_failure(dah_stream& stream, da_status status) {
    if (status == DA_OK || status == DA_TIMEOUT || status == DA_NOT_READY) return;
    Device& device = *stream.device;
    fail_late(device, status, &stream);
    auto* failure = new dah_error(*dah_last_error());
    dah_error* none = nullptr;
    if (!device.failure.compare_exchange_strong(none, failure)) delete failure;
}

} // namespace

Waiting::Waiting() : token_(nullptr) {
    if (auto* before = before_wait.load(std::memory_order_acquire)) token_ = before();
}

Waiting::~Waiting() noexcept(false) {
    if (token_) after_wait.load(std::memory_order_relaxed)(token_);
}

void settle(dah_stream& stream) {
    Device& device = *stream.device;
    if (!stream.handle || device.forked) return;
    keep_failure(stream, device.api().stream_synchronize(device.self(), stream.handle, -1));
}

da_status settle_or_interrupt(dah_stream& stream) {
    using clock = std::chrono::steady_clock;
    Device& device = *stream.device;
    while (stream.handle && !device.forked) {
        const auto begin = clock::now();
        da_status status;
        {
            const Waiting waiting;
            status = device.api().stream_synchronize(device.self(), stream.handle, step_ms);
        }
        // A device that says so before its time is one that hangs.
        const bool step_over = clock::now() - begin >= std::chrono::milliseconds(step_ms / 2);
        if (status != DA_TIMEOUT || !step_over) {
            keep_failure(stream, status);
            return DA_OK;
        }
        if (auto* interrupted = interruption.load(std::memory_order_acquire)) {
            if (da_status asked = interrupted()) return asked;
        }
    }
    return DA_OK;
}

da_status fail_late(Device& device, da_status status, const dah_stream* stream, uint16_t op) {
    if (op) {
        fail_vendor(*device.backend, &device, status,
                    (std::string("the op '") + op_info(op).name + "'").c_str());
        return annotate(status, op, &device, stream);
    }
    fail_vendor(*device.backend, &device, status, "work enqueued earlier on the device");
    advise_late(device);
    return annotate(status, 0, &device, stream);
}

da_status fail_timeout(const Device& device, const dah_stream* stream) {
    fail(DA_TIMEOUT, "the work of '" + device.name() + "' did not finish in the time given",
         "wait longer, or without a timeout; where it never ends, " +
             (device.api().device_reset ? "device_api.reset_device('" + device.name() + "') ends it"
                                        : std::string("end the process")));
    return annotate(DA_TIMEOUT, 0, &device, stream);
}

void advise_late(const Device& device) {
    if (device.gone || device.synchronous || watched(watch_sync)) return;
    const std::string remedy = dah_last_error()->remedy;
    advise(remedy + (remedy.empty() ? "" : "; ") +
           "the error may belong to any op before this call: set DEVICE_API_SYNC=1 and run again, "
           "then it names the op that caused it");
}

da_status fail_waiting(Device& device, da_status status, const char* doing,
                       const dah_stream* stream) {
    fail_vendor(*device.backend, &device, status, doing);
    const bool of_the_call = status == DA_INVALID_ARGUMENT || status == DA_OUT_OF_MEMORY ||
                             status == DA_NOT_SUPPORTED || status == DA_FORKED;
    if (!of_the_call) advise_late(device);
    return annotate(status, 0, &device, stream);
}

da_status take_failure(Device& device) {
    if (__builtin_expect(!device.failure.load(std::memory_order_relaxed), 1)) return DA_OK;
    const std::unique_ptr<dah_error> failure(device.failure.exchange(nullptr));
    return failure ? fail(*failure) : DA_OK;
}

} // namespace device_api::core

void dah_set_wait_hooks(void* (*before)(void), void (*after)(void* token)) {
    using namespace device_api::core;
    after_wait = after;
    before_wait.store(before, std::memory_order_release);
}

void dah_set_interrupt_hook(da_status (*interrupted)(void)) {
    device_api::core::interruption.store(interrupted, std::memory_order_release);
}
