/* SPDX-License-Identifier: Apache-2.0 */
/* The host API's part on telemetry: what a device says about its own state.
 *
 * The rules of host.h hold here too. */
#ifndef DEVICE_API_HOST_TELEMETRY_H
#define DEVICE_API_HOST_TELEMETRY_H

#include "device_api/host.h"
#include "device_api/telemetry.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One reading of a device's sensors and counters. The caller fills in out->size; what `known` does
 * not name is 0. It makes no device ready and waits for no work, so it can be called beside running
 * jobs and at any rate. A value that cannot be (not a number, a share above 1, more memory used
 * than there is) is taken as unknown. DA_NOT_SUPPORTED where the plugin has no telemetry, or this
 * machine lacks what the plugin would ask. */
DAH_API da_status dah_device_telemetry(dah_device device, dab_telemetry* out);
/* The same as the plugin says it, with what cannot be: for tests of plugins. */
DAH_API da_status dah_device_telemetry_given(dah_device device, dab_telemetry* out);

#ifdef __cplusplus
}
#endif
#endif
