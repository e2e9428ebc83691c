// SPDX-License-Identifier: Apache-2.0
// What every function of the simulated DCMI begins with: the driver started, ids that exist, and
// the faults that are to strike. Ids: logic ids count the engine's devices, whatever
// ASCEND_RT_VISIBLE_DEVICES says; cards hold one chip, or two on A3.
#pragma once

#include "call.hpp"
#include "device_api/simctl.h"
#include "device_api_npu/dcmi.h"

namespace cann_sim {

struct DcmiId {
    int card, device;
};
int chips_per_card();
/// Of a logic id.
DcmiId dcmi_id(int logic);
/// The logic id behind; -1 when there is no such chip.
int logic_id(int card, int device);

bool dcmi_started();

/// How an answer is spoilt.
struct Spoilt {
    bool short_answer = false; // only a part is written
    bool zeroed = false;       // ... and the rest is zero, instead of left alone
    bool stale = false;        // figures of the call before
};

/// Run `body(logic)` of a call that is about no chip.
template <class Body>
int dcmi_call(const char* name, Body body) noexcept {
    try {
        Call c(name, Need::nothing);
        if (c.blocked()) return DCMI_INNER;
        return dcmi_started() ? body() : int{DCMI_NOT_READY};
    } catch (...) {
        return DCMI_INNER;
    }
}

/// The fault that strikes a call of a chip: DCMI_OK and how it spoils the answer, or its code.
int dcmi_fault(const char* name, int logic, Spoilt* spoilt);

/// Run `body(logic, spoilt)` of a call about one chip.
template <class Body>
int dcmi_chip_call(const char* name, int card, int device, Body body) noexcept {
    return dcmi_call(name, [&]() -> int {
        const int logic = logic_id(card, device);
        if (logic < 0) return DCMI_INVALID_DEVICE_ID;
        Spoilt spoilt;
        if (const int code = dcmi_fault(name, logic, &spoilt)) return code;
        return body(logic, spoilt);
    });
}

/// Write an answer, or what the fault leaves of it: the first quarter of a struct, none of a
/// number.
template <class T>
int dcmi_give(T* out, const T& full, const Spoilt& spoilt) {
    if (!out) return DCMI_INVALID_PARAMETER;
    if (!spoilt.short_answer) {
        *out = full;
        return DCMI_OK;
    }
    const std::size_t written = sizeof(T) > sizeof(long) ? sizeof(T) / 4 : 0;
    if (spoilt.zeroed) *out = T{};
    __builtin_memcpy(static_cast<void*>(out), &full, written);
    return DCMI_OK;
}

} // namespace cann_sim
