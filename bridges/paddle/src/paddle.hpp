// SPDX-License-Identifier: Apache-2.0
// Paddle's headers, in the one order in which they compile against the public wheel.
#pragma once

#include "paddle/phi/config.h"
// The wheel says that it has oneDNN but does not ship oneDNN's headers.
#undef PADDLE_WITH_DNNL

#include "paddle/phi/backends/custom/custom_context.h"
#include "paddle/phi/common/int_array.h"
#include "paddle/phi/common/scalar.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_registry.h"
