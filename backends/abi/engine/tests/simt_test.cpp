// SPDX-License-Identifier: Apache-2.0
// Kernels compiled from source and run as grids: results, order, and what ends a launch.
#include <cmath>
#include <set>

#include "device_api/engine/simt.hpp"
#include "sim.hpp"

using namespace sim;
namespace simt = device_api::engine::simt;

namespace {

void fresh_reaching() {
    Vendor v;
    v.name = "test";
    v.device_name = "Test chip";
    v.alignment = 256;
    v.kernels_reach = true;
    vendor(v);
    fresh(2, 64u << 20);
}

simt::Compiled compiled(const std::string& text, std::vector<std::string> expressions = {},
                        int warp = 32, bool unmasked = false) {
    simt::Source s;
    s.text = text;
    s.name = "kernels.cu";
    s.expressions = std::move(expressions);
    s.warp = warp;
    s.unmasked = unmasked;
    simt::Compiled c = simt::compile(s);
    if (c.outcome != simt::Outcome::ok) std::printf("%s\n", c.log.c_str());
    return c;
}

simt::FunctionPtr function(const std::string& text, const std::string& name, int warp = 32,
                           bool unmasked = false) {
    const simt::Compiled c = compiled(text, {}, warp, unmasked);
    CHECK(c.outcome == simt::Outcome::ok);
    simt::ModulePtr m;
    CHECK(simt::load(c.image.data(), c.image.size(), &m) == Status::ok);
    simt::FunctionPtr f = m ? simt::find_function(m, name) : nullptr;
    CHECK(f);
    if (!f)
        for (const std::string& other : simt::function_names(*m))
            std::printf("has %s\n", other.c_str());
    return f;
}

template <class... T>
std::string pack(T... values) {
    std::string all;
    const auto one = [&all](const void* p, std::size_t bytes) {
        while (all.size() % bytes) all += '\0';
        all.append(static_cast<const char*>(p), bytes);
    };
    (one(&values, sizeof values), ...);
    return all;
}

struct Ran {
    Status status;
    simt::Fault fault;
    std::string text;
};
Ran run(const simt::FunctionPtr& f, simt::Dim grid, simt::Dim block, const std::string& params,
        std::uint64_t seed = 7, std::size_t dynamic = 0, int device = 0) {
    Ran r{};
    r.status = simt::run(*f, {grid, block, dynamic}, params, device, seed, &r.fault);
    if (r.status != Status::ok) r.text = last_message();
    return r;
}

template <class T>
DevicePtr put(const std::vector<T>& v, int device = 0) {
    const DevicePtr p = allocate(v.size() * sizeof(T), device);
    CHECK(copy(pointer(p), v.data(), v.size() * sizeof(T)) == Status::ok);
    return p;
}
template <class T>
std::vector<T> get(DevicePtr p, std::size_t n) {
    std::vector<T> v(n);
    CHECK(copy(v.data(), pointer(p), n * sizeof(T)) == Status::ok);
    return v;
}

bool has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return true;
    std::printf("no \"%s\" in: %s\n", part.c_str(), text.c_str());
    return false;
}

} // namespace

TEST(adds_vectors) {
    fresh_reaching();
    const auto f =
        function("extern \"C\" __global__ void add(const float* a, const float* b, float* c, "
                 "int n) {\n int i = blockIdx.x * blockDim.x + threadIdx.x;\n if (i < n) "
                 "c[i] = a[i] + b[i];\n}\n",
                 "add");
    const int n = 1000;
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = float(i), b[i] = 0.5f * float(i);
    const DevicePtr pa = put(a), pb = put(b), pc = allocate(n * 4);
    CHECK(f->params.size() == 4 && f->params[3].offset == 24 && f->param_bytes == 28);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CHECK(run(f, {8}, {128}, pack(pa, pb, pc, n), seed).status == Status::ok);
        const auto c = get<float>(pc, n);
        for (int i = 0; i < n; ++i) CHECK(c[i] == 1.5f * float(i));
    }
}

