// SPDX-License-Identifier: Apache-2.0
// What compiled kernels and the runner of the simulated device share, and the words of the
// language. Compiled in front of the user's source, by the host's compiler; no header of the host
// is seen.
#define SIMT_PRELUDE 1

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

// The scanner takes these three words out of the preprocessed text.
#define __global__             __simt_global
#define __shared__             __simt_shared
#define __launch_bounds__(...) __simt_bounds(__VA_ARGS__)
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __restrict__    __restrict
#define __align__(n)    __attribute__((aligned(n)))
#define __CUDACC_RTC__  1

#define SIMT_INLINE static inline __attribute__((always_inline, unused))

struct uint3 {
    unsigned int x, y, z;
};
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

// The layout of these three is that of ../abi.hpp.
struct simt_call {
    const unsigned char* params;
    uint3 grid, block, index;
    unsigned int first, count;
    int backward;
    void* dynamic;
    unsigned int dynamic_bytes;
};
struct simt_runtime {
    unsigned long (*meet)(unsigned int thread, unsigned int op, unsigned long mask,
                          unsigned long value, unsigned long other, unsigned int line);
    void (*trap)(unsigned int why, const char* text, unsigned int line);
    unsigned long (*clock)();
};
struct simt_param {
    unsigned int offset, size;
};
struct simt_entry {
    const char* name; // as the source has it, or a name expression
    const void* address;
    void (*run)(const simt_call*); // null: a variable
    const simt_param* params;
    unsigned int count, bytes, max_threads, expression;
};

// Set by the entry of a kernel for the thread of the host that runs the block. They have internal
// linkage and their addresses are never taken, so loops over threads stay open to the optimiser.
static thread_local uint3 threadIdx, blockIdx;
static thread_local dim3 blockDim, gridDim;
static thread_local unsigned int simt_begin, simt_end, simt_dynamic_bytes;
static thread_local void* simt_dynamic;
static const simt_runtime* simt_rt;
#define warpSize SIMT_WARP

SIMT_INLINE unsigned int simt_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

enum simt_op : unsigned int {
    simt_barrier,
    simt_barrier_count,
    simt_barrier_and,
    simt_barrier_or,
    simt_warp_sync,
    simt_warp_shuffle,
    simt_warp_ballot,
    simt_warp_match,
    simt_warp_add,
    simt_warp_min_u,
    simt_warp_max_u,
    simt_warp_min_i,
    simt_warp_max_i,
    simt_warp_and,
    simt_warp_or,
    simt_warp_xor,
};

/// Wait for other threads of the block. They run meanwhile, so a loop over threads ends here: the
/// runner starts those that come after this one by themselves.
SIMT_INLINE unsigned long simt_meet(unsigned int op, unsigned long mask, unsigned long value,
                                    unsigned long other, unsigned int line) {
    const uint3 me = threadIdx;
    const unsigned long result = simt_rt->meet(simt_thread(), op, mask, value, other, line);
    threadIdx = me;
    simt_end = 0;
    simt_begin = ~0u;
    return result;
}

SIMT_INLINE void __syncthreads(unsigned int line = __builtin_LINE()) {
    simt_meet(simt_barrier, 0, 0, 0, line);
}
SIMT_INLINE int __syncthreads_count(int p, unsigned int line = __builtin_LINE()) {
    return int(simt_meet(simt_barrier_count, 0, p != 0, 0, line));
}
SIMT_INLINE int __syncthreads_and(int p, unsigned int line = __builtin_LINE()) {
    return int(simt_meet(simt_barrier_and, 0, p != 0, 0, line));
}
SIMT_INLINE int __syncthreads_or(int p, unsigned int line = __builtin_LINE()) {
    return int(simt_meet(simt_barrier_or, 0, p != 0, 0, line));
}

// A block runs on one thread of the host, and blocks see each other's writes in order.
SIMT_INLINE void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence_block() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
SIMT_INLINE void __threadfence_system() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

SIMT_INLINE void __trap(unsigned int line = __builtin_LINE()) {
    simt_rt->trap(1, "__trap()", line);
    __builtin_unreachable();
}
SIMT_INLINE long long clock64() {
    return static_cast<long long>(simt_rt->clock());
}
SIMT_INLINE long long wall_clock64() {
    return static_cast<long long>(simt_rt->clock());
}
SIMT_INLINE int clock() {
    return static_cast<int>(simt_rt->clock());
}
SIMT_INLINE void __nanosleep(unsigned int) {}

extern "C" int printf(const char*, ...);
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e)                                                                                  \
    ((e) ? (void)0 : (simt_rt->trap(2, "Assertion `" #e "` failed", __LINE__), (void)0))
#endif
