// SPDX-License-Identifier: Apache-2.0
// Operators: the table that describes each, what phase 1 makes of a call, what phase 2 runs.
#pragma once

#include <memory>
#include <vector>

#include "chip.hpp"
#include "objects.hpp"

namespace cann_sim {

enum class Op : int {
#define CANN_SIM_OP_ID(op, signature, library, since, mark) op,
    CANN_ACLNN_SYMBOLS(CANN_SIM_OP_ID)
#undef CANN_SIM_OP_ID
        count
};

constexpr std::size_t rank_limit = 8;

// ---- arguments as the caller gave them ---------------------------------------------------------

struct Argument {
    const char* name;
    Handle handle;
    bool optional = false;
};

/// The arguments of one phase 1, sorted by sort; filled in the order of the signature.
struct Arguments {
    std::vector<Argument> inputs, outputs;
    std::vector<Argument> scalars;
    std::vector<Argument> arrays;
    std::vector<std::int64_t> numbers; // flags and numbers that few operators have, in order
    std::vector<double> reals;
    std::int64_t axis = 0;
    bool keep_dims = false;
    aclDataType dtype = ACL_DT_UNDEFINED;
    int cube_math_type = 0;

    Arguments& in(const char* name, const void* t, bool optional = false);
    Arguments& scalar(const char* name, const void* s);
    Arguments& out(const char* name, const void* t, bool optional = false);
    Arguments& ints(const char* name, const void* a);
    Arguments& number(std::int64_t value);
    Arguments& real(double value);
    Arguments& dim(std::int64_t value);
    Arguments& keep(bool value);
    Arguments& type(aclDataType value);
    Arguments& cube(int value);
};

// ---- what phase 1 decides ----------------------------------------------------------------------

/// How an operand reaches the kernel: as it is, or through a contiguous copy in the workspace.
struct Staging {
    bool staged = false;
    engine::DType dtype = engine::DType::f32; // of the copy
    std::uint64_t offset = 0;                 // in the workspace
};

enum class MatrixRounding { none, hf32, f16 };

struct OpRow;

struct Plan {
    const OpRow* row = nullptr;
    std::vector<std::shared_ptr<TensorObject>> inputs, outputs; // null: an optional one not given
    std::vector<std::shared_ptr<Object>> needed; // must live until phase 2 has returned
    std::vector<Staging> staging, output_staging;
    aclDataType compute = ACL_DT_UNDEFINED;
    std::vector<engine::Scalar> scalars;
    std::vector<std::int64_t> axes;
    std::vector<std::int64_t> numbers;
    std::vector<double> reals;
    engine::Window window;
    MatrixRounding rounding = MatrixRounding::none;
    std::uint64_t workspace = 0; // bytes
};

/// Phase 1 at work: the call (for errors), the row, the arguments, the plan in the making.
struct Phase1 {
    Call& call;
    const OpRow& row;
    const Arguments& arguments;
    Plan& plan;
    std::vector<std::shared_ptr<ScalarObject>> scalars;
    std::vector<std::shared_ptr<IntArrayObject>> arrays;

    const TensorObject& in(std::size_t i) const { return *plan.inputs[i]; }
    const TensorObject& out(std::size_t i = 0) const { return *plan.outputs[i]; }
    const std::vector<std::int64_t>& ints(std::size_t i) const { return arrays[i]->values; }
};

// ---- what phase 2 runs -------------------------------------------------------------------------

/// Operands with addresses; after staging, as the kernel sees them.
struct Work {
    std::shared_ptr<const Plan> plan;
    std::vector<engine::Tensor> inputs, outputs;
    engine::DType compute = engine::DType::f32;
    std::uintptr_t workspace = 0;

    const engine::Tensor& out() const { return outputs[0]; }
    /// Null: not given.
    const engine::Tensor* maybe_input(std::size_t i) const {
        return plan->inputs[i] ? &inputs[i] : nullptr;
    }
    const engine::Tensor* maybe_output(std::size_t i) const {
        return plan->outputs[i] ? &outputs[i] : nullptr;
    }
};

// ---- the table ---------------------------------------------------------------------------------

enum : unsigned {
    strides_native = 1,   // reads and writes strided operands without a workspace
    transpose_native = 2, // the last two axes of an input may be swapped without a workspace
    promotes = 4,         // inputs are cast to the common type, in the workspace
    float_result = 8,     // integers and bool are computed in f32
    bool_result = 16,
    no_bool_pair = 32 // self and other may not both be bool
};

struct Family {
    aclnnStatus (*check)(Phase1&);
    Status (*run)(engine::TaskContext&, const Work&);
};

struct OpRow {
    Op op;
    const char* launch_name; // "aclnnAdd", in the launch log
    const Family* family;
    int kernel; // engine::Unary, Binary, Reduce or Activation, by family
    unsigned flags;
    unsigned not_on;     // chip families that the documentation marks as unsupported
    Mask inputs, output; // of all chips together
    Mask a2_inputs_lack = 0, a2_output_lacks = 0;   // on A2 and A3
    Mask old_inputs_lack = 0, old_output_lacks = 0; // on 910A and 310P, beyond bf16
};

const OpRow& row_of(Op op);

/// The operand as the cube unit takes it.
Status round_matrix(engine::TaskContext& t, MatrixRounding rounding, engine::Tensor* matrix);

/// Set by families.cpp; the table refers to them.
extern const Family unary_family, binary_family, scalar_family, select_family, cast_family,
    copy_family, fill_family, zero_family, arange_family, sum_family, reduce_family,
    arg_reduce_family, matmul_family, gather_family, scatter_family, flip_family, gelu_family,
    activation_family, prod_family, prod_axis_family, logical_reduce_family, scan_family,
    scan_scalar_family, sort_family, topk_family, search_family, softmax_family, layer_norm_family,
    rms_norm_family, convolution_family, max_pool_family, avg_pool_family;

/// The two phases, behind every exported operator.
aclnnStatus get_workspace_size(const char* name, Op op, const Arguments& arguments,
                               std::uint64_t* workspace_size, aclOpExecutor** executor);
aclnnStatus execute(const char* name, Op op, void* workspace, std::uint64_t workspace_size,
                    aclOpExecutor* executor, aclrtStream stream);

} // namespace cann_sim
