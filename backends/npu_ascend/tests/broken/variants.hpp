// SPDX-License-Identifier: Apache-2.0
// The broken adapters: what is wrong with each. A library between the good adapter and the
// simulated CANN changes the calls on their way, so that the simulator sees what it would see of an
// adapter with that defect in its source.
#pragma once

// X(name, the defect in words)
#define BROKEN_WAITS(X)                                                                            \
    X(missing_wait, "stream synchronise returns without waiting")                                  \
    X(missing_device_wait, "device synchronise returns without waiting")                           \
    X(missing_event_synchronise, "event synchronise returns without waiting")                      \
    X(missing_stream_wait, "a stream does not wait for an event")                                  \
    X(wait_on_wrong_stream, "the wait for an event is put on another stream")                      \
    X(event_not_recorded, "an event is not recorded")                                              \
    X(event_on_wrong_stream, "an event is recorded on another stream")                             \
    X(event_recorded_once, "recording an event again does nothing")                                \
    X(stream_query_says_done, "a stream query always says that it is idle")                        \
    X(event_query_says_done, "an event query always says that it is reached")                      \
    X(synchronous_upload, "an upload is done at once, in no stream's order")                       \
    X(synchronous_download, "a download is done at once, in no stream's order")                    \
    X(stream_destroyed_by_force, "destroying a stream drops its pending work")

#define BROKEN_STREAMS(X)                                                                          \
    X(op_on_wrong_stream, "ops run on another stream")                                             \
    X(op_on_default_stream, "ops run on the default stream")                                       \
    X(copy_on_wrong_stream, "copies run on another stream")                                        \
    X(fill_on_wrong_stream, "fills run on another stream")                                         \
    X(callback_on_wrong_stream, "host callbacks run on another stream")                            \
    X(callback_at_once, "host callbacks run on the calling thread, at once")                       \
    X(callback_dropped, "host callbacks never run")                                                \
    X(wrong_device, "all threads use device 0")                                                    \
    X(device_set_once, "the device is set on the first thread only")

#define BROKEN_MEMORY(X)                                                                           \
    X(workspace_freed_early, "a workspace is freed when its launch has returned")                  \
    X(workspace_too_small, "a workspace has half of the bytes that were asked for")                \
    X(workspace_shared, "all streams use one workspace")                                           \
    X(workspace_missing, "no workspace is given")                                                  \
    X(free_missing, "device memory is not freed")                                                  \
    X(free_twice, "device memory is freed twice")                                                  \
    X(host_free_missing, "pinned memory is not freed")                                             \
    X(host_buffer_freed_early, "uploads go through a pinned buffer that is freed at once")         \
    X(host_buffer_reused, "uploads go through one pinned buffer, without waiting")                 \
    X(upload_too_short, "copies leave out their last byte")                                        \
    X(fill_value_ignored, "fills write zeros")                                                     \
    X(wrong_copy_kind, "uploads say that they are device to device")

#define BROKEN_OBJECTS(X)                                                                          \
    X(strides_ignored, "views are taken as dense")                                                 \
    X(offset_ignored, "views begin at their storage's start")                                      \
    X(executor_reused, "phase 2 runs twice on one executor")                                       \
    X(executor_kept, "an abandoned executor is not destroyed")                                     \
    X(launch_dropped, "phase 2 is not called")                                                     \
    X(tensor_destroyed_early, "a tensor is destroyed before phase 2")                              \
    X(tensor_kept, "tensors are not destroyed")                                                    \
    X(scalar_kept, "scalars are not destroyed")                                                    \
    X(scalar_wrong_type, "scalars are said to be of another type")                                 \
    X(phase_2_on_another_thread, "phase 2 runs on a helper thread")                                \
    X(stream_kept, "streams are not destroyed")                                                    \
    X(stream_destroyed_twice, "streams are destroyed twice")                                       \
    X(event_kept, "events are not destroyed")                                                      \
    X(event_destroyed_early, "an event is destroyed once it is recorded")                          \
    X(device_kept, "devices are not given back")

#define BROKEN_ERRORS(X)                                                                           \
    X(late_error_swallowed, "a failure of past work is not returned by the wait")                  \
    X(out_of_memory_swallowed, "a failed allocation is returned as success")                       \
    X(elapsed_swapped, "elapsed time is measured backwards")

#define BROKEN_ADAPTERS(X)                                                                         \
    BROKEN_WAITS(X)                                                                                \
    BROKEN_STREAMS(X) BROKEN_MEMORY(X) BROKEN_OBJECTS(X) BROKEN_ERRORS(X)

namespace broken {

enum class Variant {
    none, // the good adapter
#define BROKEN_MEMBER(name, words) name,
    BROKEN_ADAPTERS(BROKEN_MEMBER)
#undef BROKEN_MEMBER
};

struct Row {
    Variant variant;
    const char* name;
    const char* words;
};
constexpr Row rows[] = {{Variant::none, "none", "the good adapter"},
#define BROKEN_ROW(name, words) {Variant::name, #name, words},
                        BROKEN_ADAPTERS(BROKEN_ROW)
#undef BROKEN_ROW
};

} // namespace broken
