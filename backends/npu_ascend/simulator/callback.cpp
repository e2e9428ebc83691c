// SPDX-License-Identifier: Apache-2.0
// Host callbacks of a stream: aclrtLaunchCallback, served by threads that the user subscribes and
// that call aclrtProcessReport in a loop, and aclrtLaunchHostFunc, run on a thread of the runtime.
#include "call.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <thread>

#include "state.hpp"

using namespace cann_sim;

namespace {

struct Report {
    aclrtCallback fn;
    void* data;
    std::atomic<bool> done{false};
};

// Queues of subscribed threads, by the pthread id that aclrtSubscribeReport was given.
struct Reports {
    std::mutex lock;
    std::condition_variable arrived;
    std::map<std::uint64_t, int> subscriptions;
    std::map<std::uint64_t, std::deque<std::shared_ptr<Report>>> queues;
};
Reports& reports() {
    static Reports* r = new Reports;
    return *r;
}
constexpr std::size_t most_threads = 1024;

// On the stream's thread: hand the report over; when it blocks the stream, wait for its end.
Status deliver(engine::TaskContext& task, std::uint64_t thread, std::shared_ptr<Report> report,
               bool block) {
    {
        std::lock_guard<std::mutex> guard(reports().lock);
        if (!reports().subscriptions.count(thread))
            return engine::fail(Status::kernel_fault, "the callback's thread is not subscribed");
        reports().queues[thread].push_back(report);
    }
    reports().arrived.notify_all();
    while (block && !report->done && !task.stopping())
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    return Status::ok;
}

void run(const Report& report) {
    in_callback() = true;
    report.fn(report.data);
    in_callback() = false;
}

// One stream uses one of the two styles.
aclError claim_style(Call& c, StreamInfo* info, CallbackStyle style) {
    CallbackStyle current = CallbackStyle::none; // what is there, after the exchange
    if (info && !info->style.compare_exchange_strong(current, style) && current != style)
        return c.misuse(Rule::callback_style, ACL_ERROR_RT_PARAM_INVALID,
                        "aclrtLaunchCallback and aclrtLaunchHostFunc do not mix on one stream");
    return ACL_SUCCESS;
}

} // namespace

SIM_EXPORT aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<StreamInfo> info = stream_info(h);
        if (!info) return c.fail(ACL_ERROR_INVALID_PARAM, "not for a default stream");
        if (threadId == 0) return c.fail(ACL_ERROR_INVALID_PARAM, "threadId is 0");
        if (info->report_thread != 0)
            return c.fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "the stream is subscribed already");
        std::lock_guard<std::mutex> guard(reports().lock);
        if (reports().subscriptions.size() >= most_threads)
            return c.fail(ACL_ERROR_RT_OVER_LIMIT, "%zu threads are subscribed", most_threads);
        ++reports().subscriptions[threadId];
        info->report_thread = threadId;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
    return call(__func__, Need::context, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<StreamInfo> info = stream_info(h);
        if (!info || threadId == 0 || info->report_thread != threadId)
            return c.fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the thread does not serve the stream");
        std::lock_guard<std::mutex> guard(reports().lock);
        info->report_thread = 0;
        if (--reports().subscriptions[threadId] == 0) {
            reports().subscriptions.erase(threadId);
            reports().queues.erase(threadId);
        }
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtProcessReport(int32_t timeout) {
    return call(__func__, Need::init, [&](Call& c) -> aclError {
        if (timeout == 0 || timeout < -1)
            return c.fail(ACL_ERROR_INVALID_PARAM, "timeout is -1 or above 0");
        const std::uint64_t self = static_cast<std::uint64_t>(pthread_self());
        std::shared_ptr<Report> report;
        {
            std::unique_lock<std::mutex> guard(reports().lock);
            if (!reports().subscriptions.count(self))
                return c.fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "this thread serves no stream");
            auto ready = [&] {
                auto it = reports().queues.find(self);
                return it != reports().queues.end() && !it->second.empty();
            };
            if (timeout < 0)
                reports().arrived.wait(guard, ready);
            else if (!reports().arrived.wait_for(guard, std::chrono::milliseconds(timeout), ready))
                return c.fail(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback in %d ms", timeout);
            report = reports().queues[self].front();
            reports().queues[self].pop_front();
        }
        run(*report);
        report->done = true;
        return ACL_SUCCESS;
    });
}

SIM_EXPORT aclError aclrtLaunchCallback(aclrtCallback fn, void* userData,
                                        aclrtCallbackBlockType blockType, aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!fn) return c.fail(ACL_ERROR_INVALID_PARAM, "fn is null");
        if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
            return c.fail(ACL_ERROR_INVALID_PARAM, "blockType is 0 or 1");
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<StreamInfo> info = stream_info(h);
        if (!info || info->report_thread == 0)
            return c.fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                          "no thread serves the stream; call aclrtSubscribeReport first");
        if (aclError error = claim_style(c, info.get(), CallbackStyle::report)) return error;
        auto report = std::make_shared<Report>();
        report->fn = fn;
        report->data = userData;
        const std::uint64_t thread = info->report_thread;
        const bool block = blockType == ACL_CALLBACK_BLOCK;
        return c.engine(
            engine::host_task(h, "callback", [thread, report, block](engine::TaskContext& task) {
                return deliver(task, thread, report, block);
            }));
    });
}

SIM_EXPORT aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (!fn) return c.fail(ACL_ERROR_INVALID_PARAM, "fn is null");
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        std::shared_ptr<StreamInfo> info = stream_info(h); // none for a default stream
        if (aclError error = claim_style(c, info.get(), CallbackStyle::host_func)) return error;
        return c.engine(engine::host_task(h, "host_func", [fn, args](engine::TaskContext&) {
            in_callback() = true;
            fn(args);
            in_callback() = false;
            return Status::ok;
        }));
    });
}
