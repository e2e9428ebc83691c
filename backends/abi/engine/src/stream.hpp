// SPDX-License-Identifier: Apache-2.0
// Private: streams, their queued tasks, the records of events.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "engine.hpp"
#include "log.hpp"
#include "memory.hpp"
#include "model.hpp"

namespace device_api::engine {

/// One recording of an event: done when the stream reaches it.
struct EventRecord {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    double time_ns = 0; // simulated
    std::weak_ptr<Stream> stream;
    std::uint32_t stream_id = 0;
    std::uint64_t number = 0; // of the recording task in its stream
};
using EventRecordPtr = std::shared_ptr<EventRecord>;

/// A range that a task will use, and the allocation that it was in at submission.
struct Range {
    std::uintptr_t low = 0, high = 0;
    std::uint64_t allocation = 0; // 0: it was in none
    Access access = Access::read;
    bool pinned = false; // host memory
};
/// Where [low, high) lies now. Pageable host memory gives no range to watch: false.
bool watch(std::uintptr_t low, std::uintptr_t high, Access access, Range* out);

struct QueuedTask {
    char name[64] = "";
    std::uint32_t kind = DAS_KERNEL; // DAS_*
    std::uint64_t number = 0;        // in its stream, from 1
    std::uint64_t sequence = 0;      // in the launch log
    Task run;
    std::vector<Range> ranges;
    std::vector<Tensor> inputs, outputs; // of a kernel: for checks and faults
    bool writes_host = false;            // a callback, or a copy to the host
    EventRecordPtr record, wait;
    std::int64_t ready_ns = 0; // adversarial: not before, unless asked for
    std::int64_t submitted_ns = 0;
    double host_ns = 0; // simulated time of the submission
    double bytes = 0;   // of a kernel: of its operands
    double moved = 0;   // of a kernel: those that it reads and those that it writes
    double flops = 0;
    Route route; // of a copy
    FaultHit fault;
    bool prompt = false; // others wait for it: it starts late, but by itself, and is not waited for
};

struct Stream : std::enable_shared_from_this<Stream> {
    std::shared_ptr<Device> device;
    std::uint32_t id = 0;

    std::mutex mutex; // of all below
    std::condition_variable work, done;
    std::deque<QueuedTask> queue;
    std::uint64_t submitted = 0, completed = 0, demanded = 0;
    std::uint64_t asked_at = ~std::uint64_t{0}; // completed at the last query
    std::uint64_t host_writers = 0;             // pending tasks that may write host memory
    bool started = false, idle = false, exit = false, finished = false;
    std::atomic<bool> stopping{false}; // running and queued tasks are abandoned
    FailureMode failure_mode = FailureMode::go_on;
    bool failed = false;   // FailureMode::stop and a task has failed
    StreamError error;     // deferred, not fetched yet
    double clock_ns = 0;   // simulated; of the worker
    double reached_ns = 0; // the same, when the last completed task had ended
    std::thread thread;

    ~Stream();
    void run_worker();
    /// Let everything up to `number` start now.
    void demand(std::uint64_t number);
    /// Somebody asked whether it is done: let it start, as reluctantly as the strategy says.
    void ask(std::uint64_t number);
    /// Demand and wait. ok, timeout, device_lost, shutdown, or (report) the deferred error, which
    /// is cleared.
    Status wait(std::uint64_t number, int timeout_ms, bool report);
    void abandon();
    /// Ends the worker: false when it did not end in time (then it is left alone).
    bool join(int timeout_ms);
};
using StreamPtr = std::shared_ptr<Stream>;

/// Where the queue of the stream is full: until it has room. The host must hold no lock that a task
/// could need.
void wait_for_room(Stream& s) noexcept;
/// Queue a task, after wait_for_room() (but for the recording of an event); fills number, sequence,
/// times and fault. *number (optional) gets its number.
Status submit(const StreamPtr& s, QueuedTask&& t, std::uint64_t* number = nullptr) noexcept;
/// A task with these operands, checked and counted; `run` is to be filled in.
QueuedTask describe_launch(const char* name, const std::vector<Operand>& operands);
/// By the strategy: all other streams of the device get on before a wait for this one.
void others_first(Stream& s);
/// Runs a task on the worker: cost, faults, checks, the task itself. The message of a failure is
/// last_message().
Status execute(Stream& s, QueuedTask& t);
/// Inside a task of any stream of this engine (waiting there would deadlock): a misuse, with the
/// name of the call.
Status not_in_task(const char* call) noexcept;
Status find_stream(Handle h, StreamPtr* out) noexcept;
/// Complete the record (time from the stream's clock).
void complete(const EventRecordPtr& r, double time_ns);
std::vector<StreamPtr> streams_of(Device& d);
StreamError& thread_stream_error() noexcept;
extern thread_local Stream* current_stream;

struct TaskContext::State {
    Stream* stream = nullptr; // null for work outside any stream
    Device* device = nullptr;
    const std::vector<Range>* ranges = nullptr;
    FaultHit fault;
    bool crosses = false; // may use memory of devices without peer access
    std::vector<std::pair<std::shared_ptr<Device>, AllocationPtr>> pinned;
    struct Scratch {
        std::unique_ptr<char[]> bytes;
        std::uintptr_t low, high;
    };
    std::vector<Scratch> scratch;
    Status error = Status::ok;
    double operations_ns = 0; // what the kernels have computed so far

    ~State();
    /// Unpin; invalid_address when something was freed while in use.
    Status release();
};

} // namespace device_api::engine
