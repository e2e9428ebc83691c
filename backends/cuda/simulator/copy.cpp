// SPDX-License-Identifier: Apache-2.0
// Copies and fills. Those without a stream go on the default one and wait for it.
#include <cstring>

#include "state.hpp"

using namespace cuda_sim;

namespace {

using engine::CopyKind;

void* pointer(CUdeviceptr p) {
    return reinterpret_cast<void*>(p);
}

CUresult copy(const char* name, void* dst, const void* src, size_t bytes, CopyKind kind,
              CUstream on, bool wait) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(on, &stream)) return why;
        if (bytes)
            if (CUresult why = c.engine(
                    engine::copy_async(dst, src, bytes, kind, stream, engine::Pageable::staged)))
                return why;
        return wait ? c.waited(engine::stream_synchronize(stream)) : CUDA_SUCCESS;
    });
}

/// `unit` bytes of `value`, over and over.
Status fill(engine::TaskContext& t, CUdeviceptr p, unsigned value, size_t unit, size_t n) {
    auto* to = static_cast<char*>(t.map(p, unit * n, true));
    for (size_t i = 0; to && i < n; ++i) std::memcpy(to + i * unit, &value, unit);
    return t.error();
}

CUresult set(const char* name, CUdeviceptr p, unsigned value, size_t unit, size_t n, CUstream on,
             bool wait) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        Handle stream;
        if (CUresult why = c.stream(on, &stream)) return why;
        if (p % unit) return c.fail(CUDA_ERROR_INVALID_VALUE, "the address is not aligned");
        Status status = Status::ok;
        if (n && unit == 1) {
            status = engine::fill_bytes_async(pointer(p), static_cast<int>(value), n, stream);
        } else if (n) {
            const auto bytes = static_cast<std::int64_t>(unit * n);
            engine::Launch l;
            l.name = name;
            l.operands.emplace_back(engine::Tensor(engine::DType::u8, p, 1, &bytes),
                                    engine::Access::write);
            l.task = [=](engine::TaskContext& t) { return fill(t, p, value, unit, n); };
            status = engine::launch(stream, std::move(l));
        }
        if (CUresult why = c.engine(status)) return why;
        return wait ? c.waited(engine::stream_synchronize(stream)) : CUDA_SUCCESS;
    });
}

CUresult peer(const char* name, CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
              size_t bytes, CUstream on, bool wait) {
    if (!find_context(to) || !find_context(from)) return CUDA_ERROR_INVALID_CONTEXT;
    return copy(name, pointer(dst), pointer(src), bytes, CopyKind::device_to_device, on, wait);
}

} // namespace

SIM_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
    return copy(__func__, pointer(dstDevice), srcHost, ByteCount, CopyKind::host_to_device, nullptr,
                true);
}
SIM_EXPORT CUresult cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
    return copy(__func__, dstHost, pointer(srcDevice), ByteCount, CopyKind::device_to_host, nullptr,
                true);
}
SIM_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                    size_t ByteCount) {
    return copy(__func__, pointer(dstDevice), pointer(srcDevice), ByteCount,
                CopyKind::device_to_device, nullptr, true);
}
SIM_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost,
                                         size_t ByteCount, CUstream hStream) {
    return copy(__func__, pointer(dstDevice), srcHost, ByteCount, CopyKind::host_to_device, hStream,
                false);
}
SIM_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                                         CUstream hStream) {
    return copy(__func__, dstHost, pointer(srcDevice), ByteCount, CopyKind::device_to_host, hStream,
                false);
}
SIM_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice,
                                         size_t ByteCount, CUstream hStream) {
    return copy(__func__, pointer(dstDevice), pointer(srcDevice), ByteCount,
                CopyKind::device_to_device, hStream, false);
}
SIM_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
    return copy(__func__, pointer(dst), pointer(src), ByteCount, CopyKind::infer, nullptr, true);
}
SIM_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount,
                                  CUstream hStream) {
    return copy(__func__, pointer(dst), pointer(src), ByteCount, CopyKind::infer, hStream, false);
}
SIM_EXPORT CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                 CUcontext srcContext, size_t ByteCount) {
    return peer(__func__, dstDevice, dstContext, srcDevice, srcContext, ByteCount, nullptr, true);
}
SIM_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext,
                                      CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
                                      CUstream hStream) {
    return peer(__func__, dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, false);
}

SIM_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
    return set(__func__, dstDevice, uc, 1, N, nullptr, true);
}
SIM_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) {
    return set(__func__, dstDevice, us, 2, N, nullptr, true);
}
SIM_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
    return set(__func__, dstDevice, ui, 4, N, nullptr, true);
}
SIM_EXPORT CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                    CUstream hStream) {
    return set(__func__, dstDevice, uc, 1, N, hStream, false);
}
SIM_EXPORT CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                     CUstream hStream) {
    return set(__func__, dstDevice, us, 2, N, hStream, false);
}
SIM_EXPORT CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                     CUstream hStream) {
    return set(__func__, dstDevice, ui, 4, N, hStream, false);
}
