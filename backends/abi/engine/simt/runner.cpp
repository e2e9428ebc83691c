// SPDX-License-Identifier: Apache-2.0
// Running a block: each thread up to where it waits, in a random order, until all have returned.
#include "runner.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace device_api::engine::simt {
namespace {

thread_local Runner* current_runner = nullptr;

unsigned long meet_here(unsigned thread, unsigned op, unsigned long mask, unsigned long value,
                        unsigned long other, unsigned line) {
    return Runner::running()->meet(thread, op, mask, value, other, line);
}

void trap_here(unsigned why, const char* text, unsigned line) {
    const std::string where = std::string(text) + " in line " + std::to_string(line);
    Runner::running()->stop(why == trap_assertion ? Fault::assertion : Fault::trap, where);
}

unsigned long clock_here() {
    return static_cast<unsigned long>(std::chrono::steady_clock::now().time_since_epoch().count());
}

} // namespace

const Runtime runtime = {meet_here, trap_here, clock_here};

Runner& Runner::here() {
    static thread_local Runner mine;
    return mine;
}

Runner* Runner::running() noexcept {
    return current_runner;
}

void Runner::begin(const Function& f, const Call& call, unsigned warp, Order* order) {
    function_ = &f;
    call_ = call;
    threads_ = call.block.x * call.block.y * call.block.z;
    warp_ = warp;
    order_ = order;
    at_barrier_ = 0;
    live_ = threads_;
    failure_ = {};
    fibers_.clear();
    ready_.clear();
    gone_.assign((threads_ + warp - 1) / warp, 0);
    here_.assign(gone_.size(), 0);
    fiber_of_.assign(threads_, 0);
    for (unsigned t = threads_; t % warp; ++t) gone_.back() |= 1ul << (t % warp);
}

bool Runner::add_fiber(unsigned first, unsigned count, bool backward) {
    void* base = stacks_.base(fibers_.size());
    if (!base) {
        failure_ = {Fault::stack_overflow, "no host memory for the stacks of a block's threads"};
        return false;
    }
    Fiber f;
    f.state = Fiber::ready;
    f.first = first;
    f.count = count;
    f.backward = backward;
    f.stack = fiber_start(base, &Runner::enter, this);
    ready_.push_back(fibers_.size());
    fibers_.push_back(f);
    return true;
}

void Runner::enter(void* runner) {
    auto* r = static_cast<Runner*>(runner);
    Call call = r->call_;
    const Fiber& f = r->fibers_[r->current_];
    call.first = f.first;
    call.count = f.count;
    call.backward = f.backward;
    r->function_->entry(&call);
    r->fibers_[r->current_].state = Fiber::done;
    void* unused;
    simt_switch_stack(&unused, r->main_);
}

void Runner::resume(std::size_t i) {
    current_ = i;
    in_fiber_ = true;
    simt_switch_stack(&main_, fibers_[i].stack);
    in_fiber_ = false;
}

bool Runner::run_block(const Function& f, Call call, unsigned warp, Order* order) {
    begin(f, call, warp, order);
    current_runner = this;
    if (!f.meets) {
        add_fiber(0, threads_, order->next() & 1);
    } else {
        for (unsigned t = 0; t < threads_ && add_fiber(t, 1, false); ++t) {
        }
    }
    while (failure_.fault == Fault::none) {
        if (ready_.empty() && !settle()) break;
        const std::size_t pick = order->below(static_cast<unsigned>(ready_.size()));
        const std::size_t i = ready_[pick];
        ready_[pick] = ready_.back();
        ready_.pop_back();
        resume(i);
        if (failure_.fault == Fault::none) after_run(i);
    }
    current_runner = nullptr;
    return failure_.fault == Fault::none;
}

void Runner::after_run(std::size_t i) {
    Fiber& f = fibers_[i];
    if (f.state != Fiber::done) return; // meet() has done the rest
    if (f.met) return finish(f.thread);
    for (unsigned t = f.first; t < f.first + f.count; ++t) finish(t);
}

void Runner::finish(unsigned thread) {
    const unsigned w = thread / warp_;
    gone_[w] |= 1ul << (thread % warp_);
    --live_;
    if (here_[w]) try_warp(w);
}

/// Nobody can run: does the barrier open? False: the block has ended, or failed.
bool Runner::settle() {
    if (live_ == 0) return false;
    if (at_barrier_ == live_ && live_ == threads_) {
        release_barrier();
        return failure_.fault == Fault::none;
    }
    return deadlock();
}

std::string Runner::place(unsigned thread) const {
    char text[96];
    const Index3& b = call_.block;
    std::snprintf(text, sizeof text, "thread (%u, %u, %u)", thread % b.x, thread / b.x % b.y,
                  thread / b.x / b.y);
    return text;
}

