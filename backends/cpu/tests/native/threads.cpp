// SPDX-License-Identifier: Apache-2.0
// The thread pool: equal bits for any number of threads, callers side by side, use after fork().
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support.hpp"

namespace test {
namespace {

struct Work {
    const char* name;
    std::function<void(dab_instance*, Tensor&)> run;
    std::vector<int64_t> shape;
};

da_value all_axes(uint64_t mask) {
    da_value v = {};
    v.u = mask;
    return v;
}

std::vector<Work> works(const Tensor& x, const Tensor& matrix, const Tensor& half) {
    const auto of = [](unsigned op, const Tensor& a, std::vector<da_value> attributes = {}) {
        return [op, &a, attributes](dab_instance* self, Tensor& out) {
            run(op, {&a}, out, attributes, self);
        };
    };
    return {{"exp", of(DA_OP_EXP, x), x.shape},
            {"sum", of(DA_OP_SUM, x, {all_axes(3)}), {}},
            {"sum of columns", of(DA_OP_SUM, x, {all_axes(1)}), {x.shape[1]}},
            {"sum of rows", of(DA_OP_SUM, x, {all_axes(2)}), {x.shape[0]}},
            {"copy", of(DA_OP_COPY, x), x.shape},
            {"sum of a view", of(DA_OP_SUM, half, {all_axes(3)}), {}},
            {"matmul",
             [&](dab_instance* self, Tensor& out) {
                 run(DA_OP_MATMUL, {&matrix, &matrix}, out, {}, self);
             },
             matrix.shape}};
}

// Several sizes of pool give the same bits.
void equal_bits() {
    std::mt19937_64 random(1);
    Tensor x(DA_FLOAT32, {1200, 1000}), matrix(DA_FLOAT32, {300, 300}),
        view(DA_FLOAT32, {1200, 1000}, kMixed);
    for (Tensor* t : {&x, &matrix, &view}) t->randomise(random, true);
    dab_instance* one = nullptr;
    CHECK(make({"threads", "1"}, &one) == DA_OK, "one thread");
    for (const char* threads : {"2", "3", "8"}) {
        dab_instance* several = nullptr;
        CHECK(make({"threads", threads}, &several) == DA_OK, "several threads");
        for (const Work& work : works(x, matrix, view)) {
            Tensor a(DA_FLOAT32, work.shape), b(DA_FLOAT32, work.shape);
            work.run(one, a);
            work.run(several, b);
            CHECK(a.memory == b.memory, "%s differs with %s threads", work.name, threads);
        }
        backend.table->destroy(several);
    }
    backend.table->destroy(one);
}

bool sum_is_right(dab_instance* self) {
    Tensor x(DA_FLOAT32, {1 << 20}), sum(DA_FLOAT32, {});
    for (int64_t i = 0; i < x.count(); ++i) x.set(i, 1);
    Tensor doubled(DA_FLOAT32, {1 << 20});
    return run(DA_OP_ADD, {&x, &x}, doubled, {}, self) == DA_OK &&
           run(DA_OP_SUM, {&doubled}, sum, {all_axes(1)}, self) == DA_OK && sum.get(0) == 2 << 20;
}

void callers_side_by_side() {
    dab_instance* self = nullptr;
    CHECK(make({"threads", "4"}, &self) == DA_OK, "create");
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
        callers.emplace_back([&] {
            for (int n = 0; n < 3; ++n) wrong += !sum_is_right(self);
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(wrong == 0, "%d wrong sums", wrong.load());
    backend.table->destroy(self);
}

// In the child there are no threads; the pool must start anew, also in a child of the child.
void after_fork() {
    dab_instance* self = nullptr;
    CHECK(make({"threads", "4"}, &self) == DA_OK && sum_is_right(self), "before the fork");
    for (int round = 0; round < 3; ++round) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            bool right = sum_is_right(self) && sum_is_right(self);
            const pid_t grandchild = fork();
            if (grandchild == 0) _exit(sum_is_right(self) ? 0 : 1);
            int status = 0;
            right = right && waitpid(grandchild, &status, 0) == grandchild && status == 0;
            _exit(right ? 0 : 1);
        }
        int status = -1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0,
              "child ended with status %d", status);
        CHECK(sum_is_right(self), "in the parent after the fork");
    }
    backend.table->destroy(self);
}

} // namespace

void test_threads() {
    equal_bits();
    callers_side_by_side();
    after_fork();
}

} // namespace test
