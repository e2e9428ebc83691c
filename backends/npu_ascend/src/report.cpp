// SPDX-License-Identifier: Apache-2.0
// The report thread's loop.
#include "report.hpp"

#include <cstring>
#include <ctime>

#include "error.hpp"

namespace device_api::npu {

da_status ReportThread::start(const Cann& cann, int device) {
    if (running_) return DA_OK;
    cann_ = &cann;
    device_ = device;
    stopping_.store(false);
    if (const int error = pthread_create(&thread_, nullptr, &ReportThread::run, this))
        return fail(DA_OUT_OF_MEMORY, "end other threads, or raise the limit (ulimit -u)",
                    "the thread for host callbacks cannot be started: %s", std::strerror(error));
    running_ = true;
    return DA_OK;
}

void ReportThread::stop() {
    if (!running_) return;
    stopping_.store(true);
    pthread_join(thread_, nullptr);
    running_ = false;
}

void* ReportThread::run(void* argument) {
    auto& self = *static_cast<ReportThread*>(argument);
    constexpr int wait_ms = 20;
    if (self.cann_->aclrtSetDevice(self.device_) != ACL_SUCCESS) return nullptr;
    while (!self.stopping_.load()) {
        const int code = self.cann_->aclrtProcessReport(wait_ms);
        if (code == ACL_SUCCESS || code == ACL_ERROR_RT_REPORT_TIMEOUT) continue;
        // Any other code, such as 107012 "not subscribed": no stream is subscribed at the moment.
        const timespec pause{0, 1000000};
        nanosleep(&pause, nullptr);
    }
    self.cann_->aclrtResetDevice(self.device_);
    return nullptr;
}

} // namespace device_api::npu
