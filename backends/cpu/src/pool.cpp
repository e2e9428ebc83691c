// SPDX-License-Identifier: Apache-2.0
// The thread pool: one job at a time, chunks claimed by compare-and-swap on (job number, chunk).
#include "pool.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <new>

namespace device_api::cpu {
namespace {

constexpr int kMaxWorkers = 255;
constexpr int64_t kMaxChunks = 1 << 24;
constexpr int kSpins = 2000;

// `ticket` holds the number of the job in its upper half and the next chunk in its lower half, so
// a worker that is late by a job cannot claim a chunk of the wrong one. The other members of the
// job change only while none of its chunks can be claimed.
struct Pool {
    std::atomic<uint64_t> ticket{0};
    std::atomic<uint32_t> chunks{0};
    std::atomic<uint32_t> done{0};
    std::atomic<int> helpers{0};
    std::atomic<ChunkFunction> function{nullptr};
    std::atomic<void*> context{nullptr};

    std::atomic<bool> busy{false}; // a caller has the pool
    int workers = 0;               // started; owned by the caller that has the pool
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
    uint32_t job = 0; // under the mutex; what workers wait to see change
};

// Never destroyed: workers may run until the process ends.
alignas(Pool) unsigned char storage[sizeof(Pool)];
std::atomic<Pool*> current{nullptr};

// In the child of a fork there are no workers and the locks may be held by nobody: start anew.
void after_fork_in_child() {
    current.store(new (storage) Pool);
}

Pool* acquire() {
    static Pool* const first = new (storage) Pool;
    static const bool registered = pthread_atfork(nullptr, nullptr, after_fork_in_child) == 0;
    if (!registered) return nullptr; // a pool that does not survive fork is not started
    Pool* none = nullptr;
    current.compare_exchange_strong(none, first);
    Pool* pool = current.load();
    return pool->busy.exchange(true, std::memory_order_acquire) ? nullptr : pool;
}

// Claims chunks of the job until there are none left.
void work(Pool* pool, uint32_t job) {
    for (;;) {
        uint64_t ticket = pool->ticket.load(std::memory_order_acquire);
        const ChunkFunction function = pool->function.load(std::memory_order_relaxed);
        void* context = pool->context.load(std::memory_order_relaxed);
        const uint32_t chunk = uint32_t(ticket);
        if (uint32_t(ticket >> 32) != job) return;
        if (chunk >= pool->chunks.load(std::memory_order_relaxed)) return;
        if (!pool->ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel))
            continue;
        function(context, chunk);
        pool->done.fetch_add(1, std::memory_order_release);
    }
}

struct Start {
    Pool* pool;
    int index;
};
Start starts[kMaxWorkers];

void* worker(void* argument) {
    const Start* start = static_cast<const Start*>(argument);
    Pool* pool = start->pool;
    uint32_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&pool->mutex);
        while (pool->job == seen) pthread_cond_wait(&pool->wake, &pool->mutex);
        seen = pool->job;
        pthread_mutex_unlock(&pool->mutex);
        if (start->index < pool->helpers.load(std::memory_order_relaxed)) work(pool, seen);
    }
    return nullptr;
}

// Makes the pool `wanted` workers large, if the system allows; fewer only cost time.
void grow(Pool* pool, int wanted) {
    if (wanted > kMaxWorkers) wanted = kMaxWorkers;
    if (pool->workers >= wanted) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the program's own threads
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    while (pool->workers < wanted) {
        starts[pool->workers] = {pool, pool->workers};
        pthread_t thread;
        if (pthread_create(&thread, &attributes, worker, &starts[pool->workers]) != 0) break;
        ++pool->workers;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void wait_for(Pool* pool, uint32_t chunks) {
    for (int spin = 0; pool->done.load(std::memory_order_acquire) != chunks; ++spin) {
        if (spin < kSpins) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        } else {
            sched_yield();
        }
    }
}

void run_job(Pool* pool, int threads, uint32_t chunks, ChunkFunction function, void* context) {
    grow(pool, threads - 1);
    const uint32_t job = uint32_t(pool->ticket.load(std::memory_order_relaxed) >> 32) + 1;
    // Until the new ticket is there, late workers see one of the old job with no chunk left.
    pool->chunks.store(0, std::memory_order_relaxed);
    pool->ticket.store(uint64_t(job) << 32, std::memory_order_release);
    pool->function.store(function, std::memory_order_relaxed);
    pool->context.store(context, std::memory_order_relaxed);
    pool->done.store(0, std::memory_order_relaxed);
    pool->helpers.store(threads - 1, std::memory_order_relaxed);
    pool->chunks.store(chunks, std::memory_order_release);
    pthread_mutex_lock(&pool->mutex);
    pool->job = job;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    work(pool, job);
    wait_for(pool, chunks);
}

} // namespace

void parallel(int threads, int64_t chunks, ChunkFunction function, void* context) {
    Pool* pool = threads > 1 && chunks > 1 && chunks <= kMaxChunks ? acquire() : nullptr;
    if (!pool) { // one thread, or another caller has the pool
        for (int64_t chunk = 0; chunk < chunks; ++chunk) function(context, chunk);
        return;
    }
    run_job(pool, threads, uint32_t(chunks), function, context);
    pool->busy.store(false, std::memory_order_release);
}

int available_cpus() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    const int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

} // namespace device_api::cpu
