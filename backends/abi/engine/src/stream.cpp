// SPDX-License-Identifier: Apache-2.0
// The stream's queue and its worker thread: when a task starts, and who is told that it has ended.
#include "stream.hpp"

#include <chrono>
#include <cstring>
#include <exception>

#include "lifetime.hpp"

namespace device_api::engine {

thread_local Stream* current_stream = nullptr;

StreamError& thread_stream_error() noexcept {
    thread_local StreamError error;
    return error;
}

Stream::~Stream() {
    if (thread.joinable()) thread.detach(); // only a stream that nobody joined: it ends by itself
}

Status not_in_task(const char* call) noexcept {
    if (!current_stream) return Status::ok;
    return misuse(Rule::wait_in_task, Status::invalid_state,
                  "%s inside a task or callback of stream %u: it would wait for itself", call,
                  current_stream->id);
}

void Stream::ask(std::uint64_t number) {
    const bool eager = current_schedule().strategy == DAS_MIXED;
    std::lock_guard<std::mutex> lock(mutex);
    const std::uint64_t next = completed + 1;
    const bool stuck = asked_at == completed;
    asked_at = completed;
    if (!eager) number = stuck ? std::min(number, next) : 0;
    if (demanded >= number) return;
    demanded = number;
    if (!queue.empty()) work.notify_one();
}

void others_first(Stream& s) {
    if (current_schedule().strategy != DAS_OTHERS_FIRST || current_stream) return;
    constexpr auto patience = std::chrono::milliseconds(2); // one may wait for this very stream
    for (const StreamPtr& other : streams_of(*s.device)) {
        if (other.get() == &s) continue;
        std::unique_lock<std::mutex> lock(other->mutex);
        const std::uint64_t last = other->submitted;
        if (other->completed >= last) continue;
        other->demanded = std::max(other->demanded, last);
        other->work.notify_one();
        other->done.wait_for(lock, patience, [&] { return other->completed >= last; });
    }
}

void Stream::demand(std::uint64_t number) {
    std::lock_guard<std::mutex> lock(mutex);
    if (demanded >= number) return;
    demanded = number;
    if (!queue.empty()) work.notify_one();
}

Status Stream::wait(std::uint64_t number, int timeout_ms, bool report) {
    others_first(*this);
    HostWait waited;
    std::unique_lock<std::mutex> lock(mutex);
    if (demanded < number) {
        demanded = number;
        if (!queue.empty()) work.notify_one();
    }
    auto over = [&] {
        return completed >= number || engine().exiting.load(std::memory_order_relaxed);
    };
    if (timeout_ms < 0) {
        done.wait(lock, over);
    } else if (!done.wait_for(lock, std::chrono::milliseconds(timeout_ms), over)) {
        const char* name = queue.empty() ? "its last task" : queue.front().name;
        return fail(Status::timeout,
                    "stream %u of device %d has not finished after %d ms; next in its queue: %s",
                    id, device->index, timeout_ms, name);
    }
    if (completed < number) return alive();
    waited.until(reached_ns);
    races_host_knows(id, number);
    if (report && error.status != Status::ok) {
        thread_stream_error() = error;
        error = StreamError{};
        return fail(thread_stream_error().status, "%s", thread_stream_error().message);
    }
    return Status::ok;
}

/// Wait (on the worker) until the head of the queue may start. False: look again.
static bool may_start(Stream& s, std::unique_lock<std::mutex>& lock) {
    const QueuedTask& head = s.queue.front();
    if (s.stopping || s.exit || s.demanded >= head.number) return true;
    const std::int64_t left = head.ready_ns - now_ns();
    if (left <= 0) return true;
    s.work.wait_for(lock, std::chrono::nanoseconds(left));
    return false;
}

static void note_failure(Stream& s, const QueuedTask& t, Status status, const char* message) {
    if (s.failure_mode == FailureMode::stop) s.failed = true;
    if (s.error.status != Status::ok) return; // the first one is reported
    s.error.status = status;
    s.error.code = t.fault.code;
    s.error.sequence = t.sequence;
    std::memcpy(s.error.task, t.name, sizeof s.error.task);
    std::strncpy(s.error.message, message, sizeof s.error.message - 1);
}

void Stream::run_worker() {
    current_stream = this;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        if (queue.empty()) {
            if (exit) break;
            idle = true;
            work.wait(lock);
            idle = false;
            continue;
        }
        if (!may_start(*this, lock)) continue;
        QueuedTask task = std::move(queue.front());
        queue.pop_front();
        const bool skip = stopping || failed;
        lock.unlock();
        const Status status = skip ? Status::ok : execute(*this, task);
        if (task.record) complete(task.record, clock_ns);
        task.run = nullptr; // what it holds is released before anybody is told that it ended
        lock.lock();
        if (task.writes_host) --host_writers;
        if (status != Status::ok && !stopping) note_failure(*this, task, status, last_message());
        completed = task.number;
        reached_ns = clock_ns;
        done.notify_all();
    }
    finished = true;
    done.notify_all();
}

void Stream::abandon() {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    exit = true;
    work.notify_all();
    done.notify_all();
}

