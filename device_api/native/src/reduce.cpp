// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, and the index of the largest or smallest element.
#include "reduce.hpp"
#include "elementwise.hpp"

using namespace device_api::core;

static da_status empty_axis(uint16_t op) {
    fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
         std::string("'") + op_info(op).name + "' of no elements has no meaning",
         "reduce over an axis of size 1 or more");
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

// The result with the reduced axes kept at size 1, as a view.
static void keep_dims(Owned& t, const Tensor& x, uint64_t axes) {
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    int k = 0;
    for (int i = 0; i < x.rank; ++i) {
        const bool reduced = (axes >> i) & 1;
        shape[i] = reduced ? 1 : t->shape[k];
        strides[i] = reduced ? 1 : t->strides[k];
        k += !reduced;
    }
    t.reset(new_view(*t.get(), x.rank, shape, strides, 0));
}

// The other way round: without the reduced axes, as a view.
static void lose_dims(Owned& t, uint64_t axes) {
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < t->rank; ++i) {
        if ((axes >> i) & 1) continue;
        shape[rank] = t->shape[i];
        strides[rank++] = t->strides[i];
    }
    t.reset(new_view(*t.get(), rank, shape, strides, 0));
}

static int drop_axes(const Tensor& x, uint64_t axes, int64_t* shape, int64_t* reduced) {
    int rank = 0;
    *reduced = 1;
    for (int i = 0; i < x.rank; ++i) {
        if ((axes >> i) & 1)
            *reduced *= x.shape[i];
        else
            shape[rank++] = x.shape[i];
    }
    return rank;
}

// Neighbouring dimensions that are both reduced, or both kept, become one where they are dense.
struct Merged {
    int rank = 0;
    int64_t shape[DA_MAX_RANK], strides[DA_MAX_RANK];
    uint64_t axes = 0;
    int out_rank = 0;
    int64_t out_shape[DA_MAX_RANK], out_strides[DA_MAX_RANK];
};
static void merge(const Tensor& x, uint64_t axes, Merged& m) {
    bool was_reduced = false;
    for (int i = 0; i < x.rank; ++i) {
        if (x.shape[i] == 1) continue;
        const bool reduced = (axes >> i) & 1;
        if (m.rank && reduced == was_reduced &&
            m.strides[m.rank - 1] == x.strides[i] * x.shape[i]) {
            m.shape[m.rank - 1] *= x.shape[i];
            m.strides[m.rank - 1] = x.strides[i];
        } else {
            m.shape[m.rank] = x.shape[i];
            m.strides[m.rank] = x.strides[i];
            m.axes |= uint64_t{reduced} << m.rank++;
        }
        was_reduced = reduced;
    }
    if (m.axes == 0) { // every reduced axis has size 1: reduce over one of those
        m.shape[m.rank] = 1;
        m.strides[m.rank] = 1;
        m.axes = uint64_t{1} << m.rank++;
    }
    for (int i = 0; i < m.rank; ++i) {
        if (!((m.axes >> i) & 1)) m.out_shape[m.out_rank++] = m.shape[i];
    }
    row_major(m.out_rank, m.out_shape, m.out_strides);
}

static da_status run_reduce(uint16_t op, const Tensor& x, uint64_t axes, Tensor& out) {
    Merged m;
    merge(x, axes, m);
    da_value attribute;
    attribute.u = m.axes;
    Call call{x.device, current_stream(*x.device), op, 1, {}, {}, &attribute};
    operand(call, 0, x);
    operand(call, 1, out);
    da_tensor &in = call.tensors[0], &to = call.tensors[1];
    in.rank = m.rank;
    in.shape = m.shape;
    in.strides = m.strides;
    in.flags = is_contiguous(m.rank, m.shape, m.strides) ? DA_TENSOR_CONTIGUOUS : 0;
    to.rank = m.out_rank;
    to.shape = m.out_shape;
    to.strides = m.out_strides;
    return execute(call);
}

// The common case: all of a dense tensor, on a device that has the op. Sets `status` and returns
// true, or returns false when it is another case.
static bool whole_way(uint16_t op, const Tensor& x, Tensor** out, da_status* status) {
    Device& device = *x.device;
    const dab_op& entry = device.ops[op];
    if (!x.contiguous || !x.size || !entry.run || !in(entry.dtypes, x.dtype)) return false;
    dah_stream* stream = current_stream(device);
    Tensor* made = new_tensor(device, result_dtype(op_info(op), x.dtype), 0, nullptr, stream, op);
    if (!made) {
        *status = annotate(last_status(), op, &device);
        return true;
    }
    const int64_t stride = 1;
    da_value first_axis;
    first_axis.u = 1;
    Call call;
    call.device = &device;
    call.stream = stream;
    call.op = op;
    call.n_inputs = 1;
    call.attributes = &first_axis;
    operand(call, 0, x);
    operand(call, 1, *made);
    call.tensors[0].shape = &x.size;
    call.tensors[0].strides = &stride;
    call.tensors[0].rank = 1;
    *status = run_short(call);
    if (*status)
        release(made);
    else
        *out = made;
    return *status != DA_NOT_SUPPORTED;
}

