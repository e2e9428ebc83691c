// SPDX-License-Identifier: Apache-2.0
// Checks of a plugin's table against the contract, before it is used.
#include "contract.hpp"

#include <algorithm>
#include <cstring>

#include "error.hpp"
#include "op_info.hpp"

namespace device_api::core {
namespace {

da_status broken(const Backend& backend, const std::string& what) {
    return fail(DA_VERSION_MISMATCH, DAH_ERROR_PLUGIN,
                "the plugin for '" + backend.type + "'" +
                    (backend.library.empty() ? "" : " (" + backend.library + ")") + " " + what,
                "install a version of the plugin that fits this version of device-api, or report "
                "it to the plugin's maker");
}

// A table larger than this cannot be a table: the size is garbage.
constexpr uint32_t max_table_size = 1 << 16;

da_status check_version(const Backend& backend, const dab_backend* given) {
    constexpr uint32_t head = offsetof(dab_backend, type);
    if (given->size < head || given->size > max_table_size) {
        return broken(backend, "returned a table of " + std::to_string(given->size) +
                                   " bytes, which cannot be one");
    }
    // Below 1.0 the minor version may break too, but only towards members that are checked.
    if (given->abi_major != DAB_ABI_MAJOR) {
        return fail(DA_VERSION_MISMATCH, DAH_ERROR_PLUGIN,
                    "the plugin for '" + backend.type + "' speaks version " +
                        std::to_string(given->abi_major) + "." + std::to_string(given->abi_minor) +
                        " of the backend contract, this device-api speaks " +
                        std::to_string(DAB_ABI_MAJOR) + "." + std::to_string(DAB_ABI_MINOR),
                    given->abi_major > DAB_ABI_MAJOR ? "upgrade device-api" : "upgrade the plugin");
    }
    return DA_OK;
}

struct Member {
    const char* name;
    size_t offset;
};
#define REQUIRED(member)                                                                           \
    Member {                                                                                       \
        #member, offsetof(dab_backend, member)                                                     \
    }
const Member required[] = {
    REQUIRED(type),
    REQUIRED(vendor),
    REQUIRED(version),
    REQUIRED(op_hashes),
    REQUIRED(create),
    REQUIRED(device_count),
    REQUIRED(device_properties),
    REQUIRED(alloc),
    REQUIRED(free),
    REQUIRED(copy),
    REQUIRED(stream_create),
    REQUIRED(stream_destroy),
    REQUIRED(stream_synchronize),
    REQUIRED(op_table),
};
#undef REQUIRED

// Members that make sense only together.
const std::pair<Member, Member> pairs[] = {
#define PAIR(a, b)                                                                                 \
    {                                                                                              \
        {#a, offsetof(dab_backend, a)}, {                                                          \
            #b, offsetof(dab_backend, b)                                                           \
        }                                                                                          \
    }
    PAIR(host_alloc, host_free),
    PAIR(event_create, event_destroy),
    PAIR(event_create, event_record),
    PAIR(event_create, event_query),
    PAIR(event_create, event_synchronize),
    PAIR(event_create, event_elapsed),
    PAIR(comm_create, comm_id),
    PAIR(comm_create, comm_destroy),
    PAIR(comm_create, collective),
    PAIR(comm_group_begin, comm_group_end),
#undef PAIR
};

bool present(const dab_backend& table, const Member& member) {
    void* pointer;
    std::memcpy(&pointer, reinterpret_cast<const char*>(&table) + member.offset, sizeof pointer);
    return pointer != nullptr;
}

da_status check_members(const Backend& backend) {
    for (const Member& member : required) {
        if (!present(backend.table, member)) {
            return broken(backend, std::string("lacks the required member '") + member.name + "'");
        }
    }
    for (const auto& [a, b] : pairs) {
        if (present(backend.table, a) != present(backend.table, b)) {
            return broken(backend,
                          std::string("has only one of '") + a.name + "' and '" + b.name + "'");
        }
    }
    return DA_OK;
}

da_status check_op_table(const Backend& backend) {
    const uint32_t n = std::min<uint32_t>(backend.table.op_count, DA_OP_COUNT);
    if (backend.table.op_hashes[n] == op_table_hashes[n]) return DA_OK;
    return broken(backend, "was built with another op table: the first " + std::to_string(n) +
                               " ops differ");
}

da_status read_op(Device& device, const dab_op& op) {
    if (op.op == DA_OP_NONE) return broken(*device.backend, "lists an op with number 0");
    if (op.op > DA_OP_COUNT) return DA_OK; // of a later version than this
    const OpInfo& info = op_info(op.op);
    if (device.ops[op.op].op) {
        return broken(*device.backend, std::string("lists the op '") + info.name + "' twice");
    }
    const bool phased = op.plan && op.launch && op.abandon;
    if (!op.run && !phased) {
        return broken(*device.backend, std::string("gives neither 'run' nor all of 'plan', "
                                                   "'launch' and 'abandon' for the op '") +
                                           info.name + "'");
    }
    if (op.version != info.version) return DA_OK; // another meaning: as good as absent
    dab_op& entry = device.ops[op.op];
    entry = op;
    entry.dtypes &= info.dtypes;
    entry.others &= info.others;
    return DA_OK;
}

} // namespace

da_status read_table(Backend& backend, const char* type, const dab_backend* given) {
    backend.type = type;
    if (!given) return broken(backend, "refuses this version of device-api");
    if (da_status status = check_version(backend, given)) return status;
    backend.given = given;
    std::memcpy(&backend.table, given, std::min<size_t>(given->size, sizeof backend.table));
    if (da_status status = check_members(backend)) return status;
    if (std::strcmp(backend.table.type, type) != 0) {
        return broken(backend,
                      std::string("is one for devices of type '") + backend.table.type + "'");
    }
    return check_op_table(backend);
}

da_status read_ops(Device& device) {
    const dab_op* ops = nullptr;
    uint32_t count = 0, stride = 0;
    da_status status = device.api().op_table(device.self(), device.index, &ops, &count, &stride);
    if (status) return fail_vendor(*device.backend, &device, status, "reading the op table");
    constexpr uint32_t smallest = offsetof(dab_op, run) + sizeof(ops->run);
    if (count && (!ops || stride < smallest || stride > max_table_size || count > 65535)) {
        return broken(*device.backend, "returned a malformed op table");
    }
    for (uint32_t i = 0; i < count; ++i) {
        const char* entry = reinterpret_cast<const char*>(ops) + size_t{i} * stride;
        dab_op op{};
        std::memcpy(&op, entry, std::min<size_t>(stride, sizeof op));
        if (da_status bad = read_op(device, op)) return bad;
    }
    return DA_OK;
}

} // namespace device_api::core
