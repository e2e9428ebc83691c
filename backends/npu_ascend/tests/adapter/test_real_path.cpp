// SPDX-License-Identifier: Apache-2.0
// The way to real libraries, with the simulated CANN in the costume of a real one: where they are
// searched, and what is refused there because it is unconfirmed.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

// A toolkit's folder to look in; false where this machine has a CANN of its own.
bool costume(const char* name) {
    for (const char* path : {"/usr/local/Ascend/cann/lib64/libascendcl.so",
                             "/usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so"})
        if (FILE* f = std::fopen(path, "rb")) return std::fclose(f), false;
    setenv("NPU_TEST_SIMULATOR", paths().simulator.c_str(), 1);
    setenv("ASCEND_HOME_PATH", (paths().strange + "/" + name).c_str(), 1);
    return true;
}

struct Work {
    explicit Work(Stream& stream)
        : s(stream),
          x(s, s.upload(std::vector<float>{1, 2, 3, 4}), DA_FLOAT32, {4}),
          y(s, s.memory(16), DA_FLOAT32, {4}),
          odd(s, s.memory(32), DA_FLOAT32, {4}, {2}) {}
    Stream& s;
    View x, y, odd;
};

bool takes_integers(Npu& npu, da_op op) {
    return (npu.op(op)->dtypes & DA_DTYPE_BIT(DA_INT32)) != 0;
}

bool takes_floats(Npu& npu, da_op op) {
    return (npu.op(op)->dtypes & DA_DTYPE_BIT(DA_FLOAT32)) != 0;
}

// What rests on unconfirmed facts in all types.
constexpr da_op unsure[] = {DA_OP_FLOOR_DIVIDE, DA_OP_SHIFT_LEFT, DA_OP_SHIFT_RIGHT, DA_OP_TOPK,
                            DA_OP_PUT_ALONG_AXIS};

} // namespace

TEST(found_by_home_path) {
    if (!costume("costume")) return;
    Npu npu(Npu::real);
    Stream s(npu);
    Work w(s);
    must(s, DA_OP_NEG, {w.x.tensor()}, w.y);
    CHECK(s.download<float>(w.y.data, 4) == (std::vector<float>{-1, -2, -3, -4}));
    dab_properties p{};
    p.size = sizeof p;
    EQUAL(npu->device_properties(npu, 0, &p), DA_OK);
    CHECK(p.flags & DAB_DEVICE_SIMULATED); // the version of CANN gives it away
}

TEST(unconfirmed_is_refused) {
    if (!costume("costume")) return;
    unsetenv("DEVICE_API_UNCONFIRMED");
    Npu npu(Npu::real);
    Stream s(npu);
    Work w(s);
    EQUAL(run(s, DA_OP_NEG, {w.x.tensor()}, w.odd), DA_NOT_SUPPORTED);
    const std::string words = last_words();
    CHECK(words.find("STRIDED_OUTPUT_EVERY_OP") != std::string::npos);
    CHECK(words.find("DEVICE_API_UNCONFIRMED=1") != std::string::npos);
    must(s, DA_OP_COPY, {w.x.tensor()}, w.odd); // the strided copy is documented
    must(s, DA_OP_NEG, {w.odd.tensor()}, w.y);  // and so are strided inputs
    CHECK(s.download<float>(w.y.data, 4) == (std::vector<float>{-1, -2, -3, -4}));
    View back(s, static_cast<float*>(w.x.data) + 3, DA_FLOAT32, {4}, {-1});
    must(s, DA_OP_COPY, {back.tensor()}, w.y); // aclnnFlip
    EQUAL(run(s, DA_OP_COPY, {back.tensor()}, w.odd), DA_NOT_SUPPORTED);
    CHECK(!takes_integers(npu, DA_OP_POW) && takes_integers(npu, DA_OP_ADD));
    for (const da_op op : unsure) CHECK(!npu.op(op));
    for (const da_op op : {DA_OP_SORT, DA_OP_ARGSORT})
        CHECK(takes_integers(npu, op) && !takes_floats(npu, op));
    View x(s, s.upload(std::vector<std::int32_t>{3, 1, 2, 1}), DA_INT32, {4});
    View places(s, s.memory(32), DA_INT64, {4});
    must(s, DA_OP_ARGSORT, {x.tensor()}, places, {integer(0), integer(0)});
    CHECK(s.download<std::int64_t>(places.data, 4) == (std::vector<std::int64_t>{1, 3, 2, 0}));
}

TEST(unconfirmed_on_demand) {
    if (!costume("costume")) return;
    setenv("DEVICE_API_UNCONFIRMED", "1", 1);
    Npu npu(Npu::real);
    Stream s(npu);
    Work w(s);
    must(s, DA_OP_NEG, {w.x.tensor()}, w.odd);
    CHECK(takes_integers(npu, DA_OP_POW) && takes_floats(npu, DA_OP_SORT));
    for (const da_op op : unsure) CHECK(npu.op(op));
}

TEST(operators_missing) {
    if (!costume("bare")) return;
    Npu npu(Npu::real);
    const dab_op* ops = nullptr;
    std::uint32_t count = 0, stride = 0;
    EQUAL(npu->op_table(npu, 0, &ops, &count, &stride), DA_NO_DRIVER);
    CHECK(last_words().find("libopapi") != std::string::npos);
    Stream s(npu); // the rest works
    CHECK(s.download<float>(s.upload(std::vector<float>{5}), 1)[0] == 5);
}
