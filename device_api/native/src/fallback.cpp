// SPDX-License-Identifier: Apache-2.0
// The fallback to the host: policy, the run itself, and the accounts of it.
#include <chrono>
#include <map>

#include "compose.hpp"
#include "dispatch.hpp"
#include "error.hpp"
#include "host_call.hpp"
#include "observe.hpp"

namespace device_api::core {
namespace {

std::atomic<int32_t> process_policy{DAH_FALLBACK_WARN};
std::atomic<void (*)(const dah_fallback_record*)> observer{nullptr};

using Key = std::tuple<dah_device, uint16_t, uint16_t>;
struct Accounts {
    std::mutex mutex;
    std::map<Key, dah_fallback_record> records;
};
Accounts& accounts() {
    static Accounts* instance = new Accounts; // outlives static destructors
    return *instance;
}

uint16_t key_dtype(const Call& call) {
    return call.tensors[op_info(call.op).key].dtype;
}

void account(const Call& call, const char* reason, uint64_t bytes, double seconds) {
    const Key key{call.device->handle, call.op, key_dtype(call)};
    bool first = false;
    dah_fallback_record copy;
    {
        std::lock_guard<std::mutex> guard(accounts().mutex);
        dah_fallback_record& record = accounts().records[key];
        first = record.count == 0;
        record.op = call.op;
        record.dtype = key_dtype(call);
        record.device = call.device->handle;
        ++record.count;
        record.bytes += bytes;
        record.seconds += seconds;
        std::snprintf(record.reason, sizeof record.reason, "%s", reason);
        copy = record;
    }
    auto* notify = observer.load();
    if (first && notify && dah_fallback_policy() == DAH_FALLBACK_WARN) notify(&copy);
    if (watched(DAH_OBSERVE_FALLBACK)) tell_fallback(call, reason, bytes, seconds);
}

da_status refuse(const Call& call, const char* reason) {
    const std::string op = op_info(call.op).name;
    const bool on_host = is_host(*call.device);
    fail(DA_NOT_SUPPORTED, DAH_ERROR_FALLBACK,
         "'" + op + "' for " + dtype_name(key_dtype(call)) + " does not run on " +
             call.device->name() + ": " + reason +
             (on_host ? ", and there is no other device to run it"
                      : ", and the fallback policy is 'error'"),
         on_host ? "use another data type"
                 : "use another data type, move the arrays to the CPU, or allow it with "
                   "device_api.fallback_policy('allow')");
    return annotate(DA_NOT_SUPPORTED, call.op, call.device, call.stream);
}

} // namespace

da_status fall_back(Call& call, const char* reason) {
    std::string why = reason;
    if (da_status status = compose(call, &why); status != DA_NOT_SUPPORTED) return status;
    reason = why.c_str();
    Device* host = is_host(*call.device) ? nullptr : host_device();
    if (is_host(*call.device) || dah_fallback_policy() == DAH_FALLBACK_ERROR) {
        return refuse(call, reason);
    }
    if (!host) return last_status();
    const auto start = std::chrono::steady_clock::now();
    HostCall here;
    if (da_status status = here.take(call, *host)) return status;
    std::string host_why;
    if (da_status status = here.run(&host_why)) {
        if (status == DA_NOT_SUPPORTED) return refuse(call, host_why.c_str());
        return annotate(status, call.op, call.device, call.stream);
    }
    if (da_status status = here.give_back()) return status;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    account(call, reason, here.moved(), spent.count());
    return DA_OK;
}

} // namespace device_api::core

using namespace device_api::core;

int32_t dah_fallback_policy(void) {
    const int32_t own = thread_state.policy;
    return own >= 0 ? own : process_policy.load(std::memory_order_relaxed);
}

void dah_set_fallback_policy(int32_t policy, int32_t thread) {
    if (thread)
        thread_state.policy = policy;
    else if (policy >= 0)
        process_policy = policy;
}

uint32_t dah_fallback_report(dah_fallback_record* records, uint32_t capacity) {
    std::lock_guard<std::mutex> guard(accounts().mutex);
    uint32_t n = 0;
    for (const auto& [key, record] : accounts().records) {
        if (n < capacity) records[n] = record;
        ++n;
    }
    return n;
}

void dah_set_fallback_observer(void (*function)(const dah_fallback_record*)) {
    observer = function;
}

uint64_t dah_native_count(dah_device handle, uint16_t op) {
    Device* device = find_device(handle);
    if (!device || op > DA_OP_COUNT) return 0;
    return device->native_counts[op].load();
}

void dah_reset_accounts(void) {
    {
        std::lock_guard<std::mutex> guard(accounts().mutex);
        accounts().records.clear();
    }
    for (int32_t i = 0; Backend* backend = backend_at(i); ++i) {
        for (const DeviceSlot& device : backend->devices) {
            for (auto& count : device->native_counts) count = 0;
            for (auto& count : device->composed_counts) count = 0;
        }
    }
}
