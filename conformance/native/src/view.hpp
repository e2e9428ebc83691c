// SPDX-License-Identifier: Apache-2.0
// The elements of a tensor on the host: what a defect reads and changes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_api/backend.h"

namespace device_api::planted {

/// Bytes of one element.
std::size_t size_of(std::uint16_t dtype);
bool is_float(std::uint16_t dtype);
bool is_complex(std::uint16_t dtype);

/// Dense copy of a tensor's elements in row-major order.
class Values {
  public:
    Values() = default;
    Values(const da_tensor& tensor, std::vector<unsigned char> bytes);

    std::uint16_t dtype() const { return dtype_; }
    const std::vector<std::int64_t>& shape() const { return shape_; }
    std::size_t count() const { return count_; }
    unsigned char* at(std::size_t i) { return bytes_.data() + i * size_; }
    const unsigned char* at(std::size_t i) const { return bytes_.data() + i * size_; }
    std::size_t size() const { return size_; } // of one element

    /// Real value; of a complex element the real part. Integers beyond 2^53 are rounded.
    double get(std::size_t i) const;
    /// Rounds to the type, half to even; integers are cut and wrap.
    void set(std::size_t i, double value);
    std::complex<double> get_complex(std::size_t i) const;
    void set_complex(std::size_t i, std::complex<double> value);
    std::uint64_t bits(std::size_t i) const; // of elements up to 8 bytes
    void set_bits(std::size_t i, std::uint64_t bits);
    /// Units in the last place: the next value `steps` further from zero (or nearer, below 0).
    void nudge(std::size_t i, int steps);
    void copy(std::size_t to, std::size_t from); // within
    void zero(std::size_t i);
    bool operator==(const Values& other) const { return bytes_ == other.bytes_; }

  private:
    std::uint16_t dtype_ = DA_FLOAT32;
    std::vector<std::int64_t> shape_;
    std::size_t count_ = 0, size_ = 4;
    std::vector<unsigned char> bytes_;
};

/// Address range of a view in bytes, relative to its data: first byte and one past the last.
struct Range {
    std::int64_t first = 0, last = 0;
};
Range range_of(const da_tensor& tensor);

/// Downloads the elements of a view, after the stream's work. `ok` false when the plugin refuses.
Values download(const dab_backend& inner, dab_instance* self, dab_stream stream,
                const da_tensor& tensor, bool* ok);
/// Writes elements back into a view; what lies between them is not touched.
bool upload(const dab_backend& inner, dab_instance* self, dab_stream stream,
            const da_tensor& tensor, const Values& values);

} // namespace device_api::planted