// Integers narrower than the default one are summed and multiplied in it, as the array API wants.
static uint16_t reduce_dtype(uint16_t op, uint16_t dtype) {
    if (op != DA_OP_SUM && op != DA_OP_PROD) return dtype;
    const char kind = dtype_kind(dtype);
    if (kind == 'b' || kind == 'i') return DA_INT64;
    return kind == 'u' ? static_cast<uint16_t>(DA_UINT64) : dtype;
}

// What a reduction of nothing gives; false where it has no meaning.
static bool identity(uint16_t op, dah_scalar* value) {
    *value = dah_scalar{{}, 'i'};
    value->value.i = op == DA_OP_PROD || op == DA_OP_ALL;
    return op == DA_OP_SUM || op == DA_OP_PROD || op == DA_OP_ANY || op == DA_OP_ALL;
}

da_status dah_reduce(uint16_t op, dah_tensor* x, uint64_t axes, int32_t keepdims,
                     dah_tensor** out) {
    const OpInfo& info = op_info(op);
    if (info.kind != DA_KIND_REDUCE) return fail(DA_INVALID_ARGUMENT, "not a reduction");
    axes &= (uint64_t{1} << x->rank) - 1;
    Owned cast;
    const uint16_t dtype = reduce_dtype(op, x->dtype);
    if (!((info.dtypes >> dtype) & 1)) {
        fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
             std::string("'") + info.name + "' has no meaning for " + dtype_name(dtype),
             "cast with astype() first");
        return annotate(DA_INVALID_ARGUMENT, op, nullptr);
    }
    const bool whole = x->rank && axes == (uint64_t{1} << x->rank) - 1;
    da_status done;
    if (whole && dtype == x->dtype && !keepdims && whole_way(op, *x, out, &done)) return done;
    if (dtype != x->dtype && axes && too_large_to_widen(*x, dtype)) {
        Owned total;
        if (da_status status = reduce_in_pieces(op, *x, axes, dtype, total)) return status;
        if (!keepdims) lose_dims(total, axes);
        if (!total) return last_status();
        *out = total.pass();
        return DA_OK;
    }
    if (dtype != x->dtype) {
        if (dah_cast(x, dtype, 0, cast.out())) return last_status();
        x = cast.get();
    }
    int64_t shape[DA_MAX_RANK], reduced;
    const int rank = drop_axes(*x, axes, shape, &reduced);
    dah_scalar of_nothing;
    if (!identity(op, &of_nothing) && !reduced) return empty_axis(op);
    Owned result(new_tensor(*x->device, result_dtype(info, dtype), rank, shape,
                            current_stream(*x->device), op));
    if (!result) return annotate(last_status(), op, x->device);
    da_status status = DA_OK;
    if (result->size && !x->size) {
        status = dah_assign_scalar(result.get(), &of_nothing);
    } else if (result->size && axes == 0) {
        status = dah_assign(result.get(), x);
    } else if (result->size) {
        status = run_reduce(op, *x, axes, *result.get());
    }
    if (status) return status;
    if (keepdims) keep_dims(result, *x, axes);
    *out = result.pass();
    return DA_OK;
}

da_status dah_arg_reduce(uint16_t op, dah_tensor* x, int32_t axis, int32_t keepdims,
                         dah_tensor** out) {
    const OpInfo& info = op_info(op);
    if (info.kind != DA_KIND_ARG_REDUCE) return fail(DA_INVALID_ARGUMENT, "not such a reduction");
    if (!((info.dtypes >> x->dtype) & 1)) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE,
                    std::string("'") + info.name + "' has no meaning for " + dtype_name(x->dtype),
                    "cast with astype() first");
    }
    int at;
    if (da_status status = normalise_axis(axis, x->rank, &at)) {
        return annotate(status, op, x->device);
    }
    if (!x->shape[at]) return empty_axis(op);
    const uint64_t axes = uint64_t{1} << at;
    int64_t shape[DA_MAX_RANK], reduced;
    const int rank = drop_axes(*x, axes, shape, &reduced);
    Owned result(new_tensor(*x->device, DA_INT64, rank, shape, current_stream(*x->device), op));
    if (!result) return annotate(last_status(), op, x->device);
    if (result->size) {
        da_value attribute;
        attribute.i = at;
        Call call{x->device, current_stream(*x->device), op, 1, {}, {}, &attribute};
        operand(call, 0, *x);
        operand(call, 1, *result.get());
        if (da_status status = execute(call)) return status;
    }
    if (keepdims) keep_dims(result, *x, axes);
    *out = result.pass();
    return DA_OK;
}