TEST(three_dimensions) {
    fresh_reaching();
    const auto f = function(
        "__global__ void where(int* out) {\n"
        "  unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n"
        "  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
        "  out[b * blockDim.x * blockDim.y * blockDim.z + t] += int(b * 1000 + t);\n}\n",
        "_Z5wherePi");
    const int blocks = 3 * 2 * 2, threads = 5 * 3 * 2;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const DevicePtr p = put(std::vector<int>(blocks * threads, 0));
        CHECK(run(f, {3, 2, 2}, {5, 3, 2}, pack(p), seed).status == Status::ok);
        const auto out = get<int>(p, blocks * threads);
        for (int i = 0; i < blocks * threads; ++i)
            CHECK(out[i] == i / threads * 1000 + i % threads);
    }
}

static const char* const reduction =
    "template <class T, int N> __global__ void total(const T* in, T* out, int n) {\n"
    "  __shared__ T part[N];\n"
    "  T sum = 0;\n"
    "  for (int i = blockIdx.x * N + threadIdx.x; i < n; i += N * gridDim.x) sum += in[i];\n"
    "  part[threadIdx.x] = sum;\n"
    "  __syncthreads();\n"
    "  for (int k = N / 2; k > 0; k /= 2) {\n"
    "    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];\n"
    "    BARRIER\n"
    "  }\n"
    "  if (threadIdx.x == 0) out[blockIdx.x] = part[0];\n}\n";

TEST(reduces_with_barriers_and_misses_a_missing_one) {
    fresh_reaching();
    const int n = 5000;
    std::vector<int> in(n);
    long want = 0;
    for (int i = 0; i < n; ++i) want += in[i] = i % 97;
    for (const bool right : {true, false}) {
        const std::string head = right ? "#define BARRIER __syncthreads();\n" : "#define BARRIER\n";
        const simt::Compiled c =
            compiled(head + reduction, {"total<int, 128>", "&total<long long,64>"});
        CHECK(c.outcome == simt::Outcome::ok);
        CHECK(c.lowered.at("total<int, 128>") == "_Z5totalIiLi128EEvPKT_PS0_i");
        simt::ModulePtr m;
        CHECK(simt::load(c.image.data(), c.image.size(), &m) == Status::ok);
        CHECK(simt::function_names(*m).size() == 2);
        const auto f = simt::find_function(m, "_Z5totalIiLi128EEvPKT_PS0_i");
        CHECK(f && f->static_shared == 512);
        int wrong = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const DevicePtr pin = put(in), pout = allocate(4 * 4);
            CHECK(run(f, {4}, {128}, pack(pin, pout, n), seed).status == Status::ok);
            const auto out = get<int>(pout, 4);
            wrong += long(out[0]) + out[1] + out[2] + out[3] != want;
        }
        CHECK(right ? wrong == 0 : wrong == 20);
    }
}

TEST(shuffles_of_both_widths) {
    fresh_reaching();
    for (const int warp : {32, 64}) {
        const bool hip = warp == 64;
        const std::string shuffle = hip ? "__shfl_xor(" : "__shfl_xor_sync(0xffffffffu, ";
        const auto f = function("__global__ void sum(int* x) {\n  int v = x[threadIdx.x];\n"
                                "  for (int k = warpSize / 2; k; k /= 2) v += " +
                                    shuffle + "v, k);\n  x[threadIdx.x] = v;\n}\n",
                                "_Z3sumPi", warp, hip);
        std::vector<int> in(128);
        for (int i = 0; i < 128; ++i) in[i] = i;
        const DevicePtr p = put(in);
        CHECK(run(f, {1}, {128}, pack(p)).status == Status::ok);
        const auto out = get<int>(p, 128);
        for (int i = 0; i < 128; ++i) {
            int want = 0;
            for (int k = 0; k < warp; ++k) want += i / warp * warp + k;
            CHECK(out[i] == want);
        }
    }
}

