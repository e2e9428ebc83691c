// SPDX-License-Identifier: Apache-2.0
// Elementwise ops: which variant of elementwise.inc a call needs, and its launch.
#include "elementwise.hpp"

#include <algorithm>
#include <cstring>

#include "shapes.hpp"

namespace device_api::simt {
namespace {

constexpr unsigned threads = 256;

// As in elementwise.inc.
struct Constants {
    std::uint64_t input[3][2];
    double number[2];
};

struct Types {
    unsigned arity;
    const char* in[3];
    const char* out;
    const char* wide; // null: as they are
    const char* function;
    const char* file;
    unsigned vector;
};

constexpr std::uint8_t attribute_counts[DA_OP_COUNT + 1] = {0,
#define COUNT(id, NAME, name, version, KIND, inputs, attributes, key, types, RESULT, others, core) \
    attributes,
                                                            DA_OPS(COUNT)
#undef COUNT
};
unsigned attributes_of(unsigned op) {
    return attribute_counts[op];
}

unsigned bytes_of(const da_tensor& t) {
    return dtype_row(t.dtype).bytes;
}

// How many elements fit into the 16 bytes that a thread moves at once.
unsigned vector_of(const Call& c) {
    unsigned largest = 1;
    for (unsigned i = 0; i <= c.call.n_inputs; ++i)
        largest = std::max(largest, bytes_of(c.call.tensors[i]));
    return 16 / largest;
}

bool is_complex(unsigned dtype) {
    return in(complex_types, dtype);
}

// Between real and complex types put() alone is not enough.
const char* cast_function(unsigned from, unsigned to) {
    if (is_complex(from) == is_complex(to)) return "op_cast";
    if (is_complex(to)) return to == DA_COMPLEX64 ? "op_to_cfloat" : "op_to_cdouble";
    return to == DA_BOOL ? "op_nonzero" : "op_real";
}

const char* scalar_function(unsigned op, unsigned dtype) {
    const bool floating = in(floating_types, dtype);
    if (op == DA_OP_RANDOM_BITS) return "op_random";
    if (op == DA_OP_IOTA) return floating ? "op_iota_float" : "op_iota_integer";
    if (is_complex(dtype)) return "op_fill_complex";
    return floating ? "op_fill_float" : "op_fill_integer";
}

Types types_for(const Call& c) {
    const OpRow& row = c.row;
    const unsigned key = c.call.tensors[c.call.n_inputs ? c.call.n_inputs - 1 : 0].dtype;
    Types t{};
    t.arity = c.call.n_inputs;
    t.file = row.file;
    t.function = row.function;
    t.out = dtype_row(c.output().dtype).stored;
    for (unsigned i = 0; i < 3; ++i)
        t.in[i] = dtype_row(i < t.arity ? c.input(i).dtype : key).stored;
    t.wide = dtype_row(key).wide;
    t.vector = vector_of(c);
    if (row.mode == moved) {
        t.wide = nullptr;
        for (unsigned i = 0; i < 3; ++i)
            if (i >= t.arity || c.input(i).dtype == key) t.in[i] = raw_name(dtype_row(key).bytes);
        t.out = raw_name(dtype_row(key).bytes);
    } else if (row.mode == as_they_are) {
        t.wide = nullptr;
    } else if (row.mode == in_double && key == DA_FLOAT32) {
        t.wide = "double";
    } else if (row.mode == converted) {
        t.function = cast_function(key, c.output().dtype);
    } else if (row.mode == made_of_scalar) {
        t.function = scalar_function(c.call.op, c.output().dtype);
    } else if (is_complex(key) && std::strcmp(row.file, "create.inc") != 0) {
        t.file = std::strstr(row.file, "math.inc") ? "complex.inc+complex_math.inc" : "complex.inc";
    }
    return t;
}

// "a.inc+b.inc": both.
std::vector<std::string> sources_of(const char* names) {
    std::vector<std::string> files;
    for (const char* at = names; *at;) {
        const char* end = std::strchr(at, '+');
        files.emplace_back(at, end ? static_cast<std::size_t>(end - at) : std::strlen(at));
        at = end ? end + 1 : at + files.back().size();
    }
    files.emplace_back("elementwise.inc");
    return files;
}

void describe(const Call& c, bool is_dense, Variant& v) {
    const Types t = types_for(c);
    v.files = sources_of(t.file);
    v.entry = is_dense ? "da_dense" : "da_strided";
    v.macros = {std::string(is_dense ? "DENSE" : "STRIDED") + "=1",
                "ARITY=" + std::to_string(t.arity), std::string("OP=") + t.function,
                std::string("OUT=") + t.out, "VECTOR=" + std::to_string(t.vector)};
    for (unsigned i = 0; i < 3; ++i) v.macros.push_back("IN" + std::to_string(i) + "=" + t.in[i]);
    if (t.wide) v.macros.push_back(std::string("WIDE=") + t.wide);
    if (attributes_of(c.call.op) && t.arity == 1) v.macros.push_back("ATTRIBUTES=1");
}

Key key_for(const Call& c, bool is_dense) {
    Key key(family_elementwise);
    key.add(c.call.op, 8).add(is_dense, 1).add(c.output().dtype, 4);
    for (unsigned i = 0; i < c.call.n_inputs; ++i) key.add(c.input(i).dtype, 4);
    return key;
}

Constants constants_of(const Call& c) {
    Constants k{};
    for (unsigned i = 0; i < c.call.n_inputs; ++i)
        if (c.input(i).flags & DA_TENSOR_IMMEDIATE)
            std::memcpy(k.input[i], c.input(i).data, bytes_of(c.input(i)));
    const unsigned n = attributes_of(c.call.op);
    if (n == 0) return k;
    const bool complex = is_complex(c.output().dtype);
    for (unsigned i = 0; i < n && i < 2; ++i) {
        k.number[i] = c.attribute(i).f;
        k.input[i][0] = c.attribute(i).u;
    }
    if (complex) k.number[1] = c.attribute(0).c[1];
    return k;
}

struct Operands {
    void* out;
    const void* in[3];
    std::uint32_t single; // bit i: input i is one value
};

bool aligned(const Operands& o, const Call& c, unsigned vector) {
    if (reinterpret_cast<std::uintptr_t>(o.out) % (vector * bytes_of(c.output()))) return false;
    for (unsigned i = 0; i < c.call.n_inputs; ++i) {
        if (o.single >> i & 1) continue;
        if (reinterpret_cast<std::uintptr_t>(o.in[i]) % (vector * bytes_of(c.input(i))))
            return false;
    }
    return true;
}

da_status launch(const Call& c, Operands& o, std::uint64_t count, Geometry* geometry) {
    const bool is_dense = geometry == nullptr;
    Handle function = nullptr;
    if (const da_status status = c.kernel(key_for(c, is_dense), &function,
                                          [&](Variant& v) { describe(c, is_dense, v); }))
        return status;
    Constants constants = constants_of(c);
    void* arguments[] = {&o.out,
                         &o.in[0],
                         &o.in[1],
                         &o.in[2],
                         &count,
                         &o.single,
                         &constants,
                         geometry ? &geometry->shape : nullptr,
                         geometry ? &geometry->view[0] : nullptr};
    const unsigned each = is_dense ? vector_of(c) : 1;
    const Grid grid{
        {blocks_for(c.device.chip, count, std::uint64_t(threads) * each, threads), 1, 1},
        threads,
        0};
    return c.launch(function, grid, arguments);
}

bool all_dense(const Call& c) {
    for (unsigned i = 0; i <= c.call.n_inputs; ++i)
        if (!(c.call.tensors[i].flags & (DA_TENSOR_CONTIGUOUS | DA_TENSOR_IMMEDIATE))) return false;
    return true;
}

// Dense but for inputs that are one value; those become single.
bool dense_after_merge(const Geometry& g, Operands& o) {
    if (g.shape.rank > 1) return false;
    if (g.shape.rank == 0) return true;
    if (g.view[0].stride[0] != 1) return false;
    std::uint32_t single = o.single;
    for (unsigned i = 1; i < g.views; ++i) {
        if (g.view[i].stride[0] == 0)
            single |= 1u << (i - 1);
        else if (g.view[i].stride[0] != 1)
            return false;
    }
    o.single = single;
    return true;
}

} // namespace

da_status run_elementwise(const Call& c) {
    const da_tensor& out = c.output();
    Operands o{out.data, {nullptr, nullptr, nullptr}, 0};
    for (unsigned i = 0; i < c.call.n_inputs; ++i) {
        if (c.input(i).flags & DA_TENSOR_IMMEDIATE)
            o.single |= 1u << i;
        else
            o.in[i] = c.input(i).data;
    }
    const unsigned vector = vector_of(c);
    if (all_dense(c) && aligned(o, c, vector)) return launch(c, o, count_of(out), nullptr);
    const std::int64_t* strides[most_views] = {out.strides};
    for (unsigned i = 0; i < c.call.n_inputs; ++i)
        strides[i + 1] = o.single >> i & 1 ? nullptr : c.input(i).strides;
    Geometry g = merge(out.shape, static_cast<unsigned>(out.rank), strides, c.call.n_inputs + 1);
    if (dense_after_merge(g, o) && aligned(o, c, vector)) return launch(c, o, g.count, nullptr);
    return launch(c, o, g.count, &g);
}

} // namespace device_api::simt
