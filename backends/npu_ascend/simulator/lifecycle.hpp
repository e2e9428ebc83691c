// SPDX-License-Identifier: Apache-2.0
// Life and death of contexts.
#pragma once

#include <cstddef>
#include <memory>

#include "state.hpp"

namespace cann_sim {

/// A context with its default stream, registered; null and *status when the engine refuses.
std::shared_ptr<Context> make_context(int user_device, bool is_default, Status* status);

/// The default context of the device that the configuration of aclInit names, made when it is
/// missing; null when it names none, or one that cannot be had. It is nobody's to reset.
std::shared_ptr<Context> context_of_default_device();

/// Wait for its streams (force: abandon them), destroy them and forget the context.
void end_context(const std::shared_ptr<Context>& context, bool force);

/// End, by force, every context of a device (-1: of all devices); returns how many of them callers
/// had made.  The caller holds State::lifecycle.
std::size_t end_contexts_of(int device);

/// What aclFinalize does with what is left; returns how many contexts callers had left.
std::size_t end_all_contexts();

} // namespace cann_sim
