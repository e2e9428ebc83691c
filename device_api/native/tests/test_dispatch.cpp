// SPDX-License-Identifier: Apache-2.0
// Dispatch: what reaches a backend, the two phases, refusals, and the policy of fallbacks.
#include "check.hpp"
#include "mock_backend.hpp"

namespace {

using Sizes = std::vector<int64_t>;
dah_device device;

dah_tensor* filled(const Sizes& shape, float first) {
    int64_t n = 1;
    for (int64_t s : shape) n *= s;
    std::vector<float> data(static_cast<size_t>(n));
    for (size_t i = 0; i < data.size(); ++i) data[i] = first + static_cast<float>(i);
    dah_tensor* t = nullptr;
    CHECK_OK(dah_from_host(device, DA_FLOAT32, static_cast<int>(shape.size()), shape.data(),
                           data.data(), &t));
    return t;
}

std::vector<float> values(dah_tensor* t) {
    std::vector<float> data(static_cast<size_t>(dah_tensor_elements(t)));
    CHECK_OK(dah_to_host(t, data.data()));
    return data;
}

void contiguous_calls_arrive_with_rank_1() {
    dah_tensor *a = filled({2, 3, 4}, 0), *b = filled({2, 3, 4}, 100), *out = nullptr;
    CHECK_OK(dah_binary(DA_OP_ADD, a, b, &out));
    CHECK((mock::state.shapes[2] == Sizes{24}));
    CHECK(values(out)[23] == 23 + 123);
    CHECK(dah_native_count(device, DA_OP_ADD) == 1);
    for (dah_tensor* t : {a, b, out}) dah_tensor_release(t);
}

void broadcasts_have_stride_0_and_merge() {
    dah_tensor *a = filled({5, 2, 3}, 0), *b = filled({5, 1, 1}, 10), *out = nullptr;
    CHECK_OK(dah_binary(DA_OP_ADD, a, b, &out));
    CHECK((mock::state.shapes[2] == Sizes{5, 6}));
    CHECK((mock::state.strides[1] == Sizes{1, 0}));
    CHECK(values(out)[29] == 29 + 14);
    for (dah_tensor* t : {a, b, out}) dah_tensor_release(t);
}

void in_place_needs_the_flag_or_a_copy() {
    // The mock's `add` has no DAB_OP_IN_PLACE: a new result is made and copied back, which needs
    // `copy`; the mock has it in two phases.
    dah_tensor *a = filled({4}, 0), *b = filled({4}, 1);
    const int planned = mock::state.planned;
    CHECK_OK(dah_binary_inplace(DA_OP_ADD, a, b, nullptr));
    CHECK(mock::state.planned == planned + 1 && mock::state.launched == mock::state.planned);
    for (dah_tensor* t : {a, b}) dah_tensor_release(t);
}

void a_plan_is_abandoned_when_its_workspace_cannot_be_had() {
    dah_tensor *a = filled({8}, 0), *out = nullptr;
    mock::state.workspace = uint64_t{1} << 40;
    const int launched = mock::state.launched, abandoned = mock::state.abandoned;
    CHECK(dah_contiguous(a, 1, &out) == DA_OUT_OF_MEMORY);
    CHECK(mock::state.abandoned == abandoned + 1 && mock::state.launched == launched);
    CHECK(std::string(dah_last_error()->op) == "copy");
    mock::state.workspace = 1000;
    CHECK_OK(dah_contiguous(a, 1, &out));
    CHECK(mock::state.abandoned == abandoned + 1);
    mock::state.workspace = 0;
    for (dah_tensor* t : {a, out}) dah_tensor_release(t);
}

void failures_name_op_device_and_vendor() {
    dah_tensor *a = filled({3}, 0), *out = nullptr;
    mock::state.next = DA_HARDWARE_FAULT;
    CHECK(dah_binary(DA_OP_ADD, a, a, &out) == DA_HARDWARE_FAULT);
    CHECK(std::string(dah_last_error()->op) == "add");
    CHECK(std::string(dah_last_error()->device) == "mock:0");
    CHECK_OK(dah_binary(DA_OP_ADD, a, a, &out)); // the error does not stick
    for (dah_tensor* t : {a, out}) dah_tensor_release(t);
}

void without_a_host_backend_nothing_falls_back() {
    dah_tensor *a = filled({3}, 0), *out = nullptr;
    dah_set_fallback_policy(DAH_FALLBACK_ALLOW, 0);
    CHECK(dah_unary(DA_OP_EXP, a, &out) == DA_NOT_SUPPORTED);
    CHECK(error_says("no backend of type 'cpu'"));
    dah_set_fallback_policy(DAH_FALLBACK_ERROR, 0);
    CHECK(dah_unary(DA_OP_EXP, a, &out) == DA_NOT_SUPPORTED);
    CHECK(dah_last_error()->kind == DAH_ERROR_FALLBACK && error_says("'exp' for float32"));
    CHECK(dah_fallback_report(nullptr, 0) == 0);
    dah_tensor_release(a);
}

void mistakes_are_named() {
    dah_tensor *a = filled({2, 3}, 0), *b = filled({4}, 0), *out = nullptr;
    CHECK(dah_binary(DA_OP_ADD, a, b, &out) == DA_INVALID_ARGUMENT);
    CHECK(dah_last_error()->kind == DAH_ERROR_SHAPE && error_says("(2, 3) (4,)"));
    const int64_t negative[2] = {2, -1}, huge[3] = {INT64_MAX / 2, 3, 5};
    CHECK(dah_empty(device, DA_FLOAT32, 2, negative, &out) == DA_INVALID_ARGUMENT);
    CHECK(error_says("(2, -1)"));
    CHECK(dah_empty(device, DA_FLOAT32, 3, huge, &out) == DA_INVALID_ARGUMENT);
    CHECK(error_says("more elements than any memory holds"));
    CHECK(dah_empty(device, DA_FLOAT32, DA_MAX_RANK + 1, negative, &out) == DA_INVALID_ARGUMENT);
    dah_device other;
    CHECK(dah_device_get("mock", 9, &other) == DA_INVALID_ARGUMENT);
    CHECK(dah_last_error()->kind == DAH_ERROR_DEVICE_INDEX);
    CHECK(dah_device_get("absent", 0, &other) == DA_INVALID_ARGUMENT);
    CHECK(dah_last_error()->kind == DAH_ERROR_UNKNOWN_DEVICE);
    for (dah_tensor* t : {a, b}) dah_tensor_release(t);
}

void copies_between_devices_are_staged_without_peer_access() {
    dah_tensor *a = filled({1000}, 0), *there = nullptr;
    CHECK_OK(dah_to_device(a, device + 1, &there));
    CHECK(dah_tensor_device(there) == device + 1 && values(there)[999] == 999);
    dah_tensor* out = nullptr;
    CHECK(dah_binary(DA_OP_ADD, a, there, &out) == DA_INVALID_ARGUMENT);
    CHECK(error_says("mock:0 and mock:1"));
    for (dah_tensor* t : {a, there}) dah_tensor_release(t);
}

void foreign_descriptors_run_natively_or_not_at_all() {
    float a[6] = {0, 1, 2, 3, 4, 5}, b[2] = {10, 20}, out[6] = {};
    const int64_t shape[2] = {3, 2}, dense[2] = {2, 1}, one[1] = {1}, row[1] = {2};
    const da_tensor inputs[2] = {{a, a, sizeof a, shape, dense, 2, DA_FLOAT32, 0},
                                 {b, b, sizeof b, row, one, 1, DA_FLOAT32, 0}};
    const da_tensor output = {out, out, sizeof out, shape, dense, 2, DA_FLOAT32, 0};
    dah_stream* stream = nullptr;
    CHECK_OK(dah_current_stream(device, &stream));
    CHECK_OK(dah_call(stream, DA_OP_ADD, inputs, 2, &output, nullptr));
    CHECK(out[0] == 10 && out[1] == 21 && out[5] == 25);
    CHECK(dah_call(stream, DA_OP_MUL, inputs, 2, &output, nullptr) == DA_NOT_SUPPORTED);
    CHECK(dah_call(stream, DA_OP_ADD, inputs, 1, &output, nullptr) == DA_INVALID_ARGUMENT);
    CHECK(dah_call(stream, 999, inputs, 2, &output, nullptr) == DA_INVALID_ARGUMENT);
}

void overlapping_foreign_outputs_are_computed_apart() {
    // The mock's `add` has no DAB_OP_IN_PLACE, and walks upwards: shifted by one it would read
    // what it has just written.
    float a[5] = {1, 2, 3, 4, 5};
    const int64_t shape[1] = {4}, dense[1] = {1};
    const da_tensor low = {a, a, sizeof a, shape, dense, 1, DA_FLOAT32, 0};
    da_tensor high = low;
    high.data = a + 1;
    const da_tensor inputs[2] = {low, low};
    dah_stream* stream = nullptr;
    CHECK_OK(dah_current_stream(device, &stream));
    CHECK_OK(dah_call(stream, DA_OP_ADD, inputs, 2, &high, nullptr));
    CHECK(mock::state.calls.back().op == DA_OP_COPY);
    const size_t calls = mock::state.calls.size();
    CHECK_OK(dah_call(stream, DA_OP_ADD, inputs, 2, &low, nullptr)); // the very same view
    CHECK(mock::state.calls.size() == calls + 2);
    // The mock's `copy` moves nothing, so `add` itself has written to neither.
    CHECK(a[0] == 1 && a[1] == 2 && a[4] == 5);
}

// Memory of another stream that is read through a dense copy is held back like any other.
void dense_copies_note_the_stream_that_reads() {
    dah_stream *one = nullptr, *two = nullptr;
    CHECK_OK(dah_stream_create(device, 0, &one));
    CHECK_OK(dah_stream_create(device, 0, &two));
    CHECK_OK(dah_set_current_stream(one));
    dah_tensor *a = filled({2, 3}, 0), *turned = nullptr, *out = nullptr;
    const int32_t axes[2] = {1, 0};
    CHECK_OK(dah_permute(a, axes, &turned));
    CHECK_OK(dah_set_current_stream(two));
    CHECK_OK(dah_binary(DA_OP_SUB, turned, turned, &out)); // takes dense tensors only
    dah_tensor_release(turned);
    const int waits = mock::state.synchronised;
    dah_tensor_release(a); // without events the stream that read it is waited for
    CHECK(mock::state.synchronised == waits + 1);
    dah_tensor_release(out);
    CHECK_OK(dah_set_current_stream(one)); // lets go of the other
    dah_stream_release(one);
    dah_stream_release(two);
}

void after_shutdown_everything_is_refused() {
    dah_tensor *a = filled({3}, 0), *out = nullptr;
    dah_shutdown();
    dah_shutdown();
    CHECK(dah_binary(DA_OP_ADD, a, a, &out) != DA_OK);
    CHECK(dah_empty(device, DA_FLOAT32, 0, nullptr, &out) == DA_INVALID_ARGUMENT);
    CHECK(error_says("shut down"));
    dah_tensor_release(a); // its memory is gone: nothing is freed twice
}

} // namespace

int main() {
    const da_dtype_mask f32 = DA_DTYPE_BIT(DA_FLOAT32);
    mock::state.ops = {mock::one_call(DA_OP_ADD, DAB_OP_STRIDED, f32),
                       mock::one_call(DA_OP_SUB, 0, f32),
                       mock::two_phases(DA_OP_COPY, DAB_OP_STRIDED, f32)};
    CHECK_OK(dah_backend_register("mock", mock::table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    contiguous_calls_arrive_with_rank_1();
    broadcasts_have_stride_0_and_merge();
    in_place_needs_the_flag_or_a_copy();
    a_plan_is_abandoned_when_its_workspace_cannot_be_had();
    failures_name_op_device_and_vendor();
    without_a_host_backend_nothing_falls_back();
    mistakes_are_named();
    copies_between_devices_are_staged_without_peer_access();
    foreign_descriptors_run_natively_or_not_at_all();
    overlapping_foreign_outputs_are_computed_apart();
    dense_copies_note_the_stream_that_reads();
    after_shutdown_everything_is_refused();
    return report();
}
