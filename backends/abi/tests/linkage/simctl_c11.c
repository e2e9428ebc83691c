/* SPDX-License-Identifier: Apache-2.0 */
/* The control table's header is C11, and every struct begins with its size. */
#include "device_api/simctl.h"

_Static_assert(offsetof(das_setup, size) == 0 && offsetof(das_schedule, size) == 0, "size first");
_Static_assert(offsetof(das_latency, size) == 0 && offsetof(das_launch, size) == 0, "size first");
_Static_assert(offsetof(das_fault, size) == 0 && offsetof(das_memory, size) == 0, "size first");
_Static_assert(offsetof(das_control, size) == 0, "size first");

int device_api_simctl_is_c11(const das_control* control);
int device_api_simctl_is_c11(const das_control* control) {
    return control->version >= DAS_VERSION && control->size >= sizeof(das_control);
}
