// SPDX-License-Identifier: Apache-2.0
// Streams, events, copies, host callbacks and kernel launches.
//
// A stream is an in-order queue with a worker thread of its own (started with its first task). By
// default work starts as late as the API allows: when somebody waits for it or asks after it, or
// after a small random delay (by seed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "device_api/engine/device.hpp"
#include "device_api/engine/handle.hpp"
#include "device_api/engine/status.hpp"
#include "device_api/engine/tensor.hpp"

namespace device_api::engine {

// ---- streams -----------------------------------------------------
enum class FailureMode : int {
    go_on = 0,
    stop = 1
}; // after a task failed: run the later ones, or skip them

Status stream_create(int device, Handle* out, int priority = 0) noexcept;
/// Waits for its tasks (force: abandons those not begun). The handle is dead afterwards, whatever
/// is returned. A deferred error that nobody has fetched is returned.
Status stream_destroy(Handle stream, bool force = false) noexcept;
/// Wait for everything queued so far. timeout_ms < 0: forever. Returns, and clears, the stream's
/// deferred error: the status that a task failed with (kernel_fault, invalid_address, device_lost
/// ...).
Status stream_synchronize(Handle stream, int timeout_ms = -1) noexcept;
Status
stream_query(Handle stream) noexcept; // ok (idle) or not_ready; does not report deferred errors
Status stream_device(Handle stream, int* device) noexcept;
Status stream_id(Handle stream, std::uint32_t* id) noexcept; // small, unique in the engine
Status stream_failure_mode(Handle stream, FailureMode mode) noexcept;
Status stream_abort(Handle stream) noexcept; // abandon tasks not begun; waiters return

struct StreamError {
    Status status = Status::ok; // ok: none
    int code = 0;               // das_fault.code of an injected fault, else 0
    std::uint64_t sequence = 0; // launch-log sequence of the task that failed
    char task[64] = "";         // its name
    char message[512] = "";
};
/// The deferred error as stream_synchronize returned it last on this thread (for the vendor's error
/// text and code).
const StreamError& last_stream_error() noexcept;
/// Peek at the pending deferred error without clearing it.
Status stream_error(Handle stream, StreamError* out) noexcept;

// ---- events ------------------------------------------------------
Status event_create(Handle* out) noexcept;
Status event_destroy(Handle event) noexcept; // allowed before completion; does not block
Status event_record(Handle event, Handle stream) noexcept;
/// The stream waits for the event's record as it stands now (a later record does not matter; never
/// recorded: no-op).
Status stream_wait_event(Handle stream, Handle event) noexcept;
Status event_query(Handle event) noexcept; // ok (complete or never recorded) or not_ready
Status event_recorded(Handle event, bool* recorded) noexcept;
Status event_synchronize(Handle event, int timeout_ms = -1) noexcept; // never recorded: ok at once
/// Simulated milliseconds (latency model). invalid_state: not recorded; not_ready: not finished.
Status event_elapsed(Handle start, Handle end, double* ms) noexcept;
Status event_timestamp(Handle event, std::uint64_t* ns) noexcept; // simulated clock; same errors

// ---- copies and fills --------------------------------------------
enum class CopyKind : int {
    infer = 0,
    host_to_host,
    host_to_device,
    device_to_host,
    device_to_device
};
/// What an asynchronous copy does with pageable host memory.
enum class Pageable : int {
    synchronous = 0, // returns when the copy, and all before it on the stream, is done (Ascend)
    staged,       // host-to-device: snapshot now, copy later; device-to-host: as synchronous (CUDA)
    asynchronous, // touches the caller's memory later
};
/// At once, on the calling thread; orders itself with no stream. A pointer of another kind than
/// `kind` says is a misuse.
Status copy(void* dst, const void* src, std::size_t bytes,
            CopyKind kind = CopyKind::infer) noexcept;
Status copy_async(void* dst, const void* src, std::size_t bytes, CopyKind kind, Handle stream,
                  Pageable pageable = Pageable::synchronous) noexcept;
Status copy_2d(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
               std::size_t width, std::size_t height, CopyKind kind = CopyKind::infer) noexcept;
Status copy_2d_async(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                     std::size_t width, std::size_t height, CopyKind kind, Handle stream,
                     Pageable pageable = Pageable::synchronous) noexcept;
/// Device or pinned host memory.
Status fill_bytes(void* p, int value, std::size_t bytes) noexcept;
Status fill_bytes_async(void* p, int value, std::size_t bytes, Handle stream) noexcept;

// ---- tasks -------------------------------------------------------
class TaskContext; // see kernels.hpp for what a kernel can do with it
using Task = std::function<Status(TaskContext&)>;

enum class Access : std::uint8_t { read, write, read_write, workspace };
struct Operand {
    Tensor tensor;
    Access access;
    Operand(const Tensor& t, Access a) : tensor(t), access(a) {}
    /// A workspace: `bytes` of device memory that must stay live until the task has run.
    static Operand workspace(DevicePtr p, std::size_t bytes);
};

struct Launch {
    const char* name =
        "kernel"; // copied (63 characters are kept); faults and the launch log go by it
    std::vector<Operand>
        operands;     // checked when the task runs: live, same allocation as at launch, in bounds
    Task task;        // runs on the stream's thread; may call any number of reference kernels
    double flops = 0; // for the latency model; matmul adds its own
};
/// Queue one kernel; one entry in the launch log. Errors at once: handle, device_lost, injected
/// launch_failure.
Status launch(Handle stream, Launch l) noexcept;

/// Queue host work (callbacks); not in the kernel count of the launch log. A long wait inside must
/// poll TaskContext::stopping().
Status host_task(Handle stream, const char* name, Task task) noexcept;

} // namespace device_api::engine
