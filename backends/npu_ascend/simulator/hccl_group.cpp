// SPDX-License-Identifier: Apache-2.0
// Groups of HCCL: root information, joining, asking, leaving.
#include "hccl.hpp"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "chip.hpp"

using namespace cann_sim;

namespace {

constexpr char magic[8] = {'s', 'i', 'm', 'h', 'c', 'c', 'l', '1'};

HcclResult read_root(Call& c, const HcclRootInfo* info, engine::CommId* id) {
    if (!info) return hccl_fail(c, HCCL_E_PTR, "rootInfo is null");
    if (std::memcmp(info->internal, magic, sizeof magic) != 0)
        return hccl_fail(c, HCCL_E_PARA,
                         "rootInfo is not what HcclGetRootInfo of a simulated chip gave");
    std::memcpy(id->text, info->internal + sizeof magic, sizeof id->text);
    return HCCL_SUCCESS;
}

HcclResult join(Call& c, int device, const engine::CommId& id, uint32_t ranks, uint32_t rank,
                HcclComm* comm) {
    if (!comm) return hccl_fail(c, HCCL_E_PTR, "comm is null");
    *comm = nullptr;
    engine::CommLimits limits;
    if (const HcclResult bad = limits_of_environment(c, &limits)) return bad;
    if (ranks > 1u << 20 || rank > 1u << 20)
        return hccl_fail(c, HCCL_E_PARA, "rank %u of %u is out of range", rank, ranks);
    return hccl_engine(c, engine::comm_join(device, id, static_cast<int>(ranks),
                                            static_cast<int>(rank), limits, comm));
}

HcclResult init_root(Call& c, uint32_t ranks, const HcclRootInfo* info, uint32_t rank,
                     HcclComm* comm) {
    engine::CommId id;
    if (const HcclResult bad = read_root(c, info, &id)) return bad;
    return join(c, c.context()->device, id, ranks, rank, comm);
}

/// Prepared as the header's HcclCommConfigInit does it.
HcclResult check_config(Call& c, const HcclCommConfig* config) {
    if (!config) return hccl_fail(c, HCCL_E_PTR, "config is null");
    HcclCommConfigHead head;
    std::memcpy(&head, config, sizeof head);
    if (head.magic != HCCL_COMM_CONFIG_MAGIC || head.version < 1 || head.size < sizeof head)
        return hccl_fail(c, HCCL_E_PARA,
                         "config was not initialised: magic 0x%x, version %u, size %zu", head.magic,
                         head.version, head.size);
    return HCCL_SUCCESS;
}

/// Each rank of one process joins on a thread of its own, as each waits for the others.
HcclResult init_all(Call& c, uint32_t n, const int32_t* devices, HcclComm* comms) {
    if (!devices || !comms) return hccl_fail(c, HCCL_E_PTR, "devices or comms is null");
    if (n < 1 || n > static_cast<uint32_t>(engine::max_ranks))
        return hccl_fail(c, HCCL_E_PARA, "%u devices", n);
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (devices[i] == devices[k])
                return hccl_fail(c, HCCL_E_PARA, "device %d is named twice", devices[i]);
    engine::CommId id;
    engine::CommLimits limits;
    if (const HcclResult bad = limits_of_environment(c, &limits)) return bad;
    if (const HcclResult bad = hccl_engine(c, engine::comm_id(&id))) return bad;
    std::vector<Status> statuses(n, Status::ok);
    std::vector<std::string> texts(n);
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < n; ++i)
        threads.emplace_back([&, i] {
            const int device = engine_device(devices[i]);
            comms[i] = nullptr;
            statuses[i] = engine::comm_join(device, id, static_cast<int>(n), static_cast<int>(i),
                                            limits, &comms[i]);
            if (statuses[i] != Status::ok) texts[i] = engine::last_message();
        });
    for (std::thread& t : threads) t.join();
    for (uint32_t i = 0; i < n; ++i)
        if (statuses[i] != Status::ok)
            return hccl_engine(c, engine::fail(statuses[i], "%s", texts[i].c_str()));
    return HCCL_SUCCESS;
}

HcclResult not_simulated(Call& c) {
    return hccl_fail(c, HCCL_E_NOT_SUPPORT, "not simulated");
}

HcclResult info_of(Call& c, HcclComm comm, const void* out, engine::CommInfo* info) {
    if (!out) return hccl_fail(c, HCCL_E_PTR, "an output pointer is null");
    return hccl_engine(c, engine::comm_info(comm, info));
}

std::atomic<int32_t> deterministic{0};

} // namespace

SIM_EXPORT HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
    return hccl(__func__, Need::work, [&](Call& c) {
        if (!rootInfo) return hccl_fail(c, HCCL_E_PTR, "rootInfo is null");
        engine::CommId id;
        if (const HcclResult bad = hccl_engine(c, engine::comm_id(&id))) return bad;
        std::memset(rootInfo, 0, sizeof *rootInfo);
        std::memcpy(rootInfo->internal, magic, sizeof magic);
        std::memcpy(rootInfo->internal + sizeof magic, id.text, sizeof id.text);
        return HCCL_SUCCESS;
    });
}

SIM_EXPORT HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                           uint32_t rank, HcclComm* comm) {
    return hccl(__func__, Need::work,
                [&](Call& c) { return init_root(c, nRanks, rootInfo, rank, comm); });
}

