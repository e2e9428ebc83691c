// SPDX-License-Identifier: Apache-2.0
// Kernels that are compiled from source at run time and run as grids of blocks of threads.
//
// The language is the common part of CUDA C and HIP. compile() makes a shared object of the host
// from the source (the "cubin"), load() brings it in, run() executes a grid on one device. Threads
// of a block run one after another, each up to its next barrier or warp operation, in an order that
// changes with the seed; blocks too. Kernels use device addresses as they are, and an access to
// what is no live device memory ends the launch, not the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_api/engine/status.hpp"
#include "device_api/engine/stream.hpp"

namespace device_api::engine::simt {

// ---- compiling ---------------------------------------------------
struct Source {
    std::string text, name = "default_program";
    std::vector<std::pair<std::string, std::string>> headers; // name, text: #include "name"
    std::vector<std::string> definitions;                     // "NAME" or "NAME=VALUE"
    std::vector<std::string> folders;                         // of further headers
    std::vector<std::string> expressions;                     // of kernels that templates make
    std::string standard = "c++17";
    std::string architecture; // "sm_90": kept in the image
    int warp = 32;            // or 64
    bool unmasked = false;    // the warp operations without a mask, too (HIP)
    bool contract = true;     // multiply and add may become one operation
    bool line_info = false;
};

enum class Outcome : int {
    ok = 0,
    errors,      // of the source: the log has them
    no_compiler, // the log says what to install
    failed,      // of the compiler, or the system
};
struct Compiled {
    Outcome outcome = Outcome::failed;
    std::string log;                            // in the manner of NVRTC
    std::string image;                          // a shared object of the host
    std::map<std::string, std::string> lowered; // expression: name of the function
};
Compiled compile(const Source& source) noexcept;
/// The host's compiler as compile() would take it; "" when there is none.
std::string compiler() noexcept;

// ---- modules -----------------------------------------------------
struct Param {
    std::size_t offset, size;
};
class Module;
struct Function {
    std::string name; // lowered
    std::vector<Param> params;
    std::size_t param_bytes = 0;
    std::size_t static_shared = 0; // bytes
    int max_threads = 0;           // by __launch_bounds__; 0: none given
    std::shared_ptr<const Module> module;
    void (*entry)(const void* call) = nullptr;
    mutable bool meets = false; // its threads have waited for each other
};
using FunctionPtr = std::shared_ptr<const Function>;
using ModulePtr = std::shared_ptr<const Module>;

/// Bytes of an image that begins at `image` (which has no length of its own); 0: it is none of
/// compile()'s.
std::size_t image_size(const void* image, std::size_t at_most) noexcept;
/// invalid_value: not an image, or one of another kind of host; the message says which.
Status load(const void* image, std::size_t bytes, ModulePtr* out) noexcept;
std::vector<std::string> function_names(const Module& m);
/// Null when there is none of that name.
FunctionPtr find_function(const ModulePtr& m, const std::string& name);
std::string architecture(const Module& m);
int warp_size(const Module& m);

// ---- running -----------------------------------------------------
struct Dim {
    unsigned x = 1, y = 1, z = 1;
    std::uint64_t volume() const { return std::uint64_t(x) * y * z; }
};
struct Grid {
    Dim grid, block;
    std::size_t dynamic_shared = 0; // bytes
};

/// What ended a launch.
enum class Fault : int {
    none = 0,
    illegal_address,
    misaligned_address,
    divergence,          // a barrier or a warp operation that not all threads reach
    assertion,           // assert() in the kernel
    trap,                // __trap()
    illegal_instruction, // what the processor refuses
    arithmetic,          // an integer division without a result
    stack_overflow,
};
/// Runs in a task of a stream of `device`. Not ok: kernel_fault or invalid_address, with a message
/// that says which thread of which block did what; *fault then tells which kind.
Status run(const Function& f, const Grid& grid, const std::string& params, int device,
           std::uint64_t seed, Fault* fault) noexcept;

} // namespace device_api::engine::simt
