// SPDX-License-Identifier: Apache-2.0
// Makes CANN's objects for one call: tensors over the host's views, scalars, lists of axes.
#pragma once

#include "dtypes.hpp"
#include "instance.hpp"
#include "ops.hpp"

namespace device_api::npu {

class Builder {
  public:
    /// `scratch`: where outputs go that the op does not have; any device memory at plan time.
    Builder(Instance& self, const dab_call& call, const OpEntry& entry, Plan& plan, void* scratch)
        : self_(self), call_(call), entry_(entry), plan_(plan), scratch_(scratch) {}

    /// Can CANN take these views at all? Says why not.
    da_status check() const;
    /// Can CANN write to this view? Says why not.
    da_status check_output(const da_tensor& view) const;

    unsigned op() const { return call_.op; }
    const da_tensor& input(unsigned i) const { return call_.tensors[i]; }
    const da_tensor& output() const { return call_.tensors[call_.n_inputs]; }
    const da_value& attribute(unsigned i) const { return call_.attributes[i]; }
    bool immediate(unsigned i) const { return (input(i).flags & DA_TENSOR_IMMEDIATE) != 0; }

    /// The output, and an input exactly as it is.
    aclTensor* out() { return tensor(output(), 0); }
    aclTensor* in(unsigned i) { return tensor(input(i), 0); }
    /// Any view; dimensions in the mask are of size 1, so that the operator broadcasts it.
    aclTensor* view(const da_tensor& any, unsigned single = 0) { return tensor(any, single); }
    aclTensor* view(const da_tensor& any, aclFormat format) { return tensor(any, 0, format); }
    /// An output of CANN's that the op does not have: dense, in the workspace.
    aclTensor* scratch(da_dtype dtype, int rank, const std::int64_t* shape);
    /// An input, the same way.
    aclTensor* in(unsigned i, unsigned single) { return tensor(input(i), single); }
    /// An input of an elementwise operator with several: broadcast dimensions are of size 1, as
    /// long as another input has the full size (the operator infers the result's shape).
    aclTensor* operand(unsigned i) { return tensor(input(i), broadcast_mask(i, output().rank)); }
    /// Dimensions of input i below `rank` that broadcast, and that another input has in full.
    unsigned broadcast_mask(unsigned i, int rank) const;

    /// A scalar over bytes in `type`.
    aclScalar* scalar(const void* bytes, aclDataType type);
    /// The immediate input i.
    aclScalar* scalar_input(unsigned i) { return scalar(input(i).data, acl_type(input(i).dtype)); }
    /// An attribute, rounded to the output's type.
    aclScalar* scalar_attribute(unsigned i);
    /// 1 in the output's type.
    aclScalar* one();
    /// An attribute in float32.
    aclScalar* scalar_f32(double value);
    aclIntArray* axes(std::uint64_t mask);
    aclIntArray* list(const std::int64_t* values, std::uint64_t count);

    bool has(unsigned symbol) const { return static_cast<bool>(entry_.symbols[symbol]); }
    /// Phase 1 of variant `symbol`; its phase 2 becomes the plan's.
    template <class F>
    F phase1(unsigned symbol = 0) {
        plan_.run = entry_.symbols[symbol].phase2;
        return reinterpret_cast<F>(entry_.symbols[symbol].phase1);
    }
    std::uint64_t* workspace() { return &plan_.workspace; }
    aclOpExecutor** executor() { return &plan_.executor; }

    /// End building with a status of the adapter's own; returns the code that says so.
    int refuse(const char* why);
    static constexpr int refused = -1;

  private:
    aclTensor* tensor(const da_tensor& view, unsigned single, aclFormat format = ACL_FORMAT_ND);
    da_status check_view(const da_tensor& view) const;

    Instance& self_;
    const dab_call& call_;
    const OpEntry& entry_;
    Plan& plan_;
    void* scratch_;
};

} // namespace device_api::npu
