// SPDX-License-Identifier: Apache-2.0
// The simulated CANN dressed up as a real one: the vendor's symbols, but nothing that says
// "simulated". With it the tests take the adapter's way to real libraries. Every symbol jumps to
// the simulated library, which is found through the environment variable NPU_TEST_SIMULATOR.
#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "device_api_npu/cann.h"

#if defined(__x86_64__)
#define JUMP(slot) "    jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(slot) "    adrp x16, " slot "\n    ldr x16, [x16, :lo12:" slot "]\n    br x16\n"
#else
#error "CANN exists on x86-64 and aarch64 only"
#endif

#define TRAMPOLINE(name)                                                                           \
    extern "C" __attribute__((visibility("hidden"))) void* costume_##name;                         \
    void* costume_##name = nullptr;                                                                \
    __asm__(".pushsection .text\n    .globl " #name "\n    .type " #name ", %function\n" #name     \
            ":\n" JUMP("costume_" #name) "    .popsection\n");

#ifdef COSTUME_OPERATORS
#define C_ROW(ret, name, params, library, since, mark) X(name)
#define OP_ROW(op, signature, library, since, mark)    X(aclnn##op) X(aclnn##op##GetWorkspaceSize)
#define ALL CANN_NNOPBASE_SYMBOLS(C_ROW) CANN_ACLNN_SYMBOLS(OP_ROW)
#else
#define C_ROW(ret, name, params, library, since, mark) X(name)
#define ALL                                            CANN_RUNTIME_SYMBOLS(C_ROW)
#endif

#define X(name) TRAMPOLINE(name)
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
