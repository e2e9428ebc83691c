// SPDX-License-Identifier: Apache-2.0
// Keys of chip files under [cuda], and what devices say of themselves.
#include "chip.hpp"

#include <cstdio>
#include <cstring>

namespace cuda_sim {

namespace engine = device_api::engine;

namespace {

using engine::ChipKind;

constexpr engine::ChipKey own_keys[] = {
    {"cuda.major", ChipKind::integer, nullptr, 5, 99, "", "compute capability before the point"},
    {"cuda.minor", ChipKind::integer, nullptr, 0, 9, "", "compute capability behind the point"},
    {"cuda.multiprocessors", ChipKind::integer, nullptr, 1, 1024, "", "streaming multiprocessors"},
    {"cuda.threads_per_multiprocessor", ChipKind::integer, "2048", 32, 4096, "threads",
     "that can be resident"},
    {"cuda.blocks_per_multiprocessor", ChipKind::integer, "32", 1, 64, "", "that can be resident"},
    {"cuda.shared_per_block", ChipKind::integer, "49152", 1024, 1048576, "bytes",
     "shared memory that a block has without asking"},
    {"cuda.shared_per_block_optin", ChipKind::integer, "101376", 1024, 1048576, "bytes",
     "shared memory that a function can ask for"},
    {"cuda.shared_per_multiprocessor", ChipKind::integer, "102400", 1024, 1048576, "bytes",
     "shared memory"},
    {"cuda.bus_width", ChipKind::integer, "384", 32, 16384, "bits", "of the memory"},
    {"cuda.ecc", ChipKind::flag, "true", 0, 0, "", "the memory has error correction"},
};

std::string mistake(const engine::Chip& c) {
    if (c.integer("cuda.shared_per_block") > c.integer("cuda.shared_per_block_optin"))
        return "cuda.shared_per_block is more than cuda.shared_per_block_optin; exchange them";
    return "";
}

// Of every chip.
struct Fixed {
    int attribute, value;
};
constexpr Fixed fixed[] = {
    {1, 1024},  {2, 1024},   {3, 1024},   {4, 64},          {5, 2147483647}, {6, 65535},
    {7, 65535}, {9, 65536},  {10, 32},    {11, 2147483647}, {12, 65536},     {14, 512},
    {15, 1},    {19, 1},     {31, 1},     {41, 1},          {51, 32},        {78, 1},
    {79, 1},    {80, 1},     {82, 65536}, {83, 1},          {90, 1},         {91, 1},
    {99, 1},    {111, 1024}, {115, 1},    {119, 1},         {131, -1},       {134, -1},
};

int from_chip(const engine::Chip& c, int attribute) {
    const auto n = [&c](const char* key) { return static_cast<int>(c.integer(key)); };
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: return n("cuda.shared_per_block");
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        return n("cuda.shared_per_block_optin");
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
        return n("cuda.shared_per_multiprocessor");
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: return n("telemetry.clock_mhz") * 1000;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: return n("telemetry.memory_clock_mhz") * 1000;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: return n("cuda.multiprocessors");
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: return n("cuda.bus_width");
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: return n("cache.l2_bytes");
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        return n("cuda.threads_per_multiprocessor");
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
        return n("cuda.blocks_per_multiprocessor");
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: return n("cuda.major");
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: return n("cuda.minor");
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: return n("limits.copy_engines");
    case CU_DEVICE_ATTRIBUTE_ECC_ENABLED: return c.flag("cuda.ecc");
    default: return 0;
    }
}

} // namespace

engine::ChipPtr chip() {
    return engine::chip();
}

void describe_chips(engine::Vendor* v) {
    v->chip_variable = "DEVICE_API_SIM_CUDA_CHIP";
    v->chip_default = "H100-SXM5-80GB";
    v->chip_keys = own_keys;
    v->chip_key_count = sizeof own_keys / sizeof own_keys[0];
    v->chip_mistake = mistake;
}

std::string device_name(int device) {
    const engine::ChipPtr c = chip();
    std::string label = engine::device_name(device);
    const std::size_t prefix = std::strlen(vendor_device_name);
    if (label.compare(0, prefix, vendor_device_name) == 0) label.erase(0, prefix);
    return std::string(vendor_device_name) + " " + (c ? c->text("chip.name") : "") + label;
}

CUuuid uuid_of(int device) {
    CUuuid u{};
    const char text[] = "SIMULATED-CUDA-";
    std::memcpy(u.bytes, text, 15);
    u.bytes[15] = static_cast<char>(device);
    return u;
}

std::string uuid_text(int device) {
    const CUuuid u = uuid_of(device);
    std::string all = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char hex[4];
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(u.bytes[i]));
        if (i == 4 || i == 6 || i == 8 || i == 10) all += '-';
        all += hex;
    }
    return all;
}

std::string bus_id(int device) {
    char text[32];
    std::snprintf(text, sizeof text, "0000:%02X:00.0", 0x1b + device);
    return text;
}

int attribute(int device, int attribute) {
    if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) return 0x1b + device;
    for (const Fixed& f : fixed)
        if (f.attribute == attribute) return f.value;
    const engine::ChipPtr c = chip();
    return c ? from_chip(*c, attribute) : 0;
}

} // namespace cuda_sim
