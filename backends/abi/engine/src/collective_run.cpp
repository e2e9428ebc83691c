// SPDX-License-Identifier: Apache-2.0
// Collectives of all ranks: piece by piece through the ranks' buffers, which take turns, so that
// all ranks pass one point together for each piece.
#include <algorithm>
#include <cstring>

#include "collective_comm.hpp"
#include "convert.hpp"
#include "model.hpp"

namespace device_api::engine {
namespace {

/// How large source and target are, in multiples of `count`, and who has them.
struct Shape {
    bool source_per_rank, target_per_rank; // ranks * count elements
    bool root_source, root_target;         // only the root has one
    bool reduces;
};
constexpr Shape shapes[] = {
    /* all_reduce */ {false, false, false, false, true},
    /* reduce */ {false, false, false, true, true},
    /* broadcast */ {false, false, true, false, false},
    /* all_gather */ {false, true, false, false, false},
    /* reduce_scatter */ {true, false, false, false, true},
    /* all_to_all */ {true, true, false, false, false},
    /* scatter */ {true, false, true, false, false},
    /* barrier */ {false, false, false, false, false},
};
const Shape& shape_of(const CollectiveCall& call) {
    return shapes[static_cast<int>(call.kind)];
}
constexpr const char* reduction_names[] = {"sum", "prod", "max", "min"};

struct Sizes {
    std::uint64_t source = 0, target = 0; // elements at this rank
};
Sizes sizes_of(const Comm& c, const CollectiveCall& call) {
    const Shape& s = shape_of(call);
    const auto n = static_cast<std::uint64_t>(c.ranks());
    const bool root = call.root == c.rank();
    Sizes sizes;
    if (call.kind == Collective::barrier) return sizes;
    if (!s.root_source || root) sizes.source = call.count * (s.source_per_rank ? n : 1);
    if (!s.root_target || root) sizes.target = call.count * (s.target_per_rank ? n : 1);
    return sizes;
}

/// All ranks have arrived here.
Status tick(Comm& c, Waits& waits) {
    Region& region = *c.region;
    const std::uint64_t point = ++c.ticks;
    region.mine().arrived.store(point);
    region.ring();
    const auto late = [&](int r) { return region.head().rank[r].arrived.load() < point; };
    return waits.until(
        [&] {
            for (int r = 0; r < c.ranks(); ++r)
                if (late(r)) return false;
            return true;
        },
        late);
}

double machine_ns() {
    using namespace std::chrono;
    return double(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

std::string in_words(const SharedCall& c) {
    const auto kind = static_cast<Collective>(c.kind);
    std::string text = std::string(c.name) + " of " + std::to_string(c.count) + " " +
                       dtype_name(static_cast<DType>(c.dtype));
    if (shapes[c.kind].reduces) text += std::string(", ") + reduction_names[c.reduction & 3];
    if (kind == Collective::reduce || kind == Collective::broadcast || kind == Collective::scatter)
        text += ", root " + std::to_string(c.root);
    return text;
}

bool same(const SharedCall& a, const SharedCall& b) {
    return a.kind == b.kind && a.dtype == b.dtype && a.count == b.count && a.root == b.root &&
           a.reduction == b.reduction;
}

/// Every rank makes the same call; the simulated clock of all is that of the last one.
Status agree(Comm& c, Waits& waits, Stream& stream, const CollectiveCall& call) {
    Region& region = *c.region;
    const std::uint64_t turn = c.calls++ & 1;
    SharedCall& mine = region.mine().call[turn];
    const double base = machine_ns() - host_now_ns();
    mine.kind = static_cast<std::uint32_t>(call.kind);
    mine.dtype = static_cast<std::uint32_t>(call.dtype);
    mine.reduction = shape_of(call).reduces ? static_cast<std::uint32_t>(call.reduction) : 0;
    mine.root = call.root;
    mine.count = call.count;
    mine.clock_ns = stream.clock_ns + base;
    std::snprintf(mine.name, sizeof mine.name, "%s", call.name);
    if (Status s = tick(c, waits); s != Status::ok) return s;
    const SharedCall& first = region.head().rank[0].call[turn];
    int odd = same(first, mine) ? 0 : c.rank(); // one that differs from rank 0
    for (int r = 0; r < c.ranks(); ++r) {
        const SharedCall& other = region.head().rank[r].call[turn];
        stream.clock_ns = std::max(stream.clock_ns, other.clock_ns - base);
        if (!odd && !same(other, first)) odd = r;
    }
    if (!odd) return Status::ok;
    char text[320];
    std::snprintf(text, sizeof text, "the ranks' calls differ: rank 0 makes %s, rank %d %s",
                  in_words(first).c_str(), odd,
                  in_words(region.head().rank[odd].call[turn]).c_str());
    region.break_up(Status::remote_fault, text);
    return misuse(Rule::collective_mismatch, Status::remote_fault, "%s", text);
}

template <class C>
void combine(Reduction op, C* acc, const C* x, std::int64_t n) {
    using U = std::conditional_t<std::is_integral<C>::value, std::uint64_t, C>; // wraps
    for (std::int64_t i = 0; i < n; ++i) {
        const C a = acc[i], b = x[i];
        switch (op) {
        case Reduction::sum: acc[i] = static_cast<C>(U(a) + U(b)); break;
        case Reduction::prod: acc[i] = static_cast<C>(U(a) * U(b)); break;
        case Reduction::max: acc[i] = a != a || a > b ? a : b; break; // NaN stays
        case Reduction::min: acc[i] = a != a || a < b ? a : b; break;
        }
    }
}

/// out[n] = reduction of parts[0][n], parts[1][n] ... in this order.
void reduce_parts(Reduction op, DType dtype, const std::vector<const char*>& parts, char* out,
                  std::int64_t n) {
    const auto size = static_cast<std::int64_t>(dtype_size(dtype));
    with_class(dtype, [&](auto zero) {
        using C = decltype(zero);
        constexpr std::int64_t block = 512;
        C acc[block], x[block];
        for (std::int64_t at = 0; at < n; at += block) {
            const std::int64_t m = std::min(block, n - at);
            loader<C>(dtype)(parts[0] + at * size, 1, m, acc);
            for (std::size_t r = 1; r < parts.size(); ++r) {
                loader<C>(dtype)(parts[r] + at * size, 1, m, x);
                combine(op, acc, x, m);
            }
            narrow<C>(dtype, acc, m);
            storer<C>(dtype)(acc, out + at * size, 1, m);
        }
        return 0;
    });
}

struct Pieces {
    Comm& c;
    const CollectiveCall& call;
    const char* source;
    char* target;
    std::size_t size; // of an element

    char* slot(int r) { return c.region->slot(r, c.pieces); }
    std::size_t offset(std::uint64_t element) const { return std::size_t(element) * size; }

    /// Puts elements [at, at + n) of this rank's source where the others see them.
    void publish(std::uint64_t at, std::uint64_t n) {
        if (!source) return;
        const bool parts = shape_of(call).source_per_rank;
        for (int r = 0; r < (parts ? c.ranks() : 1); ++r)
            std::memcpy(slot(c.rank()) + offset(r * n),
                        source + offset(static_cast<std::uint64_t>(r) * call.count + at),
                        offset(n));
    }
    /// Takes what belongs to this rank.
    void collect(std::uint64_t at, std::uint64_t n) {
        if (!target) return;
        const bool parts = shape_of(call).source_per_rank;
        const std::size_t mine = parts ? offset(static_cast<std::uint64_t>(c.rank()) * n) : 0;
        if (shape_of(call).reduces) {
            std::vector<const char*> all;
            for (int r = 0; r < c.ranks(); ++r) all.push_back(slot(r) + mine);
            reduce_parts(call.reduction, call.dtype, all, target + offset(at),
                         static_cast<std::int64_t>(n));
        } else if (shape_of(call).target_per_rank) {
            for (int r = 0; r < c.ranks(); ++r)
                std::memcpy(target + offset(static_cast<std::uint64_t>(r) * call.count + at),
                            slot(r) + mine, offset(n));
        } else {
            std::memcpy(target + offset(at), slot(call.root) + mine, offset(n));
        }
    }
};

Status run(TaskContext& task, Comm& c, const CollectiveCall& call) {
    Waits waits(c, task, call.name);
    if (Status s = agree(c, waits, *task.state()->stream, call); s != Status::ok) return s;
    const Sizes sizes = sizes_of(c, call);
    const std::size_t size = dtype_size(call.dtype);
    Pieces pieces{c, call, nullptr, nullptr, size};
    if (sizes.source) {
        pieces.source = static_cast<const char*>(task.map(call.source, sizes.source * size, false));
        if (!pieces.source) return task.error();
    }
    if (sizes.target) {
        pieces.target = static_cast<char*>(task.map(call.target, sizes.target * size, true));
        if (!pieces.target) return task.error();
    }
    const std::size_t parts = shape_of(call).source_per_rank ? std::size_t(c.ranks()) : 1;
    const std::uint64_t most = c.region->slot_bytes() / size / parts;
    for (std::uint64_t at = 0; at < call.count; at += most) {
        const std::uint64_t n = std::min(most, call.count - at);
        pieces.publish(at, n);
        if (Status s = tick(c, waits); s != Status::ok) return s;
        pieces.collect(at, n);
        ++c.pieces;
    }
    return Status::ok;
}

/// Source and target are the same (all_gather, reduce_scatter: this rank's part), or apart.
Status check_overlap(const Comm& c, const CollectiveCall& call, const Sizes& sizes) {
    if (!sizes.source || !sizes.target) return Status::ok;
    const std::size_t size = dtype_size(call.dtype);
    const std::uintptr_t part =
        static_cast<std::uintptr_t>(c.rank()) * static_cast<std::uintptr_t>(call.count) * size;
    const Shape& s = shape_of(call);
    const bool gathers = s.target_per_rank && !s.source_per_rank;
    const bool scatters = s.source_per_rank && !s.target_per_rank;
    const std::uintptr_t source = call.source + (scatters ? part : 0);
    const std::uintptr_t target = call.target + (gathers ? part : 0);
    const bool apart = call.source + sizes.source * size <= call.target ||
                       call.target + sizes.target * size <= call.source;
    if (source == target || apart) return Status::ok;
    return misuse(Rule::collective_memory, Status::invalid_value,
                  "%s: source %p and target %p overlap without being in place", call.name,
                  reinterpret_cast<void*>(call.source), reinterpret_cast<void*>(call.target));
}

/// What a ring would send over this rank's link.
double link_bytes(const Comm& c, const CollectiveCall& call) {
    const double n = c.ranks();
    const double bytes = double(call.count) * double(dtype_size(call.dtype));
    switch (call.kind) {
    case Collective::all_reduce: return 2 * (n - 1) / n * bytes;
    case Collective::reduce:
    case Collective::broadcast: return n > 1 ? bytes : 0;
    case Collective::barrier: return 0;
    default: return (n - 1) * bytes;
    }
}

Tensor dense(DType dtype, std::uintptr_t p, std::uint64_t n) {
    const auto length = static_cast<std::int64_t>(n);
    return Tensor(dtype, p, 1, &length);
}

} // namespace

Status collective(Handle comm, Handle stream, const CollectiveCall& call) noexcept {
    CommPtr c;
    if (Status s = find_comm(comm, &c); s != Status::ok) return s;
    if (call.root < 0 || call.root >= c->ranks())
        return fail(Status::invalid_value, "%s: root %d of %d ranks", call.name, call.root,
                    c->ranks());
    const Sizes sizes = sizes_of(*c, call);
    if (Status s = check_memory(*c, call.name, "source", call.source, call.dtype, sizes.source);
        s != Status::ok)
        return s;
    if (Status s = check_memory(*c, call.name, "target", call.target, call.dtype, sizes.target);
        s != Status::ok)
        return s;
    if (Status s = check_overlap(*c, call, sizes); s != Status::ok) return s;
    std::vector<Operand> operands;
    const bool in_place = sizes.source == sizes.target && call.source == call.target;
    if (sizes.source && !in_place)
        operands.emplace_back(dense(call.dtype, call.source, sizes.source), Access::read);
    if (sizes.target)
        operands.emplace_back(dense(call.dtype, call.target, sizes.target),
                              in_place ? Access::read_write : Access::write);
    return submit_turn(c, stream, call.name, operands, link_bytes(*c, call),
                       [call](TaskContext& task, Comm& rank) { return run(task, rank, call); });
}

} // namespace device_api::engine
