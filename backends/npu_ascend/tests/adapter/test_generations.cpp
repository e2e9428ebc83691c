// SPDX-License-Identifier: Apache-2.0
// The names and symbols of CANN 8.1 and of 9, and installations that mix them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

Options names_of(const char* release) {
    setenv("DEVICE_API_SIM_NPU_CANN", release, 1);
    return {{"simulator", paths().simulator + "/" + release}};
}

dab_properties properties(Npu& npu, int device) {
    dab_properties p{};
    p.size = sizeof p;
    EQUAL(npu->device_properties(npu, device, &p), DA_OK);
    return p;
}

void works(Npu& npu, int device) {
    Stream s(npu, device);
    View x(s, s.upload(std::vector<float>{1, 2, 3, 4}), DA_FLOAT32, {4}),
        y(s, s.memory(16), DA_FLOAT32, {4});
    must(s, DA_OP_NEG, {x.tensor()}, y);
    CHECK(s.download<float>(y.data, 4) == (std::vector<float>{-1, -2, -3, -4}));
    dab_telemetry t{};
    t.size = sizeof t;
    EQUAL(npu->telemetry(npu, device, &t), DA_OK);
    CHECK(t.known & DAB_KNOWS_TEMPERATURE);
}

// A toolkit's folder among the strange ones; false where this machine has a CANN of its own.
bool toolkit(const char* name) {
    for (const char* path : {"/usr/local/Ascend/cann/lib64/libascendcl.so",
                             "/usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so"})
        if (FILE* f = std::fopen(path, "rb")) return std::fclose(f), false;
    setenv("NPU_TEST_SIMULATOR", paths().simulator.c_str(), 1);
    setenv("ASCEND_HOME_PATH", (paths().strange + "/" + name).c_str(), 1);
    return true;
}

da_status operators(Npu& npu) {
    const dab_op* ops = nullptr;
    std::uint32_t count = 0, stride = 0;
    return npu->op_table(npu, 0, &ops, &count, &stride);
}

} // namespace

TEST(release_8_1) {
    Npu npu(2, names_of("8.1"));
    for (int device : {0, 1}) {
        const dab_properties p = properties(npu, device);
        CHECK(std::strstr(p.runtime, "ACL 1.13.0, CANN 8.1.RC1"));
        EQUAL(p.runtime_version, 11300);
        CHECK(p.uuid[0] == 0 && p.pci_bus_id[0] == 0); // asked for by functions of 9
        CHECK(p.compute_units > 0);
        works(npu, device);
        CHECK(properties(npu, device).total_memory > 0); // known once it is open
    }
    CHECK(!npu.op(DA_OP_SHIFT_LEFT) && npu.op(DA_OP_ADD));
}

TEST(release_9_0) {
    Npu npu(3, names_of("9.0"));
    std::string uuids, ids;
    for (int device : {0, 1, 2}) {
        const dab_properties p = properties(npu, device);
        CHECK(std::strstr(p.runtime, "ACL 1.17.0, CANN 9.0.0") && p.total_memory > 0);
        CHECK(p.uuid[0] && uuids.find(p.uuid) == std::string::npos);
        CHECK(std::strlen(p.pci_bus_id) == 12 && ids.find(p.pci_bus_id) == std::string::npos);
        uuids += p.uuid;
        ids += p.pci_bus_id;
        works(npu, device);
    }
    CHECK(npu.op(DA_OP_SHIFT_LEFT));
}

TEST(what_came_with_9_is_missing_in_8_1) {
    setenv("DEVICE_API_SIM_NPU_CANN", "8.1", 1);
    struct Row {
        const char *library, *there, *missing;
    };
    for (const Row& row :
         {Row{"libascendcl.so", "aclrtSetDevice", "aclrtDeviceGetUuid"},
          Row{"libascendcl.so", "aclsysGetCANNVersion", "aclsysGetVersionStr"},
          Row{"libopapi.so", "aclnnAddGetWorkspaceSize", "aclnnLeftShiftGetWorkspaceSize"},
          Row{"libnnopbase.so", "aclCreateTensor", "aclrtSetDevice"},
          Row{"libdcmi.so", "dcmi_init", "aclrtSetDevice"}}) {
        void* library =
            dlopen((paths().simulator + "/8.1/" + row.library).c_str(), RTLD_NOW | RTLD_LOCAL);
        CHECK(library);
        CHECK(dlsym(library, row.there) && dlsym(library, "das_control_table"));
        CHECK(!dlsym(library, row.missing));
    }
}

TEST(releases_have_the_names_of_their_time) {
    const auto there = [](const std::string& name) {
        FILE* f = std::fopen((paths().simulator + "/" + name).c_str(), "rb");
        if (f) std::fclose(f);
        return f != nullptr;
    };
    CHECK(there("8.1/libascendcl.so") && !there("8.1/libacl_rt.so"));
    CHECK(there("8.1/libopapi.so") && !there("8.1/libopapi_math.so"));
    CHECK(there("9.0/libacl_rt.so") && !there("9.0/libascendcl.so"));
    CHECK(there("9.0/libopapi_math.so") && !there("9.0/libopapi.so"));
    for (const char* name : {"libascendcl.so", "libacl_rt.so", "libopapi.so", "libopapi_nn.so"})
        CHECK(there(name)); // the newest keeps the old names beside the new ones
}

TEST(versions_that_differ) {
    setenv("DEVICE_API_SIM_NPU_OPP", "9.0", 1);
    Npu npu(1, names_of("8.1"));
    EQUAL(operators(npu), DA_VERSION_MISMATCH);
    const std::string words = last_words();
    CHECK(words.find("mixed") != std::string::npos && words.find("9.0.0") != std::string::npos);
    CHECK(words.find("set_env.sh") != std::string::npos);
}

TEST(a_toolkit_of_8_with_operators_of_9) {
    setenv("DEVICE_API_SIM_NPU_CANN", "8.1", 1);
    if (!toolkit("costume")) return; // libascendcl.so, and libopapi_math.so alone
    Npu npu(Npu::real);
    EQUAL(operators(npu), DA_VERSION_MISMATCH);
    CHECK(last_words().find("operator libraries of CANN 9") != std::string::npos);
}

TEST(toolkits_of_one_release) {
    setenv("DEVICE_API_SIM_NPU_CANN", "8.1", 1);
    if (!toolkit("costume8")) return; // libascendcl.so and libopapi.so
    Npu npu(Npu::real);
    EQUAL(operators(npu), DA_OK);
}

TEST(a_toolkit_with_the_names_of_9_only) {
    setenv("DEVICE_API_SIM_NPU_CANN", "9.0", 1);
    if (!toolkit("costume9")) return; // libacl_rt.so and libopapi_math.so
    Npu npu(Npu::real);
    EQUAL(operators(npu), DA_OK);
}

TEST(unknown_release) {
    setenv("DEVICE_API_SIM_NPU_CANN", "7.0", 1);
    Npu npu;
    std::int32_t count = 0;
    EQUAL(npu->device_count(npu, &count), DA_INVALID_ARGUMENT);
    CHECK(last_words().find("DEVICE_API_SIM_NPU_CANN=7.0") != std::string::npos);
}
