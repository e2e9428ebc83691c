// SPDX-License-Identifier: Apache-2.0
// What the shared SIMT adapter asks of a vendor: driver, run-time compiler, BLAS, collectives,
// telemetry. Every function records its failure (error.hpp) and returns what it means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_api/backend.h"

namespace device_api::simt {

using Handle = void*; // of a stream, event, module, function: the vendor's own

constexpr int max_devices = 64;

struct Grid {
    unsigned blocks[3];
    unsigned threads;
    unsigned shared_bytes; // beyond what the kernel declares
};

/// Limits that launches keep to.
struct Chip {
    std::string arch; // the compiler's name of the chip: "sm_90"
    unsigned compute_units = 1;
    unsigned threads_per_unit = 1024;
    unsigned threads_per_block = 256;
    std::uint64_t grid_x = 65535;
};

class Driver {
  public:
    virtual ~Driver() = default;

    /// Initialise the vendor's driver and count devices. Called once.
    virtual da_status initialise(std::int32_t* devices) = 0;
    /// Facts that need no context.
    virtual da_status properties(std::int32_t device, dab_properties& out) = 0;
    virtual da_status chip(std::int32_t device, Chip& out) = 0;

    /// Get and release the process's share of the device.
    virtual da_status open(std::int32_t device) = 0;
    virtual void close(std::int32_t device) = 0;
    /// Bring it back; everything on it is gone. The device is open before and after.
    virtual da_status reset(std::int32_t device) = 0;
    /// Make the device current for the calling thread.
    virtual da_status use(std::int32_t device) = 0;
    virtual da_status synchronize() = 0;

    virtual da_status alloc(std::uint64_t bytes, void** address) = 0;
    virtual da_status free(void* address) = 0;
    virtual da_status memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) = 0;
    virtual da_status host_alloc(std::uint64_t bytes, void** address) = 0;
    virtual da_status host_free(void* address) = 0;
    virtual da_status copy(void* target, const void* source, std::uint64_t bytes,
                           dab_copy_kind kind, Handle stream) = 0;
    virtual da_status copy_peer(void* target, std::int32_t target_device, const void* source,
                                std::int32_t source_device, std::uint64_t bytes, Handle stream) = 0;
    virtual da_status fill(void* target, std::uint8_t value, std::uint64_t bytes,
                           Handle stream) = 0;

    virtual da_status stream_create(std::int32_t priority, Handle* stream) = 0;
    virtual da_status stream_destroy(Handle stream) = 0;
    virtual da_status stream_synchronize(Handle stream) = 0;
    /// DA_OK, DA_NOT_READY (not recorded as an error) or a failure.
    virtual da_status stream_query(Handle stream) = 0;
    virtual da_status stream_wait(Handle stream, Handle event) = 0;
    /// fn(data) once, also when earlier work failed.
    virtual da_status stream_callback(Handle stream, void (*fn)(void*), void* data) = 0;

    virtual da_status event_create(bool timing, Handle* event) = 0;
    virtual da_status event_destroy(Handle event) = 0;
    virtual da_status event_record(Handle event, Handle stream) = 0;
    virtual da_status event_query(Handle event) = 0;
    virtual da_status event_synchronize(Handle event) = 0;
    virtual da_status event_elapsed(Handle start, Handle end, float* milliseconds) = 0;

    virtual da_status load(const std::string& image, Handle* module) = 0;
    virtual da_status function(Handle module, const char* name, Handle* function) = 0;
    virtual da_status launch(Handle function, const Grid& grid, Handle stream,
                             void** arguments) = 0;
};

class Compiler {
  public:
    virtual ~Compiler() = default;
    /// Open it; what identifies it: name and version.
    virtual da_status identify(std::string* identity) = 0;
    /// To code for the chip. The log of a failure goes into the message.
    virtual da_status compile(const std::string& name, const std::string& source,
                              const std::string& arch, const std::vector<std::string>& options,
                              std::string* image) = 0;
};

/// C (m x n) = A (m x k) B (k x n), row-major as the op table means it; `trans`: the operand is
/// stored transposed. Strides between batches in elements.
struct Product {
    da_dtype dtype;
    std::int64_t m, n, k;
    const void* a;
    const void* b;
    void* c;
    std::int64_t lda, ldb, ldc;
    bool trans_a, trans_b;
    std::int64_t batches, stride_a, stride_b, stride_c;
};

class Blas {
  public:
    virtual ~Blas() = default;
    /// Is the library there? Opened at the first question.
    virtual bool available() = 0;
    virtual da_dtype_mask dtypes() const = 0;
    virtual da_status multiply(const Product& product, std::int32_t device, Handle stream) = 0;
    virtual void stream_gone(Handle stream) = 0;
    virtual void device_gone(std::int32_t device) = 0;
};

class Collectives {
  public:
    virtual ~Collectives() = default;
    virtual da_status make_id(void* id, std::uint32_t* bytes) = 0;
    virtual da_status create(const void* id, std::uint32_t bytes, std::int32_t ranks,
                             std::int32_t rank, std::int32_t timeout_ms, Handle* comm) = 0;
    virtual da_status destroy(Handle comm) = 0;
    virtual da_status run(Handle comm, std::int32_t ranks, Handle stream,
                          const dab_collective& call) = 0;
    virtual da_status query(Handle comm) = 0;
    virtual da_status abort(Handle comm) = 0;
    virtual da_status group_begin() = 0;
    virtual da_status group_end() = 0;
};

class Telemetry {
  public:
    virtual ~Telemetry() = default;
    virtual da_status read(std::int32_t device, dab_telemetry& out) = 0;
};

/// A vendor's parts; those that it lacks are null.
struct Parts {
    std::unique_ptr<Driver> driver;
    std::unique_ptr<Compiler> compiler;
    std::unique_ptr<Blas> blas;
    std::unique_ptr<Collectives> collectives;
    std::unique_ptr<Telemetry> telemetry;
    std::vector<std::string> definitions; // macros that kernels get on this vendor
    bool simulated = false;
};

/// The plugin that this library is; defined by the vendor's own sources.
struct Plugin {
    const char* type;   // "cuda"
    const char* vendor; // "NVIDIA"
    const char* version;
    const char* visible; // the variable that chooses a process's devices
    da_status (*open)(const dab_config& config, Parts& parts);
};
extern const Plugin plugin;

/// The table to export; null for a host of another version.
const dab_backend* backend_for(std::uint16_t host_major, std::uint16_t host_minor);

} // namespace device_api::simt
