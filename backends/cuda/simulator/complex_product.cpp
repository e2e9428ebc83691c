// SPDX-License-Identifier: Apache-2.0
// Products of complex matrices, by the definition.
#include "complex_product.hpp"

namespace cuda_sim {

namespace engine = device_api::engine;
using engine::Status;

namespace {

template <class T>
std::complex<double> element(const std::complex<T>* x, const ComplexMatrix& m, std::int64_t batch,
                             std::int64_t i, std::int64_t j) {
    const std::complex<double> v(x[batch * m.stride + m.at(i, j)]);
    return m.conjugated ? std::conj(v) : v;
}

template <class T>
const std::complex<T>* reads(engine::TaskContext& t, const ComplexMatrix& m,
                             std::int64_t elements) {
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(std::complex<T>);
    return static_cast<const std::complex<T>*>(t.map(m.data, bytes, false));
}

template <class T>
Status multiply(engine::TaskContext& t, const ComplexProduct& p) {
    const auto* a = p.k ? reads<T>(t, p.a, p.a.span(p.m, p.k, p.batch)) : nullptr;
    const auto* b = p.k ? reads<T>(t, p.b, p.b.span(p.k, p.n, p.batch)) : nullptr;
    const auto bytes =
        static_cast<std::size_t>(p.c.span(p.m, p.n, p.batch)) * sizeof(std::complex<T>);
    auto* c = static_cast<std::complex<T>*>(t.map(p.c.data, bytes, true));
    if (!c || (p.k && (!a || !b))) return t.error();
    t.add_flops(8.0 * double(p.m) * double(p.n) * double(p.k) * double(p.batch));
    for (std::int64_t r = 0; r < p.batch; ++r)
        for (std::int64_t j = 0; j < p.n; ++j)
            for (std::int64_t i = 0; i < p.m; ++i) {
                std::complex<double> sum = 0;
                for (std::int64_t x = 0; x < p.k; ++x)
                    sum += element(a, p.a, r, i, x) * element(b, p.b, r, x, j);
                std::complex<T>& to = c[r * p.c.stride + p.c.at(i, j)];
                sum *= p.alpha;
                if (p.beta != 0.0) sum += p.beta * std::complex<double>(to);
                to = std::complex<T>(sum);
            }
    return t.error();
}

engine::Operand operand(const ComplexMatrix& m, std::int64_t elements, bool single,
                        engine::Access access) {
    const std::int64_t bytes = elements * (single ? 8 : 16);
    return {engine::Tensor(engine::DType::u8, m.data, 1, &bytes), access};
}

} // namespace

Status launch_complex(engine::Handle stream, const char* name, const ComplexProduct& p,
                      bool single) {
    engine::Launch l;
    l.name = name;
    if (p.k > 0) {
        l.operands.push_back(
            operand(p.a, p.a.span(p.m, p.k, p.batch), single, engine::Access::read));
        l.operands.push_back(
            operand(p.b, p.b.span(p.k, p.n, p.batch), single, engine::Access::read));
    }
    l.operands.push_back(
        operand(p.c, p.c.span(p.m, p.n, p.batch), single,
                p.beta != 0.0 ? engine::Access::read_write : engine::Access::write));
    l.task = [p, single](engine::TaskContext& t) {
        return single ? multiply<float>(t, p) : multiply<double>(t, p);
    };
    return engine::launch(stream, std::move(l));
}

} // namespace cuda_sim
