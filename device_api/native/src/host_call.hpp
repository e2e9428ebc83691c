// SPDX-License-Identifier: Apache-2.0
// A device's call repeated on the host.
#pragma once

#include "dispatch.hpp"

namespace device_api::core {

// Most attributes that an op of the table has.
constexpr int most_attributes = 16;

// A call with its operands in host memory, at the same offsets and strides. Holds all that it
// needs of the device's call, which may end before.
class HostCall {
  public:
    HostCall() = default;
    ~HostCall();
    HostCall(const HostCall&) = delete;
    HostCall& operator=(const HostCall&) = delete;

    // Copies the operands; also the output, as what lies between its elements must stay.
    da_status take(const Call& call, Device& host);
    // DA_NOT_SUPPORTED, and `why`, where the host has neither the op nor a composite of it.
    da_status run(std::string* why);
    // Copies the output back.
    da_status give_back();

    const Call& call() const { return here_; }
    uint64_t moved() const { return moved_; }

  private:
    da_status take_operand(const Call& call, int k);
    void keep_immediate(int k);

    struct Image {
        Block* block = nullptr;
        Span span{}; // on the device
        int64_t shape[DA_MAX_RANK];
        int64_t strides[DA_MAX_RANK];
        char immediate[16];
    };
    Image images_[max_operands];
    da_value attributes_[most_attributes];
    Call here_{};
    Device* device_ = nullptr;
    dah_stream* stream_ = nullptr;
    uint64_t moved_ = 0;
};

} // namespace device_api::core
