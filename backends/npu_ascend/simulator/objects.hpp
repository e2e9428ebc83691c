// SPDX-License-Identifier: Apache-2.0
// The objects that operators take: tensors, scalars, arrays and lists.
//
// A handle that is given out is a number of the engine, never an address.  An object that is
// destroyed is marked, so that an executor which still needs it can tell.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "dtype.hpp"
#include "state.hpp"

namespace cann_sim {

struct Object {
    std::atomic<bool> destroyed{false};
};

struct TensorObject : Object {
    std::vector<std::int64_t> dims, strides, storage;
    std::int64_t offset = 0;
    aclDataType dtype = ACL_DT_UNDEFINED;
    aclFormat format = ACL_FORMAT_UNDEFINED;
    std::atomic<void*> address{nullptr};
    std::atomic<bool> in_list{false};

    std::int64_t numel() const;
    bool contiguous() const;
    /// Contiguous but for the last two axes, which may be swapped.
    bool contiguous_or_transposed() const;
};

struct ScalarObject : Object {
    aclDataType dtype = ACL_DT_UNDEFINED;
    unsigned char bytes[16] = {};
};

template <class T>
struct ArrayObject : Object {
    std::vector<T> values;
};
using IntArrayObject = ArrayObject<std::int64_t>;

/// Owns its members: destroying the list destroys them.
struct ListObject : Object {
    std::vector<Handle> members;
    std::uint32_t member_kind = 0;
};

/// The object behind a handle; null, with a reported misuse, when there is none of that kind.
template <class T>
std::shared_ptr<T> object(std::uint32_t kind, const void* handle) {
    std::shared_ptr<T> found;
    engine::handle_get(kind, const_cast<void*>(handle), &found);
    return found;
}

} // namespace cann_sim
