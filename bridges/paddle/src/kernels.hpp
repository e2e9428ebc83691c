// SPDX-License-Identifier: Apache-2.0
// Paddle kernels of this bridge, each expressed through one op of the op table.
#pragma once

#include <initializer_list>
#include <vector>

#include "device_api/ops.h"
#include "paddle.hpp"
#include "view.hpp"

namespace bridge {

using phi::CustomContext;
using phi::DenseTensor;

// Puts the kernels into Paddle's registry for the device type. Call once, in InitPlugin.
void register_kernels(const char* device_type);

// Runs an op on Paddle's stream: inputs, then one output. Throws Paddle's error when it fails;
// there is no fallback here, since Paddle chose this kernel because it is native.
void run(const CustomContext& context, da_op op, std::initializer_list<View> operands,
         const da_value* attributes = nullptr);

// How often `run` succeeded for an op.
uint64_t run_count(uint16_t op);

void full(const CustomContext& context, const phi::IntArray& shape, const phi::Scalar& value,
          phi::DataType dtype, DenseTensor* out);
void fill(const CustomContext& context, const DenseTensor& x, const phi::Scalar& value,
          DenseTensor* out);
void add(const CustomContext& context, const DenseTensor& x, const DenseTensor& y,
         DenseTensor* out);
void matmul(const CustomContext& context, const DenseTensor& x, const DenseTensor& y,
            bool transpose_x, bool transpose_y, DenseTensor* out);
void contiguous(const CustomContext& context, const DenseTensor& x, DenseTensor* out);
void strided_copy(const CustomContext& context, const DenseTensor& x,
                  const std::vector<int64_t>& out_shape, const std::vector<int64_t>& out_strides,
                  int64_t out_offset, DenseTensor* out);

} // namespace bridge
