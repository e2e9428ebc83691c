// SPDX-License-Identifier: Apache-2.0
// Cumulative sums and products along an axis, in the order of the axis.
//
// Float32 is accumulated in float64, 16-bit floats by way of float32 copies. AxisLines that lie
// side by side go together, a tile at a time.
#include <algorithm>
#include <complex>

#include "ops/map.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"
#include "pool.hpp"

namespace device_api::cpu {
namespace {

constexpr int64_t kTile = 256; // lines side by side

using Number = std::complex<double>;

template <class T>
struct AccumulatorOf {
    using type = T;
};
template <>
struct AccumulatorOf<float> {
    using type = double;
};
template <>
struct AccumulatorOf<std::complex<float>> {
    using type = Number;
};

struct Plus {
    template <class A>
    static A of(A a, A x) {
        return A(a + x);
    }
};
struct Times {
    template <class A>
    static A of(A a, A x) {
        return A(a * 1u * x);
    }
    static Number of(Number a, Number x) {
        return {a.real() * x.real() - a.imag() * x.imag(),
                a.real() * x.imag() + a.imag() * x.real()};
    }
};

template <class T, class A>
T narrow(A a) {
    return T(a);
}
template <>
std::complex<float> narrow(Number a) {
    return {float(a.real()), float(a.imag())};
}

template <class F, class T>
void one_line(const AxisLines& lines, const T* x, T* y) {
    using A = typename AccumulatorOf<T>::type;
    A acc = A(x[0]);
    y[0] = x[0];
    for (int64_t i = 1; i < lines.length; ++i) {
        acc = F::of(acc, A(x[i * lines.in_step]));
        y[i * lines.out_step] = narrow<T, A>(acc);
    }
}

template <class F, class T>
void tile(const AxisLines& lines, const T* x, T* y, int64_t columns, int64_t x_stride,
          int64_t y_stride) {
    using A = typename AccumulatorOf<T>::type;
    A acc[kTile];
    for (int64_t c = 0; c < columns; ++c) {
        acc[c] = A(x[c * x_stride]);
        y[c * y_stride] = x[c * x_stride];
    }
    for (int64_t i = 1; i < lines.length; ++i) {
        x += lines.in_step, y += lines.out_step;
        if (x_stride == 1 && y_stride == 1) {
#pragma GCC ivdep
            for (int64_t c = 0; c < columns; ++c) {
                acc[c] = F::of(acc[c], A(x[c]));
                y[c] = narrow<T, A>(acc[c]);
            }
            continue;
        }
        for (int64_t c = 0; c < columns; ++c) {
            acc[c] = F::of(acc[c], A(x[c * x_stride]));
            y[c * y_stride] = narrow<T, A>(acc[c]);
        }
    }
}

template <class F, class T>
void scan(const dab_instance* self, const AxisLines& lines) {
    const T* x = static_cast<const T*>(lines.in);
    T* y = static_cast<T*>(lines.out);
    const Nest& nest = lines.nest;
    const int inner = nest.rank - 1;
    const int64_t* stride = inner >= 0 ? nest.stride[inner] : nullptr;
    const int64_t count = nest.elements();
    const bool side_by_side =
        inner >= 0 && nest.shape[inner] >= 8 && std::abs(stride[0]) < std::abs(lines.in_step);
    const int threads = count * lines.length < kParallelElements ? 1 : self->threads;
    if (side_by_side) {
        const int64_t length = nest.shape[inner], tiles = (length + kTile - 1) / kTile;
        auto body = [&](int64_t task) {
            const Walk walk(nest, inner, task / tiles);
            const int64_t first = task % tiles * kTile;
            tile<F, T>(lines, x + walk.offset(0) + first * stride[0],
                       y + walk.offset(1) + first * stride[1], std::min(kTile, length - first),
                       stride[0], stride[1]);
        };
        parallel(threads, count / length * tiles, body);
        return;
    }
    const int64_t group = std::max<int64_t>(1, (1 << 14) / lines.length);
    auto body = [&](int64_t g) {
        const int64_t end = std::min(count, (g + 1) * group);
        Walk walk(nest, nest.rank, g * group);
        for (int64_t i = g * group; i < end; ++i) {
            one_line<F, T>(lines, x + walk.offset(0), y + walk.offset(1));
            if (i + 1 < end) walk.next();
        }
    };
    parallel(threads, (count + group - 1) / group, body);
}

using Loop = void (*)(const dab_instance*, const AxisLines&);

template <class F>
Loop loop_of(unsigned dtype) {
    constexpr Loop integers[] = {scan<F, uint8_t>, scan<F, uint16_t>, scan<F, uint32_t>,
                                 scan<F, uint64_t>};
    switch (dtype) {
    case DA_FLOAT32: return scan<F, float>;
    case DA_FLOAT64: return scan<F, double>;
    case DA_COMPLEX64: return scan<F, std::complex<float>>;
    case DA_COMPLEX128: return scan<F, std::complex<double>>;
    default: return integers[kWidth[dtype]];
    }
}

void run(const dab_instance* self, unsigned op, const da_tensor& in, const da_tensor& out,
         int64_t axis) {
    const AxisLines lines = lines_along(in, out, axis);
    (op == DA_OP_CUMSUM ? loop_of<Plus> : loop_of<Times>)(in.dtype)(self, lines);
}

} // namespace

da_status run_scan(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[1];
    const int64_t axis = call->attributes[DA_CUMSUM_AXIS].i;
    if (in.dtype >= kTypes || in.dtype == DA_BOOL) return unsupported(call);
    if (const da_status bad = check_axis(call, axis)) return bad;
    if (!is_half(in.dtype)) {
        run(self, call->op, in, out, axis);
        return DA_OK;
    }
    Temporary wide, result;
    if (!wide.allocate(in, DA_FLOAT32) || !result.allocate(out, DA_FLOAT32))
        return Temporary::out_of_memory("scan");
    if (const da_status bad = convert_tensor(self, in, wide.tensor())) return bad;
    run(self, call->op, wide.tensor(), result.tensor(), axis);
    return convert_tensor(self, result.tensor(), out);
}

} // namespace device_api::cpu
