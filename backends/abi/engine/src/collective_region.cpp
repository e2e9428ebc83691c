// SPDX-License-Identifier: Apache-2.0
// The file of shared memory: made, found, joined, broken, left.
#include "collective_region.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <ctime>

#include "engine.hpp"
#include "region_files.hpp"

namespace device_api::engine {
namespace {

constexpr long setup_byte = 4096;
constexpr std::size_t page = 4096;

std::size_t pages(std::size_t bytes) {
    return (bytes + page - 1) / page * page;
}

using Clock = std::chrono::steady_clock;

} // namespace

Status comm_id(CommId* out) noexcept {
    if (Status s = alive(); s != Status::ok) return s;
    if (!out) return fail(Status::invalid_value, "no place for the group's identifier");
    unsigned char random[16];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        return fail(Status::internal, "no random number for a group's identifier");
    sweep_files();
    std::string text = group_folder() + "/" + file_prefix();
    for (unsigned char c : random) {
        text += "0123456789abcdef"[c >> 4];
        text += "0123456789abcdef"[c & 15];
    }
    if (text.size() >= sizeof out->text)
        return fail(Status::invalid_value, "the folder for shared memory has too long a name: %s",
                    group_folder().c_str());
    std::memset(out, 0, sizeof *out);
    std::memcpy(out->text, text.data(), text.size());
    return Status::ok;
}

char* Region::slot(int rank, std::uint64_t turn) {
    return base_ + slots_at_ + (static_cast<std::size_t>(rank) * 2 + (turn & 1)) * slot_;
}
SharedChannel& Region::channel(int from, int to) {
    auto* all = reinterpret_cast<SharedChannel*>(base_ + channels_at_);
    return all[from * ranks_ + to];
}
char* Region::piece(int from, int to) {
    return base_ + pieces_at_ + static_cast<std::size_t>(from * ranks_ + to) * piece_;
}

void Region::ring() {
    head().bell.fetch_add(1);
    syscall(SYS_futex, &head().bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}
void Region::listen(std::uint32_t seen) {
    const timespec moment{0, 10000000};
    syscall(SYS_futex, &head().bell, FUTEX_WAIT, seen, &moment, nullptr, 0);
}

bool Region::dead(int rank) {
    if (rank == rank_ || head().rank[rank].state.load() == rank_absent) return false;
    return !byte_locked(file_, rank);
}

void Region::break_up(Status status, const std::string& why) {
    SharedHead& h = head();
    if (h.breaking.exchange(1)) return;
    h.broken_status = static_cast<std::int32_t>(status);
    std::snprintf(h.reason, sizeof h.reason, "%s", why.c_str());
    h.broken.store(1);
    ring();
}

Status Region::broken() {
    SharedHead& h = head();
    if (!h.broken.load()) return Status::ok;
    return fail(static_cast<Status>(h.broken_status), "%s", h.reason);
}

Status Region::open_file(const CommId& id) {
    const std::string text(id.text, strnlen(id.text, sizeof id.text));
    if (!names_group(text))
        return fail(Status::invalid_value,
                    "this is no identifier of a group of simulated devices of this user and "
                    "machine: it must come unchanged from the rank that made it");
    path_ = text;
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file_ < 0)
        return fail(Status::internal, "cannot open %s: %s", path_.c_str(), std::strerror(errno));
    note_file(file_);
    struct stat s;
    if (fstat(file_, &s) != 0 || s.st_uid != geteuid() || !S_ISREG(s.st_mode))
        return fail(Status::internal, "%s belongs to somebody else", path_.c_str());
    if (!lock_byte(file_, rank_, false))
        return misuse(Rule::group_ranks, Status::invalid_value,
                      "rank %d of the group has been taken already", rank_);
    return Status::ok;
}

Status Region::prepare() {
    lock_byte(file_, setup_byte, true);
    struct stat s;
    Status status = Status::ok;
    const int error = fstat(file_, &s) == 0 && s.st_size == 0
                          ? posix_fallocate(file_, 0, static_cast<off_t>(bytes_))
                          : 0;
    if (error) {
        status = fail(Status::out_of_resources, "no room for %zu bytes of shared memory in %s: %s",
                      bytes_, group_folder().c_str(), std::strerror(error));
    } else {
        fstat(file_, &s);
        bytes_ = static_cast<std::size_t>(s.st_size);
        void* p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (p == MAP_FAILED)
            status =
                fail(Status::out_of_resources, "cannot map %zu bytes of shared memory", bytes_);
        else
            base_ = static_cast<char*>(p);
    }
    if (base_ && head().ranks == 0) head().ranks = ranks_;
    unlock_byte(file_, setup_byte);
    if (status != Status::ok || head().ranks == ranks_) return status;
    char text[160];
    std::snprintf(text, sizeof text, "rank %d says that the group has %d ranks, another says %d",
                  rank_, ranks_, head().ranks);
    break_up(Status::invalid_value, text);
    return misuse(Rule::group_ranks, Status::invalid_value, "%s", text);
}

std::string Region::missing() {
    std::string text;
    for (int r = 0; r < ranks_; ++r)
        if (head().rank[r].state.load() == rank_absent)
            text += (text.empty() ? "" : ", ") + std::to_string(r);
    return text;
}

Status Region::wait_for_all(double limit_s) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(limit_s);
    for (;;) {
        const std::uint32_t seen = bell();
        if (Status s = broken(); s != Status::ok) return s;
        const std::string absent = missing();
        if (absent.empty()) return Status::ok;
        if (Status s = alive(); s != Status::ok) return s;
        for (int r = 0; r < ranks_; ++r)
            if (dead(r))
                break_up(Status::remote_fault,
                         "rank " + std::to_string(r) + " ended while the group was being made");
        if (Clock::now() >= deadline) {
            char text[320];
            std::snprintf(
                text, sizeof text,
                "rank %d waited %.3g s for the group; these of its %d ranks did not come: "
                "%s",
                rank_, limit_s, ranks_, absent.c_str());
            break_up(Status::timeout, text);
        }
        listen(seen);
    }
}

