// SPDX-License-Identifier: Apache-2.0
// Streams and host callbacks. Only streams made here are used, never CANN's default stream.
#include <algorithm>
#include <memory>

#include "instance.hpp"

namespace device_api::npu {
namespace {

Device& device_of(Instance& self, const dab_stream_s& stream) {
    return self.devices[static_cast<std::size_t>(stream.device)];
}

// Before CANN 9 the caller must bring the thread that runs callbacks.
da_status subscribe(Instance& self, dab_stream_s& stream) {
    if (stream.reports) return DA_OK;
    const Cann& cann = self.cann;
    if (!cann.aclrtSubscribeReport || !cann.aclrtProcessReport || !cann.aclrtLaunchCallback)
        return fail(DA_NOT_SUPPORTED, nullptr, "this CANN has no host callbacks");
    const std::lock_guard<std::mutex> guard(self.lock);
    ReportThread& reports = device_of(self, stream).reports;
    if (const da_status status = reports.start(cann, stream.device)) return status;
    NPU_TRY(cann, aclrtSubscribeReport, reports.id(), stream.raw);
    stream.reports = true;
    return DA_OK;
}

void unsubscribe(Instance& self, const dab_stream_s& stream) {
    if (!stream.reports || !self.cann.aclrtUnSubscribeReport) return;
    self.cann.aclrtUnSubscribeReport(device_of(self, stream).reports.id(), stream.raw);
}

} // namespace

da_status stream_create(Instance& self, std::int32_t device, std::int32_t, dab_stream* stream) {
    if (const da_status status = use_device(self, device)) return status;
    auto made = std::make_unique<dab_stream_s>();
    made->device = device;
    made->generation = self.devices[static_cast<std::size_t>(device)].generation.load();
    NPU_TRY(self.cann, aclrtCreateStreamWithConfig, &made->raw, 0, 0); // priority is reserved
    *stream = made.release();
    return DA_OK;
}

da_status stream_destroy(Instance& self, dab_stream stream) {
    const std::unique_ptr<dab_stream_s> owned(stream);
    const bool lost = stream->generation != device_of(self, *stream).generation.load();
    if (lost) return DA_OK; // the reset took it
    if (const da_status status = use(self, *stream)) return status;
    if (stream->reports) self.cann.aclrtSynchronizeStreamWithTimeout(stream->raw, -1);
    unsubscribe(self, *stream);
    NPU_TRY(self.cann, aclrtDestroyStream, stream->raw);
    return DA_OK;
}

da_status stream_synchronize(Instance& self, dab_stream stream, std::int32_t timeout_ms) {
    if (timeout_ms == 0) { // not said anywhere what 0 means to CANN
        const da_status status = stream_query(self, stream);
        return status == DA_NOT_READY ? fail(DA_TIMEOUT, nullptr, "the stream is not idle")
                                      : status;
    }
    if (const da_status status = use(self, *stream)) return status;
    NPU_TRY(self.cann, aclrtSynchronizeStreamWithTimeout, stream->raw, std::max(timeout_ms, -1));
    return DA_OK;
}

da_status stream_query(Instance& self, dab_stream stream) {
    if (const da_status status = use(self, *stream)) return status;
    aclrtStreamStatus state = ACL_STREAM_STATUS_NOT_READY;
    NPU_TRY(self.cann, aclrtStreamQuery, stream->raw, &state);
    return state == ACL_STREAM_STATUS_COMPLETE ? DA_OK : DA_NOT_READY;
}

da_status stream_wait_event(Instance& self, dab_stream stream, dab_event event) {
    if (const da_status status = use(self, *stream)) return status;
    if (!event->recorded.load(std::memory_order_acquire)) return DA_OK;
    NPU_TRY(self.cann, aclrtStreamWaitEvent, stream->raw, event->raw);
    return DA_OK;
}

da_status stream_callback(Instance& self, dab_stream stream, void (*fn)(void*), void* data) {
    if (const da_status status = use(self, *stream)) return status;
    if (self.cann.aclrtLaunchHostFunc) {
        NPU_TRY(self.cann, aclrtLaunchHostFunc, stream->raw, fn, data);
        return DA_OK;
    }
    if (const da_status status = subscribe(self, *stream)) return status;
    NPU_TRY(self.cann, aclrtLaunchCallback, fn, data, ACL_CALLBACK_BLOCK, stream->raw);
    return DA_OK;
}

} // namespace device_api::npu
