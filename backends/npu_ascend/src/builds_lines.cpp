// SPDX-License-Identifier: Apache-2.0
// Phase 1 of operators along axes: reductions, scans, sorts, softmax and normalisations.
#include "builder.hpp"
#include "builds.hpp"

namespace device_api::npu {
namespace {

// All ops of one kind have the same attributes.
static_assert(DA_SUM_AXES == 0 && DA_MAX_AXES == 0 && DA_MIN_AXES == 0 && DA_PROD_AXES == 0 &&
                  DA_ANY_AXES == 0 && DA_ALL_AXES == 0,
              "the axes come first");
static_assert(DA_SORT_AXIS == DA_ARGSORT_AXIS && DA_SORT_DESCENDING == DA_ARGSORT_DESCENDING &&
                  DA_ARGMAX_AXIS == DA_ARGMIN_AXIS && DA_SOFTMAX_AXIS == DA_LOG_SOFTMAX_AXIS,
              "shared below");

std::uint64_t reduced_axes(const Builder& b) {
    return b.attribute(DA_SUM_AXES).u;
}

bool keeps_axes(const Builder& b) {
    return b.output().rank == b.input(0).rank;
}

// A list of no axes means all of them to CANN.
bool reduces_nothing(const Builder& b) {
    return reduced_axes(b) == 0 && b.input(0).rank > 0;
}
constexpr const char* no_axes = "CANN has no reduction over no axes";

// aclnnAmax and aclnnAmin.
int build_extreme(Builder& b) {
    if (reduces_nothing(b)) return b.refuse(no_axes);
    return b.phase1<aclnnAmaxGetWorkspaceSize_fn>()(b.in(0), b.axes(reduced_axes(b)), keeps_axes(b),
                                                    b.out(), b.workspace(), b.executor());
}

// The reduced axes as one, where they are neighbours that the strides join.
struct JoinedAxes {
    JoinedAxes(const da_tensor& view, std::uint64_t axes);

