// SPDX-License-Identifier: Apache-2.0
// What threads of one warp do together. Mask 0 is "all that have not returned": the forms without a
// mask, where the language has them.
#if SIMT_WARP == 64
typedef unsigned long long simt_mask;
#else
typedef unsigned int simt_mask;
#endif

template <class T>
SIMT_INLINE unsigned long simt_pack(T value) {
    static_assert(sizeof(T) <= 8, "shuffles take values of up to 8 bytes");
    unsigned long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T>
SIMT_INLINE T simt_unpack(unsigned long bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
SIMT_INLINE int simt_lane() {
    return int(simt_thread() % SIMT_WARP);
}
template <class T>
SIMT_INLINE T simt_shuffle(unsigned long mask, T value, int from, bool inside, unsigned int line) {
    const int lane = simt_lane();
    return simt_unpack<T>(simt_meet(simt_warp_shuffle, mask, simt_pack(value),
                                    (unsigned long)(inside ? from : lane), line));
}
template <class T>
SIMT_INLINE T simt_shfl(unsigned long mask, T v, int source, int width, unsigned int line) {
    const int base = simt_lane() & ~(width - 1);
    return simt_shuffle(mask, v, base + (source & (width - 1)), true, line);
}
template <class T>
SIMT_INLINE T simt_shfl_up(unsigned long mask, T v, unsigned int n, int width, unsigned int line) {
    const int lane = simt_lane(), from = lane - int(n);
    return simt_shuffle(mask, v, from, from >= (lane & ~(width - 1)), line);
}
template <class T>
SIMT_INLINE T simt_shfl_down(unsigned long mask, T v, unsigned int n, int width,
                             unsigned int line) {
    const int lane = simt_lane(), from = lane + int(n);
    return simt_shuffle(mask, v, from, from < (lane & ~(width - 1)) + width, line);
}
template <class T>
SIMT_INLINE T simt_shfl_xor(unsigned long mask, T v, int n, int width, unsigned int line) {
    const int lane = simt_lane(), from = lane ^ n;
    return simt_shuffle(mask, v, from, from < (lane & ~(width - 1)) + width, line);
}

#define SIMT_HERE unsigned int line = __builtin_LINE()
template <class T>
SIMT_INLINE T __shfl_sync(simt_mask m, T v, int source, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl(m, v, source, width, line);
}
template <class T>
SIMT_INLINE T __shfl_up_sync(simt_mask m, T v, unsigned int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_up(m, v, n, width, line);
}
template <class T>
SIMT_INLINE T __shfl_down_sync(simt_mask m, T v, unsigned int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_down(m, v, n, width, line);
}
template <class T>
SIMT_INLINE T __shfl_xor_sync(simt_mask m, T v, int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_xor(m, v, n, width, line);
}
SIMT_INLINE void __syncwarp(simt_mask m = ~simt_mask(0), SIMT_HERE) {
    simt_meet(simt_warp_sync, m, 0, 0, line);
}
SIMT_INLINE simt_mask __ballot_sync(simt_mask m, int p, SIMT_HERE) {
    return simt_mask(simt_meet(simt_warp_ballot, m, p != 0, 0, line));
}
SIMT_INLINE int __any_sync(simt_mask m, int p, SIMT_HERE) {
    return simt_meet(simt_warp_ballot, m, p != 0, 0, line) != 0;
}
SIMT_INLINE int __all_sync(simt_mask m, int p, SIMT_HERE) {
    return simt_meet(simt_warp_ballot, m, p == 0, 0, line) == 0;
}
template <class T>
SIMT_INLINE simt_mask __match_any_sync(simt_mask m, T v, SIMT_HERE) {
    return simt_mask(simt_meet(simt_warp_match, m, simt_pack(v), 0, line));
}
/// Which threads happen to run together: the caller alone is always a right answer.
SIMT_INLINE simt_mask __activemask() {
    return simt_mask(1) << simt_lane();
}
#define SIMT_REDUCE(T, NAME, OP)                                                                   \
    SIMT_INLINE T NAME(simt_mask m, T v, SIMT_HERE) {                                              \
        return static_cast<T>(simt_meet(OP, m, (unsigned long)v, 0, line));                        \
    }
SIMT_REDUCE(unsigned int, __reduce_add_sync, simt_warp_add)
SIMT_REDUCE(int, __reduce_add_sync, simt_warp_add)
SIMT_REDUCE(unsigned int, __reduce_min_sync, simt_warp_min_u)
SIMT_REDUCE(int, __reduce_min_sync, simt_warp_min_i)
SIMT_REDUCE(unsigned int, __reduce_max_sync, simt_warp_max_u)
SIMT_REDUCE(int, __reduce_max_sync, simt_warp_max_i)
SIMT_REDUCE(unsigned int, __reduce_and_sync, simt_warp_and)
SIMT_REDUCE(unsigned int, __reduce_or_sync, simt_warp_or)
SIMT_REDUCE(unsigned int, __reduce_xor_sync, simt_warp_xor)
#undef SIMT_REDUCE

#ifdef SIMT_UNMASKED // HIP: the threads of the warp that have not returned
template <class T>
SIMT_INLINE T __shfl(T v, int source, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl(0, v, source, width, line);
}
template <class T>
SIMT_INLINE T __shfl_up(T v, unsigned int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_up(0, v, n, width, line);
}
template <class T>
SIMT_INLINE T __shfl_down(T v, unsigned int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_down(0, v, n, width, line);
}
template <class T>
SIMT_INLINE T __shfl_xor(T v, int n, int width = SIMT_WARP, SIMT_HERE) {
    return simt_shfl_xor(0, v, n, width, line);
}
SIMT_INLINE unsigned long long __ballot(int p, SIMT_HERE) {
    return simt_meet(simt_warp_ballot, 0, p != 0, 0, line);
}
SIMT_INLINE int __any(int p, SIMT_HERE) {
    return simt_meet(simt_warp_ballot, 0, p != 0, 0, line) != 0;
}
SIMT_INLINE int __all(int p, SIMT_HERE) {
    return simt_meet(simt_warp_ballot, 0, p == 0, 0, line) == 0;
}
SIMT_INLINE unsigned int __lane_id() {
    return (unsigned int)simt_lane();
}
#endif
#undef SIMT_HERE
