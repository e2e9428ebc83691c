// SPDX-License-Identifier: Apache-2.0
// Primitives by number: types, shapes and attributes by the op table, without promotion.
#include "check.hpp"
#include "mock_backend.hpp"

namespace {

using Sizes = std::vector<int64_t>;
dah_device device;

dah_tensor* make(const Sizes& shape, uint16_t dtype = DA_FLOAT32) {
    dah_tensor* t = nullptr;
    CHECK_OK(dah_empty(device, dtype, static_cast<int>(shape.size()), shape.data(), &t));
    return t;
}

// What became of a call: the shape of its result, or the kind of its error.
struct Outcome {
    da_status status;
    Sizes shape;
    uint16_t dtype;
};
Outcome apply(uint16_t op, const std::vector<dah_tensor*>& inputs,
              const std::vector<da_value>& attributes = {}, const Sizes* shape = nullptr,
              int dtype = -1) {
    dah_tensor* out = nullptr;
    const da_status status =
        dah_apply(op, inputs.data(), static_cast<int32_t>(inputs.size()),
                  shape ? static_cast<int32_t>(shape->size()) : -1, shape ? shape->data() : nullptr,
                  dtype, attributes.data(), &out);
    for (dah_tensor* t : inputs) dah_tensor_release(t);
    if (status) return {status, {}, 0};
    da_tensor view;
    dah_tensor_describe(out, &view);
    Outcome outcome{status, Sizes(view.shape, view.shape + view.rank), view.dtype};
    dah_tensor_release(out);
    return outcome;
}

bool refused(const Outcome& outcome, int32_t kind) {
    return outcome.status == DA_INVALID_ARGUMENT && dah_last_error()->kind == kind;
}

da_value integer(int64_t i) {
    da_value v{};
    v.i = i;
    return v;
}

void elementwise_ops_broadcast_without_promotion() {
    CHECK((apply(DA_OP_ADD, {make({4, 1}), make({3})}).shape == Sizes{4, 3}));
    CHECK((mock::state.strides[1] == Sizes{0, 1}));
    CHECK(apply(DA_OP_LESS, {make({3}), make({3})}).dtype == DA_BOOL);
    CHECK(refused(apply(DA_OP_ADD, {make({3}), make({3}, DA_INT64)}), DAH_ERROR_DTYPE));
    CHECK(refused(apply(DA_OP_ADD, {make({3}, DA_BOOL), make({3}, DA_BOOL)}), DAH_ERROR_DTYPE));
    CHECK(refused(apply(DA_OP_ADD, {make({3}), make({4})}), DAH_ERROR_SHAPE));
    const Sizes smaller{3};
    CHECK(refused(apply(DA_OP_ADD, {make({4, 3}), make({3})}, {}, &smaller), DAH_ERROR_SHAPE));
}

void numbers_of_inputs_are_checked() {
    CHECK(apply(DA_OP_ADD, {make({3})}).status == DA_INVALID_ARGUMENT);
    CHECK(error_says("takes 2 inputs, not 1"));
    CHECK(apply(DA_OP_FILL, {}).status == DA_INVALID_ARGUMENT);
    CHECK(apply(DA_OP_COUNT + 1, {make({3})}).status == DA_INVALID_ARGUMENT);
    dah_tensor *x = make({2}), *out = nullptr;
    CHECK(dah_apply(DA_OP_CUMSUM, &x, 1, -1, nullptr, -1, nullptr, &out) == DA_INVALID_ARGUMENT);
    CHECK(error_says("1 attributes, none given"));
    dah_tensor_release(x);
}

void axes_count_from_the_end_too() {
    CHECK((apply(DA_OP_CUMSUM, {make({2, 3})}, {integer(-1)}).shape == Sizes{2, 3}));
    CHECK(mock::state.attribute == 1);
    CHECK(refused(apply(DA_OP_CUMSUM, {make({2, 3})}, {integer(2)}), DAH_ERROR_INDEX));
    CHECK(refused(apply(DA_OP_CUMSUM, {make({})}, {integer(0)}), DAH_ERROR_INDEX));
}

void shapes_follow_the_kind_of_op() {
    const Sizes reduced{3}, best{2, 2}, many{2, 4}, wrong{2, 3};
    CHECK((apply(DA_OP_SUM, {make({2, 3})}, {integer(1)}, &reduced).shape == reduced));
    CHECK(refused(apply(DA_OP_SUM, {make({2, 3})}, {integer(2)}, &reduced), DAH_ERROR_SHAPE));
    CHECK(refused(apply(DA_OP_SUM, {make({2, 3})}, {integer(4)}, &reduced), DAH_ERROR_SHAPE));
    const Outcome top = apply(DA_OP_TOPK, {make({2, 3})}, {integer(1), integer(0)}, &best);
    CHECK(top.shape == best && top.dtype == DA_INT64);
    CHECK(refused(apply(DA_OP_TOPK, {make({2, 3})}, {integer(1), integer(0)}, &many),
                  DAH_ERROR_SHAPE));
    CHECK(refused(apply(DA_OP_SORT, {make({2, 4})}, {integer(1), integer(0)}, &wrong),
                  DAH_ERROR_SHAPE));
    CHECK((apply(DA_OP_SEARCHSORTED, {make({5}), make({2, 2})}, {integer(0)}).shape == best));
    CHECK(refused(apply(DA_OP_SEARCHSORTED, {make({5, 1}), make({2})}, {integer(0)}),
                  DAH_ERROR_SHAPE));
}

void networks_have_their_rules() {
    std::vector<da_value> window(10, integer(1));
    for (int i = DA_CONVOLUTION_PAD_D; i <= DA_CONVOLUTION_PAD_W; ++i) window[i] = integer(0);
    const Sizes out{1, 8, 5};
    CHECK(apply(DA_OP_CONVOLUTION, {make({1, 4, 7}), make({8, 4, 3})}, window, &out).status ==
          DA_OK);
    CHECK(refused(apply(DA_OP_CONVOLUTION, {make({1, 4, 7}), make({8, 2, 3})}, window, &out),
                  DAH_ERROR_SHAPE));
    window[DA_CONVOLUTION_GROUPS] = integer(2);
    CHECK(apply(DA_OP_CONVOLUTION, {make({1, 4, 7}), make({8, 2, 3})}, window, &out).status ==
          DA_OK);
    window[DA_CONVOLUTION_STRIDE_W] = integer(0);
    CHECK(refused(apply(DA_OP_CONVOLUTION, {make({1, 4, 7}), make({8, 2, 3})}, window, &out),
                  DAH_ERROR_SHAPE));
    CHECK(refused(apply(DA_OP_RMS_NORM, {make({2, 3}), make({2})}, {integer(0)}), DAH_ERROR_SHAPE));
    const Sizes attended{1, 2, 6};
    const auto attention = [&](int64_t key_length) {
        return apply(DA_OP_ATTENTION, {make({1, 2, 4}), make({1, key_length, 4}), make({1, 5, 6})},
                     {integer(1), integer(0)}, &attended);
    };
    CHECK(attention(5).status == DA_OK && refused(attention(4), DAH_ERROR_SHAPE));
}

void nothing_is_told_or_filled() {
    const size_t calls = mock::state.calls.size();
    CHECK((apply(DA_OP_CUMSUM, {make({0, 3})}, {integer(0)}).shape == Sizes{0, 3}));
    CHECK(mock::state.calls.size() == calls);
    CHECK(apply(DA_OP_SEARCHSORTED, {make({0}), make({2})}, {integer(0)}).status == DA_OK);
    CHECK(mock::state.calls.back().op == DA_OP_FILL);
}

void floats_have_bits() {
    const int types[][2] = {{DA_FLOAT16, DA_INT16},
                            {DA_BFLOAT16, DA_INT16},
                            {DA_FLOAT32, DA_INT32},
                            {DA_FLOAT64, DA_INT64}};
    for (const auto& type : types) {
        dah_tensor *x = make({2, 3}, type[0]), *bits = nullptr, *none = nullptr;
        CHECK_OK(dah_view_as_bits(x, &bits));
        da_tensor whole, view;
        dah_tensor_describe(x, &whole);
        dah_tensor_describe(bits, &view);
        CHECK(view.dtype == type[1] && view.data == whole.data && view.strides[0] == 3);
        CHECK(dah_view_as_bits(bits, &none) == DA_INVALID_ARGUMENT);
        for (dah_tensor* t : {x, bits}) dah_tensor_release(t);
    }
}

void complex_numbers_are_two_real_ones() {
    dah_tensor *x = make({2, 3}, DA_COMPLEX64), *real = nullptr, *none = nullptr;
    CHECK_OK(dah_view_as_real(x, &real));
    da_tensor whole, parts;
    dah_tensor_describe(x, &whole);
    dah_tensor_describe(real, &parts);
    CHECK(parts.dtype == DA_FLOAT32 && parts.data == whole.data && parts.rank == 3);
    CHECK(parts.strides[0] == 6 && parts.strides[1] == 2 && parts.shape[2] == 2);
    CHECK(parts.flags & DA_TENSOR_CONTIGUOUS);
    CHECK(dah_view_as_real(real, &none) == DA_INVALID_ARGUMENT);
    CHECK(dah_cast(x, DA_FLOAT64, 1, &none) == DA_INVALID_ARGUMENT);
    CHECK(dah_last_error()->kind == DAH_ERROR_DTYPE);
    CHECK(std::strstr(dah_last_error()->remedy, "real(x)"));
    const Outcome magnitude = apply(DA_OP_MAGNITUDE, {make({2}, DA_COMPLEX128)});
    CHECK(magnitude.dtype == DA_FLOAT64);
    CHECK(apply(DA_OP_MAKE_COMPLEX, {make({2}), make({2})}).dtype == DA_COMPLEX64);
    for (dah_tensor* t : {x, real}) dah_tensor_release(t);
}

void attributes_have_kinds() {
    CHECK(dah_attribute_kind(DA_OP_SUM, DA_SUM_AXES) == 'm');
    CHECK(dah_attribute_kind(DA_OP_SOFTMAX, DA_SOFTMAX_AXIS) == 'a');
    CHECK(dah_attribute_kind(DA_OP_LAYER_NORM, DA_LAYER_NORM_EPSILON) == 's');
    CHECK(dah_attribute_kind(DA_OP_TOPK, DA_TOPK_SMALLEST) == 'u');
    CHECK(dah_attribute_kind(DA_OP_ATTENTION, DA_ATTENTION_CAUSAL) == 'u');
    CHECK(dah_attribute_kind(DA_OP_RANDOM_BITS, DA_RANDOM_BITS_OFFSET) == 'u');
    CHECK(dah_attribute_kind(DA_OP_ADD, 0) == 0 && dah_attribute_kind(DA_OP_SUM, 1) == 0);
}

} // namespace

int main() {
    const da_dtype_mask all = ~da_dtype_mask{0};
    for (uint16_t op = 1; op <= DA_OP_COUNT; ++op) {
        mock::state.ops.push_back(mock::one_call(op, DAB_OP_STRIDED, all));
    }
    CHECK_OK(dah_backend_register("mock", mock::table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    elementwise_ops_broadcast_without_promotion();
    numbers_of_inputs_are_checked();
    axes_count_from_the_end_too();
    shapes_follow_the_kind_of_op();
    networks_have_their_rules();
    nothing_is_told_or_filled();
    floats_have_bits();
    complex_numbers_are_two_real_ones();
    attributes_have_kinds();
    return report();
}
