// SPDX-License-Identifier: Apache-2.0
// What breaks: late errors, memory errors, lost devices, forked processes, the end of the process.
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

void negated(Stream& s) {
    View x(s, s.upload(std::vector<float>{1, 2}), DA_FLOAT32, {2}),
        y(s, s.memory(8), DA_FLOAT32, {2});
    must(s, DA_OP_NEG, {x.tensor()}, y);
    CHECK(s.download<float>(y.data, 2)[1] == -2);
}

da_status faulty(Stream& s, das_fault_kind kind, int code = 0) {
    View x(s, s.upload(std::vector<float>{1, 2}), DA_FLOAT32, {2}),
        y(s, s.memory(8), DA_FLOAT32, {2});
    inject(kind, "aclnnNeg", code);
    must(s, DA_OP_NEG, {x.tensor()}, y); // accepted; the failure comes later
    return s.npu->stream_synchronize(s.npu, s, -1);
}

} // namespace

TEST(late_error) {
    Npu npu;
    Stream s(npu);
    EQUAL(faulty(s, DAS_FAULT_ASYNC), DA_INTERNAL);
    const dab_error error = last_error();
    CHECK(error.vendor_code == 507015 || error.vendor_code == 507035);
    CHECK(std::strstr(error.vendor_text, "aclnnNeg"));
    CHECK(error.remedy[0]);
    s.wait(); // told once
    negated(s);
}

TEST(memory_error) {
    Npu npu;
    Stream s(npu);
    EQUAL(faulty(s, DAS_FAULT_ECC), DA_HARDWARE_FAULT);
    CHECK(std::strstr(last_error().remedy, "suspect"));
    negated(s);
}

TEST(codes) {
    Npu npu;
    Stream s(npu);
    struct Row {
        int code;
        da_status status;
    };
    for (const Row& row :
         {Row{507014, DA_INTERNAL}, Row{507053, DA_HARDWARE_FAULT}, Row{507057, DA_INTERNAL},
          Row{207018, DA_OUT_OF_MEMORY}, Row{207008, DA_BUSY}, Row{123456, DA_INTERNAL}}) {
        EQUAL(faulty(s, DAS_FAULT_ASYNC, row.code), row.status);
        EQUAL(last_error().vendor_code, row.code);
    }
}

TEST(lost_device) {
    Npu npu(2);
    {
        Stream s(npu, 0);
        dab_event event = nullptr;
        EQUAL(npu->event_create(npu, 0, 0, &event), DA_OK);
        s.upload(std::vector<float>{1});
        EQUAL(control()->device_lose(0), DAS_OK);
        EQUAL(npu->stream_synchronize(npu, s, -1), DA_DEVICE_LOST);
        void* address = nullptr;
        EQUAL(npu->alloc(npu, 0, 64, &address), DA_DEVICE_LOST);
        Stream other(npu, 1);
        negated(other); // the other device is well
        EQUAL(npu->device_reset(npu, 0), DA_OK);
        EQUAL(npu->stream_synchronize(npu, s, -1), DA_DEVICE_LOST); // its streams are gone
        CHECK(std::strstr(last_error().message, "reset"));
        EQUAL(npu->event_destroy(npu, event), DA_OK);
    }
    Stream fresh(npu, 0);
    negated(fresh);
}

TEST(op_on_a_lost_device) {
    Npu npu(2);
    Stream s(npu, 0);
    View x(s, s.upload(std::vector<float>{1, 2}), DA_FLOAT32, {2}),
        y(s, s.memory(8), DA_FLOAT32, {2});
    const dab_op* op = npu.op(DA_OP_NEG);
    const std::vector<da_tensor> tensors{x.tensor(), y.tensor()};
    dab_call call{sizeof call, DA_OP_NEG, 1, 1, tensors.data(), nullptr, s.raw, 0, 0};
    dab_plan planned{};
    EQUAL(op->plan(npu, &call, &planned), DA_OK);
    void* workspace = planned.workspace_bytes ? s.memory(planned.workspace_bytes) : nullptr;
    EQUAL(control()->device_lose(0), DAS_OK);
    EQUAL(op->launch(npu, &call, &planned, workspace), DA_DEVICE_LOST);
    CHECK(last_error().vendor_code == 507010 || last_error().vendor_code == 507901);
    CHECK(std::strstr(last_error().remedy, "reset the device"));
    for (int i = 0; i < 2; ++i) { // and every later one
        dab_plan plan{};
        da_status status = op->plan(npu, &call, &plan);
        if (status == DA_OK) status = op->launch(npu, &call, &plan, workspace);
        EQUAL(status, DA_DEVICE_LOST);
        CHECK(std::strstr(last_error().remedy, "reset the device"));
    }
    Stream other(npu, 1);
    negated(other);
    EQUAL(npu->device_reset(npu, 0), DA_OK);
}

namespace {

template <class F>
int in_child(F body) {
    std::fflush(nullptr);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        alarm(20); // a hang is a failure
        body();
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

TEST(fork_after_use) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(std::vector<float>{1, 2}), DA_FLOAT32, {2});
    const std::vector<da_tensor> tensors{x.tensor(), x.tensor()};
    const dab_op* op = npu.op(DA_OP_NEG);
    const int code = in_child([&] {
        std::int32_t count = 0;
        void* address = nullptr;
        EQUAL(npu->device_count(npu, &count), DA_FORKED);
        EQUAL(npu->alloc(npu, 0, 64, &address), DA_FORKED);
        EQUAL(npu->free(npu, 0, x.data), DA_FORKED);
        EQUAL(npu->stream_synchronize(npu, s, -1), DA_FORKED);
        EQUAL(npu->stream_destroy(npu, s), DA_FORKED);
        dab_call call{sizeof call, DA_OP_NEG, 1, 1, tensors.data(), nullptr, s.raw, 0, 0};
        dab_plan plan{};
        EQUAL(op->plan(npu, &call, &plan), DA_FORKED);
        EQUAL(last_error().status, DA_FORKED);
        CHECK(std::strstr(last_error().remedy, "spawn"));
        dab_instance* again = nullptr;
        EQUAL(create(simulated(), &again), DA_FORKED);
        table()->destroy(npu); // and that must not hang
    });
    EQUAL(code, 0);
    negated(s); // the parent goes on
}

// Simulated libraries are in use once they are loaded; only `create` came before the fork.
TEST(fork_before_use) {
    Npu npu(Npu::as_it_comes);
    const int code = in_child([&] {
        std::int32_t count = 0;
        EQUAL(npu->device_count(npu, &count), DA_FORKED);
        EQUAL(npu->device_open(npu, 0), DA_FORKED);
    });
    EQUAL(code, 0);
    Stream s(npu);
    negated(s);
}

// A child may well use a chip of which its parent only has the plugin.
TEST(fork_before_create) {
    table();
    const int code = in_child([] {
        Npu npu;
        Stream s(npu);
        negated(s);
    });
    EQUAL(code, 0);
}

// A process may end at any time, without destroy and with work under way.
TEST(exit_without_destroy) {
    Npu* npu = new Npu(1, {{"api", "8.1"}});
    auto* s = new Stream(*npu);
    negated(*s);
    EQUAL((*npu)->stream_callback(*npu, *s, [](void*) {}, nullptr), DA_OK);
    View x(*s, s->upload(std::vector<float>{1, 2}), DA_FLOAT32, {2});
    for (int i = 0; i < 50; ++i) must(*s, DA_OP_NEG, {x.tensor()}, x);
    std::exit(0);
}
