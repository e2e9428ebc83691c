// SPDX-License-Identifier: Apache-2.0
// The op `convolution`: its attributes, windows of one element, 16-bit floats.
#include <algorithm>

#include "ops/convolution.hpp"
#include "ops/structured.hpp"
#include "ops/temporary.hpp"

namespace device_api::cpu {
namespace {

da_status read_attributes(const dab_call* call, Conv* conv) {
    const da_value* a = call->attributes;
    const da_tensor &in = call->tensors[0], &weight = call->tensors[1];
    for (int d = 5 - in.rank; d < 3; ++d) {
        Slide& s = conv->images.slide[d];
        s.window = weight.shape[in.rank - 3 + d];
        s.stride = int64_t(a[DA_CONVOLUTION_STRIDE_D + d].u);
        s.pad = int64_t(a[DA_CONVOLUTION_PAD_D + d].u);
        s.dilation = int64_t(a[DA_CONVOLUTION_DILATION_D + d].u);
        if (s.stride < 1 || s.dilation < 1 || s.pad < 0)
            return fail(DA_INVALID_ARGUMENT, "pass strides and dilations of 1 or more",
                        "convolution with a stride or dilation of 0");
    }
    conv->groups = int64_t(a[DA_CONVOLUTION_GROUPS].u);
    if (conv->groups < 1 || in.shape[1] != weight.shape[1] * conv->groups ||
        weight.shape[0] % conv->groups != 0)
        return fail(DA_INVALID_ARGUMENT, "both numbers of channels are multiples of groups",
                    "convolution of %lld channels in %lld groups",
                    static_cast<long long>(in.shape[1]), static_cast<long long>(conv->groups));
    conv->in_group = weight.shape[1];
    conv->out_group = weight.shape[0] / conv->groups;
    for (Slide& s : conv->images.slide)
        if (!s.limit()) return windows_too_far("convolution");
    return DA_OK;
}

void describe(dab_instance* self, const da_tensor& in, const da_tensor& weight,
              const da_tensor& out, Conv* conv) {
    describe_images(in, out, &conv->images);
    conv->self = self;
    conv->type = in.dtype;
    conv->in = static_cast<const char*>(in.data);
    conv->weight = static_cast<const char*>(weight.data);
    conv->out = static_cast<char*>(out.data);
    std::fill(conv->weight_step, conv->weight_step + 5, 0);
    conv->weight_step[0] = weight.strides[0];
    conv->weight_step[1] = weight.strides[1];
    for (int d = 2; d < weight.rank; ++d)
        conv->weight_step[5 - weight.rank + d] = weight.strides[d];
}

// Whether one stride walks all positions in the input and in the output.
bool one_line(const Images& images, int64_t* in_step, int64_t* out_step) {
    int64_t count = 1;
    *in_step = *out_step = 1;
    for (int d = 2; d >= 0; --d) {
        const Slide& s = images.slide[d];
        if (s.window != 1 || s.pad != 0 || (s.positions - 1) * s.stride >= s.size) return false;
        if (s.positions == 1) continue;
        const int64_t step = s.in_step * s.stride;
        if (count == 1) {
            *in_step = step;
            *out_step = s.out_step;
        } else if (step != *in_step * count || s.out_step != *out_step * count) {
            return false;
        }
        count *= s.positions;
    }
    return true;
}

// Windows of one element: out[n, g] = weight[g] x[n, g], or its transpose where channels are dense.
da_status pointwise(dab_instance* self, const dab_call* call, const da_tensor& weight,
                    const Conv& conv, int64_t in_step, int64_t out_step) {
    const Images& m = conv.images;
    const int64_t n = m.batch, g = conv.groups, c = conv.in_group, o = conv.out_group;
    const int64_t p = m.positions(), *w = weight.strides;
    const int64_t x_shape[] = {n, g, c, p}, w_shape[] = {n, g, o, c}, y_shape[] = {n, g, o, p};
    const int64_t x_steps[] = {m.in_batch, c * m.in_channel, m.in_channel, in_step};
    const int64_t w_steps[] = {0, o * w[0], w[0], w[1]};
    const int64_t y_steps[] = {m.out_batch, o * m.out_channel, m.out_channel, out_step};
    const int64_t xt_shape[] = {n, g, p, c}, wt_shape[] = {n, g, c, o}, yt_shape[] = {n, g, p, o};
    const int64_t xt_steps[] = {x_steps[0], x_steps[1], in_step, m.in_channel};
    const int64_t wt_steps[] = {0, w_steps[1], w[1], w[0]};
    const int64_t yt_steps[] = {y_steps[0], y_steps[1], out_step, m.out_channel};
    const auto view = [](const da_tensor& t, const int64_t* shape, const int64_t* strides) {
        da_tensor v = t;
        v.rank = 4;
        v.flags = 0;
        v.shape = shape;
        v.strides = strides;
        return v;
    };
    const da_tensor* t = call->tensors;
    const bool turned = m.out_channel == 1 && out_step != 1;
    const da_tensor tensors[] = {
        turned ? view(t[0], xt_shape, xt_steps) : view(weight, w_shape, w_steps),
        turned ? view(weight, wt_shape, wt_steps) : view(t[0], x_shape, x_steps),
        turned ? view(t[2], yt_shape, yt_steps) : view(t[2], y_shape, y_steps)};
    dab_call product = *call;
    product.op = DA_OP_MATMUL;
    product.tensors = tensors;
    product.attributes = nullptr;
    return run_matmul(self, &product);
}

} // namespace

da_status run_convolution(dab_instance* self, const dab_call* call) {
    const da_tensor &in = call->tensors[0], &out = call->tensors[2];
    da_tensor weight = call->tensors[1];
    int64_t clipped[DA_MAX_RANK];
    if (in.dtype < DA_FLOAT16 || in.dtype > DA_FLOAT64) return unsupported(call);
    if (in.rank < 3 || in.rank > 5 || weight.rank != in.rank || out.rank != in.rank)
        return fail(DA_INVALID_ARGUMENT, "pass (N, C, 1 to 3 spatial dimensions)",
                    "convolution of a tensor of rank %d", int(in.rank));
    Conv conv;
    describe_images(in, out, &conv.images);
    if (const da_status bad = read_attributes(call, &conv)) return bad;
    if (reaches_far(conv.images)) weight = clip_weight(&conv.images, weight, clipped);
    const bool far = reaches_far(conv.images);
    conv.inner = conv.in_group * conv.images.window();
    describe(self, in, weight, out, &conv);
    int64_t in_step, out_step;
    if (one_line(conv.images, &in_step, &out_step))
        return pointwise(self, call, weight, conv, in_step, out_step);
    if (!is_half(in.dtype)) return far ? convolve_directly(conv) : convolve(&conv);
    Temporary wide, weights, result;
    if (!wide.allocate(in, DA_FLOAT32) || !weights.allocate(weight, DA_FLOAT32, weight.rank) ||
        !result.allocate(out, DA_FLOAT32))
        return Temporary::out_of_memory("convolution");
    if (const da_status bad = convert_tensor(self, in, wide.tensor())) return bad;
    if (const da_status bad = convert_tensor(self, weight, weights.tensor())) return bad;
    describe(self, wide.tensor(), weights.tensor(), result.tensor(), &conv);
    if (const da_status bad = far ? convolve_directly(conv) : convolve(&conv)) return bad;
    return convert_tensor(self, result.tensor(), out);
}

} // namespace device_api::cpu
