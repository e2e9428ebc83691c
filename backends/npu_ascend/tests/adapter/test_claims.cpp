// SPDX-License-Identifier: Apache-2.0
// Every op of the capability table runs for every type that it claims, on every simulated chip: the
// vendor's library agrees.
#include <cstdlib>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

bool takes(Npu& npu, da_op op, da_dtype dtype) {
    const dab_op* entry = npu.op(op);
    return entry && (entry->dtypes & DA_DTYPE_BIT(dtype));
}

std::vector<da_value> range(da_dtype type) {
    const bool whole = type < DA_FLOAT16;
    return whole ? std::vector<da_value>{integer(0), integer(1)}
                 : std::vector<da_value>{real(0), real(1)};
}

struct Operands {
    Operands(Stream& s, da_dtype dtype)
        : type(dtype),
          x(s, s.upload(zeros), type, {4}),
          y(s, s.upload(zeros), type, {4}),
          truth(s, s.upload(zeros), DA_BOOL, {4}),
          one(s, s.memory(8), type, {}),
          place(s, s.memory(8), DA_INT64, {}),
          matrix(s, x.data, type, {2, 2}),
          product(s, y.data, type, {2, 2}) {}
    std::vector<unsigned char> zeros = std::vector<unsigned char>(64, 0);
    da_dtype type;
    View x, y, truth, one, place, matrix, product;
};

void elementwise(Stream& s, Operands& o) {
    for (int id = DA_OP_NEG; id <= DA_OP_LOGICAL_OR; ++id) {
        const auto op = static_cast<da_op>(id);
        if (!takes(s.npu, op, o.type)) continue;
        const bool to_bool = op == DA_OP_ISNAN || op == DA_OP_EQUAL || op == DA_OP_LESS;
        std::vector<da_tensor> inputs{o.x.tensor()};
        if (id >= DA_OP_ADD) inputs.push_back(o.x.tensor());
        must(s, op, inputs, to_bool ? o.truth : o.y);
    }
    if (takes(s.npu, DA_OP_WHERE, o.type))
        must(s, DA_OP_WHERE, {o.truth.tensor(), o.x.tensor(), o.x.tensor()}, o.y);
}

void created(Stream& s, Operands& o) {
    if (takes(s.npu, DA_OP_COPY, o.type)) must(s, DA_OP_COPY, {o.x.tensor()}, o.y);
    if (takes(s.npu, DA_OP_FILL, o.type)) must(s, DA_OP_FILL, {}, o.y, {integer(0)});
    if (takes(s.npu, DA_OP_IOTA, o.type)) must(s, DA_OP_IOTA, {}, o.y, range(o.type));
    if (!takes(s.npu, DA_OP_CAST, o.type)) return;
    for (int to = 0; to <= DA_FLOAT64; ++to) {
        if (!(s.npu.op(DA_OP_CAST)->others & DA_DTYPE_BIT(to))) continue;
        View target(s, s.memory(64), static_cast<da_dtype>(to), {4});
        must(s, DA_OP_CAST, {o.x.tensor()}, target);
    }
}

void structured(Stream& s, Operands& o) {
    if (takes(s.npu, DA_OP_SUM, o.type)) must(s, DA_OP_SUM, {o.x.tensor()}, o.one, {integer(1)});
    if (takes(s.npu, DA_OP_MAX, o.type)) must(s, DA_OP_MAX, {o.x.tensor()}, o.one, {integer(1)});
    if (takes(s.npu, DA_OP_ARGMAX, o.type))
        must(s, DA_OP_ARGMAX, {o.x.tensor()}, o.place, {integer(0)});
    if (takes(s.npu, DA_OP_MATMUL, o.type))
        must(s, DA_OP_MATMUL, {o.matrix.tensor(), o.matrix.tensor()}, o.product);
    for (const da_dtype index_type : {DA_INT32, DA_INT64}) {
        View index(s, s.upload(o.zeros), index_type, {4});
        if (takes(s.npu, DA_OP_TAKE_ALONG_AXIS, o.type))
            must(s, DA_OP_TAKE_ALONG_AXIS, {o.x.tensor(), index.tensor()}, o.y, {integer(0)});
        for (const da_op op : {DA_OP_INDEX_ACCUMULATE, DA_OP_PUT_ALONG_AXIS})
            if (takes(s.npu, op, o.type))
                must(s, op, {o.x.tensor(), index.tensor(), o.x.tensor()}, o.y, {integer(0)});
    }
}

const std::vector<std::int64_t> line = {4}, scalar = {}, half = {2}, row = {1, 1, 4},
                                tap = {1, 1, 1};
using Shapes = std::vector<std::vector<std::int64_t>>;

