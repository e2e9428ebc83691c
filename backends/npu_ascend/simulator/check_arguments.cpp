// SPDX-License-Identifier: Apache-2.0
// Phase 1, the checks that every operator shares.
#include "checks.hpp"

#include <algorithm>
#include <cstring>

namespace cann_sim {

namespace {

constexpr std::uintptr_t storage_alignment = 32;

constexpr Mask half_to_single = f16 | bf16 | f32;
constexpr struct {
    const char* name;
    Mask types;
} special_operands[] = {
    {"index", i32 | i64}, {"condition", boolean | u8},         {"sorter", i64},
    {"indicesOut", i64},  {"meanOutOptional", half_to_single}, {"rstdOutOptional", half_to_single},
    {"rstdOut", f32}};

// The types that the operator takes on this chip.
Mask allowed(const OpRow& row, bool output) {
    Mask mask = output ? row.output : row.inputs;
    const unsigned family = chip().family;
    if (family & (chip_a2 | chip_a3)) mask &= ~(output ? row.a2_output_lacks : row.a2_inputs_lack);
    if (family & (chip_910a | chip_310p))
        mask &= ~(output ? row.old_output_lacks : row.old_inputs_lack);
    mask &= ~Mask{chip().lacking};
    return mask;
}

aclnnStatus check_nulls(const Phase1& p) {
    for (const auto* group :
         {&p.arguments.inputs, &p.arguments.scalars, &p.arguments.outputs, &p.arguments.arrays})
        for (const Argument& a : *group)
            if (!a.handle && !a.optional)
                return p.call.fail(ACLNN_ERR_PARAM_NULLPTR, "%s is null", a.name);
    return ACLNN_SUCCESS;
}

template <class T>
aclnnStatus resolve(Phase1& p, std::uint32_t kind, const std::vector<Argument>& arguments,
                    std::vector<std::shared_ptr<T>>* out) {
    for (const Argument& a : arguments) {
        out->push_back(a.handle ? object<T>(kind, a.handle) : nullptr);
        if (!a.handle) continue;
        if (!out->back())
            return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s: %s", a.name, engine::last_message());
        p.plan.needed.push_back(out->back());
    }
    return ACLNN_SUCCESS;
}

// The view lies inside the storage, when its dims say how large that is.
bool inside_storage(const TensorObject& t) {
    if (t.storage.empty() || t.numel() == 0) return true;
    std::int64_t size = 1, last = t.offset;
    for (std::int64_t d : t.storage) size *= d;
    for (std::size_t i = 0; i < t.dims.size(); ++i) last += (t.dims[i] - 1) * t.strides[i];
    return last < size;
}

aclnnStatus check_tensor(const Phase1& p, const char* name, const TensorObject& t, Mask mask) {
    const Call& c = p.call;
    if (!(bit(t.dtype) & mask))
        return c.fail(ACLNN_ERR_PARAM_INVALID, "%s: %s is not supported on %s", name,
                      dtype_name(t.dtype), chip().soc);
    engine::DType dtype;
    if (!to_engine(t.dtype, &dtype))
        return c.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "%s: the simulator has no kernel for %s",
                      name, dtype_name(t.dtype));
    if (t.dims.size() > rank_limit)
        return c.fail(ACLNN_ERR_PARAM_INVALID, "%s: rank %zu is above %zu", name, t.dims.size(),
                      rank_limit);
    constexpr aclFormat plain[] = {ACL_FORMAT_ND,   ACL_FORMAT_NCHW,  ACL_FORMAT_NHWC,
                                   ACL_FORMAT_HWCN, ACL_FORMAT_NDHWC, ACL_FORMAT_NCDHW,
                                   ACL_FORMAT_NCL,  ACL_FORMAT_NC};
    if (std::find(std::begin(plain), std::end(plain), t.format) == std::end(plain))
        return c.fail(ACLNN_ERR_PARAM_INVALID, "%s: format %d is private or unknown", name,
                      static_cast<int>(t.format));
    if (!inside_storage(t))
        return c.fail(ACLNN_ERR_PARAM_INVALID, "%s: the view %s reaches beyond its storage %s",
                      name, text(t.dims).c_str(), text(t.storage).c_str());
    if (reinterpret_cast<std::uintptr_t>(t.address.load()) % storage_alignment)
        return c.misuse(Rule::tensor_description, ACLNN_ERR_PARAM_INVALID,
                        "%s: the storage is not aligned to 32 bytes; give the base of the storage "
                        "and an offset in elements",
                        name);
    return ACLNN_SUCCESS;
}

aclnnStatus resolve_all(Phase1& p) {
    if (aclnnStatus s = resolve(p, kind_tensor, p.arguments.inputs, &p.plan.inputs)) return s;
    if (aclnnStatus s = resolve(p, kind_scalar, p.arguments.scalars, &p.scalars)) return s;
    if (aclnnStatus s = resolve(p, kind_int_array, p.arguments.arrays, &p.arrays)) return s;
    p.plan.numbers = p.arguments.numbers;
    p.plan.reals = p.arguments.reals;
    return resolve(p, kind_tensor, p.arguments.outputs, &p.plan.outputs);
}

aclnnStatus check_tensors(const Phase1& p, const std::vector<Argument>& arguments,
                          const std::vector<std::shared_ptr<TensorObject>>& tensors, bool output) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i]) continue;
        const char* name = arguments[i].name;
        Mask mask = special_types(name);
        if (!mask) mask = allowed(p.row, output);
        if (aclnnStatus s = check_tensor(p, name, *tensors[i], mask)) return s;
    }
    return ACLNN_SUCCESS;
}

} // namespace

Mask special_types(const char* name) {
    for (const auto& row : special_operands)
        if (std::strcmp(row.name, name) == 0) return row.types;
    return 0;
}

aclnnStatus check_arguments(Phase1& p) {
    if (aclnnStatus s = check_nulls(p)) return s;
    if (p.row.not_on & chip().family)
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, "the operator is not for %s",
                           chip().soc);
    if (aclnnStatus s = resolve_all(p)) return s;
    if (aclnnStatus s = check_tensors(p, p.arguments.inputs, p.plan.inputs, false)) return s;
    return check_tensors(p, p.arguments.outputs, p.plan.outputs, true);
}

aclnnStatus expect_shape(const Phase1& p, const Shape& shape, std::size_t i) {
    if (p.out(i).dims == shape) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s has shape %s, the result has %s",
                       p.arguments.outputs[i].name, text(p.out(i).dims).c_str(),
                       text(shape).c_str());
}

aclnnStatus expect_converts(const Phase1& p, aclDataType result) {
    if (converts(result, p.out().dtype)) return ACLNN_SUCCESS;
    return p.call.fail(ACLNN_ERR_PARAM_INVALID, "a result of %s does not convert to %s of %s",
                       dtype_name(result), dtype_name(p.out().dtype), p.arguments.outputs[0].name);
}

aclnnStatus read_scalar(Phase1& p, std::size_t i) {
    const ScalarObject& s = *p.scalars[i];
    engine::DType dtype;
    if (!to_engine(s.dtype, &dtype))
        return p.call.fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                           "%s: the simulator has no kernel for %s", p.arguments.scalars[i].name,
                           dtype_name(s.dtype));
    if (s.dtype == ACL_BF16 && !chip().bf16)
        return p.call.fail(ACLNN_ERR_PARAM_INVALID, "%s: bf16 is not supported on %s",
                           p.arguments.scalars[i].name, chip().soc);
    p.plan.scalars.push_back(engine::Scalar::from_memory(dtype, s.bytes));
    return ACLNN_SUCCESS;
}

} // namespace cann_sim
