// SPDX-License-Identifier: Apache-2.0
// Private: the threads of one block as fibers of one thread of the host.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "abi.hpp"
#include "device_api/engine/simt.hpp"
#include "fiber.hpp"

namespace device_api::engine::simt {

/// A small generator of the order of threads.
struct Order {
    std::uint64_t state;
    std::uint64_t next() noexcept {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    unsigned below(unsigned n) noexcept { return static_cast<unsigned>(next() % n); }
};

struct Fiber {
    enum State { free, ready, at_barrier, at_warp_op, done } state = free;
    void* stack = nullptr; // pointer, while it does not run
    unsigned first = 0, count = 0;
    bool backward = false;
    bool met = false;    // it runs one thread now, `thread`
    unsigned thread = 0; // of the last meeting
    unsigned op = 0, line = 0;
    unsigned long mask = 0, value = 0, other = 0, result = 0;
};

/// What went wrong, of which thread.
struct Failure {
    Fault fault = Fault::none;
    std::string text;
};

/// Runs blocks on the calling thread; one for each thread of the host that does.
class Runner {
  public:
    static Runner& here();
    /// The one that runs a block on the calling thread now; null when none does.
    static Runner* running() noexcept;

    /// False: it failed, see failure().
    bool run_block(const Function& f, Call call, unsigned warp, Order* order);
    const Failure& failure() const { return failure_; }

    // On the stacks of fibers:
    unsigned long meet(unsigned thread, unsigned op, unsigned long mask, unsigned long value,
                       unsigned long other, unsigned line);
    [[noreturn]] void stop(Fault fault, std::string text);
    /// In a signal handler: was it a fiber's fault? Then it goes on as stop().
    bool take_signal(int signal, siginfo_t* info, void* context);

  private:
    static void enter(void* runner);
    void begin(const Function& f, const Call& call, unsigned warp, Order* order);
    bool add_fiber(unsigned first, unsigned count, bool backward);
    void resume(std::size_t i);
    void after_run(std::size_t i);
    void detach(Fiber& f);
    void finish(unsigned thread);
    void start_rest(const Fiber& f);
    bool settle();
    void release_barrier();
    void try_warp(unsigned warp);
    void release_warp(unsigned warp, unsigned long mask);
    void warp_results(const std::vector<Fiber*>& all, unsigned long mask);
    void make_ready(Fiber& f);
    bool deadlock();
    std::string place(unsigned thread) const;
    std::string now() const;

    Stacks stacks_;
    std::vector<Fiber> fibers_;
    std::vector<std::size_t> ready_;
    std::vector<unsigned> fiber_of_; // by thread; of those that have met
    std::vector<unsigned long> gone_,
        here_; // by warp: lanes that have returned; that wait in an op
    const Function* function_ = nullptr;
    Call call_{};
    unsigned threads_ = 0, warp_ = 32, at_barrier_ = 0, live_ = 0;
    Order* order_ = nullptr;
    void* main_ = nullptr;
    std::size_t current_ = 0;
    bool in_fiber_ = false;
    Failure failure_;
    std::vector<char> signal_stack_, last_stack_;
};

} // namespace device_api::engine::simt
