// SPDX-License-Identifier: Apache-2.0
// The exported table. Every member looks for a forked process first and lets no exception out.
#include "device_api/adapter/fork.hpp"
#include "device_api/adapter/member.hpp"
#include "instance.hpp"

namespace device_api::simt {
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

void set_devices(dab_backend& t) {
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
}

void set_streams(dab_backend& t) {
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
}

void set_rest(dab_backend& t) {
    t.op_table = Member<op_table>::call;
    t.telemetry = Member<telemetry>::call;
    t.comm_id = Member<comm_id>::call;
    t.comm_create = Member<comm_create>::call;
    t.comm_destroy = Member<comm_destroy>::call;
    t.collective = Member<collective>::call;
    t.comm_query = Member<comm_query>::call;
    t.comm_abort = Member<comm_abort>::call;
    t.comm_group_begin = Member<comm_group_begin>::call;
    t.comm_group_end = Member<comm_group_end>::call;
}

dab_backend make_table() {
    dab_backend t{};
    t.size = sizeof t;
    t.abi_major = DAB_ABI_MAJOR;
    t.abi_minor = DAB_ABI_MINOR;
    t.type = plugin.type;
    t.vendor = plugin.vendor;
    t.version = plugin.version;
    t.op_count = DA_OP_COUNT;
    t.op_hashes = op_hashes;
    set_devices(t);
    set_streams(t);
    set_rest(t);
    return t;
}

} // namespace

const dab_backend* backend_for(std::uint16_t host_major, std::uint16_t host_minor) {
    // Until 1.0 a change of the minor version may break.
    if (host_major != DAB_ABI_MAJOR || (DAB_ABI_MAJOR == 0 && host_minor != DAB_ABI_MINOR))
        return nullptr;
    static const dab_backend table = make_table();
    return &table;
}

} // namespace device_api::simt
