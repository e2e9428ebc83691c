// SPDX-License-Identifier: Apache-2.0
// HCCL's results, its types on each chip, its limits of time.
#include "hccl.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "chip.hpp"

namespace cann_sim {
namespace {

struct ResultRow {
    Status status;
    HcclResult result;
};
constexpr ResultRow results[] = {
    {Status::ok, HCCL_SUCCESS},
    {Status::invalid_value, HCCL_E_PARA},
    {Status::invalid_device, HCCL_E_PARA},
    {Status::invalid_handle, HCCL_E_PARA},
    {Status::invalid_address, HCCL_E_PARA},
    {Status::invalid_state, HCCL_E_PARA},
    {Status::out_of_memory, HCCL_E_MEMORY},
    {Status::out_of_resources, HCCL_E_UNAVAIL},
    {Status::timeout, HCCL_E_TIMEOUT},
    {Status::not_supported, HCCL_E_NOT_SUPPORT},
    {Status::launch_failure, HCCL_E_RUNTIME},
    {Status::device_lost, HCCL_E_RUNTIME},
    {Status::remote_fault, HCCL_E_REMOTE},
    {Status::remote_timeout, HCCL_E_TIMEOUT},
};

struct TypeRow {
    HcclDataType type;
    engine::DType dtype;
    unsigned reduces; // chips that reduce it
    unsigned moves;   // chips that gather, broadcast and send it
};
constexpr unsigned servers = chip_910a | chip_a2 | chip_a3 | chip_950;
constexpr unsigned later = chip_a2 | chip_a3 | chip_950;
constexpr unsigned all = servers | chip_310p;
constexpr TypeRow types[] = {
    {HCCL_DATA_TYPE_INT8, engine::DType::i8, all, all},
    {HCCL_DATA_TYPE_INT16, engine::DType::i16, later | chip_310p, all},
    {HCCL_DATA_TYPE_INT32, engine::DType::i32, all, all},
    {HCCL_DATA_TYPE_INT64, engine::DType::i64, servers, all},
    {HCCL_DATA_TYPE_UINT8, engine::DType::u8, 0, all},
    {HCCL_DATA_TYPE_UINT16, engine::DType::u16, 0, all},
    {HCCL_DATA_TYPE_UINT32, engine::DType::u32, 0, all},
    {HCCL_DATA_TYPE_UINT64, engine::DType::u64, chip_950, all},
    {HCCL_DATA_TYPE_FP16, engine::DType::f16, all, all},
    {HCCL_DATA_TYPE_FP32, engine::DType::f32, all, all},
    {HCCL_DATA_TYPE_FP64, engine::DType::f64, chip_950, all},
    {HCCL_DATA_TYPE_BFP16, engine::DType::bf16, later, later},
};

/// Reductions that a chip lacks for a type that it reduces otherwise.
bool lacks(unsigned family, HcclDataType type, HcclReduceOp op) {
    if (op == HCCL_REDUCE_SUM) return false;
    if (family == chip_310p) return type == HCCL_DATA_TYPE_INT16;
    const bool narrow = type == HCCL_DATA_TYPE_INT16 || type == HCCL_DATA_TYPE_BFP16;
    return op == HCCL_REDUCE_PROD && narrow && (family & later);
}

bool seconds(const char* variable, double* out) {
    const char* text = std::getenv(variable);
    if (!text || !*text) return false;
    char* end = nullptr;
    *out = std::strtod(text, &end);
    return *end == 0;
}

} // namespace

HcclResult hccl_fail(Call& c, HcclResult result, const char* format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    c.fail(result, "%s", text);
    return result;
}

HcclResult hccl_engine(Call& c, Status status) {
    if (status == Status::ok) return HCCL_SUCCESS;
    HcclResult result = HCCL_E_INTERNAL;
    for (const ResultRow& row : results)
        if (row.status == status) result = row.result;
    return hccl_fail(c, result, "%s", engine::last_message());
}

HcclResult check_dtype(Call& c, CollectiveFamily family, HcclDataType type, HcclReduceOp op,
                       engine::DType* out) {
    const unsigned chips = chip().family;
    if (family == CollectiveFamily::move && chips == chip_310p)
        return hccl_fail(c, HCCL_E_NOT_SUPPORT, "%s has no such collective", chip().soc);
    const bool reduces = family == CollectiveFamily::reduce;
    if (reduces && (op < HCCL_REDUCE_SUM || op > HCCL_REDUCE_MIN))
        return hccl_fail(c, HCCL_E_PARA, "reduction %d: sum, prod, max or min", int(op));
    for (const TypeRow& row : types) {
        if (row.type != type || !((reduces ? row.reduces : row.moves) & chips)) continue;
        if (reduces && lacks(chips, type, op)) break;
        *out = row.dtype;
        return HCCL_SUCCESS;
    }
    return hccl_fail(c, HCCL_E_NOT_SUPPORT, "%s does not take data type %d%s%s", chip().soc,
                     int(type), reduces ? " with reduction " : "",
                     reduces ? std::to_string(int(op)).c_str() : "");
}

HcclResult limits_of_environment(Call& c, engine::CommLimits* out) {
    double value = 0;
    if (seconds("HCCL_CONNECT_TIMEOUT", &value)) {
        if (value < 120 || value > 7200)
            return hccl_fail(c, HCCL_E_PARA, "HCCL_CONNECT_TIMEOUT is 120 to 7200 seconds, not %g",
                             value);
        out->join_s = value + 20; // as long as it takes effect
    }
    if (seconds("HCCL_EXEC_TIMEOUT", &value) && value >= 0)
        out->execute_s = value == 0 ? 1e12 : value;
    if (seconds("DEVICE_API_SIM_COLLECTIVE_TIMEOUT", &value) && value > 0)
        out->join_s = out->execute_s = value;
    return HCCL_SUCCESS;
}

} // namespace cann_sim
