// SPDX-License-Identifier: Apache-2.0
// The rules whose breach a simulated chip reports: the engine's own, and those that vendors'
// interfaces have in common.
#pragma once

#include <cstdint>

// X(name, the rule in words)
#define DEVICE_API_RULES(X)                                                                        \
    X(double_free, "memory is freed once")                                                         \
    X(wild_free, "what is freed is the start of a live allocation")                                \
    X(use_after_free, "memory stays allocated until the work that uses it has run")                \
    X(out_of_bounds, "work stays inside one live allocation")                                      \
    X(host_access, "the host does not touch device memory")                                        \
    X(host_memory_in_kernel, "kernels take device memory")                                         \
    X(copy_kind, "the kind of a copy says what its pointers are")                                  \
    X(fill_target, "a fill is of device or pinned memory")                                         \
    X(pinned_twice, "host memory is pinned once")                                                  \
    X(peer_access, "memory of another device needs peer access")                                   \
    X(null_handle, "a handle is not null")                                                         \
    X(wrong_handle, "a handle is of the kind that the call takes")                                 \
    X(dead_handle, "a destroyed object is not used")                                               \
    X(wait_in_task, "work on a stream waits for no stream")                                        \
    X(declared_read, "a simulated kernel writes only what it declared")                            \
    X(uninitialised_read, "memory is written before it is read")                                   \
    X(unordered_access, "work on two streams that shares memory is ordered")                       \
    X(free_unordered, "memory is freed when its work is known to be done")                         \
    X(host_buffer_changed, "the host leaves a buffer alone until its copy has run")                \
    X(not_initialised, "the runtime is initialised before use")                                    \
    X(call_in_callback, "a host callback does not allocate, launch or wait")                       \
    X(callback_style, "the two ways of callbacks are not mixed on a stream")                       \
    X(wrong_context, "a stream is used with its own context current")                              \
    X(executor_once, "an executor runs once")                                                      \
    X(executor_operator, "an executor runs with its own operator")                                 \
    X(executor_thread, "both phases run on one thread")                                            \
    X(executor_device, "both phases run on one device")                                            \
    X(executor_operands, "an executor keeps its operands")                                         \
    X(workspace_size, "a workspace has the bytes that phase 1 asked for")                          \
    X(object_lifetime, "objects of phase 1 live until phase 2 has returned")                       \
    X(tensor_address, "a tensor has an address when it runs")                                      \
    X(tensor_description, "a tensor's description is consistent")                                  \
    X(list_ownership, "a tensor is in one list, which destroys it")                                \
    X(event_kind, "an event is used as its kind allows")                                           \
    X(device_pairing, "setting and resetting a device are paired")                                 \
    X(default_context, "a default context ends with its device")                                   \
    X(host_alignment, "registered host memory is aligned")                                         \
    X(teardown_order, "streams and events end before their device, devices before the runtime")    \
    X(initialised_once, "an initialiser runs once")                                                \
    X(group_ranks, "a group has each of its ranks once")                                           \
    X(collective_mismatch, "all ranks of a group make the same calls")                             \
    X(collective_memory, "a collective's memory is its device's, aligned, in place or apart")      \
    X(comm_pending, "a communicator is destroyed when its work is done")

namespace device_api::engine {

enum class Rule : std::uint8_t {
#define DEVICE_API_RULE(name, words) name,
    DEVICE_API_RULES(DEVICE_API_RULE)
#undef DEVICE_API_RULE
};

const char* rule_name(Rule r) noexcept;  // "double_free"
const char* rule_words(Rule r) noexcept; // "memory is freed once"

/// While it lives, reports of this thread say that they are about this call.
class InCall {
  public:
    explicit InCall(const char* name) noexcept;
    ~InCall();
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;

  private:
    const char* before_;
};

} // namespace device_api::engine
