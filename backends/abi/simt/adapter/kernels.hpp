// SPDX-License-Identifier: Apache-2.0
// From a family's source and macros to a function on a device: compiled once per chip, kept on
// disk.
#pragma once

#include <string>
#include <vector>

#include "instance.hpp"

namespace device_api::simt {

/// One variant of a kernel.
struct Variant {
    std::vector<std::string> files;  // sources after prelude.inc, in order
    std::vector<std::string> macros; // "OP=op_add"
    const char* entry = nullptr;     // the kernel's name
    bool contract = false;           // may the compiler fuse a multiplication with an addition?
};

/// A packed description that no two variants share: the family, then what its macros depend on. A
/// family may have keys of several lengths: the first bit set tells them apart.
class Key {
  public:
    explicit Key(unsigned family) : family_(family) {}
    Key& add(unsigned value, unsigned bits) {
        value_ = value_ << bits | value;
        return *this;
    }
    std::uint64_t value() const { return std::uint64_t(family_) << 56 | value_; }

  private:
    unsigned family_;
    std::uint64_t value_ = 1;
};

/// The function of a device for a key, if it was made before.
Handle find_kernel(Device& device, Key key);

/// Compile (or take from disk), load, remember.
da_status make_kernel(Instance& self, std::int32_t device, Key key, const Variant& variant,
                      Handle* function);

/// Blocks for `count` items of `per_block` each: enough to fill the chip, a grid-stride loop does
/// the rest.
unsigned blocks_for(const Chip& chip, std::uint64_t count, std::uint64_t per_block,
                    unsigned threads);

} // namespace device_api::simt
