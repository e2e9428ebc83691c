// SPDX-License-Identifier: Apache-2.0
// The shim's C interface: all that a backend sees of the vendor's C++ template library.
//
// Raw device pointers, shapes as int64_t with a length, an own dtype enum, one status return. The
// shim guards empty tensors and rank 0, narrows sizes with a range check, and catches exceptions.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VSH_ABI_VERSION 1

enum { VSH_OK, VSH_INVALID, VSH_RUNTIME, VSH_NO_WORKSPACE, VSH_NOT_SUPPORTED, VSH_RANGE };
enum { VSH_F32, VSH_I32, VSH_I64 };
enum { VSH_ADD, VSH_FILL, VSH_FC };

typedef struct vsh_context vsh_context;

int vsh_abi_version(void);
int vsh_dim_bits(void); // 32 or 64: the generation of the headers it was compiled against
int vsh_supports(int op, int dtype);
const char* vsh_last_message(void); // of this thread, valid until its next vsh_ call

int vsh_context_create(vsh_context** out);
int vsh_context_destroy(vsh_context* ctx);
int vsh_context_bind(vsh_context* ctx, void* stream, void* scratch, size_t bytes);

// z = x + y with broadcasting; shapes of the same rank (rank 0 allowed), contiguous.
int vsh_add(vsh_context* ctx, int dtype, const void* x, const void* y, void* z,
            const int64_t* x_shape, const int64_t* y_shape, int rank);
// y[:] = the value whose bytes are at `value`.
int vsh_fill(vsh_context* ctx, int dtype, void* y, int64_t n, const void* value);
// y[m,n] = x[m,k] @ w[k,n], computed in the operand type.
size_t vsh_fc_scratch(int dtype, int64_t m, int64_t n, int64_t k);
int vsh_fc(vsh_context* ctx, int dtype, const void* x, const void* w, void* y, int64_t m, int64_t n,
           int64_t k);

#ifdef __cplusplus
}
#endif
