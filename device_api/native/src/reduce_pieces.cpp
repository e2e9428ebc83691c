// SPDX-License-Identifier: Apache-2.0
// Sums and products of narrow integers, which are widened: piece by piece, so that the widened
// copy of a large array is never whole in memory.
#include "reduce.hpp"

#include "dispatch.hpp"
#include "error.hpp"

namespace device_api::core {
namespace {

constexpr int64_t piece_bytes = 8 << 20;

int first_large_axis(const Tensor& x) {
    int at = 0;
    while (x.shape[at] == 1) ++at;
    return at;
}

Tensor* part(Tensor& x, int axis, int64_t start, int64_t size) {
    int64_t shape[DA_MAX_RANK];
    for (int i = 0; i < x.rank; ++i) shape[i] = x.shape[i];
    shape[axis] = size;
    return new_view(x, x.rank, shape, x.strides, start * x.strides[axis]);
}

// total = total o piece, both with the reduced axes at size 1; the first piece becomes the total.
da_status join(uint16_t op, Owned& total, Owned& piece) {
    if (!total) {
        total.reset(piece.pass());
        return DA_OK;
    }
    return dah_binary_inplace(op == DA_OP_PROD ? DA_OP_MUL : DA_OP_ADD, total.get(), piece.get(),
                              nullptr);
}

} // namespace

bool too_large_to_widen(const Tensor& x, uint16_t dtype) {
    return x.size > piece_bytes / static_cast<int64_t>(dtype_size(dtype));
}

da_status reduce_in_pieces(uint16_t op, Tensor& x, uint64_t axes, uint16_t dtype, Owned& result) {
    const int axis = first_large_axis(x);
    const bool reduced = (axes >> axis) & 1;
    const int64_t row = x.size / x.shape[axis] * static_cast<int64_t>(dtype_size(dtype));
    const int64_t step = row < piece_bytes ? piece_bytes / row : 1;
    if (!reduced) {
        int64_t shape[DA_MAX_RANK];
        for (int i = 0; i < x.rank; ++i) shape[i] = (axes >> i) & 1 ? 1 : x.shape[i];
        result.reset(new_tensor(*x.device, dtype, x.rank, shape, current_stream(*x.device), op));
        if (!result) return last_status();
    }
    for (int64_t at = 0; at < x.shape[axis]; at += step) {
        const int64_t size = step < x.shape[axis] - at ? step : x.shape[axis] - at;
        Owned input(part(x, axis, at, size)), piece;
        if (!input) return last_status();
        if (da_status status = dah_reduce(op, input.get(), axes, 1, piece.out())) return status;
        da_status status;
        if (reduced) {
            status = join(op, result, piece);
        } else {
            Owned target(part(*result.get(), axis, at, size));
            status = target ? dah_assign(target.get(), piece.get()) : last_status();
        }
        if (status) return status;
    }
    return DA_OK;
}

} // namespace device_api::core