Status Region::join(const CommId& id, int ranks, int rank, double limit_s,
                    std::shared_ptr<Region>* out) {
    std::shared_ptr<Region> r(new Region);
    r->ranks_ = ranks;
    r->rank_ = rank;
    const auto n = static_cast<std::size_t>(ranks);
    r->slot_ = pages(std::clamp<std::size_t>((2u << 20) / n, 64u << 10, 512u << 10));
    r->piece_ = pages(std::clamp<std::size_t>((256u << 10) / n, page, 64u << 10));
    r->slots_at_ = pages(sizeof(SharedHead));
    r->channels_at_ = r->slots_at_ + 2 * n * r->slot_;
    r->pieces_at_ = r->channels_at_ + pages(n * n * sizeof(SharedChannel));
    r->bytes_ = r->pieces_at_ + n * n * r->piece_;
    if (Status s = r->open_file(id); s != Status::ok) return s;
    if (Status s = r->prepare(); s != Status::ok) {
        unlink(r->path_.c_str());
        return s;
    }
    r->mine().state.store(rank_joined);
    r->ring();
    const Status status = r->wait_for_all(limit_s);
    unlink(r->path_.c_str()); // all have it open, or nobody needs it any more
    if (status == Status::ok) *out = std::move(r);
    return status;
}

void Region::leave() {
    if (left_ || !base_) return;
    left_ = true;
    if (alive() == Status::forked) return;
    mine().state.store(rank_left);
    ring();
}

Region::~Region() {
    leave();
    if (base_) munmap(base_, bytes_);
    if (file_ >= 0) {
        forget_file(file_);
        close(file_);
    }
}

} // namespace device_api::engine
