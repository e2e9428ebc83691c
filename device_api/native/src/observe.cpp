// SPDX-License-Identifier: Apache-2.0
// Observers: who watches what, and the telling.
#include "observe.hpp"

#include <cstdlib>
#include <pthread.h>

#include "compose.hpp"
#include "error.hpp"

namespace device_api::core {

static bool asked_by_environment() {
    const char* value = std::getenv("DEVICE_API_SYNC");
    return value && !std::strcmp(value, "1");
}

std::atomic<uint32_t> watched_kinds{asked_by_environment() ? watch_sync : 0};

namespace {

struct Observer {
    uint64_t id;
    uint32_t kinds;
    dah_observer call;
    void* context;
};
using Observers = std::vector<Observer>;

struct Register {
    std::mutex mutex;
    std::shared_ptr<const Observers> list = std::make_shared<Observers>();
    uint64_t next_id = 1;
};
Register& observers() {
    static Register* instance = new Register; // outlives static destructors
    return *instance;
}

// A child would find the mutex locked for ever if another thread held it at the fork.
void guard_forks() {
    static const int done =
        pthread_atfork([] { observers().mutex.lock(); }, [] { observers().mutex.unlock(); },
                       [] { observers().mutex.unlock(); });
    static_cast<void>(done);
}

// With the register's mutex held.
void publish(Observers list) {
    uint32_t kinds = 0;
    for (const Observer& observer : list) kinds |= observer.kinds;
    observers().list = std::make_shared<Observers>(std::move(list));
    watched_kinds = (watched_kinds & watch_sync) | kinds;
}

// What this thread is in.
struct Place {
    uint64_t span = 0; // innermost op
    int32_t depth = 0;
    bool telling = false; // an observer is at work
    bool copying = false;
};
__attribute__((tls_model("initial-exec"))) thread_local Place place;

std::atomic<uint64_t> last_span{0};

da_status tell(dah_observation& seen) {
    if (place.telling) return DA_OK;
    std::shared_ptr<const Observers> list;
    {
        const std::lock_guard<std::mutex> guard(observers().mutex);
        list = observers().list;
    }
    seen.size = sizeof seen;
    seen.within = place.span;
    seen.depth = place.depth;
    da_status first = DA_OK;
    place.telling = true;
    for (const Observer& observer : *list) {
        if (!(observer.kinds & seen.kind)) continue;
        const da_status status = observer.call(&seen, observer.context);
        if (!first) first = status;
    }
    place.telling = false;
    return first;
}

dah_observation observation(const Call& call, uint32_t kind) {
    dah_observation seen{};
    seen.kind = kind;
    seen.op = call.op;
    seen.n_inputs = static_cast<uint16_t>(call.n_inputs);
    seen.device = seen.source = call.device->handle;
    seen.stream = call.stream;
    seen.operands = call.tensors;
    seen.attributes = call.attributes;
    seen.call = &call;
    return seen;
}

const Call* call_of(const dah_observation* seen) {
    return static_cast<const Call*>(seen->call);
}

} // namespace

static da_status run_told(Call& call, da_status (*run)(Call&)) {
    dah_observation seen = observation(call, DAH_OBSERVE_OP);
    seen.phase = DAH_BEGIN;
    seen.span = ++last_span;
    if (da_status status = tell(seen)) return annotate(status, call.op, call.device);
    const Place outer = place;
    place.span = seen.span;
    ++place.depth;
    const da_status status = run(call);
    place = outer;
    seen.phase = DAH_END;
    seen.status = status;
    if (status) { // the observers' own calls must not hide why it failed
        const dah_error kept = *dah_last_error();
        tell(seen);
        return fail(kept);
    }
    const da_status objection = tell(seen);
    return objection ? annotate(objection, call.op, call.device) : DA_OK;
}

da_status run_observed(Call& call, da_status (*run)(Call&)) {
    const bool tells = watched(DAH_OBSERVE_OP) && !place.telling;
    const da_status status = tells ? run_told(call, run) : run(call);
    if (status || !watched(watch_sync) || call.device->synchronous) return status;
    return synchronize(*call.stream, -1, call.op);
}

void tell_memory(const Block& block, uint32_t kind) {
    dah_observation seen{};
    seen.kind = kind;
    seen.op = block.owner <= DA_OP_COUNT ? block.owner : 0;
    seen.device = seen.source = block.device->handle;
    seen.address = block.address;
    seen.bytes = block.size;
    tell(seen);
}

void tell_fallback(const Call& call, const char* reason, uint64_t bytes, double seconds) {
    dah_observation seen = observation(call, DAH_OBSERVE_FALLBACK);
    seen.reason = reason;
    seen.bytes = bytes;
    seen.seconds = seconds;
    tell(seen);
}

void tell_composed(const Call& call) {
    dah_observation seen = observation(call, DAH_OBSERVE_COMPOSED);
    tell(seen);
}

dah_observation CopySpan::seen(uint32_t phase) const {
    dah_observation seen{};
    seen.kind = DAH_OBSERVE_COPY;
    seen.phase = phase;
    seen.span = span_;
    seen.device = target_ ? target_->handle : DAH_HOST;
    seen.source = source_ ? source_->handle : DAH_HOST;
    seen.bytes = bytes_;
    seen.stream = stream_;
    seen.status = status_;
    return seen;
}

void CopySpan::begin(const Device* target, const Device* source, uint64_t bytes,
                     dah_stream* stream) {
    if (place.copying || place.telling) return;
    span_ = ++last_span;
    target_ = target;
    source_ = source;
    bytes_ = bytes;
    const Device* device = target ? target : source;
    stream_ = stream ? stream : device ? current_stream(*device) : nullptr;
    dah_observation what = seen(DAH_BEGIN);
    tell(what);
    place.copying = true;
}

void CopySpan::end() {
    place.copying = false;
    const dah_error kept = *dah_last_error();
    dah_observation what = seen(DAH_END);
    tell(what);
    fail(kept);
}

} // namespace device_api::core

using namespace device_api::core;

da_status dah_observer_add(uint32_t kinds, dah_observer observer, void* context, uint64_t* id) {
    constexpr uint32_t all = DAH_OBSERVE_COMPOSED * 2 - 1;
    if (!observer || !kinds || (kinds & ~all)) {
        return fail(DA_INVALID_ARGUMENT, "an observer needs a function and kinds of dah_observe");
    }
    guard_forks();
    const std::lock_guard<std::mutex> guard(observers().mutex);
    Observers list = *observers().list;
    *id = observers().next_id++;
    list.push_back({*id, kinds, observer, context});
    publish(std::move(list));
    return DA_OK;
}

void dah_observer_remove(uint64_t id) {
    const std::lock_guard<std::mutex> guard(observers().mutex);
    Observers list;
    for (const Observer& observer : *observers().list) {
        if (observer.id != id) list.push_back(observer);
    }
    publish(std::move(list));
}

da_status dah_observed_tensor(const dah_observation* seen, int32_t k, dah_tensor** out) {
    const Call* call = call_of(seen);
    if (!call || k < 0 || k > call->n_inputs) {
        return fail(DA_INVALID_ARGUMENT, "there is no such operand");
    }
    *out = as_tensor(*call, k);
    return *out ? DA_OK : last_status();
}

void dah_set_synchronous_ops(int32_t on) {
    const std::lock_guard<std::mutex> guard(observers().mutex);
    watched_kinds = (watched_kinds & ~watch_sync) | (on ? watch_sync : 0);
}

int32_t dah_synchronous_ops(void) {
    return watched(watch_sync);
}