TEST(warp_operations) {
    fresh_reaching();
    const auto f = function(
        "__global__ void ops(unsigned* out) {\n  unsigned t = threadIdx.x, m = 0xffffffffu;\n"
        "  out[t] = __ballot_sync(m, t % 3 == 0);\n"
        "  out[32 + t] = __shfl_up_sync(m, t, 5);\n"
        "  out[64 + t] = __shfl_down_sync(m, t, 3, 8);\n"
        "  out[96 + t] = __reduce_max_sync(m, t * 7 % 32);\n"
        "  out[128 + t] = __any_sync(m, t == 31) + 2 * __all_sync(m, t < 31);\n"
        "  out[160 + t] = t < 16 ? __shfl_sync(0xffffu, t, 3) : 99;\n"
        "  out[192 + t] = __match_any_sync(m, t / 4);\n"
        "  out[224 + t] = __syncthreads_count(t % 2);\n}\n",
        "_Z3opsPj");
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const DevicePtr p = allocate(256 * 4);
        const Ran ran = run(f, {1}, {32}, pack(p), seed);
        CHECK(ran.status == Status::ok);
        const auto out = get<unsigned>(p, 256);
        for (unsigned t = 0; t < 32; ++t) {
            CHECK(out[t] == 0x49249249u);
            CHECK(out[32 + t] == (t < 5 ? t : t - 5));
            CHECK(out[64 + t] == (t % 8 < 5 ? t + 3 : t));
            CHECK(out[96 + t] == 31);
            CHECK(out[128 + t] == 1);
            CHECK(out[160 + t] == (t < 16 ? 3 : 99));
            CHECK(out[192 + t] == 0xfu << t / 4 * 4);
            CHECK(out[224 + t] == 16);
        }
    }
}

TEST(divergence_is_an_error) {
    fresh_reaching();
    const DevicePtr p = put(std::vector<int>(64, 1));
    const auto early = function("__global__ void early(int* x) {\n  if (threadIdx.x > 40) return;\n"
                                "  __syncthreads();\n  x[threadIdx.x] = 2;\n}\n",
                                "_Z5earlyPi");
    Ran r = run(early, {1}, {64}, pack(p));
    CHECK(r.status == Status::kernel_fault && r.fault == simt::Fault::divergence);
    CHECK(has(r.text, "line 3") && has(r.text, "23 of 64 threads"));
    const auto two =
        function("__global__ void two(int* x) {\n  if (threadIdx.x & 1)\n"
                 "    __syncthreads();\n  else\n    __syncthreads();\n  x[0] = 2;\n}\n",
                 "_Z3twoPi");
    r = run(two, {1}, {64}, pack(p));
    CHECK(r.fault == simt::Fault::divergence && has(r.text, "line 3") && has(r.text, "line 5"));
    const auto warp = function("__global__ void half(int* x) {\n  if (threadIdx.x < 7)\n"
                               "    x[threadIdx.x] = __shfl_sync(0xffffffffu, x[0], 0);\n"
                               "  else __syncthreads();\n}\n",
                               "_Z4halfPi");
    r = run(warp, {1}, {64}, pack(p));
    CHECK(r.fault == simt::Fault::divergence && has(r.text, "warp operation in line 3"));
    CHECK(run(early, {1}, {32}, pack(p)).status == Status::ok); // the engine goes on
}

