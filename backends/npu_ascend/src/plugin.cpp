// SPDX-License-Identifier: Apache-2.0
// The exported table. Every member looks for a forked process first and lets no exception out.
#include <new>

#include "collective.hpp"
#include "device_api/adapter/fork.hpp"
#include "device_api/adapter/member.hpp"
#include "instance.hpp"

namespace device_api::npu {
namespace {

da_status call_create(const dab_config* config, dab_instance** out) noexcept {
    try {
        return create(config, out);
    } catch (...) {
        return fail(DA_OUT_OF_MEMORY, nullptr, "host memory is exhausted");
    }
}

void call_destroy(dab_instance* self) noexcept {
    if (!self || forked()) return; // in a forked child everything belongs to the parent
    destroy(*self);
}

void call_last_error(dab_instance*, dab_error* error) noexcept {
    last_error(error);
}

constexpr std::uint64_t op_hashes[] = DA_OP_TABLE_HASHES;

dab_backend make_table() noexcept {
    dab_backend t{};
    t.size = sizeof t;
    t.abi_major = DAB_ABI_MAJOR;
    t.abi_minor = DAB_ABI_MINOR;
    t.type = "npu";
    t.vendor = "Huawei Ascend";
    t.version = DEVICE_API_NPU_VERSION;
    t.op_count = DA_OP_COUNT;
    t.op_hashes = op_hashes;
    t.create = call_create;
    t.destroy = call_destroy;
    t.last_error = call_last_error;
    t.device_count = Member<device_count>::call;
    t.device_properties = Member<device_properties>::call;
    t.device_open = Member<device_open>::call;
    t.device_synchronize = Member<device_synchronize>::call;
    t.device_reset = Member<device_reset>::call;
    t.alloc = Member<alloc>::call;
    t.free = Member<free_memory>::call;
    t.memory_info = Member<memory_info>::call;
    t.host_alloc = Member<host_alloc>::call;
    t.host_free = Member<host_free>::call;
    t.copy = Member<copy>::call;
    t.copy_peer = Member<copy_peer>::call;
    t.fill = Member<fill>::call;
    t.stream_create = Member<stream_create>::call;
    t.stream_destroy = Member<stream_destroy>::call;
    t.stream_synchronize = Member<stream_synchronize>::call;
    t.stream_query = Member<stream_query>::call;
    t.stream_wait_event = Member<stream_wait_event>::call;
    t.stream_callback = Member<stream_callback, true>::call;
    t.event_create = Member<event_create>::call;
    t.event_destroy = Member<event_destroy>::call;
    t.event_record = Member<event_record>::call;
    t.event_query = Member<event_query>::call;
    t.event_synchronize = Member<event_synchronize>::call;
    t.event_elapsed = Member<event_elapsed>::call;
    t.op_table = Member<op_table>::call;
    t.telemetry = Member<telemetry>::call;
    t.comm_id = Member<comm_id>::call;
    t.comm_create = Member<comm_create>::call;
    t.comm_destroy = Member<comm_destroy>::call;
    t.collective = Member<collective>::call;
    t.comm_query = Member<comm_query>::call;
    t.comm_group_begin = Member<comm_group_begin>::call;
    t.comm_group_end = Member<comm_group_end>::call;
    return t;
}

const dab_backend table = make_table();

} // namespace
} // namespace device_api::npu

extern "C" DAB_EXPORT const dab_backend* device_api_backend(std::uint16_t host_major,
                                                            std::uint16_t host_minor) {
    // Until 1.0 a change of the minor version may break.
    if (host_major != DAB_ABI_MAJOR || (DAB_ABI_MAJOR == 0 && host_minor != DAB_ABI_MINOR))
        return nullptr;
    return &device_api::npu::table;
}
