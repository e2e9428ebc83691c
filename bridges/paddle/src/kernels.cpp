// SPDX-License-Identifier: Apache-2.0
// The kernels: shapes and layouts to descriptors, then one op.
#include "kernels.hpp"

namespace bridge {
namespace {

da_value scalar_of(const phi::Scalar& value, da_dtype dtype) {
    da_value out{};
    switch (dtype) {
    case DA_FLOAT16:
    case DA_BFLOAT16:
    case DA_FLOAT32:
    case DA_FLOAT64: out.f = value.to<double>(); break;
    case DA_BOOL: out.u = value.to<bool>(); break;
    case DA_UINT8:
    case DA_UINT16:
    case DA_UINT32:
    case DA_UINT64: out.u = value.to<uint64_t>(); break;
    default: out.i = value.to<int64_t>();
    }
    return out;
}

View output(const CustomContext& context, DenseTensor* out, phi::DataType dtype) {
    context.Alloc(out, dtype);
    return view_of(*out);
}

using Shape = std::vector<int64_t>;

Shape leading(const Shape& shape) {
    return Shape(shape.begin(), shape.end() - 2);
}
Shape last_two(const Shape& shape) {
    return Shape(shape.end() - 2, shape.end());
}

Shape joined(Shape front, const Shape& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

[[noreturn]] void shapes_differ(const char* kernel, const DenseTensor& x, const DenseTensor& y) {
    PADDLE_THROW(common::errors::InvalidArgument("%s: shapes [%s] and [%s] do not fit together.",
                                                 kernel, x.dims(), y.dims()));
}

} // namespace

void full(const CustomContext& context, const phi::IntArray& shape, const phi::Scalar& value,
          phi::DataType dtype, DenseTensor* out) {
    out->Resize(common::make_ddim(shape.GetData()));
    const View view = output(context, out, dtype);
    if (out->numel() == 0) return;
    const da_value number = scalar_of(value, view.dtype);
    run(context, DA_OP_FILL, {view}, &number);
}

void fill(const CustomContext& context, const DenseTensor& x, const phi::Scalar& value,
          DenseTensor* out) {
    const View view = output(context, out, x.dtype());
    if (out->numel() == 0) return;
    const da_value number = scalar_of(value, view.dtype);
    run(context, DA_OP_FILL, {view}, &number);
}

void add(const CustomContext& context, const DenseTensor& x, const DenseTensor& y,
         DenseTensor* out) {
    const View sum = output(context, out, x.dtype());
    if (out->numel() == 0) return;
    View left = view_of(x), right = view_of(y);
    if (!left.broadcast_to(sum.shape) || !right.broadcast_to(sum.shape)) shapes_differ("add", x, y);
    run(context, DA_OP_ADD, {left, right, sum});
}

void matmul(const CustomContext& context, const DenseTensor& x, const DenseTensor& y,
            bool transpose_x, bool transpose_y, DenseTensor* out) {
    View left = view_of(x), right = view_of(y);
    // A vector counts as a matrix of one row on the left, of one column on the right.
    const bool row = left.shape.size() == 1, column = right.shape.size() == 1;
    if (row) left.insert_dimension(0);
    if (column) right.insert_dimension(1);
    if (!row && transpose_x) left.swap_last_two();
    if (!column && transpose_y) right.swap_last_two();

    // Paddle's shape inference does not broadcast all batch dimensions; its kernels do.
    Shape batch;
    if (!broadcast(leading(left.shape), leading(right.shape), &batch))
        shapes_differ("matmul", x, y);
    const Shape end_x = last_two(left.shape), end_y = last_two(right.shape);
    if (end_x[1] != end_y[0]) shapes_differ("matmul", x, y);
    left.broadcast_to(joined(batch, end_x));
    right.broadcast_to(joined(batch, end_y));

    Shape shape = batch;
    if (!row) shape.push_back(end_x[0]);
    if (!column) shape.push_back(end_y[1]);
    out->Resize(common::make_ddim(shape));
    View product = output(context, out, x.dtype());
    if (out->numel() == 0) return;
    product.shape = joined(batch, {end_x[0], end_y[1]});
    product.strides = dense_strides(product.shape);
    if (end_x[1] == 0) { // an empty sum
        const da_value zero{};
        return run(context, DA_OP_FILL, {product}, &zero);
    }
    run(context, DA_OP_MATMUL, {left, right, product});
}

void contiguous(const CustomContext& context, const DenseTensor& x, DenseTensor* out) {
    phi::DenseTensorMeta meta = out->meta();
    meta.strides = meta.calc_strides(out->dims());
    out->set_meta(meta);
    context.Alloc(out, x.dtype());
    if (out->numel() == 0) return;
    run(context, DA_OP_COPY, {bits_of(x), bits_of(*out)});
}

void strided_copy(const CustomContext& context, const DenseTensor& x,
                  const std::vector<int64_t>& out_shape, const std::vector<int64_t>& out_strides,
                  int64_t out_offset, DenseTensor* out) {
    phi::DenseTensorMeta meta = out->meta();
    meta.dims = common::make_ddim(out_shape);
    meta.strides = common::make_ddim(out_strides);
    meta.offset = out_offset;
    out->set_meta(meta);
    if (out->numel() == 0) return;
    run(context, DA_OP_COPY, {bits_of(x), bits_of(*out)});
}

} // namespace bridge
