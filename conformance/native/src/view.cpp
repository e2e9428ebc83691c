// SPDX-License-Identifier: Apache-2.0
// Views in device memory, copied to the host and back through the plugin's own copies.
#include "view.hpp"

#include <algorithm>
#include <cstring>

namespace device_api::planted {

namespace {

std::size_t count_of(const da_tensor& t) {
    std::size_t n = 1;
    for (std::int32_t d = 0; d < t.rank; ++d) n *= static_cast<std::size_t>(t.shape[d]);
    return n;
}

/// Calls f(position in row-major order, offset in elements) for each element.
template <class F>
void each(const da_tensor& t, F f) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(t.rank), 0);
    const std::size_t n = count_of(t);
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < n; ++i) {
        f(i, offset);
        for (std::int32_t d = t.rank - 1; d >= 0; --d) {
            const auto k = static_cast<std::size_t>(d);
            offset += t.strides[d];
            if (++index[k] < t.shape[d]) break;
            offset -= t.strides[d] * t.shape[d];
            index[k] = 0;
        }
    }
}

bool fetch(const dab_backend& inner, dab_instance* self, dab_stream stream, const da_tensor& t,
           const Range& range, std::vector<unsigned char>* raw) {
    raw->resize(static_cast<std::size_t>(range.last - range.first));
    const char* from = static_cast<const char*>(t.data) + range.first;
    if (inner.stream_synchronize(self, stream, -1) != DA_OK) return false;
    if (inner.copy(self, stream, raw->data(), from, raw->size(), DAB_DEVICE_TO_HOST) != DA_OK)
        return false;
    return inner.stream_synchronize(self, stream, -1) == DA_OK;
}

} // namespace

Range range_of(const da_tensor& t) {
    const auto size = static_cast<std::int64_t>(size_of(t.dtype));
    Range r{0, size};
    for (std::int32_t d = 0; d < t.rank; ++d) {
        const std::int64_t reach = (t.shape[d] - 1) * t.strides[d] * size;
        (reach < 0 ? r.first : r.last) += reach;
    }
    return r;
}

Values download(const dab_backend& inner, dab_instance* self, dab_stream stream, const da_tensor& t,
                bool* ok) {
    const std::size_t size = size_of(t.dtype);
    std::vector<unsigned char> dense(count_of(t) * size);
    if (t.flags & DA_TENSOR_IMMEDIATE) {
        std::memcpy(dense.data(), t.data, size);
        *ok = true;
        return Values(t, std::move(dense));
    }
    const Range range = range_of(t);
    std::vector<unsigned char> raw;
    *ok = fetch(inner, self, stream, t, range, &raw);
    if (*ok)
        each(t, [&](std::size_t i, std::int64_t offset) {
            const std::int64_t at = offset * static_cast<std::int64_t>(size) - range.first;
            std::memcpy(dense.data() + i * size, raw.data() + at, size);
        });
    return Values(t, std::move(dense));
}

bool upload(const dab_backend& inner, dab_instance* self, dab_stream stream, const da_tensor& t,
            const Values& values) {
    const Range range = range_of(t);
    std::vector<unsigned char> raw;
    if (!fetch(inner, self, stream, t, range, &raw)) return false;
    each(t, [&](std::size_t i, std::int64_t offset) {
        const std::int64_t at = offset * static_cast<std::int64_t>(values.size()) - range.first;
        std::memcpy(raw.data() + at, values.at(i), values.size());
    });
    char* to = static_cast<char*>(t.data) + range.first;
    if (inner.copy(self, stream, to, raw.data(), raw.size(), DAB_HOST_TO_DEVICE) != DA_OK)
        return false;
    return inner.stream_synchronize(self, stream, -1) == DA_OK;
}

} // namespace device_api::planted
