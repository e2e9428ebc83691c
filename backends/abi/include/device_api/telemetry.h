/* SPDX-License-Identifier: Apache-2.0 */
/* Telemetry of the backend contract: what a device says about its own state. */
#ifndef DEVICE_API_TELEMETRY_H
#define DEVICE_API_TELEMETRY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dab_health {
    DAB_HEALTH_UNKNOWN = 0,
    DAB_HEALTH_OK = 1,
    DAB_HEALTH_WARNING = 2, /* works; somebody should look at it */
    DAB_HEALTH_CRITICAL = 3 /* results cannot be trusted, or it does not work */
} dab_health;

/* Bits of dab_telemetry.known: which members the device reports; the others are 0. */
enum {
    DAB_KNOWS_HEALTH = 1u << 0,
    DAB_KNOWS_THROTTLE = 1u << 1,
    DAB_KNOWS_TEMPERATURE = 1u << 2,
    DAB_KNOWS_MEMORY_TEMPERATURE = 1u << 3,
    DAB_KNOWS_POWER = 1u << 4,
    DAB_KNOWS_POWER_LIMIT = 1u << 5,
    DAB_KNOWS_UTILIZATION = 1u << 6,
    DAB_KNOWS_BANDWIDTH_UTILIZATION = 1u << 7,
    DAB_KNOWS_MEMORY = 1u << 8,
    DAB_KNOWS_ECC = 1u << 9, /* not set when error correction is off */
    DAB_KNOWS_CLOCK = 1u << 10,
    DAB_KNOWS_MEMORY_CLOCK = 1u << 11
};

/* Bits of dab_telemetry.throttle: why the chip runs slower than it could. */
enum {
    DAB_THROTTLE_THERMAL = 1u << 0,
    DAB_THROTTLE_POWER = 1u << 1,
    DAB_THROTTLE_HARDWARE = 1u << 2, /* slowed by the board: a brake signal, a supply */
    DAB_THROTTLE_OTHER = 1u << 3
};

/* One reading. The host allocates it. Counters are of the device's life as the vendor counts it,
 * over all processes. */
typedef struct dab_telemetry {
    uint32_t size;
    uint32_t known;               /* DAB_KNOWS_* */
    uint32_t health;              /* dab_health */
    uint32_t throttle;            /* DAB_THROTTLE_*, 0 for none */
    double temperature;           /* degrees Celsius, of the chip */
    double memory_temperature;    /* degrees Celsius */
    double power;                 /* watts, now */
    double power_limit;           /* watts */
    double utilization;           /* of the compute units, 0 to 1, over the vendor's own interval */
    double bandwidth_utilization; /* of the device memory, 0 to 1 */
    uint64_t memory_used;         /* bytes, all processes */
    uint64_t memory_total;        /* bytes */
    uint64_t ecc_corrected;       /* errors of device memory */
    uint64_t ecc_uncorrected;
    uint32_t clock_mhz; /* of the compute units, now */
    uint32_t memory_clock_mhz;
    char health_text[256]; /* when health is not OK: the vendor's codes and words */
    char source[128];      /* the library that was asked, with its version */
} dab_telemetry;

#ifdef __cplusplus
}
#endif
#endif