// Ops from the 34th on that are not elementwise without attributes.
struct Row {
    da_op op;
    Shapes inputs; // of the key type; of two that need indices the second is
    std::vector<std::int64_t> output;
    int result; // -1: the key type
    std::vector<da_value> attributes;
};

const da_value zero = integer(0), one = integer(1), quarter = real(0.25);
const std::vector<Row> rows = {
    {DA_OP_MIN, {line}, scalar, -1, {one}},
    {DA_OP_PROD, {line}, scalar, -1, {one}},
    {DA_OP_ANY, {line}, scalar, DA_BOOL, {one}},
    {DA_OP_ALL, {line}, scalar, DA_BOOL, {one}},
    {DA_OP_ARGMIN, {line}, scalar, DA_INT64, {zero}},
    {DA_OP_CUMSUM, {line}, line, -1, {zero}},
    {DA_OP_CUMPROD, {line}, line, -1, {zero}},
    {DA_OP_SORT, {line}, line, -1, {zero, one}},
    {DA_OP_ARGSORT, {line}, line, DA_INT64, {zero, zero}},
    {DA_OP_TOPK, {line}, half, DA_INT64, {zero, one}},
    {DA_OP_SEARCHSORTED, {line, half}, half, DA_INT64, {one}},
    {DA_OP_CONVOLUTION, {row, tap}, row, -1, {one, one, one, zero, zero, zero, one, one, one, one}},
    {DA_OP_MAX_POOL,
     {row},
     row,
     -1,
     {one, one, one, one, one, one, zero, zero, zero, one, one, one}},
    {DA_OP_AVG_POOL, {row}, row, -1, {one, one, one, one, one, one, zero, zero, zero, zero}},
    {DA_OP_SOFTMAX, {line}, line, -1, {zero}},
    {DA_OP_LOG_SOFTMAX, {line}, line, -1, {zero}},
    {DA_OP_LAYER_NORM, {line, line, line}, line, -1, {quarter}},
    {DA_OP_RMS_NORM, {line, line}, line, -1, {quarter}},
    {DA_OP_SOFTPLUS, {line}, line, -1, {quarter, quarter}},
    {DA_OP_LEAKY_RELU, {line}, line, -1, {quarter}},
    {DA_OP_ELU, {line}, line, -1, {quarter}},
};

bool gives_bool(int op) {
    return op == DA_OP_ISFINITE || op == DA_OP_ISINF || op == DA_OP_SIGNBIT ||
           op == DA_OP_NOT_EQUAL || op == DA_OP_LESS_EQUAL;
}

// The row of an op; elementwise ones have none of their own.
Row row_of(da_op op) {
    for (const Row& r : rows)
        if (r.op == op) return r;
    const bool binary = op >= DA_OP_FLOOR_DIVIDE && op <= DA_OP_LESS_EQUAL;
    return {
        op, binary ? Shapes{line, line} : Shapes{line}, line, gives_bool(op) ? DA_BOOL : -1, {}};
}

void later_ops(Stream& s, Operands& o) {
    for (int id = DA_OP_EXPM1; id <= DA_OP_COUNT; ++id) {
        const auto op = static_cast<da_op>(id);
        if (!takes(s.npu, op, o.type) || op == DA_OP_PUT_ALONG_AXIS) continue;
        const Row r = row_of(op);
        std::vector<View> inputs;
        for (const auto& shape : r.inputs) inputs.emplace_back(s, o.x.data, o.type, shape);
        std::vector<da_tensor> tensors;
        for (const View& view : inputs) tensors.push_back(view.tensor());
        const auto result = r.result < 0 ? o.type : static_cast<da_dtype>(r.result);
        const View out(s, o.y.data, result, r.output);
        const auto before = control()->launch_count(DAS_KERNEL);
        must(s, op, tensors, out, r.attributes);
        s.wait();
        EQUAL(control()->launch_count(DAS_KERNEL), before + 1); // also where phase 1 ran twice
    }
}

void claims_hold(const char* chip) {
    setenv("DEVICE_API_SIM_NPU_CHIP", chip, 1);
    Npu npu;
    Stream s(npu);
    for (int dtype = 0; dtype <= DA_FLOAT64; ++dtype) {
        Operands operands(s, static_cast<da_dtype>(dtype));
        elementwise(s, operands);
        created(s, operands);
        structured(s, operands);
        later_ops(s, operands);
        s.wait();
    }
    EQUAL(control()->misuse_count(), 0u);
}

} // namespace

TEST(claims_910b3) {
    claims_hold("Ascend910B3");
}
TEST(claims_910_9391) {
    claims_hold("Ascend910_9391");
}
TEST(claims_910a) {
    claims_hold("Ascend910A");
}
TEST(claims_310p3) {
    claims_hold("Ascend310P3");
}
