// SPDX-License-Identifier: Apache-2.0
// A library of CANN 8.1: the symbols that it had, each a jump into the engine's library, and no
// other: what came with 9 is not found by dlsym. FORWARD_RUNTIME, FORWARD_OPERATORS,
// FORWARD_OBJECTS, FORWARD_HCCL or FORWARD_DCMI says which library it is.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "device_api_npu/cann.h"
#include "device_api_npu/dcmi.h"
#include "device_api_npu/trampoline.h"

#define SINCE_8_1(name) X(name)
#define SINCE_9(name)
#define C_ROW(ret, name, params, library, since, mark) SINCE_##since(name)
#define OP_ROW(op, signature, library, since, mark)                                                \
    SINCE_##since(aclnn##op) SINCE_##since(aclnn##op##GetWorkspaceSize)
#define DCMI_ROW(name, params) X(name)

#if defined(FORWARD_RUNTIME)
#define ALL CANN_RUNTIME_SYMBOLS(C_ROW)
#elif defined(FORWARD_OBJECTS)
#define ALL CANN_NNOPBASE_SYMBOLS(C_ROW)
#elif defined(FORWARD_OPERATORS) // objects too: libopapi.so of 8.1 needs libnnopbase.so
#define ALL CANN_NNOPBASE_SYMBOLS(C_ROW) CANN_ACLNN_SYMBOLS(OP_ROW)
#elif defined(FORWARD_HCCL)
#define ALL CANN_HCCL_SYMBOLS(C_ROW)
#elif defined(FORWARD_DCMI)
#define ALL DCMI_SYMBOLS(DCMI_ROW)
#endif

#define X(name) TRAMPOLINE(forward, name)
ALL TRAMPOLINE(forward, das_control_table) // by it a simulated library is told from a real one
#undef X

    namespace {

    // The engine's library lies one folder up. A constructor, so that no call comes before it.
    __attribute__((constructor)) void fill_slots() {
        Dl_info own;
        if (!dladdr(reinterpret_cast<void*>(fill_slots), &own) || !own.dli_fname) return;
        std::string path = own.dli_fname;
        path = path.substr(0, path.rfind('/')) + "/../libdevice_api_sim_npu.so";
        void* engine = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!engine) { // a jump to nowhere would follow
            std::fprintf(stderr, "simulated CANN 8.1: %s\n", dlerror());
            std::abort();
        }
#define X(name) forward_##name = dlsym(engine, #name);
        ALL X(das_control_table)
#undef X
    }

} // namespace
