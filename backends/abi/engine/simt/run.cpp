// SPDX-License-Identifier: Apache-2.0
// Running a grid on a device: its memory opened for this thread, its blocks one after another.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <numeric>
#include <sys/mman.h>

#include "../src/engine.hpp"
#include "../src/memory.hpp"
#include "fault.hpp"
#include "module.hpp"
#include "runner.hpp"

namespace device_api::engine::simt {
namespace {

constexpr std::size_t page = 4096;

/// Dynamic shared memory: it ends with a page that nobody may touch behind it.
class Arena {
  public:
    ~Arena() {
        if (base_) munmap(base_, room_ + page);
    }
    char* bytes(std::size_t n) {
        const std::size_t needed = (n + page - 1) / page * page;
        if (needed > room_) {
            if (base_) munmap(base_, room_ + page);
            void* p = mmap(nullptr, needed + page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            base_ = p == MAP_FAILED ? nullptr : static_cast<char*>(p);
            room_ = base_ ? needed : 0;
            if (!base_) return nullptr;
            mprotect(base_ + room_, page, PROT_NONE);
        }
        return base_ + room_ - (n + 15) / 16 * 16;
    }

  private:
    char* base_ = nullptr;
    std::size_t room_ = 0;
};

/// Signals of a thread that runs kernels come on a stack of their own.
class SignalStack {
  public:
    SignalStack() : memory_(64 << 10) {
        stack_t mine{};
        mine.ss_sp = memory_.data();
        mine.ss_size = memory_.size();
        sigaltstack(&mine, &before_);
        if (!(before_.ss_flags & SS_DISABLE)) sigaltstack(&before_, nullptr); // it has one
    }
    ~SignalStack() {
        if (!(before_.ss_flags & SS_DISABLE)) return;
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }

  private:
    std::vector<char> memory_;
    stack_t before_{};
};

/// The memory that kernels of a device may use, for this thread and as long as it lives: its own,
/// and that of its peers.
class Reach {
  public:
    explicit Reach(int device) {
        for (const auto& d : all_devices()) {
            bool peer = false;
            if (d->index != device &&
                (peer_enabled(device, d->index, &peer) != Status::ok || !peer))
                continue;
            d->memory->open();
            opened_.push_back(d);
        }
    }
    ~Reach() {
        for (const auto& d : opened_) d->memory->close();
    }

  private:
    DevicePtrs opened_;
};

/// Allocations whose addresses are among the parameters: not reused while the grid runs, and
/// poisoned where nobody has written.
class Held {
  public:
    explicit Held(const std::string& params) {
        for (std::size_t at = 0; at + 8 <= params.size(); at += 4) {
            std::uintptr_t p;
            std::memcpy(&p, params.data() + at, sizeof p);
            const auto device = device_of_address(p);
            if (!device) continue;
            if (AllocationPtr a = device->memory->touch(p)) held_.emplace_back(device, a);
        }
    }
    ~Held() {
        for (const auto& h : held_) h.first->memory->unpin(h.second);
    }

  private:
    std::vector<std::pair<std::shared_ptr<Device>, AllocationPtr>> held_;
};

Index3 index_of(std::uint64_t block, const Dim& grid) {
    return {static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block / grid.x % grid.y),
            static_cast<unsigned>(block / grid.x / grid.y)};
}

/// Blocks come in ascending or descending order, or, now and then, scattered.
std::uint64_t stride_of(std::uint64_t blocks, Order* order) {
    const unsigned kind = order->below(8);
    if (kind < 4) return 1;
    if (kind < 7 || blocks < 3) return blocks - 1 ? blocks - 1 : 1;
    std::uint64_t stride = order->next() % blocks;
    while (std::gcd(stride, blocks) != 1) stride = (stride + 1) % blocks;
    return stride;
}

Status failed(const Function& f, const Failure& why, Fault* fault) {
    *fault = why.fault;
    return fail(why.fault == Fault::illegal_address ? Status::invalid_address
                                                    : Status::kernel_fault,
                "kernel %s: %s", f.name.c_str(), why.text.c_str());
}

/// Static and dynamic shared memory, of this thread of the host.
struct Shared {
    Arena arena;
    SignalStack signals;
};

} // namespace

Status run(const Function& f, const Grid& grid, const std::string& params, int device,
           std::uint64_t seed, Fault* fault) noexcept {
    static thread_local Shared shared;
    *fault = Fault::none;
    char* dynamic = shared.arena.bytes(grid.dynamic_shared);
    if (!dynamic && grid.dynamic_shared) return fail(Status::internal, "host memory exhausted");
    watch_signals();
    const Reach reach(device);
    const Held held(params);
    Call call{};
    std::string copy = params;
    copy.resize(std::max(copy.size(), f.param_bytes));
    call.params = reinterpret_cast<const unsigned char*>(copy.data());
    call.grid = {grid.grid.x, grid.grid.y, grid.grid.z};
    call.block = {grid.block.x, grid.block.y, grid.block.z};
    call.dynamic = dynamic;
    call.dynamic_bytes = static_cast<unsigned>(grid.dynamic_shared);
    f.entry(&call); // no threads: the image's thread_local memory is there afterwards
    void* block_memory = f.module->thread_block();
    const std::size_t block_bytes = block_memory && f.static_shared ? f.module->tls_bytes : 0;
    Order order{mix(seed ^ mix(setup_seed()))};
    Runner& runner = Runner::here();
    const std::uint64_t blocks = grid.grid.volume();
    const std::uint64_t stride = stride_of(blocks, &order);
    std::uint64_t block = order.next() % blocks;
    const auto warp = static_cast<unsigned>(warp_size(*f.module));
    for (std::uint64_t i = 0; i < blocks; ++i, block = (block + stride) % blocks) {
        call.index = index_of(block, grid.grid);
        if (block_bytes) poison(block_memory, block_bytes);
        if (grid.dynamic_shared) poison(dynamic, grid.dynamic_shared);
        if (!runner.run_block(f, call, warp, &order)) return failed(f, runner.failure(), fault);
    }
    return Status::ok;
}

} // namespace device_api::engine::simt
