// SPDX-License-Identifier: Apache-2.0
// Mock vendor SDK: the C runtime part (memory, copies, deferred streams).
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Every call returns 0 or a negative number, the way many vendor runtimes do.
int vtl_set_device(int device);
int vtl_device_count(int* count);
int vtl_malloc(void** ptr, size_t bytes);
int vtl_free(void* ptr);
int vtl_memcpy(void* dst, const void* src, size_t bytes);

// A stream runs nothing until vtl_wait: a caller that forgets to wait sees no result.
int vtl_stream_create(void** stream);
int vtl_stream_destroy(void* stream);
int vtl_memcpy_async(void* dst, const void* src, size_t bytes, void* stream);
int vtl_wait(void* stream);

#ifdef __cplusplus
}
#endif
