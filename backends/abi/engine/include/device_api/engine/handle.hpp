// SPDX-License-Identifier: Apache-2.0
// Typed opaque handles: an index, a generation and a per-engine tag, never an address.
//
// A handle is a non-canonical number in a void*: reading through it faults, and one that is
// destroyed, foreign (another vendor's engine, a host pointer, garbage) or of another kind is
// recognised without being dereferenced.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "device_api/engine/status.hpp"

namespace device_api::engine {

using Handle = void*;

/// Kinds 1..15 belong to the engine; a vendor library numbers its own from kind_vendor on (up to
/// 255).
enum : std::uint32_t { kind_stream = 1, kind_event = 2, kind_comm = 3, kind_vendor = 16 };

/// Name of a vendor kind for messages ("aclTensor"). `name` must be static. Call once, before use.
void handle_kind_name(std::uint32_t kind, const char* name) noexcept;

namespace detail {
Handle handle_add(std::uint32_t kind, std::shared_ptr<void> object) noexcept;
Status handle_get(std::uint32_t kind, Handle h, std::shared_ptr<void>* out, bool take) noexcept;
} // namespace detail

/// Register an object; null when the table is full (about a million live handles).
template <class T>
Handle handle_create(std::uint32_t kind, std::shared_ptr<T> object) noexcept {
    return detail::handle_add(kind, std::static_pointer_cast<void>(std::move(object)));
}

/// Look up; on failure Status::invalid_handle, with a message saying null / foreign / destroyed /
/// kind A given for kind B, and an entry in the misuse report.
template <class T>
Status handle_get(std::uint32_t kind, Handle h, std::shared_ptr<T>* out) noexcept {
    std::shared_ptr<void> p;
    Status s = detail::handle_get(kind, h, &p, false);
    if (s == Status::ok) *out = std::static_pointer_cast<T>(p);
    return s;
}

/// Look up and unregister: the handle is dead afterwards; the object lives on while someone holds
/// it.
template <class T>
Status handle_take(std::uint32_t kind, Handle h, std::shared_ptr<T>* out) noexcept {
    std::shared_ptr<void> p;
    Status s = detail::handle_get(kind, h, &p, true);
    if (s == Status::ok && out) *out = std::static_pointer_cast<T>(p);
    return s;
}

/// Live handles of one kind (leak checks).
std::uint64_t handle_count(std::uint32_t kind) noexcept;

} // namespace device_api::engine
