// SPDX-License-Identifier: Apache-2.0
// The keys of chip files: what docs/chips.md lists and what the reader takes.
#include "chip_file.hpp"

#include "engine.hpp"

namespace device_api::engine {
namespace {

constexpr double mib = 1 << 20, tib = double(1ull << 40), huge = 1e9;
constexpr auto text = ChipKind::text;
constexpr auto integer = ChipKind::integer;
constexpr auto number = ChipKind::number;
constexpr auto flag = ChipKind::flag;

constexpr ChipKey keys[] = {
    {"chip.name", text, nullptr, 0, 0, "", "name of the chip; devices add (simulated)"},
    {"chip.architecture", text, "\"\"", 0, 0, "", "name of its architecture, for reports"},
    {"chip.dtypes", ChipKind::texts, nullptr, 0, 0, "",
     "data types that it has, by NumPy's names: operators refuse all others"},

    {"memory.bytes", integer, nullptr, mib, tib, "bytes", "device memory"},
    {"memory.kind", text, "\"HBM\"", 0, 0, "", "kind of memory, as \"HBM2e\" or \"LPDDR4X\""},
    {"memory.bandwidth_gbps", number, nullptr, 1e-3, huge, "1e9 bytes/s",
     "bandwidth of the device memory"},

    {"matrix.*", number, "0.0", 1e-9, huge, "1e12 operations/s",
     "products of matrices and convolutions in this data type; a multiply-add is two operations"},
    {"vector.*", number, "0.0", 1e-9, huge, "1e12 operations/s",
     "all other arithmetic in this data type; a transcendental function counts 8 operations"},
    {"vector.other", number, "0.05", 1e-9, huge, "1e12 operations/s",
     "of data types that no other key names"},

    {"host_link.bandwidth_gbps", number, nullptr, 1e-3, huge, "1e9 bytes/s",
     "copies of pinned host memory, each direction"},
    {"host_link.pageable_gbps", number, "0.0", 0, huge, "1e9 bytes/s",
     "copies of pageable host memory; 0: as pinned"},
    {"host_link.latency_us", number, "10.0", 0, huge, "us", "before the first byte of a copy"},
    {"host_link.duplex", flag, "true", 0, 0, "",
     "both directions at full bandwidth at once; else they share it"},

    {"peer_link.group", integer, "1", 1, 64, "devices",
     "devices 0 .. group-1 are near to each other, and so on; those of other groups are far"},
    {"peer_link.near_access", flag, "false", 0, 0, "", "near devices have peer access"},
    {"peer_link.near_gbps", number, "25.0", 1e-3, huge, "1e9 bytes/s",
     "copies between near devices, each direction"},
    {"peer_link.near_latency_us", number, "10.0", 0, huge, "us", "before the first byte"},
    {"peer_link.far_access", flag, "false", 0, 0, "", "far devices have peer access"},
    {"peer_link.far_gbps", number, "25.0", 1e-3, huge, "1e9 bytes/s",
     "copies between far devices, each direction"},
    {"peer_link.far_latency_us", number, "10.0", 0, huge, "us", "before the first byte"},

    {"launch.overhead_us", number, "5.0", 0, huge, "us", "of each kernel, fill and device copy"},

    {"limits.copy_engines", integer, "2", 1, 64, "", "copies that can run at once"},
    {"limits.queue", integer, "1024", 2, 1048576, "tasks",
     "tasks that wait on a stream; a launch blocks until there is room"},
    {"limits.streams", integer, "1024", 1, 65536, "", "streams of a device"},
    {"limits.events", integer, "65536", 1, 1048576, "", "events of a device"},

    {"cores.matrix", integer, "1", 0, 1e6, "", "matrix cores, for reports"},
    {"cores.vector", integer, "1", 0, 1e6, "", "vector cores, for reports"},
    {"cores.control", integer, "0", 0, 1e6, "", "cores that run control code, for reports"},
    {"cache.l2_bytes", integer, "0", 0, tib, "bytes", "second-level cache, for reports"},

    {"telemetry.idle_w", number, "90.0", 0, 1e5, "W", "power without work"},
    {"telemetry.peak_w", number, "400.0", 0, 1e5, "W", "power at full load"},
    {"telemetry.idle_c", number, "38.0", -50, 200, "degrees C", "temperature without work"},
    {"telemetry.peak_c", number, "72.0", -50, 200, "degrees C", "temperature at full load"},
    {"telemetry.ambient_c", number, "25.0", -50, 200, "degrees C",
     "of the air that these two hold for"},
    {"telemetry.memory_c", number, "4.0", 0, 100, "degrees C", "how much warmer the memory is"},
    {"telemetry.throttle_c", number, "95.0", 0, 200, "degrees C", "the clock is lowered from here"},
    {"telemetry.settle_s", number, "20.0", 1e-3, 1e5, "s", "time constant of the temperature"},
    {"telemetry.clock_mhz", integer, "1500", 1, 1e5, "MHz", "clock of the cores"},
    {"telemetry.memory_clock_mhz", integer, "1600", 1, 1e5, "MHz", "clock of the memory"},
};

} // namespace

std::vector<ChipKey> chip_keys() {
    std::vector<ChipKey> all(std::begin(keys), std::end(keys));
    const Vendor& v = engine().vendor;
    all.insert(all.end(), v.chip_keys, v.chip_keys + v.chip_key_count);
    return all;
}

const char* generic_chip() {
    return R"(
[chip]
name = "generic"
dtypes = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
[memory]
bytes = 4294967296
bandwidth_gbps = 800.0
[vector]
other = 20.0
[host_link]
bandwidth_gbps = 20.0
latency_us = 5.0
[peer_link]
group = 64
near_access = true
)";
}

} // namespace device_api::engine
