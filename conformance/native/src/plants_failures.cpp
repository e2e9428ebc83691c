// SPDX-License-Identifier: Apache-2.0
// Defects of failures, of what is declared, and of speed.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "rows.hpp"

namespace device_api::planted {

namespace {

bool failed = false; // of a call before

da_status nothing(Call&) {
    return DA_OK;
}

template <da_status Status>
da_status refuses(Call&) {
    return Status;
}

template <int Milliseconds>
da_status slow(Call&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(Milliseconds));
    return go_on;
}

da_status aborts(Call&) {
    std::abort();
}

/// The last index of an axis is taken for one outside, and clamped to the one before.
void clamps_early(Work& w) {
    const auto& x = w.inputs[0].shape();
    const auto axis = static_cast<std::size_t>(w.call->attributes[0].i);
    if (axis >= x.size() || x[axis] < 2) return;
    std::size_t inner = 1;
    for (std::size_t d = axis + 1; d < x.size(); ++d) inner *= static_cast<std::size_t>(x[d]);
    const auto n = static_cast<std::size_t>(x[axis]);
    const auto lines = static_cast<std::size_t>(w.output.shape()[axis]) * inner;
    for (std::size_t i = 0; i < w.output.count(); ++i) {
        if (w.inputs[1].get(i) != static_cast<double>(n - 1)) continue;
        const std::size_t from = (i / lines * n + n - 2) * inner + i % inner;
        std::memcpy(w.output.at(i), w.inputs[0].at(from), w.output.size());
    }
}

da_status full(dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
    return inner().alloc(s, d, n, p);
}

const Plant rows[] = {
    instead("N-launch-silent", "a launch that fails says that it went well", "F03", On().each(7),
            nothing),
    instead("N-launch-fails", "every hundredth launch fails", "F01", On().each(100),
            refuses<DA_INTERNAL>),
    instead("N-launch-lost", "a lost device is reported for a call that went well", "F01",
            On("exp").each(3), refuses<DA_DEVICE_LOST>),
    instead("N-memory-short", "an op says that memory is short", "F05", On("matmul").each(3),
            refuses<DA_OUT_OF_MEMORY>),
    instead("F-refuses-declared", "an op that is declared is refused", "", On("tanh", f32),
            refuses<DA_NOT_SUPPORTED>),
    instead("F-refuses-size", "an op is refused from a size on", "P01", On("mul", f32).from(200),
            refuses<DA_NOT_SUPPORTED>),
    instead("F-refuses-views", "an op is refused for views, silently", "P01", On("exp add").views(),
            refuses<DA_NOT_SUPPORTED>),
    instead("F-refuses-index", "an op with a scalar runs on the host", "P01",
            On("take_along_axis index_accumulate"), refuses<DA_NOT_SUPPORTED>),
    instead("N-invalid-for-valid", "a valid call is said to be invalid", "F07",
            On("convolution").each(2), refuses<DA_INVALID_ARGUMENT>),
    instead("N-abort-conv", "an assertion ends the process", "F07", On("convolution"), aborts),
    instead("L-abort-matmul", "a product of views ends the process", "X21", On("matmul").views(),
            aborts),
    instead("X-empty-inner", "a product with a size of 1 is not written", "X20",
            On("matmul").upto(1), nothing),
    instead("X-hang-index", "taking by index hangs", "F15", On("take_along_axis").from(64),
            slow<600'000>),
    result("N-index-clamped", "the last index is taken for one outside, and clamped", "F04",
           On("take_along_axis"), clamps_early),
    member("F-error-sticks", "after one failure the next wait fails too", "F01",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   const da_status status = full(s, d, n, p);
                   if (status != DA_OK) failed = true;
                   return status;
               };
               t.stream_synchronize = [](dab_instance* s, dab_stream q, std::int32_t ms) {
                   const da_status status = inner().stream_synchronize(s, q, ms);
                   if (!failed) return status;
                   failed = false;
                   return struck(), DA_INTERNAL;
               };
           }),
    member("M-oom-swallowed", "memory that is not there is given out", "F05",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   const da_status status = full(s, d, n, p);
                   if (status != DA_OUT_OF_MEMORY) return status;
                   return struck(), full(s, d, 65'536, p);
               };
           }),
    member("M-oom-wrong-status", "a lack of memory is an inner error", "F05",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   const da_status status = full(s, d, n, p);
                   if (status != DA_OUT_OF_MEMORY) return status;
                   return struck(), DA_INTERNAL;
               };
           }),
    member("M-oom-aborts", "a lack of memory ends the process", "F06",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   const da_status status = full(s, d, n, p);
                   if (status == DA_OUT_OF_MEMORY) std::abort();
                   return status;
               };
           }),
    member("M-oom-leaks", "after a lack of memory all calls lack memory", "F05",
           [](dab_backend& t) {
               t.alloc = [](dab_instance* s, std::int32_t d, std::uint64_t n, void** p) {
                   static bool short_of = false;
                   if (short_of) return struck(), DA_OUT_OF_MEMORY;
                   const da_status status = full(s, d, n, p);
                   short_of = status == DA_OUT_OF_MEMORY;
                   return status;
               };
           }),
    instead("F-declares-all-types", "an op declares types that it refuses", "E22",
            On("exp log sqrt tanh", half), refuses<DA_NOT_SUPPORTED>),
    claim("R-declares-no-core", "core ops are missing", "", On("add"),
          [](dab_op& op) { op.dtypes = 0; }),
    claim("F-declares-casts", "conversions are declared for some types only", "", On("cast"),
          [](dab_op& op) { op.others &= f32 | f64; }),
    instead("P-half-slow", "the way of 16-bit floats is slow", "P02", On("matmul", half), slow<30>),
    instead("P-launch-slow", "every launch takes milliseconds", "", On(), slow<3>),
    instead("P-matmul-slow", "a product of matrices is slow", "", On("matmul"), slow<50>),
};

} // namespace

Table failures() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
