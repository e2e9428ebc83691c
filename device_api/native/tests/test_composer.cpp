// SPDX-License-Identifier: Apache-2.0
// Composites: what a composer is asked, and what becomes of its answers.
#include "check.hpp"
#include "mock_backend.hpp"

namespace {

dah_device device;

dah_tensor* filled(int64_t n, float first) {
    std::vector<float> data(static_cast<size_t>(n));
    for (size_t i = 0; i < data.size(); ++i) data[i] = first + static_cast<float>(i);
    dah_tensor* t = nullptr;
    CHECK_OK(dah_from_host(device, DA_FLOAT32, 1, &n, data.data(), &t));
    return t;
}

std::vector<float> values(dah_tensor* t) {
    std::vector<float> data(static_cast<size_t>(dah_tensor_elements(t)));
    CHECK_OK(dah_to_host(t, data.data()));
    return data;
}

// What the composer saw last.
struct Asked {
    uint16_t op = 0;
    int times = 0;
    dah_device current = -1;
    std::vector<int64_t> strides; // first of each input
    double attribute = 0;
};
Asked asked;

// x op y as the sum of both, for any op.
da_status as_sum(uint16_t op, dah_tensor* const* inputs, int32_t n, dah_tensor* output,
                 const da_value* attributes) {
    asked.op = op;
    ++asked.times;
    asked.current = dah_current_device();
    asked.strides.clear();
    for (int k = 0; k < n; ++k) {
        da_tensor view;
        dah_tensor_describe(inputs[k], &view);
        asked.strides.push_back(view.strides[0]);
    }
    if (attributes) asked.attribute = attributes[0].f;
    dah_tensor* sum = nullptr;
    if (da_status status = dah_binary(DA_OP_ADD, inputs[0], inputs[n - 1], &sum)) return status;
    da_tensor from, to;
    dah_tensor_describe(sum, &from);
    dah_tensor_describe(output, &to);
    std::memcpy(to.data, from.data, 4u * static_cast<size_t>(dah_tensor_elements(sum)));
    dah_tensor_release(sum);
    return DA_OK;
}

da_status none(uint16_t, dah_tensor* const*, int32_t, dah_tensor*, const da_value*) {
    ++asked.times;
    return DA_NOT_SUPPORTED;
}

da_status failing(uint16_t, dah_tensor* const*, int32_t, dah_tensor*, const da_value*) {
    return dah_fail(DA_INTERNAL, DAH_ERROR_COMPOSER, "the composite gave up", "try another");
}

// Each of two ops needs the other.
da_status in_a_circle(uint16_t op, dah_tensor* const* inputs, int32_t, dah_tensor*,
                      const da_value*) {
    ++asked.times;
    dah_tensor* out = nullptr;
    const da_status status = dah_unary(op == DA_OP_EXP ? DA_OP_LOG : DA_OP_EXP, inputs[0], &out);
    return status == DA_NOT_SUPPORTED ? DA_INTERNAL : status; // the core's error stays
}

void what_the_device_lacks_is_composed() {
    dah_tensor *a = filled(4, 0), *b = filled(4, 10), *out = nullptr;
    CHECK(dah_binary(DA_OP_MUL, a, b, &out) == DA_NOT_SUPPORTED); // no composer yet
    dah_set_composer(as_sum);
    CHECK_OK(dah_binary(DA_OP_MUL, a, b, &out));
    CHECK(asked.op == DA_OP_MUL && asked.times == 1 && values(out)[3] == 16);
    CHECK(dah_composed_count(device, DA_OP_MUL) == 1);
    CHECK(dah_native_count(device, DA_OP_MUL) == 0);
    dah_tensor_release(out);
    CHECK_OK(dah_binary(DA_OP_ADD, a, b, &out));
    CHECK(asked.times == 1); // natively
    dah_reset_accounts();
    CHECK(dah_composed_count(device, DA_OP_MUL) == 0);
    for (dah_tensor* t : {a, b, out}) dah_tensor_release(t);
}

void operands_come_broadcast_and_the_device_is_current() {
    dah_tensor *a = filled(4, 0), *one = filled(1, 10), *out = nullptr;
    CHECK_OK(dah_set_current_device(device + 1, 0));
    CHECK_OK(dah_binary(DA_OP_MUL, a, one, &out));
    CHECK((asked.strides == std::vector<int64_t>{1, 0}) && values(out)[2] == 12);
    CHECK(asked.current == device && dah_current_device() == device + 1);
    dah_tensor_release(out);
    da_value slope{};
    slope.f = 0.25;
    CHECK_OK(dah_apply(DA_OP_LEAKY_RELU, &a, 1, -1, nullptr, -1, &slope, &out));
    CHECK(asked.op == DA_OP_LEAKY_RELU && asked.attribute == 0.25 && values(out)[3] == 6);
    for (dah_tensor* t : {a, one, out}) dah_tensor_release(t);
}

void host_scalars_come_as_tensors() {
    // The mock claims `sub` with immediates, and then refuses.
    dah_tensor *a = filled(4, 1), *out = nullptr;
    const dah_scalar five{da_value{.f = 5}, 'f'};
    mock::state.refused = DA_OP_SUB;
    CHECK_OK(dah_binary_scalar(DA_OP_SUB, a, &five, 0, &out));
    CHECK(asked.op == DA_OP_SUB && (asked.strides == std::vector<int64_t>{1, 0}));
    CHECK(values(out)[3] == 9);
    mock::state.refused = 0;
    for (dah_tensor* t : {a, out}) dah_tensor_release(t);
}

void without_a_composite_the_policy_decides() {
    dah_tensor *a = filled(4, 1), *out = nullptr;
    dah_set_composer(none);
    dah_set_fallback_policy(DAH_FALLBACK_ERROR, 1);
    const int times = asked.times;
    CHECK(dah_unary(DA_OP_TANH, a, &out) == DA_NOT_SUPPORTED);
    CHECK(asked.times == times + 1 && dah_last_error()->kind == DAH_ERROR_FALLBACK);
    CHECK(dah_composed_count(device, DA_OP_TANH) == 0);
    dah_tensor_release(a);
}

void failures_of_a_composite_end_the_op() {
    dah_tensor *a = filled(4, 1), *out = nullptr;
    dah_set_composer(failing);
    CHECK(dah_unary(DA_OP_TANH, a, &out) == DA_INTERNAL);
    const dah_error* error = dah_last_error();
    CHECK(error->kind == DAH_ERROR_COMPOSER && error_says("gave up"));
    CHECK(std::string(error->op) == "tanh" && std::string(error->device) == "mock:0");
    dah_tensor_release(a);
}

void a_circle_of_composites_ends() {
    dah_tensor *a = filled(4, 1), *out = nullptr;
    dah_set_composer(in_a_circle);
    const int times = asked.times;
    CHECK(dah_unary(DA_OP_EXP, a, &out) == DA_INTERNAL);
    CHECK(asked.times == times + 2 && error_says("exp -> log -> exp"));
    dah_tensor_release(a);
}

void foreign_memory_is_not_composed() {
    float x[2] = {1, 2}, out[2] = {};
    const int64_t shape[1] = {2}, dense[1] = {1};
    const da_tensor in = {x, x, sizeof x, shape, dense, 1, DA_FLOAT32, 0};
    const da_tensor to = {out, out, sizeof out, shape, dense, 1, DA_FLOAT32, 0};
    dah_stream* stream = nullptr;
    CHECK_OK(dah_current_stream(device, &stream));
    dah_set_composer(none);
    const int times = asked.times;
    CHECK(dah_call(stream, DA_OP_TANH, &in, 1, &to, nullptr) == DA_NOT_SUPPORTED);
    CHECK(asked.times == times);
}

// not_equal of equal, in the core itself.
void comparisons_need_no_composer() {
    dah_tensor *a = filled(4, 1), *out = nullptr;
    dah_set_composer(nullptr);
    mock::state.calls.clear();
    CHECK_OK(dah_binary(DA_OP_NOT_EQUAL, a, a, &out));
    CHECK(mock::state.calls.size() == 2 && mock::state.calls[0].op == DA_OP_EQUAL &&
          mock::state.calls[1].op == DA_OP_LOGICAL_NOT);
    dah_tensor_release(out);
    CHECK_OK(dah_binary(DA_OP_LESS_EQUAL, a, a, &out));
    CHECK(mock::state.calls.back().op == DA_OP_LOGICAL_OR);
    CHECK(dah_composed_count(device, DA_OP_LESS_EQUAL) == 1);
    for (dah_tensor* t : {a, out}) dah_tensor_release(t);
}

} // namespace

int main() {
    const da_dtype_mask f32 = DA_DTYPE_BIT(DA_FLOAT32), boolean = DA_DTYPE_BIT(DA_BOOL);
    mock::state.ops = {mock::one_call(DA_OP_ADD, DAB_OP_STRIDED, f32),
                       mock::one_call(DA_OP_SUB, DAB_OP_STRIDED | DAB_OP_IMMEDIATE, f32),
                       mock::one_call(DA_OP_EQUAL, DAB_OP_STRIDED, f32),
                       mock::one_call(DA_OP_LESS, DAB_OP_STRIDED, f32),
                       mock::one_call(DA_OP_LOGICAL_NOT, DAB_OP_STRIDED, boolean),
                       mock::one_call(DA_OP_LOGICAL_OR, DAB_OP_STRIDED, boolean)};
    CHECK_OK(dah_backend_register("mock", mock::table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    what_the_device_lacks_is_composed();
    operands_come_broadcast_and_the_device_is_current();
    host_scalars_come_as_tensors();
    without_a_composite_the_policy_decides();
    failures_of_a_composite_end_the_op();
    a_circle_of_composites_ends();
    foreign_memory_is_not_composed();
    comparisons_need_no_composer();
    return report();
}
