// SPDX-License-Identifier: Apache-2.0
// Observers: the order of what they are told, what they may object to, and replicas on the host.
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

struct Seen {
    std::vector<dah_observation> all;
    da_status answer = DA_OK;
    bool computes = false;
};

da_status note(const dah_observation* seen, void* context) {
    auto& notes = *static_cast<Seen*>(context);
    notes.all.push_back(*seen);
    if (notes.computes) {
        dah_tensor *x = nullptr, *sum = nullptr;
        CHECK_OK(dah_observed_tensor(seen, 0, &x));
        CHECK_OK(dah_binary(DA_OP_ADD, x, x, &sum)); // not told of
        dah_tensor_release(sum);
        dah_tensor_release(x);
    }
    if (notes.answer) return dah_fail(notes.answer, DAH_ERROR_STATUS, "the observer objects", "");
    return DA_OK;
}

void an_op_is_told_at_begin_and_end() {
    Seen seen;
    uint64_t id = 0;
    dah_tensor *a = filled(4, 0), *b = filled(4, 1), *out = nullptr;
    CHECK_OK(dah_observer_add(DAH_OBSERVE_OP, note, &seen, &id));
    seen.computes = true;
    CHECK_OK(dah_binary(DA_OP_ADD, a, b, &out));
    CHECK(seen.all.size() == 2);
    CHECK(seen.all[0].phase == DAH_BEGIN && seen.all[1].phase == DAH_END);
    CHECK(seen.all[0].span == seen.all[1].span && seen.all[0].op == DA_OP_ADD);
    CHECK(seen.all[1].status == DA_OK && seen.all[0].device == device);
    dah_tensor_release(out);
    seen.computes = false;
    mock::state.next = DA_INTERNAL;
    CHECK(dah_binary(DA_OP_ADD, a, b, &out) == DA_INTERNAL);
    CHECK(seen.all.size() == 4 && seen.all[3].status == DA_INTERNAL);
    CHECK(error_says("told to fail") && dah_last_error()->stream != 0);
    dah_observer_remove(id);
    CHECK_OK(dah_binary(DA_OP_ADD, a, b, &out));
    CHECK(seen.all.size() == 4);
    dah_tensor_release(out);
    dah_tensor_release(a);
    dah_tensor_release(b);
}

void an_observer_may_object() {
    Seen seen;
    seen.answer = DA_BUSY;
    uint64_t id = 0;
    dah_tensor *a = filled(4, 0), *out = nullptr;
    CHECK_OK(dah_observer_add(DAH_OBSERVE_OP, note, &seen, &id));
    const size_t calls = mock::state.calls.size();
    CHECK(dah_binary(DA_OP_ADD, a, a, &out) == DA_BUSY);
    CHECK(error_says("the observer objects") && !std::strcmp(dah_last_error()->op, "add"));
    CHECK(mock::state.calls.size() == calls); // at its begin: it did not run
    dah_observer_remove(id);
    dah_tensor_release(a);
}

void memory_and_copies_are_told() {
    Seen seen;
    uint64_t id = 0;
    const uint32_t kinds = DAH_OBSERVE_ALLOC | DAH_OBSERVE_FREE | DAH_OBSERVE_COPY;
    CHECK_OK(dah_observer_add(kinds, note, &seen, &id));
    dah_tensor* a = filled(256, 0);
    dah_tensor_release(a);
    dah_observer_remove(id);
    const uint32_t order[] = {DAH_OBSERVE_ALLOC, DAH_OBSERVE_COPY, DAH_OBSERVE_COPY,
                              DAH_OBSERVE_FREE};
    CHECK(seen.all.size() == 4);
    for (size_t i = 0; i < seen.all.size() && i < 4; ++i) CHECK(seen.all[i].kind == order[i]);
    CHECK(seen.all[1].source == DAH_HOST && seen.all[1].device == device);
    CHECK(seen.all[1].bytes == 1024 && seen.all[0].address == seen.all[3].address);
}

void synchronous_ops_wait() {
    dah_tensor *a = filled(4, 0), *out = nullptr;
    const int before = mock::state.synchronised;
    dah_set_synchronous_ops(1);
    CHECK(dah_synchronous_ops() == 1);
    CHECK_OK(dah_binary(DA_OP_ADD, a, a, &out));
    CHECK(mock::state.synchronised == before + 1);
    dah_set_synchronous_ops(0);
    dah_tensor_release(out);
    CHECK_OK(dah_binary(DA_OP_ADD, a, a, &out));
    CHECK(mock::state.synchronised == before + 1);
    dah_tensor_release(out);
    dah_tensor_release(a);
}

void wrong_requests() {
    uint64_t id = 0;
    Seen seen;
    CHECK(dah_observer_add(0, note, &seen, &id) == DA_INVALID_ARGUMENT);
    CHECK(dah_observer_add(1u << 20, note, &seen, &id) == DA_INVALID_ARGUMENT);
    CHECK(dah_observer_add(DAH_OBSERVE_OP, nullptr, &seen, &id) == DA_INVALID_ARGUMENT);
}

} // namespace

int main() {
    mock::state.ops = {mock::one_call(DA_OP_ADD, DAB_OP_STRIDED, 1u << DA_FLOAT32)};
    CHECK_OK(dah_backend_register("mock", mock::table(), nullptr, 0));
    CHECK_OK(dah_device_get("mock", 0, &device));
    an_op_is_told_at_begin_and_end();
    an_observer_may_object();
    memory_and_copies_are_told();
    synchronous_ops_wait();
    wrong_requests();
    return report();
}
