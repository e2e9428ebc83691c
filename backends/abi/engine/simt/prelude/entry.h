// SPDX-License-Identifier: Apache-2.0
// How the runner calls a kernel: some threads of one block, in ascending or descending order.
static void simt_bind_dynamic();

template <class... P>
struct simt_layout {
    static constexpr unsigned int count = sizeof...(P);
    simt_param params[count + 1] = {};
    unsigned int bytes = 0;
    constexpr simt_layout() {
        const unsigned int sizes[] = {sizeof(P)..., 0}, alignments[] = {alignof(P)..., 1};
        for (unsigned int i = 0; i < count; ++i) {
            bytes = (bytes + alignments[i] - 1) / alignments[i] * alignments[i];
            params[i] = simt_param{bytes, sizes[i]};
            bytes += sizes[i];
        }
    }
    static const simt_layout value;
};
template <class... P>
constexpr simt_layout<P...> simt_layout<P...>::value{};

template <unsigned int... I>
struct simt_sequence {};
template <unsigned int N, unsigned int... I>
struct simt_counting : simt_counting<N - 1, N - 1, I...> {};
template <unsigned int... I>
struct simt_counting<0, I...> {
    typedef simt_sequence<I...> type;
};

/// What a name expression gives the address of: a variable, or, below, a kernel.
template <auto Address>
struct simt_kernel {
    static simt_entry entry(const char* name, unsigned int, unsigned int expression) {
        return simt_entry{name, Address, nullptr, nullptr, 0, sizeof(*Address), 0, expression};
    }
};
template <class... P, void (*Kernel)(P...)>
struct simt_kernel<Kernel> {
    static constexpr bool function = true;
    typedef simt_layout<P...> layout;
    /// A thread whose kernel waits takes the rest of its loop away: see simt_meet.
    static void threads(const simt_call* c, P... args) {
        const unsigned int width = blockDim.x, last = c->first + c->count;
        if (c->backward) {
            for (unsigned int at = last; at > c->first;) {
                const unsigned int row = (at - 1) / width;
                unsigned int begin = row * width, end = at - begin;
                begin = begin < c->first ? c->first - begin : 0;
                threadIdx.y = row % blockDim.y;
                threadIdx.z = row / blockDim.y;
                at = row * width + begin;
                simt_end = 1;
                simt_begin = begin;
                for (unsigned int x = end; x > simt_begin; --x) {
                    threadIdx.x = x - 1;
                    Kernel(args...);
                }
                if (!simt_end) return;
            }
            return;
        }
        for (unsigned int at = c->first; at < last;) {
            const unsigned int row = at / width, begin = at - row * width;
            const unsigned int room = width - begin, left = last - at;
            const unsigned int end = begin + (room < left ? room : left);
            threadIdx.y = row % blockDim.y;
            threadIdx.z = row / blockDim.y;
            at += end - begin;
            simt_end = end;
            for (unsigned int x = begin; x < simt_end; ++x) {
                threadIdx.x = x;
                Kernel(args...);
            }
            if (!simt_end) return;
        }
    }
    template <unsigned int... I>
    static void call(const simt_call* c, simt_sequence<I...>) {
        threads(c, *reinterpret_cast<const P*>(c->params + layout::value.params[I].offset)...);
    }
    static void run(const simt_call* c) {
        gridDim = c->grid;
        blockDim = c->block;
        blockIdx = c->index;
        simt_dynamic = c->dynamic;
        simt_dynamic_bytes = c->dynamic_bytes;
        simt_bind_dynamic();
        call(c, typename simt_counting<sizeof...(P)>::type());
    }
    static constexpr simt_entry entry(const char* name, unsigned int max_threads,
                                      unsigned int expression) {
        return simt_entry{name,          reinterpret_cast<const void*>(Kernel),
                          &run,          layout::value.params,
                          layout::count, layout::value.bytes,
                          max_threads,   expression};
    }
};
