// SPDX-License-Identifier: Apache-2.0
// Results of operators.
#include "check.hpp"
#include "harness.hpp"
#include "values.hpp"

using namespace harness;

namespace {

Floats unary(Stream& s, da_op op, const Floats& x) {
    const std::int64_t n = static_cast<std::int64_t>(x.size());
    View in(s, s.upload(x), DA_FLOAT32, {n}), out(s, s.memory(x.size() * 4), DA_FLOAT32, {n});
    must(s, op, {in.tensor()}, out);
    return s.download<float>(out.data, x.size());
}

Floats binary(Stream& s, da_op op, const Floats& a, const Floats& b) {
    const std::int64_t n = static_cast<std::int64_t>(a.size());
    View x(s, s.upload(a), DA_FLOAT32, {n}), y(s, s.upload(b), DA_FLOAT32, {n});
    View out(s, s.memory(a.size() * 4), DA_FLOAT32, {n});
    must(s, op, {x.tensor(), y.tensor()}, out);
    return s.download<float>(out.data, a.size());
}

Bools compared(Stream& s, da_op op, const Floats& a, const Floats& b) {
    const std::int64_t n = static_cast<std::int64_t>(a.size());
    View x(s, s.upload(a), DA_FLOAT32, {n}), y(s, s.upload(b), DA_FLOAT32, {n});
    View out(s, s.memory(a.size()), DA_BOOL, {n});
    must(s, op, {x.tensor(), y.tensor()}, out);
    return s.download<std::uint8_t>(out.data, a.size());
}

} // namespace

TEST(unary) {
    Npu npu;
    Stream s(npu);
    close(unary(s, DA_OP_NEG, {1, -2, 0}), {-1, 2, 0});
    close(unary(s, DA_OP_ABS, {1, -2, -inf}), {1, 2, inf});
    close(unary(s, DA_OP_EXP, {0, 1, -inf}), {1, 2.7182817f, 0});
    close(unary(s, DA_OP_LOG, {1, 10, 0}), {0, 2.3025851f, -inf});
    close(unary(s, DA_OP_SQRT, {4, 2, -1}), {2, 1.4142135f, not_a_number});
    close(unary(s, DA_OP_TANH, {0, 1, inf}), {0, 0.76159416f, 1});
    close(unary(s, DA_OP_FLOOR, {1.5f, -1.5f, not_a_number}), {1, -2, not_a_number});
    close(unary(s, DA_OP_SIGN, {-3, 0, 2}), {-1, 0, 1});
}

TEST(predicates) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, not_a_number, inf}), DA_FLOAT32, {3}),
        out(s, s.memory(3), DA_BOOL, {3});
    must(s, DA_OP_ISNAN, {x.tensor()}, out);
    CHECK(s.download<std::uint8_t>(out.data, 3) == (Bools{0, 1, 0}));
    View b(s, s.upload(Bools{1, 0, 1}), DA_BOOL, {3}), c(s, s.upload(Bools{1, 1, 0}), DA_BOOL, {3});
    must(s, DA_OP_LOGICAL_NOT, {b.tensor()}, out);
    CHECK(s.download<std::uint8_t>(out.data, 3) == (Bools{0, 1, 0}));
    must(s, DA_OP_LOGICAL_AND, {b.tensor(), c.tensor()}, out);
    CHECK(s.download<std::uint8_t>(out.data, 3) == (Bools{1, 0, 0}));
    must(s, DA_OP_LOGICAL_OR, {b.tensor(), c.tensor()}, out);
    CHECK(s.download<std::uint8_t>(out.data, 3) == (Bools{1, 1, 1}));
}

TEST(binary) {
    Npu npu;
    Stream s(npu);
    close(binary(s, DA_OP_ADD, {1, 2, inf}, {3, 4, -inf}), {4, 6, not_a_number});
    close(binary(s, DA_OP_SUB, {1, 2}, {3, 5}), {-2, -3});
    close(binary(s, DA_OP_MUL, {2, -3}, {4, 5}), {8, -15});
    close(binary(s, DA_OP_DIV, {1, 1, 0}, {4, 0, 0}), {0.25f, inf, not_a_number});
    close(binary(s, DA_OP_MAXIMUM, {1, 5, not_a_number}, {3, 4, 0}), {3, 5, not_a_number});
    close(binary(s, DA_OP_MINIMUM, {1, 5, not_a_number}, {3, 4, 0}), {1, 4, not_a_number});
    close(binary(s, DA_OP_POW, {2, 9, -8}, {10, 0.5f, 3}), {1024, 3, -512});
    CHECK(compared(s, DA_OP_EQUAL, {1, 2, not_a_number}, {1, 3, not_a_number}) == (Bools{1, 0, 0}));
    CHECK(compared(s, DA_OP_LESS, {1, 2, not_a_number}, {2, 2, not_a_number}) == (Bools{1, 0, 0}));
}