    da_tensor joined;
    std::int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    int axis = -1;
    bool possible = true;
};

JoinedAxes::JoinedAxes(const da_tensor& view, std::uint64_t axes) : joined(view) {
    int rank = 0, last = -1;
    for (int d = 0; d < view.rank; ++d) {
        const bool reduced = (axes >> d) & 1;
        if (reduced && axis >= 0) {
            possible &= last == d - 1 && strides[axis] == view.strides[d] * view.shape[d];
            shape[axis] *= view.shape[d];
            strides[axis] = view.strides[d];
            last = d;
            continue;
        }
        if (reduced) axis = rank, last = d;
        shape[rank] = view.shape[d];
        strides[rank++] = view.strides[d];
    }
    joined.rank = rank;
    joined.shape = shape;
    joined.strides = strides;
}

// Values and places of aclnnSort, the one of them that the op does not want in the workspace.
int sort_by(Builder& b, aclTensor* values, aclTensor* places) {
    const da_tensor& x = b.input(0);
    const std::int64_t axis = b.attribute(DA_SORT_AXIS).i;
    if (x.dtype == DA_BFLOAT16 && x.shape[axis] == 1)
        return b.refuse("aclnnSort takes no bfloat16 along an axis of size 1");
    constexpr bool stable = true;
    return b.phase1<aclnnSortGetWorkspaceSize_fn>()(b.in(0), stable, axis,
                                                    b.attribute(DA_SORT_DESCENDING).u != 0, values,
                                                    places, b.workspace(), b.executor());
}

da_dtype type_of(const da_tensor& view) {
    return static_cast<da_dtype>(view.dtype);
}

} // namespace

int build_sum(Builder& b) {
    if (reduces_nothing(b)) return b.refuse(no_axes);
    return b.phase1<aclnnReduceSumGetWorkspaceSize_fn>()(b.in(0), b.axes(reduced_axes(b)),
                                                         keeps_axes(b), acl_type(b.output().dtype),
                                                         b.out(), b.workspace(), b.executor());
}

int build_max(Builder& b) {
    return build_extreme(b);
}

int build_min(Builder& b) {
    return build_extreme(b);
}

int build_prod(Builder& b) {
    if (reduces_nothing(b)) return b.refuse(no_axes);
    const da_tensor& x = b.input(0);
    const aclDataType type = acl_type(b.output().dtype);
    if (reduced_axes(b) + 1 == std::uint64_t{1} << x.rank && b.output().rank == 0 && b.has(1))
        return b.phase1<aclnnProdGetWorkspaceSize_fn>(1)(b.in(0), type, b.out(), b.workspace(),
                                                         b.executor());
    const JoinedAxes axes(x, reduced_axes(b));
    if (!axes.possible || (keeps_axes(b) && axes.joined.rank != x.rank))
        return b.refuse("aclnnProdDim takes one axis, and these are not one");
    return b.phase1<aclnnProdDimGetWorkspaceSize_fn>()(
        b.view(axes.joined), axes.axis, keeps_axes(b), type, b.out(), b.workspace(), b.executor());
}

int build_any(Builder& b) {
    if (reduces_nothing(b)) return b.refuse(no_axes);
    return b.phase1<aclnnAnyGetWorkspaceSize_fn>()(b.in(0), b.axes(reduced_axes(b)), keeps_axes(b),
                                                   b.out(), b.workspace(), b.executor());
}

int build_argmax(Builder& b) {
    return b.phase1<aclnnArgMaxGetWorkspaceSize_fn>()(b.in(0), b.attribute(DA_ARGMAX_AXIS).i,
                                                      keeps_axes(b), b.out(), b.workspace(),
                                                      b.executor());
}

int build_cumsum(Builder& b) {
    return b.phase1<aclnnCumsumGetWorkspaceSize_fn>()(b.in(0), b.attribute(DA_CUMSUM_AXIS).i,
                                                      acl_type(b.output().dtype), b.out(),
                                                      b.workspace(), b.executor());
}

int build_cumprod(Builder& b) {
    const auto axis = static_cast<std::int32_t>(b.attribute(DA_CUMPROD_AXIS).i);
    return b.phase1<aclnnCumprodGetWorkspaceSize_fn>()(b.in(0), b.scalar(&axis, ACL_INT32),
                                                       acl_type(b.output().dtype), b.out(),
                                                       b.workspace(), b.executor());
}

int build_sort(Builder& b) {
    const da_tensor& out = b.output();
    return sort_by(b, b.out(), b.scratch(DA_INT64, out.rank, out.shape));
}

int build_argsort(Builder& b) {
    const da_tensor& x = b.input(0);
    return sort_by(b, b.scratch(type_of(x), x.rank, x.shape), b.out());
}

int build_topk(Builder& b) {
    const da_tensor &x = b.input(0), &out = b.output();
    const std::int64_t axis = b.attribute(DA_TOPK_AXIS).i;
    const bool largest = b.attribute(DA_TOPK_SMALLEST).u == 0, in_order = true;
    return b.phase1<aclnnTopkGetWorkspaceSize_fn>()(
        b.in(0), out.shape[axis], axis, largest, in_order,
        b.scratch(type_of(x), out.rank, out.shape), b.out(), b.workspace(), b.executor());
}

int build_searchsorted(Builder& b) {
    constexpr bool places_are_int32 = false;
    return b.phase1<aclnnSearchSortedGetWorkspaceSize_fn>()(
        b.in(0), b.in(1), places_are_int32, b.attribute(DA_SEARCHSORTED_RIGHT).u != 0, nullptr,
        b.out(), b.workspace(), b.executor());
}

int build_softmax(Builder& b) {
    return b.phase1<aclnnSoftmaxGetWorkspaceSize_fn>()(b.in(0), b.attribute(DA_SOFTMAX_AXIS).i,
                                                       b.out(), b.workspace(), b.executor());
}

int build_layer_norm(Builder& b) {
    const da_tensor& x = b.input(0);
    return b.phase1<aclnnLayerNormGetWorkspaceSize_fn>()(
        b.in(0), b.list(&x.shape[x.rank - 1], 1), b.in(1), b.in(2),
        b.attribute(DA_LAYER_NORM_EPSILON).f, b.out(), nullptr, nullptr, b.workspace(),
        b.executor());
}

int build_rms_norm(Builder& b) {
    const da_tensor& x = b.input(0);
    std::int64_t shape[DA_MAX_RANK]; // of the roots
    for (int d = 0; d < x.rank; ++d) shape[d] = d == x.rank - 1 ? 1 : x.shape[d];
    return b.phase1<aclnnRmsNormGetWorkspaceSize_fn>()(
        b.in(0), b.in(1), b.attribute(DA_RMS_NORM_EPSILON).f, b.out(),
        b.scratch(DA_FLOAT32, x.rank, shape), b.workspace(), b.executor());
}

} // namespace device_api::npu
