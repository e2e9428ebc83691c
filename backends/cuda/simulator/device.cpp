// SPDX-License-Identifier: Apache-2.0
// Initialisation, and what devices are.
#include <cstring>

#include "chip.hpp"
#include "state.hpp"

using namespace cuda_sim;

namespace {

CUresult device_of(const Call& c, CUdevice ordinal, int* out) {
    *out = engine_device(ordinal);
    if (*out >= 0) return CUDA_SUCCESS;
    return c.fail(CUDA_ERROR_INVALID_DEVICE, "no device %d: there are %d", ordinal,
                  visible_count());
}

CUresult copy_text(const Call& c, const std::string& text, char* out, int length) {
    if (!out || length <= 0) return c.fail(CUDA_ERROR_INVALID_VALUE, "no room for the text");
    std::strncpy(out, text.c_str(), static_cast<std::size_t>(length));
    out[length - 1] = '\0';
    return CUDA_SUCCESS;
}

CUresult give_uuid(const char* name, CUuuid* uuid, CUdevice dev) {
    return call(name, Need::init, [&](Call& c) -> CUresult {
        int device;
        if (CUresult why = device_of(c, dev, &device)) return why;
        if (!uuid) return c.fail(CUDA_ERROR_INVALID_VALUE, "uuid is null");
        *uuid = uuid_of(device);
        return CUDA_SUCCESS;
    });
}

} // namespace

SIM_EXPORT CUresult cuInit(unsigned int Flags) {
    return call(__func__, Need::nothing, [&](Call& c) -> CUresult {
        if (Flags) return c.fail(CUDA_ERROR_INVALID_VALUE, "Flags must be 0");
        if (!chip()) return c.fail(CUDA_ERROR_UNKNOWN, "%s", engine::chip_problem().c_str());
        set_initialised();
        return visible_count() ? CUDA_SUCCESS
                               : c.fail(CUDA_ERROR_NO_DEVICE, "no device is visible");
    });
}

SIM_EXPORT CUresult cuDriverGetVersion(int* driverVersion) {
    if (!driverVersion) return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = driver_version;
    return CUDA_SUCCESS;
}

SIM_EXPORT CUresult cuDeviceGetCount(int* count) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!count) return c.fail(CUDA_ERROR_INVALID_VALUE, "count is null");
        *count = visible_count();
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int found;
        if (CUresult why = device_of(c, ordinal, &found)) return why;
        if (!device) return c.fail(CUDA_ERROR_INVALID_VALUE, "device is null");
        *device = ordinal;
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int device;
        if (CUresult why = device_of(c, dev, &device)) return why;
        return copy_text(c, device_name(device), name, len);
    });
}

SIM_EXPORT CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int device;
        if (CUresult why = device_of(c, dev, &device)) return why;
        if (!bytes) return c.fail(CUDA_ERROR_INVALID_VALUE, "bytes is null");
        std::uint64_t available = 0, total = 0;
        const CUresult why = c.engine(engine::mem_info(device, &available, &total));
        *bytes = total;
        return why;
    });
}

SIM_EXPORT CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int device;
        if (CUresult why = device_of(c, dev, &device)) return why;
        constexpr int last = 143; // of this driver's release
        if (!pi || attrib < 1 || attrib > last)
            return c.fail(CUDA_ERROR_INVALID_VALUE, "pi is null, or no attribute %d", attrib);
        *pi = attribute(device, attrib);
        return CUDA_SUCCESS;
    });
}

SIM_EXPORT CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
    return give_uuid(__func__, uuid, dev);
}
SIM_EXPORT CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev) {
    return give_uuid(__func__, uuid, dev);
}

SIM_EXPORT CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int device;
        if (CUresult why = device_of(c, dev, &device)) return why;
        return copy_text(c, bus_id(device), pciBusId, len);
    });
}

SIM_EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        if (!dev || !pciBusId) return c.fail(CUDA_ERROR_INVALID_VALUE, "dev or pciBusId is null");
        for (int i = 0; i < visible_count(); ++i)
            if (bus_id(engine_device(i)) == pciBusId) return *dev = i, CUDA_SUCCESS;
        return c.fail(CUDA_ERROR_INVALID_DEVICE, "no device at %s", pciBusId);
    });
}

SIM_EXPORT CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
    if (CUresult why =
            cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev))
        return why;
    return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev);
}

SIM_EXPORT CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
    return call(__func__, Need::init, [&](Call& c) -> CUresult {
        int device, peer;
        if (CUresult why = device_of(c, dev, &device)) return why;
        if (CUresult why = device_of(c, peerDev, &peer)) return why;
        if (!canAccessPeer) return c.fail(CUDA_ERROR_INVALID_VALUE, "canAccessPeer is null");
        bool can = false;
        const CUresult why = c.engine(engine::peer_can_access(device, peer, &can));
        *canAccessPeer = can && device != peer;
        return why;
    });
}