TEST(scalars) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3}), DA_FLOAT32, {3}), out(s, s.memory(12), DA_FLOAT32, {3});
    const Scalar half(0.5f);
    for (const bool first : {false, true}) {
        std::vector<da_tensor> inputs{x.tensor(), half.tensor()};
        if (first) std::swap(inputs[0], inputs[1]);
        must(s, DA_OP_ADD, inputs, out);
        close(s.download<float>(out.data, 3), {1.5f, 2.5f, 3.5f});
        must(s, DA_OP_MUL, inputs, out);
        close(s.download<float>(out.data, 3), {0.5f, 1, 1.5f});
    }
    for (const da_op op : {DA_OP_SUB, DA_OP_DIV, DA_OP_POW}) // take no scalar, and say so
        EQUAL(npu.op(op)->flags & DAB_OP_IMMEDIATE, 0u);
}

TEST(casts) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1.7f, -1.7f, 0}), DA_FLOAT32, {3});
    View i(s, s.memory(12), DA_INT32, {3}), b(s, s.memory(3), DA_BOOL, {3});
    View h(s, s.memory(6), DA_FLOAT16, {3});
    // One rounding: over float32 these would come to a tie.
    View big(s,
             s.upload(std::vector<std::int64_t>{1103806595073, -1103806595073,
                                                (std::int64_t{257} << 53) + 1}),
             DA_INT64, {3});
    View w(s, s.memory(6), DA_BFLOAT16, {3});
    must(s, DA_OP_CAST, {big.tensor()}, w);
    CHECK(s.download<std::uint16_t>(w.data, 3) ==
          (std::vector<std::uint16_t>{0x5381, 0xd381, 0x5e01}));
    must(s, DA_OP_CAST, {x.tensor()}, i);
    CHECK(s.download<std::int32_t>(i.data, 3) == (std::vector<std::int32_t>{1, -1, 0}));
    must(s, DA_OP_CAST, {x.tensor()}, b);
    CHECK(s.download<std::uint8_t>(b.data, 3) == (Bools{1, 1, 0}));
    must(s, DA_OP_CAST, {x.tensor()}, h);
    CHECK(s.download<std::uint16_t>(h.data, 3) == (std::vector<std::uint16_t>{0x3ecd, 0xbecd, 0}));
}

TEST(fills) {
    Npu npu;
    Stream s(npu);
    View f(s, s.memory(12), DA_FLOAT32, {3}), h(s, s.memory(2), DA_FLOAT16, {1});
    View w(s, s.memory(2), DA_BFLOAT16, {1}), u(s, s.memory(8), DA_UINT64, {1});
    View b(s, s.memory(1), DA_BOOL, {1}), i(s, s.memory(1), DA_INT8, {1});
    must(s, DA_OP_FILL, {}, f, {real(0.1)});
    close(s.download<float>(f.data, 3), {0.1f, 0.1f, 0.1f});
    struct Row {
        double value;
        std::uint16_t half, bfloat;
    };
    // Halves round to even, past the largest is infinity, small ones are subnormal.
    for (const Row& row :
         {Row{1.5, 0x3c00 + 0x200, 0x3fc0}, Row{-0.0, 0x8000, 0x8000}, Row{65520, 0x7c00, 0x4780},
          Row{65519.99, 0x7bff, 0x4780}, Row{1.00048828125, 0x3c00, 0x3f80},
          Row{1.00146484375, 0x3c02, 0x3f80}, Row{5.9604644775390625e-08, 0x0001, 0x3380},
          Row{2e-08, 0, 0x32ac}, Row{inf, 0x7c00, 0x7f80}, Row{1e300, 0x7c00, 0x7f80}}) {
        must(s, DA_OP_FILL, {}, h, {real(row.value)});
        EQUAL(s.download<std::uint16_t>(h.data, 1)[0], row.half);
        must(s, DA_OP_FILL, {}, w, {real(row.value)});
        EQUAL(s.download<std::uint16_t>(w.data, 1)[0], row.bfloat);
    }
    must(s, DA_OP_FILL, {}, u, {integer(-1)});
    EQUAL(s.download<std::uint64_t>(u.data, 1)[0], ~std::uint64_t{0});
    must(s, DA_OP_FILL, {}, b, {integer(1)});
    EQUAL(s.download<std::uint8_t>(b.data, 1)[0], 1);
    must(s, DA_OP_FILL, {}, i, {integer(-5)});
    EQUAL(s.download<std::int8_t>(i.data, 1)[0], -5);
}