TEST(bad_accesses_end_the_launch) {
    fresh_reaching();
    const auto f = function("__global__ void put(int* x, long at) {\n"
                            "  if (threadIdx.x == 3) x[at] = 1;\n  __syncthreads();\n}\n",
                            "_Z3putPil");
    const DevicePtr p = put(std::vector<int>(128, 0));
    CHECK(run(f, {1}, {32}, pack(p, 127l)).status == Status::ok);
    for (const long at : {128l, -2000l, -(1l << 38)}) {
        const Ran r = run(f, {1}, {32}, pack(p, at));
        CHECK(r.status == Status::invalid_address && r.fault == simt::Fault::illegal_address);
        CHECK(has(r.text, "a write at 0x"));
    }
    const Ran nowhere = run(f, {1}, {32}, pack(std::uint64_t{0xfff1fff1fff1fff1}, 0l));
    CHECK(nowhere.fault == simt::Fault::illegal_address && has(nowhere.text, "no memory can have"));
    const auto wide = function(
        "__global__ void wide(float4* x) { *x = make_float4(1, 2, 3, 4); }\n", "_Z4wideP6float4");
    CHECK(run(wide, {1}, {1}, pack(p)).status == Status::ok);
    CHECK(run(wide, {1}, {1}, pack(p + 4)).fault == simt::Fault::misaligned_address);
    CHECK(mem_free(p) == Status::ok);
    const Ran freed = run(f, {1}, {32}, pack(p, 0l));
    CHECK(freed.fault == simt::Fault::illegal_address && has(freed.text, "freed"));
    const DevicePtr other = put(std::vector<int>(128, 0), 1); // of a device that is no peer
    CHECK(run(f, {1}, {32}, pack(other, 0l)).fault == simt::Fault::illegal_address);
    CHECK(peer_enable(0, 1) == Status::ok);
    CHECK(run(f, {1}, {32}, pack(other, 0l)).status == Status::ok);
}

TEST(traps_and_arithmetic) {
    fresh_reaching();
    const auto f = function("__global__ void bad(int* x, int kind) {\n"
                            "  assert(kind != 1);\n  if (kind == 2) __trap();\n"
                            "  if (kind == 3) x[0] = x[1] / x[2];\n"
                            "  if (kind == 4) x[0] = __double2int_rz(1e300);\n}\n",
                            "_Z3badPii");
    const DevicePtr p = put(std::vector<int>{1, 5, 0});
    Ran r = run(f, {1}, {1}, pack(p, 1));
    CHECK(r.fault == simt::Fault::assertion &&
          has(r.text, "Assertion `kind != 1` failed in line 2"));
    CHECK(run(f, {1}, {1}, pack(p, 2)).fault == simt::Fault::trap);
    CHECK(run(f, {1}, {1}, pack(p, 3)).fault == simt::Fault::arithmetic);
    CHECK(run(f, {1}, {1}, pack(p, 4)).status == Status::ok && get<int>(p, 1)[0] == 2147483647);
}

TEST(shared_memory_is_poisoned_and_bounded) {
    fresh_reaching();
    const auto f = function("extern __shared__ float outer[];\n"
                            "__global__ void see(float* x, int n, int at) {\n"
                            "  extern __shared__ __align__(16) float s[];\n  __shared__ int word;\n"
                            "  x[0] = s[0]; x[1] = outer[1]; x[2] = word;\n  word = 1;\n"
                            "  if (at) s[at] = 1;\n}\n",
                            "_Z3seePfii");
    CHECK(f->static_shared == 4);
    const DevicePtr p = allocate(12);
    CHECK(run(f, {3}, {1}, pack(p, 0, 0), 1, 64).status == Status::ok);
    const auto x = get<float>(p, 3);
    CHECK(std::isnan(x[0]) && std::isnan(x[1]) && x[2] != 0 && x[2] != 1);
    CHECK(run(f, {3}, {1}, pack(p, 0, 16), 1, 64).fault == simt::Fault::illegal_address);
}

