// SPDX-License-Identifier: Apache-2.0
// The simulated CANN dressed up as a real one: the vendor's symbols, but nothing that says
// "simulated". With it the tests take the adapter's way to real libraries. Every symbol jumps to
// the simulated library, which is found through the environment variable NPU_TEST_SIMULATOR.
#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "device_api_npu/cann.h"
#include "device_api_npu/trampoline.h"

#ifdef COSTUME_OPERATORS
#define C_ROW(ret, name, params, library, since, mark) X(name)
#define OP_ROW(op, signature, library, since, mark)    X(aclnn##op) X(aclnn##op##GetWorkspaceSize)
#define ALL CANN_NNOPBASE_SYMBOLS(C_ROW) CANN_ACLNN_SYMBOLS(OP_ROW)
#else
#define C_ROW(ret, name, params, library, since, mark) X(name)
#define ALL                                            CANN_RUNTIME_SYMBOLS(C_ROW)
#endif

#define X(name) TRAMPOLINE(costume, name)
ALL
#undef X

    namespace {

    __attribute__((constructor)) void fill_slots() {
        const char* folder = std::getenv("NPU_TEST_SIMULATOR");
        if (!folder) return;
        const std::string path = std::string(folder) + "/libdevice_api_sim_npu.so";
        void* engine = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!engine) return;
#define X(name) costume_##name = dlsym(engine, #name);
        ALL
#undef X
    }

} // namespace