TEST(ranges) {
    Npu npu;
    Stream s(npu);
    View f(s, s.memory(40), DA_FLOAT32, {10}), i(s, s.memory(16), DA_INT32, {4});
    must(s, DA_OP_IOTA, {}, f, {real(0.1), real(0.1)}); // in double, rounded once
    Floats want;
    for (int k = 0; k < 10; ++k) want.push_back(static_cast<float>(0.1 + k * 0.1));
    CHECK(s.download<float>(f.data, 10) == want);
    must(s, DA_OP_IOTA, {}, i, {integer(7), integer(-3)});
    CHECK(s.download<std::int32_t>(i.data, 4) == (std::vector<std::int32_t>{7, 4, 1, -2}));
    must(s, DA_OP_IOTA, {}, i, {integer(INT32_MAX - 3001), integer(1000)});
    EQUAL(s.download<std::int32_t>(i.data, 4)[3], INT32_MAX - 1);
    // Ends outside the type, and lengths that double cannot tell.
    EQUAL(run(s, DA_OP_IOTA, {}, i, {integer(INT32_MAX - 3), integer(1)}), DA_NOT_SUPPORTED);
    View l(s, s.memory(32), DA_INT64, {4});
    EQUAL(run(s, DA_OP_IOTA, {}, l, {integer(INT64_MAX - 3), integer(1)}), DA_NOT_SUPPORTED);
    EQUAL(run(s, DA_OP_IOTA, {}, l, {integer(std::int64_t{1} << 60), integer(1)}),
          DA_NOT_SUPPORTED);
    must(s, DA_OP_IOTA, {}, f, {real(2.5), real(0)});
    close(s.download<float>(f.data, 10), Floats(10, 2.5f));
    // Lengths for which single precision miscounts.
    for (const std::int64_t n : {(1 << 20) + 1, (1 << 23) + 1, (1 << 24) + 1}) {
        View wide(s, s.memory(static_cast<std::size_t>(n) * 4), DA_FLOAT32, {n});
        const da_status status = run(s, DA_OP_IOTA, {}, wide, {real(0), real(1)});
        CHECK(status == DA_OK || status == DA_NOT_SUPPORTED);
        if (status == DA_OK) {
            const auto* last = static_cast<float*>(wide.data) + n - 1;
            EQUAL(s.download<float>(last, 1)[0], static_cast<float>(n - 1));
        }
    }
}

TEST(reductions) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 5, 3, 4, 2, 6}), DA_FLOAT32, {2, 3});
    View rows(s, s.memory(8), DA_FLOAT32, {2}), columns(s, s.memory(12), DA_FLOAT32, {3});
    View all(s, s.memory(4), DA_FLOAT32, {}), best(s, s.memory(16), DA_INT64, {2});
    must(s, DA_OP_SUM, {x.tensor()}, rows, {integer(2)});
    close(s.download<float>(rows.data, 2), {9, 12});
    must(s, DA_OP_SUM, {x.tensor()}, columns, {integer(1)});
    close(s.download<float>(columns.data, 3), {5, 7, 9});
    must(s, DA_OP_SUM, {x.tensor()}, all, {integer(3)});
    close(s.download<float>(all.data, 1), {21});
    must(s, DA_OP_MAX, {x.tensor()}, rows, {integer(2)});
    close(s.download<float>(rows.data, 2), {5, 6});
    must(s, DA_OP_ARGMAX, {x.tensor()}, best, {integer(1)});
    CHECK(s.download<std::int64_t>(best.data, 2) == (std::vector<std::int64_t>{1, 2}));
    View same(s, s.memory(24), DA_FLOAT32, {2, 3});
    EQUAL(run(s, DA_OP_SUM, {x.tensor()}, same, {integer(0)}), DA_NOT_SUPPORTED);
}

