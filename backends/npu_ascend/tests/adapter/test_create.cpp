// SPDX-License-Identifier: Apache-2.0
// The table, options, and what happens when CANN is missing, strange, or of the other kind.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#include "check.hpp"
#include "harness.hpp"

using namespace harness;

namespace {

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

void expect(da_status status, const Options& options, std::initializer_list<const char*> words) {
    dab_instance* self = nullptr;
    EQUAL(create(options, &self), status);
    CHECK(self == nullptr);
    EQUAL(last_error().status, status);
    for (const char* word : words)
        if (!contains(last_words(), word))
            check::failed(__FILE__, __LINE__, last_words() + " lacks: " + word);
}

// Whether this machine has CANN: then a test without it cannot be made.
bool cann_is_installed() {
    for (const char* path : {"/usr/local/Ascend/cann/lib64/libascendcl.so",
                             "/usr/local/Ascend/ascend-toolkit/latest/lib64/libascendcl.so"})
        if (FILE* f = std::fopen(path, "rb")) return std::fclose(f), true;
    return false;
}

} // namespace

TEST(table) {
    const dab_backend* t = table();
    EQUAL(t->size, sizeof(dab_backend));
    EQUAL(std::string(t->type), "npu");
    EQUAL(t->op_count, unsigned{DA_OP_COUNT});
    const std::uint64_t hashes[] = DA_OP_TABLE_HASHES;
    CHECK(std::memcmp(t->op_hashes, hashes, sizeof hashes) == 0);
    // No member is left out but the end of a group by force, which HCCL does not have.
    const auto* words = reinterpret_cast<void* const*>(&t->create);
    const std::size_t members = (sizeof *t - offsetof(dab_backend, create)) / sizeof(void*);
    const std::size_t abort =
        (offsetof(dab_backend, comm_abort) - offsetof(dab_backend, create)) / sizeof(void*);
    for (std::size_t i = 0; i < members; ++i) CHECK((words[i] != nullptr) == (i != abort));
}

TEST(another_version) {
    void* handle = dlopen(paths().library.c_str(), RTLD_NOW | RTLD_LOCAL);
    auto entry = reinterpret_cast<dab_entry>(dlsym(handle, DAB_ENTRY_SYMBOL));
    CHECK(entry(DAB_ABI_MAJOR, DAB_ABI_MINOR));
    CHECK(!entry(DAB_ABI_MAJOR + 1, 0));
}

TEST(bad_options) {
    expect(DA_INVALID_ARGUMENT, {{"colour", "red"}}, {"colour"});
    expect(DA_INVALID_ARGUMENT, {{"simulate", "yes"}}, {"simulate", "yes"});
    expect(DA_INVALID_ARGUMENT, {{"simulate", "1"}}, {"simulator"});
    expect(DA_INVALID_ARGUMENT, {{"simulate", "1"}, {"simulator", "sim"}}, {"absolute"});
    expect(DA_INVALID_ARGUMENT, {{"simulator", paths().simulator}}, {"never mix"});
    expect(DA_INVALID_ARGUMENT, {{"simulate", "1"}, {"simulator", "/x"}, {"api", "7"}}, {"api"});
}

TEST(no_simulator) {
    expect(DA_NO_DRIVER, {{"simulate", "1"}, {"simulator", "/nowhere"}}, {"/nowhere"});
}

TEST(no_cann) {
    if (cann_is_installed()) return; // the message can only be seen without it
    setenv("ASCEND_HOME_PATH", "/no/such/toolkit", 1);
    expect(DA_NO_DRIVER, {},
           {"libascendcl.so", "libacl_rt.so", "/no/such/toolkit/lib64", "/usr/local/Ascend",
            "set_env.sh", "DEVICE_API_SIMULATE"});
}

TEST(not_cann) {
    if (cann_is_installed()) return;
    setenv("ASCEND_HOME_PATH", (paths().strange + "/other").c_str(), 1);
    expect(DA_VERSION_MISMATCH, {}, {"libascendcl.so lacks", "aclrtMemcpyAsync", "8.1"});
}

TEST(real_where_simulated_is_mapped) {
    Npu npu;
    expect(DA_BUSY, {}, {"simulated", "never both"});
}

TEST(simulated_where_real_is_mapped) {
    CHECK(dlopen((paths().strange + "/other/lib64/libascendcl.so").c_str(), RTLD_NOW | RTLD_LOCAL));
    expect(DA_BUSY, simulated(), {"libascendcl.so", "never both"});
}

TEST(error_of_an_older_host) {
    // A host whose dab_error ends earlier must not be written beyond.
    expect(DA_INVALID_ARGUMENT, {{"colour", "red"}}, {});
    dab_error error;
    std::memset(&error, 0x55, sizeof error);
    error.size = offsetof(dab_error, message);
    table()->last_error(nullptr, &error);
    EQUAL(error.size, offsetof(dab_error, message));
    EQUAL(error.status, DA_INVALID_ARGUMENT);
    EQUAL(error.message[0], 0x55);
}