bool Stream::join(int timeout_ms) {
    std::unique_lock<std::mutex> lock(mutex);
    exit = true;
    work.notify_all();
    if (!started) return true;
    auto ended = [this] { return finished; };
    if (timeout_ms < 0)
        done.wait(lock, ended);
    else if (!done.wait_for(lock, std::chrono::milliseconds(timeout_ms), ended))
        return false;
    std::thread worker = std::move(thread);
    lock.unlock();
    if (worker.joinable()) worker.join();
    return true;
}

/// The random part of adversarial scheduling: mostly late, by stream and number, so that a seed
/// repeats it.
static std::int64_t delay_ns(const Schedule& schedule, const Stream& s, std::uint64_t number) {
    if (schedule.mode != DAS_ADVERSARIAL) return 0;
    constexpr std::int64_t never = std::int64_t{1} << 60; // only when asked for
    if (schedule.strategy != DAS_MIXED && schedule.strategy != DAS_RANDOM) return never;
    const std::uint64_t r = mix(schedule.seed ^ mix((std::uint64_t(s.id) << 32) + number));
    const std::int64_t longest = std::int64_t(schedule.max_delay_us) * 1000;
    const std::int64_t shortest = schedule.strategy == DAS_RANDOM ? 0 : longest / 2;
    return shortest +
           static_cast<std::int64_t>(double(r >> 11) * 0x1p-53 * double(longest - shortest));
}

/// A task that others wait for starts within the longest delay, and all before it do.
static void hasten(Stream& s, QueuedTask& t, const Schedule& schedule) {
    if (!t.prompt) return;
    const std::uint64_t r = mix(schedule.seed ^ mix((std::uint64_t(s.id) << 32) ^ ~t.number));
    const auto longest = double(schedule.max_delay_us) * 1000;
    const auto due = t.submitted_ns + std::int64_t(double(r >> 11) * 0x1p-53 * longest);
    t.ready_ns = std::min(t.ready_ns, due);
    for (QueuedTask& before : s.queue) before.ready_ns = std::min(before.ready_ns, due);
    s.work.notify_one();
}

/// The stream's thread, with its first task. The stream's mutex is held.
static Status start_worker(const StreamPtr& s) {
    if (s->started) return Status::ok;
    quiesce_at_exit();
    try {
        s->thread = std::thread([s] { s->run_worker(); });
    } catch (const std::exception& e) { // no thread is to be had, or no memory for it
        return fail(Status::out_of_memory, "no thread for stream %u of device %d: %s", s->id,
                    s->device->index, e.what());
    }
    s->started = true;
    return Status::ok;
}

void wait_for_room(Stream& s) noexcept {
    if (current_stream) return; // a task that launches must not wait for its own stream
    const std::size_t limit = queue_limit();
    HostWait waited;
    std::unique_lock<std::mutex> lock(s.mutex);
    if (s.queue.size() < limit) return;
    // It counts as a wait for what is there: work that waits to be waited for begins.
    s.demanded = std::max(s.demanded, s.submitted);
    s.work.notify_one();
    s.done.wait(lock,
                [&] { return s.queue.size() < limit || s.exit || s.stopping || engine().exiting; });
    waited.until(s.reached_ns);
}

Status submit(const StreamPtr& s, QueuedTask&& t, std::uint64_t* number) noexcept {
    if (s->device->lost) {
        Status why;
        find_device(s->device->index, &why);
        return why;
    }
    if (t.kind != DAS_EVENT)
        t.fault = fault_for(
            {t.kind, s->device->index, t.name, static_cast<std::uint64_t>(t.bytes), s->id});
    if (t.fault.kind == DAS_FAULT_LAUNCH) {
        thread_stream_error() = StreamError{};
        thread_stream_error().code = t.fault.code;
        return fail(Status::launch_failure, "launch of %s refused (injected fault %d)", t.name,
                    t.fault.id);
    }
    if (!t.record) wait_for_room(*s);
    const Schedule schedule = current_schedule();
    const double host_ns = host_now_ns();
    const bool prompt = t.prompt;
    std::uint64_t mine;
    {
        std::lock_guard<std::mutex> lock(s->mutex);
        if (s->exit)
            return misuse(Rule::dead_handle, Status::invalid_handle, "stream %u is being destroyed",
                          s->id);
        if (Status why = start_worker(s); why != Status::ok) return why;
        t.sequence = log_launch(t.kind, s->device->index, s->id, t.name,
                                static_cast<std::uint64_t>(t.bytes));
        t.number = mine = ++s->submitted;
        if (t.record) t.record->number = mine;
        t.submitted_ns = now_ns();
        t.host_ns = host_ns;
        t.ready_ns = t.submitted_ns + delay_ns(schedule, *s, mine);
        hasten(*s, t, schedule);
        races_submit(s->id, t);
        if (t.writes_host) ++s->host_writers;
        s->queue.push_back(std::move(t));
        if (s->idle) s->work.notify_one();
    }
    if (number) *number = mine;
    if (schedule.mode == DAS_SYNCHRONOUS && !current_stream && !prompt)
        return s->wait(mine, -1, false);
    return Status::ok;
}

} // namespace device_api::engine
