// SPDX-License-Identifier: Apache-2.0
// Two simulated vendors in one process, and simulated libraries against real ones. One case per
// process.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "device_api/linkage.hpp"
#include "device_api/simctl.h"

namespace linkage = device_api::linkage;
using linkage::Library;
using linkage::Outcome;

namespace {

int failures = 0;
std::string folder;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: CHECK(%s)\n", __LINE__, #condition);                             \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)

template <class F>
F function(const Library& lib, const char* name) {
    return reinterpret_cast<F>(lib.symbol(name));
}
using CounterFn = int (*)();
using VendorFn = const char* (*)();
using AllocFn = int (*)(void**, std::size_t);
using AddFn = int (*)(float*, long);

Library simulated(const char* vendor, const std::string& soname) {
    return linkage::open_simulated(folder + "/" + vendor, soname);
}

const das_control* control(const Library& lib) {
    return function<das_control_table_fn>(lib, DAS_ENTRY)();
}

/// All libraries of one vendor share its state.
void shared_state() {
    Library a = simulated("one", "libone_runtime.so"), b = simulated("one", "libone_ops.so.2"),
            c = simulated("one", "libone_comm.so.1");
    CHECK(a && b && c && a.simulated);
    CHECK(a.path == folder + "/one/libone_runtime.so");
    CHECK(function<CounterFn>(a, "dummyCounter")() == 1);
    CHECK(function<CounterFn>(b, "dummyCounter")() == 2);
    CHECK(function<CounterFn>(c, "dummyCounter")() == 3);
    void* p = nullptr;
    CHECK(function<AllocFn>(b, "dummyAlloc")(&p, 1000) == 0);
    das_memory m{};
    m.size = sizeof m;
    CHECK(control(a)->memory(0, &m) == DAS_OK && m.live == 1 && m.used >= 1000);
    CHECK(control(a) == control(c));
}

/// Equal symbol names, two vendors: neither sees the other.
void separate_state() {
    Library a = simulated("one", "libone_runtime.so"), b = simulated("two", "libtwo_runtime.so");
    CHECK(a && b);
    CHECK(std::strcmp(function<VendorFn>(a, "dummyVendor")(), "one") == 0);
    CHECK(std::strcmp(function<VendorFn>(b, "dummyVendor")(), "two") == 0);
    for (int i = 1; i <= 3; ++i) CHECK(function<CounterFn>(a, "dummyCounter")() == i);
    CHECK(function<CounterFn>(b, "dummyCounter")() == 1);
    CHECK(control(a) != control(b));
    das_setup setup{};
    setup.size = sizeof setup;
    setup.devices = 3;
    CHECK(control(a)->setup(&setup) == DAS_OK);
    CHECK(control(a)->device_count() == 3 && control(b)->device_count() == 1);
    void* p = nullptr;
    CHECK(function<AllocFn>(a, "dummyAlloc")(&p, 1000) == 0);
    CHECK(control(a)->live("allocation") == 1 && control(b)->live("allocation") == 0);
    CHECK(function<int (*)(void*)>(b, "dummyFree")(p) != 0); // the other vendor's pointer
    CHECK(control(b)->misuse_count() == 1 && control(a)->misuse_count() == 0);
    CHECK(dlsym(RTLD_DEFAULT, "dummyVendor") == nullptr);
    CHECK(dlsym(RTLD_DEFAULT, "das_control_table") == nullptr);
}

/// The real soname is mapped: simulating is refused, the other vendor is not concerned.
void real_first() {
    Library real = linkage::open_path(folder + "/real/libone_runtime.so");
    CHECK(real && !real.simulated);
    CHECK(linkage::open_path(folder + "/real/libone_runtime.so")); // the same file again
    Library sim = simulated("one", "libone_runtime.so");
    CHECK(sim.outcome == Outcome::refused && !sim.handle);
    CHECK(sim.message.find("/real/libone_runtime.so") != std::string::npos);
    CHECK(simulated("two", "libtwo_runtime.so"));
    std::printf("%s\n", sim.message.c_str());
}

/// The simulated library is mapped: the real one is refused, by path and by soname.
void simulated_first() {
    CHECK(simulated("one", "libone_runtime.so"));
    Library by_path = linkage::open_real({folder + "/real/libone_runtime.so"});
    CHECK(by_path.outcome == Outcome::refused &&
          by_path.message.find("/one/") != std::string::npos);
    Library by_name = linkage::open_real({"libone_runtime.so"});
    CHECK(by_name.outcome == Outcome::refused &&
          by_name.message.find("/one/libone_runtime.so") != std::string::npos);
    std::printf("%s\n%s\n", by_path.message.c_str(), by_name.message.c_str());
}

/// A real library that somebody mapped before is found by its soname, and reported with its file.
void real_by_name() {
    CHECK(linkage::open_path(folder + "/real/libone_runtime.so"));
    Library lib = linkage::open_real({"libno_such_vendor.so", "libone_runtime.so"});
    CHECK(lib && lib.path == folder + "/real/libone_runtime.so");
    CHECK(std::strcmp(function<VendorFn>(lib, "dummyVendor")(), "real") == 0);
    CHECK(linkage::open_simulated(folder + "/real", "libone_runtime.so").outcome ==
          Outcome::refused);
}

/// Renamed, but with the same soname inside: still a conflict. A second look at the same file is
/// none.
void explicit_copy() {
    const std::string copy = folder + "/renamed_runtime.so.copy";
    std::ofstream(copy, std::ios::binary)
        << std::ifstream(folder + "/real/libone_runtime.so", std::ios::binary).rdbuf();
    CHECK(linkage::soname_of_file(copy) == "libone_runtime.so");
    CHECK(linkage::open_path(copy));
    CHECK(linkage::conflict(copy).empty());
    Library sim = simulated("one", "libone_runtime.so");
    CHECK(sim.outcome == Outcome::refused &&
          sim.message.find("renamed_runtime") != std::string::npos);
    std::remove(copy.c_str());
}

void missing() {
    Library by_path = simulated("one", "libnot_there.so");
    CHECK(by_path.outcome == Outcome::not_found && !by_path.message.empty());
    Library by_name = linkage::open_real({"libno_such_vendor.so", "libno_such_vendor.so.1"});
    CHECK(by_name.outcome == Outcome::not_found);
    CHECK(by_name.message.find("libno_such_vendor.so.1") != std::string::npos);
    CHECK(linkage::open_real({}).outcome == Outcome::not_found);
    CHECK(linkage::soname_of_file(folder + "/CTestTestfile.cmake").empty());
}

void broken() {
    const std::string file = folder + "/libbroken_vendor.so";
    std::ofstream(file) << "this is no shared library";
    Library lib = linkage::open_real({file, "libno_such_vendor.so"});
    CHECK(lib.outcome == Outcome::broken);
    CHECK(lib.message.find("libbroken_vendor.so") != std::string::npos);
    std::remove(file.c_str());
}

/// Leaves work on both vendors' streams; the process must still end by itself, with code 0.
void exit_with_pending_work() {
    for (const char* vendor : {"one", "two"}) {
        Library lib = simulated(vendor, std::string("lib") + vendor + "_ops.so.2");
        CHECK(lib);
        for (int i = 0; i < 20; ++i) {
            void* p = nullptr;
            CHECK(function<AllocFn>(lib, "dummyAlloc")(&p, 1 << 20) == 0);
            CHECK(function<AddFn>(lib, "dummyAdd")(static_cast<float*>(p), 1 << 18) == 0);
        }
        CHECK(control(lib)->launch_count(DAS_KERNEL) == 20);
    }
}

const struct {
    const char* name;
    void (*run)();
} cases[] = {{"shared_state", shared_state},
             {"separate_state", separate_state},
             {"real_first", real_first},
             {"simulated_first", simulated_first},
             {"real_by_name", real_by_name},
             {"explicit_copy", explicit_copy},
             {"missing", missing},
             {"broken", broken},
             {"exit_with_pending_work", exit_with_pending_work}};

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    folder = argv[2];
    for (const auto& c : cases)
        if (!std::strcmp(c.name, argv[1])) {
            c.run();
            return failures ? 1 : 0;
        }
    return 2;
}