TEST(matrix_products) {
    Npu npu;
    Stream s(npu);
    void* a = s.upload(Floats{1, 2, 3, 4, 5, 6});
    void* b = s.upload(Floats{1, 0, 2, 1, 0, 3});
    View x(s, a, DA_FLOAT32, {2, 3}), y(s, b, DA_FLOAT32, {3, 2});
    View out(s, s.memory(16), DA_FLOAT32, {2, 2});
    must(s, DA_OP_MATMUL, {x.tensor(), y.tensor()}, out);
    close(s.download<float>(out.data, 4), {5, 11, 14, 23});
    View t(s, a, DA_FLOAT32, {3, 2}, {1, 3}), u(s, b, DA_FLOAT32, {2, 3}, {1, 2}); // transposed
    View square(s, s.memory(36), DA_FLOAT32, {3, 3});
    must(s, DA_OP_MATMUL, {t.tensor(), u.tensor()}, square);
    close(s.download<float>(square.data, 9), {1, 6, 12, 2, 9, 15, 3, 12, 18});
    // A batch, the second side of which is one matrix for all.
    View batch(s, s.upload(Floats{1, 2, 3, 4, 5, 6, 1, 0, 0, 0, 1, 0}), DA_FLOAT32, {2, 2, 3});
    View single(s, b, DA_FLOAT32, {2, 3, 2}, {0, 2, 1});
    View outs(s, s.memory(32), DA_FLOAT32, {2, 2, 2});
    must(s, DA_OP_MATMUL, {batch.tensor(), single.tensor()}, outs);
    close(s.download<float>(outs.data, 8), {5, 11, 14, 23, 1, 0, 2, 1});
    View both(s, s.upload(Floats{1, 0, 2, 1, 0, 3, 1, 0, 2, 1, 0, 3}), DA_FLOAT32, {2, 3, 2});
    must(s, DA_OP_MATMUL, {batch.tensor(), both.tensor()}, outs);
    close(s.download<float>(outs.data, 8), {5, 11, 14, 23, 1, 0, 2, 1});
}

TEST(gather_and_scatter) {
    Npu npu;
    Stream s(npu);
    View x(s, s.upload(Floats{1, 2, 3, 4, 5, 6}), DA_FLOAT32, {2, 3});
    View index(s, s.upload(std::vector<std::int64_t>{2, 0, 0, 1}), DA_INT64, {2, 2});
    View out(s, s.memory(16), DA_FLOAT32, {2, 2}), sums(s, s.memory(24), DA_FLOAT32, {2, 3});
    must(s, DA_OP_TAKE_ALONG_AXIS, {x.tensor(), index.tensor()}, out, {integer(1)});
    close(s.download<float>(out.data, 4), {3, 1, 4, 5});
    View updates(s, s.upload(Floats{10, 20, 30, 40}), DA_FLOAT32, {2, 2});
    View twice(s, s.upload(std::vector<std::int32_t>{0, 0, 2, 1}), DA_INT32, {2, 2});
    must(s, DA_OP_INDEX_ACCUMULATE, {x.tensor(), twice.tensor(), updates.tensor()}, sums,
         {integer(1)});
    close(s.download<float>(sums.data, 6), {31, 2, 3, 4, 45, 36});
    close(s.download<float>(x.data, 6), {1, 2, 3, 4, 5, 6}); // a copy, not in place
}

TEST(types) {
    Npu npu;
    Stream s(npu);
    View a(s, s.upload(std::vector<std::int8_t>{127, 1}), DA_INT8, {2});
    View sum(s, s.memory(2), DA_INT8, {2});
    must(s, DA_OP_ADD, {a.tensor(), a.tensor()}, sum); // wraps
    CHECK(s.download<std::int8_t>(sum.data, 2) == (std::vector<std::int8_t>{-2, 2}));
    View h(s, s.upload(std::vector<std::uint16_t>{0x3c00}), DA_FLOAT16, {1});
    View h2(s, s.memory(2), DA_FLOAT16, {1});
    must(s, DA_OP_ADD, {h.tensor(), h.tensor()}, h2);
    EQUAL(s.download<std::uint16_t>(h2.data, 1)[0], 0x4000);
    View w(s, s.upload(std::vector<std::uint16_t>{0x3f80}), DA_BFLOAT16, {1});
    View w2(s, s.memory(2), DA_BFLOAT16, {1});
    must(s, DA_OP_ADD, {w.tensor(), w.tensor()}, w2);
    EQUAL(s.download<std::uint16_t>(w2.data, 1)[0], 0x4000);
}
