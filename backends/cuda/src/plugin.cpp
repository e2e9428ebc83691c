// SPDX-License-Identifier: Apache-2.0
// The plugin: its name, its options, its parts, and the one exported function.
#include <cstring>

#include "cublas.hpp"
#include "driver.hpp"
#include "nccl.hpp"
#include "nvml.hpp"
#include "nvrtc.hpp"

namespace device_api::cuda {
namespace {

using simt::fail;

constexpr const char* remedy_options = "the Python module device_api_cuda gives the right options";

da_status read_option(const char* key, const char* value, Options& options) {
    if (std::strcmp(key, "simulate") == 0) {
        if (std::strcmp(value, "0") != 0 && std::strcmp(value, "1") != 0)
            return fail(DA_INVALID_ARGUMENT, remedy_options,
                        "option simulate is \"%s\", not 0 or 1", value);
        options.simulate = value[0] == '1';
        return DA_OK;
    }
    if (std::strcmp(key, "simulator") == 0)
        options.simulator = value;
    else if (std::strcmp(key, "wheels") == 0)
        options.wheels = value;
    else
        return fail(DA_INVALID_ARGUMENT, remedy_options,
                    "unknown option \"%s\"; known are simulate, simulator and wheels", key);
    return DA_OK;
}

da_status read_options(const dab_config& config, Options& options) {
    for (std::uint32_t i = 0; i < config.n_options; ++i) {
        const char *key = config.options[2 * i], *value = config.options[2 * i + 1];
        if (!key || !value)
            return fail(DA_INVALID_ARGUMENT, remedy_options, "option %u is null", i);
        if (const da_status status = read_option(key, value, options)) return status;
    }
    if (options.simulate && (options.simulator.empty() || options.simulator[0] != '/'))
        return fail(DA_INVALID_ARGUMENT, remedy_options,
                    "simulate=1 needs simulator=<absolute folder of the simulated libraries>");
    if (!options.simulate && !options.simulator.empty())
        return fail(
            DA_INVALID_ARGUMENT, remedy_options,
            "the option simulator needs simulate=1: real and simulated libraries never mix");
    return DA_OK;
}

// The parts keep references to the opened driver: it lives as long as they do.
class Driver : public CudaDriver {
  public:
    explicit Driver(std::unique_ptr<Cuda> cuda) : CudaDriver(*cuda), cuda_(std::move(cuda)) {}

  private:
    std::unique_ptr<Cuda> cuda_;
};

da_status open(const dab_config& config, simt::Parts& parts) {
    Options options;
    if (const da_status status = read_options(config, options)) return status;
    auto cuda = std::make_unique<Cuda>();
    if (const da_status status = open_driver(options, *cuda)) return status;
    parts.simulated = cuda->simulated;
    // Conversions of 16-bit floats by the chip's own instructions; the simulated compiler has none.
    if (!cuda->simulated) parts.definitions.push_back("DA_HARDWARE_HALF=1");
    parts.compiler = std::make_unique<Nvrtc>(*cuda);
    parts.blas = std::make_unique<Cublas>(*cuda);
    parts.collectives = std::make_unique<Nccl>(*cuda);
    parts.telemetry = std::make_unique<Nvml>(*cuda);
    parts.driver = std::make_unique<Driver>(std::move(cuda));
    return DA_OK;
}

} // namespace
} // namespace device_api::cuda

namespace device_api::simt {

const Plugin plugin{"cuda", "NVIDIA", DEVICE_API_CUDA_VERSION, "CUDA_VISIBLE_DEVICES", cuda::open};

} // namespace device_api::simt

extern "C" DAB_EXPORT const dab_backend* device_api_backend(std::uint16_t host_major,
                                                            std::uint16_t host_minor) {
    return device_api::simt::backend_for(host_major, host_minor);
}
