// SPDX-License-Identifier: Apache-2.0
// The public stream calls.
#include <algorithm>

#include "stream.hpp"

namespace device_api::engine {

Status find_stream(Handle h, StreamPtr* out) noexcept {
    return handle_get(kind_stream, h, out);
}

std::vector<StreamPtr> streams_of(Device& d) {
    std::vector<StreamPtr> all;
    std::lock_guard<std::mutex> lock(d.mutex);
    for (auto& weak : d.streams)
        if (auto s = weak.lock()) all.push_back(std::move(s));
    return all;
}

Status stream_create(int device, Handle* out, int) noexcept {
    Status why;
    auto d = find_device(device, &why);
    if (!d) return why;
    if (!out) return fail(Status::invalid_value, "no place for the stream's handle");
    auto s = std::make_shared<Stream>();
    s->device = d;
    {
        std::lock_guard<std::mutex> lock(d->mutex);
        auto gone = std::remove_if(d->streams.begin(), d->streams.end(),
                                   [](auto& w) { return w.expired(); });
        d->streams.erase(gone, d->streams.end());
        const auto limit = static_cast<std::size_t>(engine().vendor.max_streams);
        if (d->streams.size() >= limit)
            return fail(Status::out_of_resources,
                        "device %d has all of its %zu streams in use; destroy some", device, limit);
        s->id = engine().next_stream.fetch_add(1);
        d->streams.push_back(s);
    }
    *out = handle_create(kind_stream, s);
    return *out ? Status::ok : Status::out_of_resources;
}

Status stream_destroy(Handle h, bool force) noexcept {
    if (Status s = not_in_task("destroying a stream"); s != Status::ok) return s;
    StreamPtr s;
    if (Status why = handle_take(kind_stream, h, &s); why != Status::ok) return why;
    if (force) s->abandon();
    std::uint64_t last;
    {
        std::lock_guard<std::mutex> lock(s->mutex);
        last = s->submitted;
    }
    const Status status = s->wait(last, -1, !force);
    s->join(-1);
    return force ? Status::ok : status;
}

Status stream_synchronize(Handle h, int timeout_ms) noexcept {
    if (Status why = not_in_task("waiting for a stream"); why != Status::ok) return why;
    StreamPtr s;
    if (Status why = find_stream(h, &s); why != Status::ok) return why;
    std::uint64_t last;
    {
        std::lock_guard<std::mutex> lock(s->mutex);
        last = s->submitted;
    }
    const Status status = s->wait(last, timeout_ms, true);
    if (status != Status::ok) return status;
    return device_check(s->device->index);
}

Status stream_query(Handle h) noexcept {
    StreamPtr s;
    if (Status why = find_stream(h, &s); why != Status::ok) return why;
    std::uint64_t last, left;
    {
        std::lock_guard<std::mutex> lock(s->mutex);
        last = s->submitted;
        left = last - s->completed;
    }
    if (!left) {
        races_host_knows(s->id, last);
        return Status::ok;
    }
    s->ask(last);
    return fail(Status::not_ready, "stream %u has %llu tasks to finish", s->id,
                static_cast<unsigned long long>(left));
}

Status stream_device(Handle h, int* device) noexcept {
    StreamPtr s;
    Status why = find_stream(h, &s);
    if (why == Status::ok) *device = s->device->index;
    return why;
}

Status stream_id(Handle h, std::uint32_t* id) noexcept {
    StreamPtr s;
    Status why = find_stream(h, &s);
    if (why == Status::ok) *id = s->id;
    return why;
}

Status stream_failure_mode(Handle h, FailureMode mode) noexcept {
    StreamPtr s;
    if (Status why = find_stream(h, &s); why != Status::ok) return why;
    std::lock_guard<std::mutex> lock(s->mutex);
    s->failure_mode = mode;
    if (mode == FailureMode::go_on) s->failed = false;
    return Status::ok;
}

Status stream_abort(Handle h) noexcept {
    if (Status why = not_in_task("aborting a stream"); why != Status::ok) return why;
    StreamPtr s;
    if (Status why = find_stream(h, &s); why != Status::ok) return why;
    std::unique_lock<std::mutex> lock(s->mutex);
    if (s->completed >= s->submitted) return Status::ok;
    s->stopping = true;
    s->work.notify_all();
    const std::uint64_t last = s->submitted;
    s->error = StreamError{};
    s->error.status = Status::aborted;
    std::snprintf(s->error.message, sizeof s->error.message,
                  "stream %u was aborted with work pending", s->id);
    s->done.wait(lock, [&] { return s->completed >= last || engine().exiting.load(); });
    if (!s->exit) s->stopping = false;
    return Status::ok;
}

const StreamError& last_stream_error() noexcept {
    return thread_stream_error();
}

Status stream_error(Handle h, StreamError* out) noexcept {
    StreamPtr s;
    if (Status why = find_stream(h, &s); why != Status::ok) return why;
    std::lock_guard<std::mutex> lock(s->mutex);
    *out = s->error;
    return Status::ok;
}

} // namespace device_api::engine