SIM_EXPORT HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                 uint32_t rank, const HcclCommConfig* config,
                                                 HcclComm* comm) {
    return hccl(__func__, Need::work, [&](Call& c) {
        const HcclResult bad = check_config(c, config);
        return bad ? bad : init_root(c, nRanks, rootInfo, rank, comm);
    });
}

SIM_EXPORT HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
    return hccl(__func__, Need::init, [&](Call& c) { return init_all(c, ndev, devices, comms); });
}

static HcclResult no_rank_tables(Call& c) {
    return hccl_fail(c, HCCL_E_NOT_SUPPORT,
                     "rank tables are not simulated: what such a file holds is not among the facts "
                     "that this library follows; use HcclGetRootInfo and HcclCommInitRootInfo");
}

SIM_EXPORT HcclResult HcclCommInitClusterInfo(const char*, uint32_t, HcclComm*) {
    return hccl(__func__, Need::work, no_rank_tables);
}
SIM_EXPORT HcclResult HcclCommInitClusterInfoConfig(const char*, uint32_t, HcclCommConfig*,
                                                    HcclComm*) {
    return hccl(__func__, Need::work, no_rank_tables);
}

SIM_EXPORT HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                              uint64_t subCommId, uint32_t subCommRankId,
                                              HcclCommConfig* config, HcclComm* subComm) {
    return hccl(__func__, Need::work, [&](Call& c) {
        if (!comm || !rankIds) return hccl_fail(c, HCCL_E_PTR, "comm or rankIds is null");
        if (const HcclResult bad = check_config(c, config)) return bad;
        engine::CommInfo info;
        if (const HcclResult bad = info_of(c, *comm, subComm, &info)) return bad;
        if (subCommRankId >= rankNum || rankIds[subCommRankId] != static_cast<uint32_t>(info.rank))
            return hccl_fail(c, HCCL_E_PARA, "rank %d is not number %u of the ranks given",
                             info.rank, subCommRankId);
        engine::CommId id;
        if (const HcclResult bad = hccl_engine(c, engine::comm_derive(*comm, subCommId, &id)))
            return bad;
        return join(c, info.device, id, rankNum, subCommRankId, subComm);
    });
}

SIM_EXPORT HcclResult HcclCommDestroy(HcclComm comm) {
    return hccl(__func__, Need::init,
                [&](Call& c) { return hccl_engine(c, engine::comm_leave(comm)); });
}

SIM_EXPORT HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
    return hccl(__func__, Need::init, [&](Call& c) {
        engine::CommInfo info;
        const HcclResult bad = info_of(c, comm, rankSize, &info);
        if (!bad) *rankSize = static_cast<uint32_t>(info.ranks);
        return bad;
    });
}
SIM_EXPORT HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
    return hccl(__func__, Need::init, [&](Call& c) {
        engine::CommInfo info;
        const HcclResult bad = info_of(c, comm, rank, &info);
        if (!bad) *rank = static_cast<uint32_t>(info.rank);
        return bad;
    });
}
SIM_EXPORT HcclResult HcclGetCommName(HcclComm comm, char* name) {
    return hccl(__func__, Need::init, [&](Call& c) {
        engine::CommId id;
        if (!name) return hccl_fail(c, HCCL_E_PTR, "name is null");
        if (const HcclResult bad = hccl_engine(c, engine::comm_derive(comm, 0, &id))) return bad;
        const char* last = std::strrchr(id.text, '/');
        std::snprintf(name, HCCL_COMM_NAME_BYTES, "%s", last ? last + 1 : id.text);
        return HCCL_SUCCESS;
    });
}

SIM_EXPORT HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
    return hccl(__func__, Need::init, [&](Call& c) {
        engine::CommInfo info;
        if (const HcclResult bad = info_of(c, comm, asyncError, &info)) return bad;
        *asyncError = hccl_engine(c, engine::comm_error(comm));
        return HCCL_SUCCESS;
    });
}

SIM_EXPORT const char* HcclGetErrorString(HcclResult code) {
    switch (code) {
#define SIM_RESULT_NAME(name, value, since, mark)                                                  \
    case name: return #name;
        CANN_HCCL_RESULTS(SIM_RESULT_NAME)
#undef SIM_RESULT_NAME
    }
    return "unknown error";
}

SIM_EXPORT uint32_t HcclGetCommConfigCapability(void) {
    return 0;
}

SIM_EXPORT HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue value) {
    return hccl(__func__, Need::nothing, [&](Call& c) {
        if (config != HCCL_DETERMINISTIC || value.value < 0 || value.value > 1)
            return hccl_fail(c, HCCL_E_PARA, "configuration %d, value %d", int(config),
                             value.value);
        deterministic = value.value; // the simulator always is
        return HCCL_SUCCESS;
    });
}
SIM_EXPORT HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* value) {
    return hccl(__func__, Need::nothing, [&](Call& c) {
        if (config != HCCL_DETERMINISTIC || !value)
            return hccl_fail(c, HCCL_E_PARA, "configuration %d", int(config));
        value->value = deterministic;
        return HCCL_SUCCESS;
    });
}

SIM_EXPORT HcclResult HcclCommSuspend(HcclComm) {
    return hccl(__func__, Need::init, not_simulated);
}
SIM_EXPORT HcclResult HcclCommResume(HcclComm) {
    return hccl(__func__, Need::init, not_simulated);
}
