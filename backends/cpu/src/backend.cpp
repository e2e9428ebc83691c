// SPDX-License-Identifier: Apache-2.0
// The exported table, and the instance with its options.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "blas.hpp"
#include "device.hpp"
#include "ops/ops.hpp"
#include "pool.hpp"
#include "stream.hpp"
#include "telemetry.hpp"

namespace device_api::cpu {
namespace {

constexpr int kMaxThreads = 256;

struct Options {
    std::string level, blas, threads, system;
};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

da_status read_options(const dab_config* config, Options* options) {
    options->level = environment("DEVICE_API_CPU_LEVEL");
    options->threads = environment("DEVICE_API_CPU_THREADS");
    for (uint32_t i = 0; config && i < config->n_options; ++i) {
        const std::string key = config->options[2 * i];
        const char* value = config->options[2 * i + 1];
        if (key == "level")
            options->level = value;
        else if (key == "threads")
            options->threads = value;
        else if (key == "blas")
            options->blas = value;
        else if (key == "system")
            options->system = value;
        else
            return fail(DA_INVALID_ARGUMENT,
                        "options of the CPU are level, threads, blas and system",
                        "unknown option \"%s\"", key.c_str());
    }
    return DA_OK;
}

// "" for as many as there are CPUs to run on; 0 after fail().
int thread_count(const std::string& text) {
    if (text.empty()) return available_cpus() < kMaxThreads ? available_cpus() : kMaxThreads;
    char* end = nullptr;
    const long count = std::strtol(text.c_str(), &end, 10);
    if (*end == 0 && count >= 1 && count <= kMaxThreads) return int(count);
    fail(DA_INVALID_ARGUMENT, "set DEVICE_API_CPU_THREADS (or option threads) to 1 .. 256",
         "\"%s\" is not a number of threads", text.c_str());
    return 0;
}

da_status make_instance(const dab_config* config, dab_instance** self) {
    Options options;
    if (const da_status bad = read_options(config, &options)) return bad;
    const Kernels* kernels = kernels_for(options.level.c_str());
    if (!kernels) return last_status();
    const int threads = thread_count(options.threads);
    if (threads == 0) return DA_INVALID_ARGUMENT;
    auto made = std::make_unique<dab_instance>();
    made->kernels = kernels;
    made->threads = threads;
    made->blas = new Blas(options.blas);
    made->load = new LoadMeter(options.system);
    *self = made.release();
    return DA_OK;
}

da_status create(const dab_config* config, dab_instance** self) {
    try {
        return make_instance(config, self);
    } catch (const std::bad_alloc&) {
        return fail(DA_OUT_OF_MEMORY, "free memory", "no memory for the CPU backend");
    }
}

void destroy(dab_instance* self) {
    delete self->blas;
    delete self->load;
    delete self;
}

da_status host_alloc(dab_instance* self, int32_t device, uint64_t bytes, void** address) {
    return alloc(self, device, bytes, address); // any memory will do
}

constexpr uint64_t kHashes[] = DA_OP_TABLE_HASHES;

dab_backend make_table() {
    dab_backend t = {};
    t.size = sizeof t;
    t.abi_major = DAB_ABI_MAJOR;
    t.abi_minor = DAB_ABI_MINOR;
    t.type = "cpu";
    t.vendor = "device_api";
    t.version = DEVICE_API_CPU_VERSION;
    t.op_count = DA_OP_COUNT;
    t.op_hashes = kHashes;
    t.create = create;
    t.destroy = destroy;
    t.last_error = last_error;
    t.device_count = device_count;
    t.device_properties = device_properties;
    t.device_open = device_open;
    t.device_synchronize = device_synchronize;
    t.alloc = alloc;
    t.free = free_memory;
    t.memory_info = memory_info;
    t.host_alloc = host_alloc;
    t.host_free = free_memory;
    t.copy = copy;
    t.copy_peer = copy_peer;
    t.fill = fill;
    t.stream_create = stream_create;
    t.stream_destroy = stream_destroy;
    t.stream_synchronize = stream_synchronize;
    t.stream_query = stream_query;
    t.stream_wait_event = stream_wait_event;
    t.stream_callback = stream_callback;
    t.event_create = event_create;
    t.event_destroy = event_destroy;
    t.event_record = event_record;
    t.event_query = event_query;
    t.event_synchronize = event_synchronize;
    t.event_elapsed = event_elapsed;
    t.op_table = op_table;
    t.telemetry = telemetry;
    return t;
}

} // namespace
} // namespace device_api::cpu

extern "C" DAB_EXPORT const dab_backend* device_api_backend(uint16_t host_major,
                                                            uint16_t host_minor) {
    static const dab_backend table = device_api::cpu::make_table();
    // Until 1.0 a change of the minor version may break.
    const bool fits = host_major == DAB_ABI_MAJOR && host_minor == DAB_ABI_MINOR;
    return fits ? &table : nullptr;
}
