/* SPDX-License-Identifier: Apache-2.0 */
/* A symbol of a library that jumps to an address found later: TRAMPOLINE(slot, name) defines the
 * function `name`, which jumps to where the pointer slot_name points. For libraries that stand in
 * for others. */
#ifndef DEVICE_API_NPU_TRAMPOLINE_H
#define DEVICE_API_NPU_TRAMPOLINE_H

#if defined(__x86_64__)
#define TRAMPOLINE_JUMP(slot) "    jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define TRAMPOLINE_JUMP(slot)                                                                      \
    "    adrp x16, " slot "\n    ldr x16, [x16, :lo12:" slot "]\n    br x16\n"
#else
#error "CANN exists on x86-64 and aarch64 only"
#endif

#define TRAMPOLINE(slot, name)                                                                     \
    extern "C" __attribute__((visibility("hidden"))) void* slot##_##name;                          \
    void* slot##_##name = nullptr;                                                                 \
    __asm__(".pushsection .text\n    .globl " #name "\n    .type " #name ", %function\n" #name     \
            ":\n" TRAMPOLINE_JUMP(#slot "_" #name) "    .popsection\n");

#endif
