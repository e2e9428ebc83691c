// SPDX-License-Identifier: Apache-2.0
// Any primitive by its number, as the op table defines it: no promotion.
#include "apply_shapes.hpp"
#include "elementwise.hpp"

using namespace device_api::core;

static constexpr int max_attributes = 16;

static da_status wrong(uint16_t op, dah_error_kind kind, const std::string& message,
                       const char* remedy = "") {
    fail(DA_INVALID_ARGUMENT, kind, std::string("'") + op_info(op).name + "' " + message, remedy);
    return annotate(DA_INVALID_ARGUMENT, op, nullptr);
}

static da_status check_types(const Operands& o) {
    const OpInfo& info = op_info(o.op);
    const uint16_t key = o.inputs[info.key]->dtype;
    if (!in(info.dtypes, key)) return no_such_type(o.op, key);
    for (int k = 0; k < o.n_inputs; ++k) {
        const uint16_t dtype = o.inputs[k]->dtype;
        if (da_status status = same_device(o.op, *o.inputs[0], *o.inputs[k])) return status;
        bool fits = dtype == key;
        if (info.kind == DA_KIND_SELECT && k == 0) fits = dtype == DA_BOOL;
        if (info.others && info.kind != DA_KIND_CAST && k == 1) fits = in(info.others, dtype);
        if (!fits) {
            return wrong(o.op, DAH_ERROR_DTYPE,
                         "takes no operand " + std::to_string(k) + " of " + dtype_name(dtype) +
                             " beside " + dtype_name(key),
                         "cast it with astype() first");
        }
    }
    return DA_OK;
}

static da_status output_dtype(const Operands& o, int32_t asked, uint16_t* out) {
    const OpInfo& info = op_info(o.op);
    const uint16_t key = o.inputs[info.key]->dtype;
    if (info.result == DA_RESULT_ANY) {
        if (!in(info.others, asked)) {
            return wrong(o.op, DAH_ERROR_DTYPE, "needs a data type for its output");
        }
        *out = static_cast<uint16_t>(asked);
        return check_cast(key, *out);
    }
    *out = result_dtype(info, key);
    if (asked < 0 || asked == *out) return DA_OK;
    return wrong(o.op, DAH_ERROR_DTYPE,
                 std::string("gives ") + dtype_name(*out) + ", not " +
                     dtype_name(static_cast<uint16_t>(asked)),
                 "leave dtype out");
}

// Copies the attributes, with axes counted from the front.
static da_status read_attributes(const Operands& o, const da_value* given, da_value* out) {
    const OpInfo& info = op_info(o.op);
    if (info.n_attributes && !given) {
        return wrong(o.op, DAH_ERROR_STATUS,
                     "has " + std::to_string(info.n_attributes) + " attributes, none given");
    }
    for (int i = 0; i < info.n_attributes; ++i) {
        out[i] = given[i];
        if (attribute_kind(info, i) != 'a') continue;
        int axis;
        if (da_status status = normalise_axis(given[i].i, o.inputs[0]->rank, &axis)) {
            return annotate(status, o.op, nullptr);
        }
        out[i].i = axis;
    }
    return DA_OK;
}

static da_status output_shape(Operands& o, int32_t rank, const int64_t* shape) {
    const OpInfo& info = op_info(o.op);
    if (rank > DA_MAX_RANK) return wrong(o.op, DAH_ERROR_SHAPE, "has an output of too many axes");
    if (rank >= 0) {
        o.out.rank = rank;
        std::memcpy(o.out.sizes, shape, sizeof(int64_t) * static_cast<size_t>(rank));
        return DA_OK;
    }
    if (is_elementwise(info.kind)) {
        Tensor* const* in = o.inputs;
        da_status status = o.n_inputs == 1   ? broadcast_shapes({in[0]}, &o.out)
                           : o.n_inputs == 2 ? broadcast_shapes({in[0], in[1]}, &o.out)
                                             : broadcast_shapes({in[0], in[1], in[2]}, &o.out);
        return status ? annotate(status, o.op, nullptr) : DA_OK;
    }
    const bool second = info.kind == DA_KIND_GATHER || info.kind == DA_KIND_SEARCH;
    return broadcast_shapes({o.inputs[second]}, &o.out);
}

static da_status broadcasts(const Operands& o) {
    int64_t strides[DA_MAX_RANK];
    for (int k = 0; k < o.n_inputs; ++k) {
        const Tensor& t = *o.inputs[k];
        if (broadcast_strides(t.rank, t.shape, t.strides, o.out, strides)) continue;
        return wrong(o.op, DAH_ERROR_SHAPE,
                     "cannot broadcast " + shape_text(t.rank, t.shape) + " to " +
                         shape_text(o.out.rank, o.out.sizes));
    }
    return DA_OK;
}

// With an input of no elements; the output has some.
static da_status of_nothing(const Operands& o, Tensor& out) {
    if (op_info(o.op).kind == DA_KIND_SCATTER && o.inputs[0]->size) {
        return dah_assign(&out, o.inputs[0]);
    }
    if (op_info(o.op).kind == DA_KIND_SEARCH || o.op == DA_OP_MATMUL) {
        const dah_scalar zero{{0}, 'i'};
        return dah_assign_scalar(&out, &zero);
    }
    return wrong(o.op, DAH_ERROR_SHAPE, "of no elements has no meaning");
}

static da_status run(const Operands& o, Tensor& out) {
    Device& device = *out.device;
    if (is_elementwise(op_info(o.op).kind)) {
        return run_elementwise(o.op, device, o.inputs, o.n_inputs, out, -1, nullptr, 0,
                               o.attributes);
    }
    Call call{&device, current_stream(device), o.op, o.n_inputs, {}, {}, o.attributes};
    for (int k = 0; k <= o.n_inputs; ++k) operand(call, k, k < o.n_inputs ? *o.inputs[k] : out);
    return execute(call);
}

da_status dah_apply(uint16_t op, dah_tensor* const* inputs, int32_t n_inputs, int32_t rank,
                    const int64_t* shape, int32_t dtype, const da_value* attributes,
                    dah_tensor** out) {
    if (op == DA_OP_NONE || op > DA_OP_COUNT) return fail(DA_INVALID_ARGUMENT, "no such op");
    const OpInfo& info = op_info(op);
    if (!n_inputs || n_inputs != info.n_inputs) {
        return wrong(op, DAH_ERROR_STATUS,
                     "takes " + std::to_string(info.n_inputs) + " inputs, not " +
                         std::to_string(n_inputs),
                     info.n_inputs ? "" : "use full(), arange() or random_bits()");
    }
    da_value values[max_attributes];
    Operands o{op, inputs, n_inputs, {}, values};
    uint16_t type = 0;
    if (da_status status = check_types(o)) return status;
    if (da_status status = output_dtype(o, dtype, &type)) return status;
    if (da_status status = read_attributes(o, attributes, values)) return status;
    if (da_status status = output_shape(o, rank, shape)) return status;
    const bool spreads = is_elementwise(info.kind);
    if (da_status status = spreads ? broadcasts(o) : check_shapes(o)) return status;
    Owned result(new_result(*inputs[0], o.out, type, op));
    if (!result) return last_status();
    if (result->size) {
        bool empty = false;
        for (int k = 0; k < n_inputs; ++k) empty |= inputs[k]->size == 0;
        const da_status status = empty ? of_nothing(o, *result.get()) : run(o, *result.get());
        if (status) return status;
    }
    *out = result.pass();
    return DA_OK;
}
