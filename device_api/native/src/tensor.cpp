// SPDX-License-Identifier: Apache-2.0
// Tensors: creation, views and their life.
#include "tensor.hpp"

#include <pthread.h>

#include "error.hpp"
#include "observe.hpp"
#include "stream.hpp"

namespace device_api::core {
namespace {

// One free list a thread; the list is small, and freed when its thread ends.
struct FreeList {
    Tensor* head = nullptr;
    int32_t count = 0;
    bool registered = false;
};
constexpr int32_t free_list_limit = 256;

__attribute__((tls_model("initial-exec"))) thread_local FreeList free_list;

pthread_key_t thread_end_key() {
    static const pthread_key_t key = [] {
        pthread_key_t k;
        pthread_key_create(&k, [](void*) {
            while (Tensor* t = free_list.head) {
                free_list.head = t->next_free;
                ::operator delete(t);
            }
            free_list.count = free_list_limit; // later ones are freed at once
        });
        return k;
    }();
    return key;
}

} // namespace

Tensor* take_tensor() {
    Tensor* t = free_list.head;
    if (__builtin_expect(t != nullptr, 1)) {
        free_list.head = t->next_free;
        --free_list.count;
    } else {
        t = static_cast<Tensor*>(::operator new(sizeof(Tensor)));
    }
    t->refs.store(1, std::memory_order_relaxed);
    return t;
}

void free_tensor(Tensor* t) {
    if (t->block) release(t->block);
    if (free_list.count >= free_list_limit) {
        ::operator delete(t);
        return;
    }
    if (__builtin_expect(!free_list.registered, 0)) {
        pthread_setspecific(thread_end_key(), &free_list);
        free_list.registered = true;
    }
    t->next_free = free_list.head;
    free_list.head = t;
    ++free_list.count;
}

void row_major(int rank, const int64_t* shape, int64_t* strides) {
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; --i) {
        strides[i] = stride;
        stride *= shape[i] > 1 ? shape[i] : 1;
    }
}

bool is_contiguous(int rank, const int64_t* shape, const int64_t* strides) {
    int64_t expected = 1;
    for (int i = rank - 1; i >= 0; --i) {
        if (shape[i] != 1 && strides[i] != expected) return false;
        expected *= shape[i];
    }
    return true;
}

std::string shape_text(int rank, const int64_t* shape) {
    std::string text = "(";
    for (int i = 0; i < rank; ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (rank == 1 ? ",)" : ")");
}

da_status count_elements(uint16_t dtype, int rank, const int64_t* shape, int64_t* count) {
    if (rank < 0 || rank > DA_MAX_RANK) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    std::to_string(rank) + " dimensions are too many: a tensor has at most " +
                        std::to_string(DA_MAX_RANK));
    }
    if (dtype >= DA_DTYPE_COUNT) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_DTYPE, "no such data type");
    }
    int64_t n = 1;
    bool overflow = false, empty = false;
    for (int i = 0; i < rank; ++i) {
        if (shape[i] < 0) {
            return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                        "a shape has no negative sizes: " + shape_text(rank, shape),
                        "give sizes of 0 or more");
        }
        empty |= shape[i] == 0;
        overflow |= __builtin_mul_overflow(n, shape[i] ? shape[i] : 1, &n);
    }
    int64_t bytes;
    overflow |= __builtin_mul_overflow(n, int64_t{dtype_size(dtype)}, &bytes);
    if (overflow) {
        return fail(DA_INVALID_ARGUMENT, DAH_ERROR_SHAPE,
                    "the shape " + shape_text(rank, shape) +
                        " has more elements than any memory holds",
                    "check the sizes");
    }
    *count = empty ? 0 : n;
    return DA_OK;
}

__attribute__((always_inline)) static inline Tensor* make(Device& device, uint16_t dtype, int rank,
                                                          const int64_t* shape, int64_t size,
                                                          uint64_t bytes, dah_stream* stream,
                                                          uint16_t owner) {
    Block* block = nullptr;
    if (size) {
        block = told(device.allocator->allocate(bytes, stream, owner));
        if (!block) {
            annotate(last_status(), owner <= DA_OP_COUNT ? owner : 0, &device, stream);
            return nullptr;
        }
    }
    Tensor* t = take_tensor();
    t->dtype = dtype;
    t->rank = static_cast<uint8_t>(rank);
    t->contiguous = true;
    t->device = &device;
    t->block = block;
    t->data = block ? block->address : nullptr;
    t->size = size;
    for (int i = 0; i < rank; ++i) t->shape[i] = shape[i];
    row_major(rank, shape, t->strides);
    return t;
}

Tensor* new_tensor(Device& device, uint16_t dtype, int rank, const int64_t* shape,
                   dah_stream* stream, uint16_t owner) {
    int64_t size;
    if (count_elements(dtype, rank, shape, &size)) return nullptr;
    return make(device, dtype, rank, shape, size, static_cast<uint64_t>(size) * dtype_size(dtype),
                stream, owner);
}

Tensor* new_like(const Tensor& like, uint16_t dtype, dah_stream* stream, uint16_t owner) {
    int64_t bytes;
    if (__builtin_mul_overflow(like.size, int64_t{dtype_size(dtype)}, &bytes)) {
        return new_tensor(*like.device, dtype, like.rank, like.shape, stream, owner); // the error
    }
    return make(*like.device, dtype, like.rank, like.shape, like.size, static_cast<uint64_t>(bytes),
                stream, owner);
}

Tensor* new_view(Tensor& base, int rank, const int64_t* shape, const int64_t* strides,
                 int64_t offset) {
    Tensor* t = take_tensor();
    t->dtype = base.dtype;
    t->rank = static_cast<uint8_t>(rank);
    t->device = base.device;
    t->block = base.block;
    if (t->block) retain(t->block);
    t->data = static_cast<char*>(base.data) + offset * dtype_size(base.dtype);
    int64_t size = 1;
    for (int i = 0; i < rank; ++i) {
        t->shape[i] = shape[i];
        t->strides[i] = strides[i];
        size *= shape[i];
    }
    t->size = size;
    t->contiguous = is_contiguous(rank, shape, strides);
    return t;
}

void describe(const Tensor& t, da_tensor* out) {
    out->data = t.data;
    out->storage = t.block ? t.block->address : nullptr;
    out->storage_bytes = t.block ? t.block->size : 0;
    out->shape = t.shape;
    out->strides = t.strides;
    out->rank = t.rank;
    out->dtype = t.dtype;
    out->flags = t.contiguous ? DA_TENSOR_CONTIGUOUS : 0;
}

} // namespace device_api::core

using namespace device_api::core;

void dah_tensor_retain(dah_tensor* t) {
    retain(t);
}
void dah_tensor_release(dah_tensor* t) {
    release(t);
}
dah_device dah_tensor_device(const dah_tensor* t) {
    return t->device->handle;
}
int64_t dah_tensor_elements(const dah_tensor* t) {
    return t->size;
}
void dah_tensor_describe(const dah_tensor* t, da_tensor* out) {
    describe(*t, out);
}
