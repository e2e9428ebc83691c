// SPDX-License-Identifier: Apache-2.0
// Defects of several devices: copies between them, and collectives.
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "rows.hpp"

namespace device_api::planted {

namespace {

// ---- ranks: what the plugin was told of each communicator ----

struct Member {
    std::int32_t device = 0, ranks = 1, rank = 0;
    dab_stream own = nullptr; // a stream that nobody waits for
    std::uint64_t calls = 0;
};

std::mutex lock;
std::map<dab_comm, Member>& members() {
    static auto* found = new std::map<dab_comm, Member>;
    return *found;
}

da_status create(dab_instance* s, std::int32_t device, const void* id, std::uint32_t bytes,
                 std::int32_t ranks, std::int32_t rank, std::int32_t ms, dab_comm* comm) {
    const da_status status = inner().comm_create(s, device, id, bytes, ranks, rank, ms, comm);
    if (status != DA_OK) return status;
    const std::lock_guard<std::mutex> guard(lock);
    members()[*comm] = {device, ranks, rank, nullptr, 0};
    return status;
}

/// One call of one rank.
struct Turn {
    dab_instance* self;
    dab_comm comm;
    dab_stream stream;
    const dab_collective& call;
    Member& who;

    std::uint64_t bytes() const { return call.count * size_of(call.dtype); }
    da_status go(const dab_collective& other) const {
        return inner().collective(self, comm, stream, &other);
    }
    /// Elements that the target has.
    std::int64_t wide() const {
        const bool all = call.kind == DAB_ALL_GATHER || call.kind == DAB_ALL_TO_ALL;
        return static_cast<std::int64_t>(call.count) * (all ? who.ranks : 1);
    }
};

struct When {
    int kind = -1;
    da_dtype_mask dtypes = 0;
    std::uint64_t more_than = 0; // elements
    bool alone = false, last_rank = false;
    std::uint64_t each = 1;
    int reduction = -1;
};
struct Hook {
    When when;
    da_status (*instead)(const Turn&) = nullptr;
    void (*after)(const Turn&, Values& target) = nullptr;
};
Hook hook; // of the one plant of this process

bool strikes(const When& w, const Turn& t) {
    if (w.kind >= 0 && t.call.kind != w.kind) return false;
    if (w.dtypes && !(w.dtypes & DA_DTYPE_BIT(t.call.dtype))) return false;
    if (w.reduction >= 0 && t.call.reduction != static_cast<std::uint32_t>(w.reduction))
        return false;
    if (w.alone && t.who.ranks != 1) return false;
    if (w.last_rank && (t.who.ranks == 1 || t.who.rank != t.who.ranks - 1)) return false;
    const bool large = t.call.kind == DAB_BARRIER || t.call.count > w.more_than;
    return large && ++t.who.calls % w.each == 0;
}

da_status after(const Turn& t) {
    const da_status status = t.go(t.call);
    if (status != DA_OK || !t.call.target) return status;
    const std::int64_t shape[] = {t.wide()}, strides[] = {1};
    da_tensor target{};
    target.data = t.call.target;
    target.dtype = t.call.dtype;
    target.rank = 1;
    target.shape = shape;
    target.strides = strides;
    bool ok = false;
    Values values = download(inner(), t.self, t.stream, target, &ok);
    if (!ok) return DA_OK; // its error comes with the next wait
    hook.after(t, values);
    struck();
    upload(inner(), t.self, t.stream, target, values);
    return DA_OK;
}

da_status collective(dab_instance* s, dab_comm comm, dab_stream q, const dab_collective* call) {
    Member* who = nullptr;
    {
        const std::lock_guard<std::mutex> guard(lock);
        who = &members()[comm];
    }
    const Turn turn{s, comm, q, *call, *who};
    if (!strikes(hook.when, turn)) return inner().collective(s, comm, q, call);
    if (hook.after) return after(turn);
    struck();
    return hook.instead(turn);
}

void put(dab_backend& t, const Hook& given) {
    if (!t.collective) return;
    hook = given;
    t.comm_create = &create;
    t.collective = &collective;
}

// ---- defects of collectives ----

da_status dropped(const Turn&) {
    return DA_OK;
}
da_status fails(const Turn&) {
    return DA_INTERNAL;
}

template <std::uint64_t Less>
da_status shorter(const Turn& t) {
    dab_collective less = t.call;
    less.count -= Less;
    return t.go(less);
}

bool passes(const Turn& t) {
    return t.call.kind == DAB_SEND || t.call.kind == DAB_RECV;
}
da_status passes_shorter(const Turn& t) {
    return passes(t) ? shorter<1>(t) : t.go(t.call);
}
da_status passes_nothing(const Turn& t) {
    return passes(t) ? DA_OK : t.go(t.call);
}

template <std::uint32_t Other>
da_status reduces_by(const Turn& t) {
    dab_collective other = t.call;
    other.reduction = Other;
    return t.go(other);
}

/// The parts of the ranks lie in the opposite order.
da_status gathered_backwards(const Turn& t) {
    dab_collective one = t.call;
    one.kind = DAB_BROADCAST;
    for (std::int32_t r = 0; r < t.who.ranks; ++r) {
        one.peer = r;
        one.source = r == t.who.rank ? t.call.source : nullptr;
        const auto at = static_cast<std::uint64_t>(t.who.ranks - 1 - r) * t.bytes();
        one.target = static_cast<char*>(t.call.target) + at;
        if (const da_status status = t.go(one)) return status;
    }
    return DA_OK;
}

/// Rank r gets the part of rank r + 1.
da_status scattered_to_the_next(const Turn& t) {
    dab_collective one = t.call;
    one.kind = DAB_REDUCE;
    for (std::int32_t r = 0; r < t.who.ranks; ++r) {
        one.peer = (r + t.who.ranks - 1) % t.who.ranks;
        one.source = static_cast<const char*>(t.call.source) + std::uint64_t(r) * t.bytes();
        one.target = one.peer == t.who.rank ? t.call.target : nullptr;
        if (const da_status status = t.go(one)) return status;
    }
    return DA_OK;
}

da_status from_the_next_root(const Turn& t) {
    dab_collective other = t.call;
    other.peer = (t.call.peer + 1) % t.who.ranks;
    other.source = other.peer == t.who.rank ? t.call.target : nullptr;
    return t.go(other);
}

da_status at_every_rank(const Turn& t) {
    dab_collective other = t.call;
    other.kind = DAB_ALL_REDUCE;
    if (!other.target) other.target = const_cast<void*>(other.source);
    return t.go(other);
}

da_status without_order(const Turn& t) {
    Member& who = t.who;
    if (!who.own && inner().stream_create(t.self, who.device, 0, &who.own)) return t.go(t.call);
    return inner().collective(t.self, t.comm, who.own, &t.call);
}

da_status scribbles_on_the_source(const Turn& t) {
    const da_status status = t.go(t.call);
    if (status != DA_OK || t.call.source == t.call.target) return status;
    return inner().copy(t.self, t.stream, const_cast<void*>(t.call.source), t.call.target,
                        t.bytes(), DAB_DEVICE_TO_DEVICE);
}

da_status writes_past_the_end(const Turn& t) {
    const da_status status = t.go(t.call);
    if (status != DA_OK || !inner().fill) return status;
    return inner().fill(t.self, t.stream, static_cast<char*>(t.call.target) + t.bytes(), 0x5a, 1);
}

da_status misaligned(const Turn& t) {
    const auto off = reinterpret_cast<std::uintptr_t>(t.call.source) % 4;
    return off ? DA_INTERNAL : t.go(t.call);
}

void spoils(const Turn&, Values& v) {
    unsigned char* last = v.at(v.count() - 1);
    last[0] ^= 0x10;
}
void loses_nan(const Turn&, Values& v) {
    for (std::size_t i = 0; i < v.count(); ++i)
        if (std::isnan(v.get(i))) v.set(i, 1.0);
}
void own_part_is_lost(const Turn& t, Values& v) {
    const auto n = static_cast<std::size_t>(t.call.count);
    for (std::size_t i = 0; i < n; ++i) v.zero(static_cast<std::size_t>(t.who.rank) * n + i);
}
void flushes(const Turn&, Values& v) {
    for (std::size_t i = 0; i < v.count(); ++i)
        if (!std::isfinite(v.get(i))) v.set(i, 0.0);
}

const Plant rows[] = {
#define ROW(id, words, source, ...)                                                                \
    member(id, words, source, [](dab_backend& t) { put(t, Hook{__VA_ARGS__}); })
    ROW("A-reduce-tail", "all_reduce leaves the last 8 elements untouched", "A01",
        {DAB_ALL_REDUCE, 0, 8}, &shorter<8>),
    ROW("A-alone-tail", "all_reduce of one rank leaves the last 8 bfloat16 untouched", "A01",
        {DAB_ALL_REDUCE, bf16, 8, true}, &shorter<8>),
    ROW("A-reduce-large", "all_reduce is wrong above a size", "A05", {DAB_ALL_REDUCE, 0, 1023},
        &shorter<1>),
    ROW("A-reduce-huge", "all_reduce is wrong above a million elements", "A05",
        {DAB_ALL_REDUCE, 0, 1000000}, &shorter<1>),
    ROW("A-gather-short", "all_gather is wrong", "A03", {DAB_ALL_GATHER, 0, 1}, &shorter<1>),
    ROW("A-scatter-short", "reduce_scatter is wrong", "A03", {DAB_REDUCE_SCATTER, 0, 1},
        &shorter<1>),
    ROW("A-send-short", "sends and receives leave the last element out", "", {-1, 0, 1},
        &passes_shorter),
    ROW("A-receive-dropped", "what is sent is not received, and not sent either", "", {-1},
        &passes_nothing),
    ROW("A-gather-order", "all_gather puts the ranks in the opposite order", "A03",
        {DAB_ALL_GATHER}, &gathered_backwards),
    ROW("A-scatter-next", "reduce_scatter gives a rank the part of the next", "A03",
        {DAB_REDUCE_SCATTER}, &scattered_to_the_next),
    ROW("A-broadcast-root", "broadcast sends what the next rank has", "", {DAB_BROADCAST},
        &from_the_next_root),
    ROW("A-broadcast-dropped", "broadcast does nothing", "", {DAB_BROADCAST}, &dropped),
    ROW("A-alltoall-own", "all_to_all leaves a rank's own part out", "", {DAB_ALL_TO_ALL}, nullptr,
        &own_part_is_lost),
    ROW("A-reduce-everywhere", "reduce writes at every rank", "", {DAB_REDUCE}, &at_every_rank),
    ROW("A-prod-as-sum", "products are sums", "", {-1, 0, 0, false, false, 1, DAB_PROD},
        &reduces_by<DAB_SUM>),
    ROW("A-min-as-max", "the smallest int8 is the largest", "",
        {-1, i8, 0, false, false, 1, DAB_MIN}, &reduces_by<DAB_MAX>),
    ROW("A-average-as-sum", "averages are declared, and are sums", "A01",
        {-1, 0, 0, false, false, 1, DAB_AVG}, &reduces_by<DAB_SUM>),
    ROW("A-max-without-nan", "the largest of a number and NaN is a number", "",
        {DAB_ALL_REDUCE, floats, 0, false, false, 1, DAB_MAX}, nullptr, &loses_nan),
    ROW("A-sum-without-inf", "sums that are not finite are 0", "",
        {DAB_ALL_REDUCE, floats, 0, false, false, 1, DAB_SUM}, nullptr, &flushes),
    ROW("A-one-rank", "the last rank has another result", "", {DAB_ALL_REDUCE, 0, 0, false, true},
        nullptr, &spoils),
    ROW("A-one-rank-large", "the last rank has another result of many float16", "",
        {DAB_ALL_REDUCE, f16, 1024, false, true}, nullptr, &spoils),
    ROW("A-misaligned", "bfloat16 that begin between words are refused", "A04",
        {DAB_ALL_REDUCE, bf16}, &misaligned),
    ROW("A-int64-refused", "a declared type is refused at one rank", "",
        {DAB_ALL_REDUCE, i64, 0, false, true}, &fails),
    ROW("A-unordered", "collectives run beside the stream they are given", "S01", {-1},
        &without_order),
    ROW("A-barrier-open", "a barrier stops nobody", "", {DAB_BARRIER}, &dropped),
    ROW("A-each-seventh", "every seventh all_gather is not done", "A03",
        {DAB_ALL_GATHER, 0, 0, false, false, 7}, &dropped),
    ROW("A-each-fiftieth", "every fiftieth all_reduce has a wrong element", "A05",
        {DAB_ALL_REDUCE, 0, 0, false, false, 50}, nullptr, &spoils),
    ROW("A-source-changed", "all_reduce changes its source", "", {DAB_ALL_REDUCE},
        &scribbles_on_the_source),
    ROW("A-past-the-end", "all_reduce writes a byte too many", "", {DAB_ALL_REDUCE},
        &writes_past_the_end),
#undef ROW
    member("A-failure-lost", "waits do not tell that a collective failed", "F03",
           [](dab_backend& t) {
               t.stream_synchronize = [](dab_instance* s, dab_stream q, std::int32_t ms) {
                   const da_status status = inner().stream_synchronize(s, q, ms);
                   return status == DA_INTERNAL ? struck(), DA_OK : status;
               };
           }),
    member("A-group-well", "a group that is of no use says that all is well", "",
           [](dab_backend& t) {
               if (!t.comm_query) return;
               t.comm_query = [](dab_instance*, dab_comm) { return struck(), DA_OK; };
           }),
    member("A-limit-as-end", "a wait that reached its limit says that all is done", "F03",
           [](dab_backend& t) {
               t.stream_synchronize = [](dab_instance* s, dab_stream q, std::int32_t ms) {
                   const da_status status = inner().stream_synchronize(s, q, ms);
                   return status == DA_TIMEOUT ? struck(), DA_OK : status;
               };
           }),
};

} // namespace

Table groups() {
    return {rows, std::size(rows)};
}

} // namespace device_api::planted
