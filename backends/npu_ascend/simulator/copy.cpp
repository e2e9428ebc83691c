// SPDX-License-Identifier: Apache-2.0
// Copies and fills, synchronous and on a stream.
#include "call.hpp"

#include "chip.hpp"
#include "state.hpp"

using namespace cann_sim;

namespace {

struct KindRow {
    engine::CopyKind kind;
    engine::Pageable pageable;
};
// By aclrtMemcpyKind. 5 goes through a buffer of the library: the caller's memory is free at once.
constexpr KindRow kinds[] = {
    {engine::CopyKind::host_to_host, engine::Pageable::synchronous},
    {engine::CopyKind::host_to_device, engine::Pageable::synchronous},
    {engine::CopyKind::device_to_host, engine::Pageable::synchronous},
    {engine::CopyKind::device_to_device, engine::Pageable::synchronous},
    {engine::CopyKind::infer, engine::Pageable::synchronous},
    {engine::CopyKind::host_to_device, engine::Pageable::staged},
};

// 6 and 7 exist in the enum; the functions refuse them.
const KindRow* kind_row(aclrtMemcpyKind kind) {
    const int i = static_cast<int>(kind);
    return i >= 0 && i <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE ? &kinds[i] : nullptr;
}

aclError check_copy(Call& c, const void* dst, size_t destMax, const void* src, size_t count,
                    aclrtMemcpyKind kind) {
    if (!dst || !src) return c.fail(ACL_ERROR_INVALID_PARAM, "dst or src is null");
    if (!kind_row(kind))
        return c.fail(ACL_ERROR_INVALID_PARAM, "kind %d is not for this function",
                      static_cast<int>(kind));
    if (count > destMax)
        return c.fail(ACL_ERROR_RT_PARAM_INVALID,
                      "count %zu is more than destMax %zu, the room at dst", count, destMax);
    return ACL_SUCCESS;
}

bool is_device(const void* p) {
    engine::PointerInfo info;
    return engine::pointer_info(p, &info) == Status::ok && info.kind == engine::PointerKind::device;
}

// Device memory in a copy on a stream must be of the stream's device, or of an accessible peer.
aclError check_side(Call& c, const void* p) {
    engine::PointerInfo info;
    if (engine::pointer_info(p, &info) != Status::ok) return ACL_SUCCESS; // the copy will say
    if (info.kind != engine::PointerKind::device || info.device == c.context()->device)
        return ACL_SUCCESS;
    bool enabled = false;
    engine::peer_enabled(c.context()->device, info.device, &enabled);
    if (enabled) return ACL_SUCCESS;
    return c.misuse(Rule::peer_access, ACL_ERROR_RT_PARAM_INVALID,
                    "the memory is on device %d, the stream on device %d, and peer access is not "
                    "enabled",
                    info.device, c.context()->device);
}

struct Plane {
    void* dst;
    size_t dpitch;
    const void* src;
    size_t spitch, width, height;
};

aclError check_2d(Call& c, const Plane& p, aclrtMemcpyKind kind, bool device_to_device) {
    constexpr size_t most_width = 5000000, most_height = 5242880;
    if (!p.dst || !p.src) return c.fail(ACL_ERROR_INVALID_PARAM, "dst or src is null");
    const bool known = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_HOST ||
                       (device_to_device && kind == ACL_MEMCPY_DEVICE_TO_DEVICE);
    if (!known)
        return c.fail(ACL_ERROR_INVALID_PARAM, "kind %d is not for this function",
                      static_cast<int>(kind));
    if (p.width > p.dpitch || p.width > p.spitch || p.width > most_width ||
        p.height > most_height || p.width == 0 || p.height == 0)
        return c.fail(ACL_ERROR_RT_PARAM_INVALID,
                      "width %zu and height %zu do not fit the pitches %zu and %zu, or exceed "
                      "5000000 and 5242880",
                      p.width, p.height, p.dpitch, p.spitch);
    return ACL_SUCCESS;
}

} // namespace

SIM_EXPORT aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                                aclrtMemcpyKind kind) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (count == 0) return ACL_SUCCESS;
        if (aclError error = check_copy(c, dst, destMax, src, count, kind)) return error;
        return c.engine(engine::copy(dst, src, count, kind_row(kind)->kind));
    });
}

SIM_EXPORT aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                                     aclrtMemcpyKind kind, aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        if (count == 0) return ACL_SUCCESS;
        if (aclError error = check_copy(c, dst, destMax, src, count, kind)) return error;
        const bool host_to_host =
            kind == ACL_MEMCPY_HOST_TO_HOST ||
            (kind == ACL_MEMCPY_DEFAULT && !is_device(dst) && !is_device(src));
        if (host_to_host)
            return c.fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "no host-to-host copy on a stream");
        if (aclError error = check_side(c, dst)) return error;
        if (aclError error = check_side(c, src)) return error;
        const KindRow* row = kind_row(kind);
        return c.waited(engine::copy_async(dst, src, count, row->kind, h, row->pageable));
    });
}

SIM_EXPORT aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch,
                                  size_t width, size_t height, aclrtMemcpyKind kind) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        const Plane p = {dst, dpitch, src, spitch, width, height};
        if (aclError error = check_2d(c, p, kind, false)) return error;
        return c.engine(
            engine::copy_2d(dst, dpitch, src, spitch, width, height, kind_row(kind)->kind));
    });
}

SIM_EXPORT aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                                       size_t width, size_t height, aclrtMemcpyKind kind,
                                       aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        const Plane p = {dst, dpitch, src, spitch, width, height};
        const bool device_to_device = (chip().family & (chip_a2 | chip_a3 | chip_950)) != 0;
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        if (aclError error = check_2d(c, p, kind, device_to_device)) return error;
        if (aclError error = check_side(c, dst)) return error;
        if (aclError error = check_side(c, src)) return error;
        return c.waited(engine::copy_2d_async(dst, dpitch, src, spitch, width, height,
                                              kind_row(kind)->kind, h));
    });
}

SIM_EXPORT aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        if (count == 0) return ACL_SUCCESS;
        if (!devPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "devPtr is null");
        if (count > maxCount)
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "count %zu is more than maxCount %zu", count,
                          maxCount);
        return c.engine(engine::fill_bytes(devPtr, value, count));
    });
}

SIM_EXPORT aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                                     aclrtStream stream) {
    return call(__func__, Need::work, [&](Call& c) -> aclError {
        Handle h;
        if (aclError error = c.stream(stream, &h)) return error;
        if (count == 0) return ACL_SUCCESS;
        if (!devPtr) return c.fail(ACL_ERROR_INVALID_PARAM, "devPtr is null");
        if (count > maxCount)
            return c.fail(ACL_ERROR_RT_PARAM_INVALID, "count %zu is more than maxCount %zu", count,
                          maxCount);
        if (aclError error = check_side(c, devPtr)) return error;
        return c.engine(engine::fill_bytes_async(devPtr, value, count, h));
    });
}
