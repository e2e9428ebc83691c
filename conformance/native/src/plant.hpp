// SPDX-License-Identifier: Apache-2.0
// One defect: where it strikes, and what it does. Tables of them are in plants_*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "view.hpp"

namespace device_api::planted {

/// When a defect strikes. Every member that is set has to hold; 0 and null mean "always".
struct Gate {
    const char* ops = nullptr; // names with spaces between; null: all ops that the hook is given
    da_dtype_mask dtypes = 0;  // of the key operand (the output where there is no input)
    std::int64_t at_least = 0; // elements of the output
    std::int64_t at_most = 0;
    bool strided = false;          // an operand is a view that is not dense
    bool negative = false;         // a stride below 0
    bool broadcast = false;        // a stride of 0 over more than one element
    std::uint32_t misaligned = 0;  // an operand's address is no multiple of this
    std::uint64_t nth = 0;         // the n-th call that fits otherwise, and each n-th after it
    std::uint64_t after = 0;       // calls that fit otherwise before the first strike
    std::uint64_t one_in = 0;      // strikes of random calls, by the seed: one in so many
    bool other_device = false;     // calls of a device other than number 0
    bool other_thread = false;     // calls of a thread other than the first one that called
    std::uint32_t address_bit = 0; // this bit of the output's address is set (1 = bit 0)
};

/// A call as the defect sees it: descriptors that it may change before the plugin gets them.
struct Call {
    std::uint16_t op = 0;
    std::int32_t device = 0;
    const char* name = "";
    std::vector<da_tensor> tensors;                         // inputs, then the output
    std::vector<std::vector<std::int64_t>> shapes, strides; // that the descriptors point to
    std::vector<da_value> attributes;
    std::size_t inputs = 0;

    da_tensor& output() { return tensors.back(); }
    /// The descriptors again point to shapes and strides, after those were changed.
    void settle();
};

/// Elements before and after the plugin's own work.
struct Work {
    const Call* call = nullptr;
    std::vector<Values> inputs; // as they were before
    Values output;              // the right result; what the hook leaves is written back
};

struct Plant {
    const char* id;     // N-exp-10ulp
    char chapter;       // that has to see it
    const char* words;  // what is wrong
    const char* source; // public defect of this kind (defects.md), or ""
    Gate gate;
    void (*after)(Work& work) = nullptr;  // changes the result
    void (*before)(Call& call) = nullptr; // changes the descriptors
    /// Replaces members of the host's table; the plugin's own is `inner()`.
    void (*install)(dab_backend& table) = nullptr;
    /// What the op's call returns in place of the plugin's work; `go_on` lets the plugin work.
    da_status (*answer)(Call& call) = nullptr;
    /// Changes what the op table says of the ops that the gate names.
    void (*declare)(dab_op& entry) = nullptr;
};

constexpr auto go_on = static_cast<da_status>(-1);
/// Whether the gate's list of ops has the name.
bool names_op(const Gate& gate, const char* name);

/// All plants in their order.
const std::vector<const Plant*>& all_plants();
const Plant* find_plant(const char* id);

/// The plugin behind the plant.
const dab_backend& inner();
/// Numbers of the run, for hooks that keep state.
std::uint64_t seed();

/// Whether the defect strikes this call; counts calls that fit.
bool strikes(const Plant& plant, const Call& call);
/// How often it has struck.
std::uint64_t strike_count();
void struck();

} // namespace device_api::planted