std::string Runner::now() const {
    char text[96];
    std::snprintf(text, sizeof text, " of block (%u, %u, %u)", call_.index.x, call_.index.y,
                  call_.index.z);
    return text;
}

bool Runner::deadlock() {
    const Fiber* waits = nullptr;
    for (const Fiber& f : fibers_)
        if (f.state == Fiber::at_barrier || f.state == Fiber::at_warp_op)
            if (!waits || f.state == Fiber::at_warp_op) waits = &f;
    const bool at_warp = waits->state == Fiber::at_warp_op;
    char text[256];
    if (at_warp)
        std::snprintf(text, sizeof text,
                      "%s%s waits at a warp operation in line %u with mask 0x%lx, which not all "
                      "threads of that mask reach",
                      place(waits->thread).c_str(), now().c_str(), waits->line, waits->mask);
    else
        std::snprintf(text, sizeof text,
                      "%s%s waits at the barrier in line %u, which %u of %u threads never reach: "
                      "they have returned, or wait elsewhere",
                      place(waits->thread).c_str(), now().c_str(), waits->line,
                      threads_ - at_barrier_, threads_);
    failure_ = {Fault::divergence, text};
    return false;
}

unsigned long Runner::meet(unsigned thread, unsigned op, unsigned long mask, unsigned long value,
                           unsigned long other, unsigned line) {
    function_->meets = true;
    Fiber& f = fibers_[current_];
    f.thread = thread;
    f.op = op;
    f.mask = mask;
    f.value = value;
    f.other = other;
    f.line = line;
    if (!f.met) detach(f);
    // fibers_ may have moved
    Fiber& mine = fibers_[current_];
    const unsigned w = thread / warp_;
    if (op < warp_sync) {
        mine.state = Fiber::at_barrier;
        ++at_barrier_;
    } else {
        const unsigned long bit = 1ul << (thread % warp_);
        if (mask == 0) mine.mask = 0;
        if (mask != 0 && !(mask & bit))
            stop(Fault::divergence, place(thread) + now() + " uses a mask in line " +
                                        std::to_string(line) + " that it is not in");
        mine.state = Fiber::at_warp_op;
        here_[w] |= bit;
        try_warp(w);
    }
    const std::size_t index = current_;
    simt_switch_stack(&fibers_[index].stack, main_);
    return fibers_[index].result;
}

/// The thread that waits first in a loop over several takes the loop's stack; those that have not
/// run get others.
void Runner::detach(Fiber& f) {
    f.met = true;
    const Fiber was = f;
    fiber_of_[was.thread] = static_cast<unsigned>(current_);
    const unsigned end = was.first + was.count;
    for (unsigned t = was.first; t < end; ++t)
        if (was.backward ? t > was.thread : t < was.thread) finish(t);
    start_rest(was);
}

void Runner::start_rest(const Fiber& f) {
    const unsigned end = f.first + f.count;
    const unsigned from = f.backward ? f.first : f.thread + 1, to = f.backward ? f.thread : end;
    for (unsigned t = from; t < to; ++t)
        if (!add_fiber(t, 1, false)) stop(failure_.fault, failure_.text);
}

void Runner::make_ready(Fiber& f) {
    f.state = Fiber::ready;
    ready_.push_back(static_cast<std::size_t>(&f - fibers_.data()));
}

void Runner::release_barrier() {
    const Fiber* first = nullptr;
    unsigned long count = 0;
    for (const Fiber& f : fibers_) {
        if (f.state != Fiber::at_barrier) continue;
        if (!first) first = &f;
        if (f.line != first->line || f.op != first->op) {
            char text[256];
            std::snprintf(text, sizeof text,
                          "%s%s waits at the barrier in line %u, and %s at that in line %u: all "
                          "threads of a block must reach the same one",
                          place(first->thread).c_str(), now().c_str(), first->line,
                          place(f.thread).c_str(), f.line);
            failure_ = {Fault::divergence, text};
            return;
        }
        count += f.value;
    }
    const unsigned long all = count == threads_, any = count != 0;
    const unsigned long result = first->op == barrier_count ? count
                                 : first->op == barrier_and ? all
                                 : first->op == barrier_or  ? any
                                                            : 0;
    at_barrier_ = 0;
    for (Fiber& f : fibers_) {
        if (f.state != Fiber::at_barrier) continue;
        f.result = result;
        make_ready(f);
    }
}

[[noreturn]] void Runner::stop(Fault fault, std::string text) {
    if (failure_.fault == Fault::none) {
        failure_.fault = fault;
        failure_.text = std::move(text);
    }
    void* unused;
    simt_switch_stack(&unused, main_);
    __builtin_unreachable();
}

} // namespace device_api::engine::simt
