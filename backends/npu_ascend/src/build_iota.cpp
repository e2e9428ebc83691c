// SPDX-License-Identifier: Apache-2.0
// Phase 1 of iota: aclnnArange takes an end, from which it infers the length.
#include <cmath>

#include "builder.hpp"
#include "builds.hpp"

namespace device_api::npu {
namespace {

struct Range {
    da_value start, end, step;
};

template <class T>
bool length_is(double start, double end, double step, std::int64_t n) {
    const T length =
        std::ceil((static_cast<T>(end) - static_cast<T>(start)) / static_cast<T>(step));
    return length == static_cast<T>(n);
}

// CANN's host and device may compute the length in different precisions: an end is taken only
// when both give n. Half a step before the first element left out is farthest from both mistakes.
bool find_real_end(double start, double step, std::int64_t n, bool single, double& end) {
    for (const double count : {static_cast<double>(n) - 0.5, static_cast<double>(n)}) {
        end = start + count * step;
        if (length_is<double>(start, end, step, n) &&
            (!single || length_is<float>(start, end, step, n)))
            return true;
    }
    return false;
}

// One past the last element, in the direction of the step: the end that is least likely to leave
// the type. CANN may compute the length in double.
bool find_integer_end(std::int64_t start, std::int64_t step, std::int64_t n, bool narrow,
                      std::int64_t& end) {
    if (__builtin_mul_overflow(step, n - 1, &end) || __builtin_add_overflow(start, end, &end) ||
        __builtin_add_overflow(end, step > 0 ? 1 : -1, &end))
        return false;
    if (narrow && (end < INT32_MIN || end > INT32_MAX)) return false;
    return length_is<double>(static_cast<double>(start), static_cast<double>(end),
                             static_cast<double>(step), n);
}

bool find_range(const Builder& b, Range& range) {
    const da_tensor& out = b.output();
    range.start = b.attribute(DA_IOTA_START);
    range.step = b.attribute(DA_IOTA_STEP);
    const std::int64_t n = out.shape[0];
    if (out.dtype < DA_FLOAT16)
        return find_integer_end(range.start.i, range.step.i, n, out.dtype == DA_INT32, range.end.i);
    return find_real_end(range.start.f, range.step.f, n, out.dtype != DA_FLOAT64, range.end.f);
}

bool step_is_zero(const Builder& b) {
    return b.output().dtype < DA_FLOAT16 ? b.attribute(DA_IOTA_STEP).i == 0
                                         : b.attribute(DA_IOTA_STEP).f == 0;
}

} // namespace

// Scalars go in their widest type, so that CANN can compute in it and round once.
int build_iota(Builder& b) {
    if (step_is_zero(b)) {
        if (!b.has(1)) return b.refuse("this CANN has no aclnnInplaceFillScalar");
        return b.phase1<aclnnInplaceFillScalarGetWorkspaceSize_fn>(1)(
            b.out(), b.scalar_attribute(DA_IOTA_START), b.workspace(), b.executor());
    }
    Range range;
    if (b.output().rank != 1 || !find_range(b, range))
        return b.refuse("aclnnArange cannot be sure of the length of this range");
    const aclDataType type = b.output().dtype < DA_FLOAT16 ? ACL_INT64 : ACL_DOUBLE;
    return b.phase1<aclnnArangeGetWorkspaceSize_fn>()(
        b.scalar(&range.start, type), b.scalar(&range.end, type), b.scalar(&range.step, type),
        b.out(), b.workspace(), b.executor());
}

} // namespace device_api::npu
