// SPDX-License-Identifier: Apache-2.0
// From a kernel to the host API: one op on Paddle's stream, counted, errors as Paddle's own.
#include <atomic>

#include "host.hpp"
#include "kernels.hpp"

namespace bridge {
namespace {

std::atomic<uint64_t> counts[DA_OP_COUNT + 1];

[[noreturn]] void raise(da_status status, const std::string& text) {
    switch (status) {
    case DA_OUT_OF_MEMORY: PADDLE_THROW(common::errors::ResourceExhausted("%s", text));
    case DA_NOT_SUPPORTED: PADDLE_THROW(common::errors::Unimplemented("%s", text));
    case DA_INVALID_ARGUMENT: PADDLE_THROW(common::errors::InvalidArgument("%s", text));
    default: PADDLE_THROW(common::errors::External("%s", text));
    }
}

} // namespace

void run(const CustomContext& context, da_op op, std::initializer_list<View> operands,
         const da_value* attributes) {
    da_tensor tensors[4];
    int count = 0;
    for (const View& operand : operands) tensors[count++] = operand.descriptor();
    auto* stream = reinterpret_cast<dah_stream*>(context.stream());
    const int inputs = count - 1;
    const da_status status = dah_call(stream, op, tensors, inputs, &tensors[inputs], attributes);
    if (status != DA_OK) {
        const std::string text = host_failure("device_api");
        keep_failure(text, false);
        raise(status, text);
    }
    counts[op].fetch_add(1, std::memory_order_relaxed);
}

uint64_t run_count(uint16_t op) {
    return op <= DA_OP_COUNT ? counts[op].load() : 0;
}

} // namespace bridge