TEST(atomics_count) {
    fresh_reaching();
    const auto f =
        function("__global__ void count(int* n, float* s, unsigned* m) {\n"
                 "  atomicAdd(n, 1);\n  atomicAdd(s, 0.5f);\n  atomicMax(m, threadIdx.x);\n}\n",
                 "_Z5countPiPfPj");
    const DevicePtr n = put(std::vector<int>{0}), s = put(std::vector<float>{0}),
                    m = put(std::vector<unsigned>{0});
    CHECK(run(f, {10}, {100}, pack(n, s, m)).status == Status::ok);
    CHECK(get<int>(n, 1)[0] == 1000 && get<float>(s, 1)[0] == 500.0f &&
          get<unsigned>(m, 1)[0] == 99);
}

TEST(tells_mistakes_by_line) {
    simt::Source s;
    s.name = "mine.cu";
    s.text = "__global__ void f(int* x) {\n  int y = 3;\n  x[0] = z;\n}\n";
    simt::Compiled c = simt::compile(s);
    CHECK(c.outcome == simt::Outcome::errors && has(c.log, "mine.cu(3): error: ") &&
          has(c.log, "1 error detected in the compilation of \"mine.cu\""));
    s.text = "#include <stdint.h>\n";
    c = simt::compile(s);
    CHECK(has(c.log, "mine.cu(1): catastrophic error: cannot open source file \"stdint.h\""));
    s.text = "__global__\nvoid\n__launch_bounds__(64,\n 2)\nf(int* x) {\n extern\n __shared__\n "
             "float q[]; x[0] = q; }\n";
    c = simt::compile(s);
    CHECK(has(c.log, "mine.cu(8): error: "));
    s.text = "template <class T> __global__ void g(T* x) {}\n";
    s.expressions = {"g<float>", "h<int>"};
    c = simt::compile(s);
    CHECK(c.outcome == simt::Outcome::errors && has(c.log, "name expression \"h<int>\""));
}

TEST(headers_and_spaces) {
    simt::Source s;
    s.headers = {{"lib/scale.h", "#define SCALE 3\n"}};
    s.definitions = {"MORE=4"};
    s.text =
        "#include \"lib/scale.h\"\nnamespace one { namespace { int helper(int x) { return x; } }\n"
        "inline namespace two { struct S { int v; float w; };\n"
        "__global__ void __launch_bounds__(64) k(S s, int* x) { *x = helper(s.v) * SCALE * MORE; "
        "}\n"
        "} }\nstatic __global__ void local() {}\nextern \"C\" { __global__ void plain(); }\n"
        "__global__ void plain() {}\n";
    const simt::Compiled c = simt::compile(s);
    if (c.outcome != simt::Outcome::ok) std::printf("%s", c.log.c_str());
    simt::ModulePtr m;
    CHECK(simt::load(c.image.data(), c.image.size(), &m) == Status::ok);
    const auto names = simt::function_names(*m);
    CHECK(std::set<std::string>(names.begin(), names.end()) ==
          (std::set<std::string>{"_ZN3one3two1kENS0_1SEPi", "_Z5localv", "plain"}));
    const auto k = simt::find_function(m, "_ZN3one3two1kENS0_1SEPi");
    CHECK(k && k->max_threads == 64 && k->params[0].size == 8 && k->params[1].offset == 8);
    fresh_reaching();
    const DevicePtr p = allocate(4);
    CHECK(run(k, {1}, {1}, pack(5, 1.0f, p)).status == Status::ok && get<int>(p, 1)[0] == 60);
}

TEST(refuses_what_is_no_image) {
    simt::ModulePtr m;
    const std::string text = "// PTX\n.version 8.0\n";
    CHECK(simt::load(text.data(), text.size(), &m) == Status::invalid_value);
    simt::Source s;
    s.text = "__global__ void k() {}\n";
    std::string image = simt::compile(s).image;
    CHECK(simt::image_size(image.data(), image.size() + 100) == image.size());
    CHECK(simt::image_size(image.data(), image.size() - 1) == 0);
    image.resize(image.size() / 2);
    CHECK(simt::load(image.data(), image.size(), &m) == Status::invalid_value);
}

int main(int argc, char** argv) {
    return check::main(argc, argv);
}
