// SPDX-License-Identifier: Apache-2.0
// Launches and occupancy.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "chip.hpp"
#include "module.hpp"

using namespace cuda_sim;

namespace {

struct FaultRow {
    simt::Fault fault;
    CUresult code;
};
constexpr FaultRow fault_codes[] = {
    {simt::Fault::illegal_address, CUDA_ERROR_ILLEGAL_ADDRESS},
    {simt::Fault::misaligned_address, CUDA_ERROR_MISALIGNED_ADDRESS},
    {simt::Fault::assertion, CUDA_ERROR_ASSERT},
    {simt::Fault::illegal_instruction, CUDA_ERROR_ILLEGAL_INSTRUCTION},
    {simt::Fault::stack_overflow, CUDA_ERROR_HARDWARE_STACK_ERROR},
};

CUresult code_of(simt::Fault fault) {
    for (const FaultRow& row : fault_codes)
        if (row.fault == fault) return row.code;
    return CUDA_ERROR_LAUNCH_FAILED;
}

int limit(int attribute_) {
    return attribute(0, attribute_);
}

CUresult check_shape(const Call& c, const FunctionObject& f, const simt::Grid& g) {
    const unsigned sizes[] = {g.block.x, g.block.y, g.block.z, g.grid.x, g.grid.y, g.grid.z};
    for (int i = 0; i < 6; ++i)
        if (sizes[i] == 0 || sizes[i] > static_cast<unsigned>(limit(2 + i)))
            return c.fail(CUDA_ERROR_INVALID_VALUE, "%s %c of %u is not within 1 to %d",
                          i < 3 ? "block" : "grid", "xyz"[i % 3], sizes[i], limit(2 + i));
    if (g.block.volume() > static_cast<unsigned>(limit(1)))
        return c.fail(CUDA_ERROR_INVALID_VALUE, "a block of %llu threads; at most %d",
                      static_cast<unsigned long long>(g.block.volume()), limit(1));
    if (f.code->max_threads && g.block.volume() > static_cast<unsigned>(f.code->max_threads))
        return c.fail(CUDA_ERROR_INVALID_VALUE,
                      "a block of %llu threads; __launch_bounds__ says %d",
                      static_cast<unsigned long long>(g.block.volume()), f.code->max_threads);
    if (g.dynamic_shared > static_cast<std::size_t>(f.dynamic_limit))
        return c.fail(CUDA_ERROR_INVALID_VALUE,
                      "%zu bytes of dynamic shared memory; the function has %d, see "
                      "cuFuncSetAttribute",
                      g.dynamic_shared, f.dynamic_limit);
    return CUDA_SUCCESS;
}

CUresult gather(const Call& c, const simt::Function& f, void** params, void** extra,
                std::string* out) {
    out->assign(f.param_bytes, '\0');
    if (params && extra)
        return c.fail(CUDA_ERROR_INVALID_VALUE, "kernelParams and extra are both given");
    if (extra) {
        const void* buffer = nullptr;
        std::size_t size = 0;
        for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
            if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
            if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
                size = *static_cast<std::size_t*>(extra[1]);
        }
        if (!buffer || size < f.param_bytes)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "a buffer of %zu bytes for parameters of %zu",
                          size, f.param_bytes);
        std::memcpy(&(*out)[0], buffer, f.param_bytes);
        return CUDA_SUCCESS;
    }
    if (!params && !f.params.empty())
        return c.fail(CUDA_ERROR_INVALID_VALUE, "the kernel has parameters, and none are given");
    for (std::size_t i = 0; i < f.params.size(); ++i) {
        if (!params[i]) return c.fail(CUDA_ERROR_INVALID_VALUE, "parameter %zu is null", i);
        std::memcpy(&(*out)[f.params[i].offset], params[i], f.params[i].size);
    }
    return CUDA_SUCCESS;
}

/// For the model of time: each thread counts for so many operations.
constexpr double operations_of_a_thread = 16;

CUresult launch(const char* name, CUfunction function, const simt::Grid& grid, CUstream on,
                void** params, void** extra) {
    return call(name, Need::context, [&](Call& c) -> CUresult {
        const auto f = function_of(function);
        if (!f) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
        if (CUresult why = check_shape(c, *f, grid)) return why;
        Handle stream;
        ContextPtr owner;
        if (CUresult why = c.stream(on, &stream, &owner)) return why;
        std::string values;
        if (CUresult why = gather(c, *f->code, params, extra, &values)) return why;
        static std::atomic<std::uint64_t> count{0};
        const std::uint64_t seed = count++;
        engine::Launch l;
        l.name = f->code->name.c_str();
        l.flops = operations_of_a_thread * double(grid.grid.volume()) * double(grid.block.volume());
        l.task = [code = f->code, grid, values, owner, seed](engine::TaskContext&) {
            if (owner->sticky)
                return engine::fail(Status::kernel_fault, "an earlier kernel failed");
            simt::Fault fault;
            const Status status = simt::run(*code, grid, values, owner->device, seed, &fault);
            if (fault != simt::Fault::none) damage(*owner, code_of(fault));
            return status;
        };
        return c.engine(engine::launch(stream, std::move(l)));
    });
}

CUresult blocks_of(const Call& c, CUfunction func, int threads, std::size_t dynamic, int* out) {
    const auto f = function_of(func);
    if (!f) return c.fail(CUDA_ERROR_INVALID_HANDLE, "no such function");
    if (!out || threads < 1) return c.fail(CUDA_ERROR_INVALID_VALUE, "blockSize %d", threads);
    const std::size_t shared = f->code->static_shared + dynamic + 1024;
    const int rounded = (threads + 31) / 32 * 32;
    *out =
        std::min({limit(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / rounded,
                  limit(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
                  static_cast<int>(limit(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) /
                                   static_cast<int>(shared))});
    if (threads > 1024 || dynamic > static_cast<std::size_t>(f->dynamic_limit)) *out = 0;
    return CUDA_SUCCESS;
}

} // namespace

SIM_EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                   unsigned int gridDimZ, unsigned int blockDimX,
                                   unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream,
                                   void** kernelParams, void** extra) {
    return launch(
        __func__, f,
        {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes},
        hStream, kernelParams, extra);
}

SIM_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f,
                                     void** kernelParams, void** extra) {
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const CUlaunchAttribute& a = config->attrs[i];
        if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a.value.cooperative)
            return CUDA_ERROR_NOT_SUPPORTED; // blocks are not resident at the same time
        if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return CUDA_ERROR_NOT_SUPPORTED;
    }
    return launch(__func__, f,
                  {{config->gridDimX, config->gridDimY, config->gridDimZ},
                   {config->blockDimX, config->blockDimY, config->blockDimZ},
                   config->sharedMemBytes},
                  config->hStream, kernelParams, extra);
}

SIM_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func,
                                                                int blockSize,
                                                                size_t dynamicSMemSize) {
    return call(__func__, Need::context,
                [&](Call& c) { return blocks_of(c, func, blockSize, dynamicSMemSize, numBlocks); });
}
SIM_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* numBlocks, CUfunction func, int blockSize, size_t dynamicSMemSize, unsigned int) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, func, blockSize, dynamicSMemSize);
}
