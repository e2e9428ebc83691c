// SPDX-License-Identifier: Apache-2.0
// Views for CANN: storage base and offset, broadcasting, and the limits that CANN sets.
#include "builder.hpp"

#include <algorithm>

namespace device_api::npu {
namespace {

constexpr int max_rank = 8; // of nearly every operator
constexpr std::uintptr_t storage_alignment = 32;
constexpr std::uint64_t scratch_alignment = 512; // also of CANN's workspace behind it

std::uintptr_t address(const void* p) {
    return reinterpret_cast<std::uintptr_t>(p);
}

bool dense(const da_tensor& view) {
    if (view.flags & DA_TENSOR_CONTIGUOUS) return true;
    std::int64_t expected = 1;
    for (int d = view.rank - 1; d >= 0; --d) {
        if (view.shape[d] != 1 && view.strides[d] != expected) return false;
        expected *= view.shape[d];
    }
    return true;
}

} // namespace

da_status Builder::check_view(const da_tensor& view) const {
    if (view.rank > max_rank)
        return fail(DA_NOT_SUPPORTED, "merge dimensions, or compute on another device",
                    "CANN's operators take %d dimensions at most, not %d", max_rank, view.rank);
    const std::size_t size = element_size(view.dtype);
    if (size == 0)
        return fail(DA_INVALID_ARGUMENT, nullptr, "there is no data type %u", view.dtype);
    if (address(view.storage) % storage_alignment || address(view.data) < address(view.storage) ||
        (address(view.data) - address(view.storage)) % size)
        return fail(DA_NOT_SUPPORTED, "copy the view first",
                    "CANN takes views at a whole number of elements from a base that is aligned "
                    "to 32 bytes");
    const bool negative = std::any_of(view.strides, view.strides + view.rank,
                                      [](std::int64_t stride) { return stride < 0; });
    if (negative && call_.op != DA_OP_COPY)
        return fail(DA_NOT_SUPPORTED, "copy the view first", "CANN takes no negative strides");
    return DA_OK;
}

da_status Builder::check() const {
    const unsigned count = call_.n_inputs + call_.n_outputs;
    for (unsigned i = 0; i < count; ++i) {
        if (call_.tensors[i].flags & DA_TENSOR_IMMEDIATE) continue;
        if (const da_status status = check_view(call_.tensors[i])) return status;
    }
    // aclnnInplaceCopy is documented as the strided copy.
    return call_.op == DA_OP_COPY ? DA_OK : check_output(output());
}

da_status Builder::check_output(const da_tensor& view) const {
    if (dense(view) || relies_on(self_.cann, CANN_BELIEF_STRIDED_OUTPUT_EVERY_OP)) return DA_OK;
    return refuse_belief(CANN_BELIEF_STRIDED_OUTPUT_EVERY_OP, "a strided output");
}

unsigned Builder::broadcast_mask(unsigned i, int rank) const {
    unsigned mask = 0;
    for (int d = 0; d < rank; ++d) {
        if (input(i).strides[d] != 0 || input(i).shape[d] == 1) continue;
        bool other_is_full = false, first = true;
        for (unsigned j = 0; j < call_.n_inputs; ++j) {
            if (j == i || immediate(j)) continue;
            other_is_full |= input(j).strides[d] != 0;
            first &= j > i;
        }
        // Where all broadcast, the first keeps its size with stride 0.
        if (other_is_full || !first) mask |= 1u << d;
    }
    return mask;
}

aclTensor* Builder::tensor(const da_tensor& view, unsigned single, aclFormat format) {
    std::int64_t shape[max_rank], strides[max_rank];
    for (int d = 0; d < view.rank; ++d) {
        const bool one = (single >> d) & 1;
        shape[d] = one ? 1 : view.shape[d];
        strides[d] = one ? 1 : view.strides[d];
    }
    const std::size_t size = element_size(view.dtype);
    const auto offset =
        static_cast<std::int64_t>((address(view.data) - address(view.storage)) / size);
    const auto elements = static_cast<std::int64_t>(view.storage_bytes / size);
    aclTensor* made = self_.cann.aclCreateTensor(shape, static_cast<std::uint64_t>(view.rank),
                                                 acl_type(view.dtype), strides, offset, format,
                                                 &elements, 1, view.storage);
    if (made) plan_.tensors[plan_.n_tensors++] = made;
    return made; // null makes phase 1 fail with CANN's own code
}

aclScalar* Builder::scalar(const void* bytes, aclDataType type) {
    aclScalar* made = self_.cann.aclCreateScalar(const_cast<void*>(bytes), type);
    if (made) plan_.scalars[plan_.n_scalars++] = made;
    return made;
}

aclScalar* Builder::scalar_attribute(unsigned i) {
    const Element element = element_of(attribute(i), output().dtype);
    return scalar(element.bytes, acl_type(output().dtype));
}

aclScalar* Builder::scalar_f32(double value) {
    const auto rounded = static_cast<float>(value);
    return scalar(&rounded, ACL_FLOAT);
}

aclTensor* Builder::scratch(da_dtype dtype, int rank, const std::int64_t* shape) {
    std::int64_t strides[max_rank];
    da_tensor made{};
    made.dtype = static_cast<std::uint16_t>(dtype);
    made.rank = rank;
    made.shape = shape;
    made.strides = strides;
    made.storage = made.data = static_cast<char*>(scratch_) + plan_.scratch;
    made.storage_bytes = element_size(dtype);
    for (int d = rank - 1; d >= 0; --d) {
        strides[d] = d == rank - 1 ? 1 : strides[d + 1] * shape[d + 1];
        made.storage_bytes *= static_cast<std::uint64_t>(shape[d]);
    }
    plan_.scratch +=
        (made.storage_bytes + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
    return tensor(made, 0);
}

aclScalar* Builder::one() {
    const unsigned dtype = output().dtype;
    da_value value{};
    if (dtype >= DA_FLOAT16)
        value.f = 1.0;
    else
        value.i = 1;
    const Element element = element_of(value, dtype);
    return scalar(element.bytes, acl_type(dtype));
}

aclIntArray* Builder::axes(std::uint64_t mask) {
    std::int64_t set[max_rank];
    std::uint64_t count = 0;
    for (int d = 0; d < max_rank; ++d)
        if ((mask >> d) & 1) set[count++] = d;
    return list(set, count);
}

aclIntArray* Builder::list(const std::int64_t* values, std::uint64_t count) {
    aclIntArray* made = self_.cann.aclCreateIntArray(values, count);
    if (made) plan_.ints[plan_.n_ints++] = made;
    return made;
}

int Builder::refuse(const char* why) {
    fail(DA_NOT_SUPPORTED, nullptr, "%s", why);
    return refused;
}

} // namespace device_api::npu
