// SPDX-License-Identifier: Apache-2.0
/* DCMI, the management interface of Ascend's driver (libdcmi.so): our own declarations, by the
 * facts of public headers (8.1) and documentation. DCMI_SYMBOLS(X): X(NAME, (PARAMETERS)), all
 * return int: 0 or a negative DCMI_* code. Ids: a card and a device (chip) on it; logic ids count
 * the driver's devices and do not follow ASCEND_RT_VISIBLE_DEVICES. dcmi_init() comes first; there
 * is no end. Not declared: the flat second interface (dcmiv2_*) of the 950. */
#ifndef DEVICE_API_NPU_DCMI_H
#define DEVICE_API_NPU_DCMI_H

#include <stdint.h>

#include "cann_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DCMI_SONAME "libdcmi.so"

enum {
    DCMI_OK = 0,
    DCMI_INVALID_PARAMETER = -8001,
    DCMI_NOT_PERMITTED = -8002,
    DCMI_INNER = -8005,
    DCMI_TIMEOUT = -8006,
    DCMI_INVALID_DEVICE_ID = -8007,
    DCMI_DEVICE_MISSING = -8008,
    DCMI_NOT_READY = -8012,
    DCMI_NOT_SUPPORTED = -8255
};

enum { DCMI_MAX_CARDS = 64, DCMI_MAX_ERRORS = 128 };

enum {
    DCMI_HEALTH_NORMAL = 0,
    DCMI_HEALTH_MINOR = 1,
    DCMI_HEALTH_MAJOR = 2,
    DCMI_HEALTH_CRITICAL = 3
};
#define DCMI_HEALTH_ABSENT 0xFFFFFFFFu

/* Of temperatures: a sensor that gives none, and one that cannot be read. */
enum { DCMI_TEMPERATURE_INVALID = 0x7ffd, DCMI_TEMPERATURE_UNREADABLE = 0x7fff };

typedef enum dcmi_unit_type CANN_ENUM_INT {
    DCMI_UNIT_NPU = 0,
    DCMI_UNIT_MCU = 1,
    DCMI_UNIT_CPU = 2
} dcmi_unit_type;

/* Types of dcmi_get_device_utilization_rate, in percent. */
enum {
    DCMI_USE_MEMORY = 1,
    DCMI_USE_AICORE = 2,
    DCMI_USE_AICPU = 3,
    DCMI_USE_CTRLCPU = 4,
    DCMI_USE_MEMORY_BANDWIDTH = 5,
    DCMI_USE_HBM = 6,
    DCMI_USE_DDR = 8,
    DCMI_USE_HBM_BANDWIDTH = 10,
    DCMI_USE_VECTOR = 12,
    DCMI_USE_OVERALL = 13
};

typedef enum dcmi_frequency_type CANN_ENUM_INT {
    DCMI_FREQUENCY_DDR = 1,
    DCMI_FREQUENCY_CTRLCPU = 2,
    DCMI_FREQUENCY_HBM = 6,
    DCMI_FREQUENCY_AICORE = 7,
    DCMI_FREQUENCY_AICORE_MAX = 9,
    DCMI_FREQUENCY_VECTOR = 12
} dcmi_frequency_type;

typedef enum dcmi_ecc_type CANN_ENUM_INT {
    DCMI_ECC_DDR = 0,
    DCMI_ECC_SRAM = 1,
    DCMI_ECC_HBM = 2,
    DCMI_ECC_NPU = 3,
    DCMI_ECC_NONE = 0xff
} dcmi_ecc_type;

typedef enum dcmi_boot_status CANN_ENUM_INT {
    DCMI_BOOT_UNINITIALISED = 0,
    DCMI_BOOT_FINISHED = 3,
    DCMI_BOOT_STARTED = 16
} dcmi_boot_status;

typedef struct dcmi_chip_info_v2 {
    unsigned char chip_type[32], chip_name[32], chip_ver[32];
    unsigned int aicore_cnt;
    unsigned char npu_name[32];
} dcmi_chip_info_v2;

typedef struct dcmi_chip_info {
    unsigned char chip_type[32], chip_name[32], chip_ver[32];
    unsigned int aicore_cnt;
} dcmi_chip_info;

typedef struct dcmi_pcie_info_v2 {
    unsigned int vendor, subvendor, device, subdevice;
    int domain;
    unsigned int bus, slot, function;
    unsigned char reserved[32];
} dcmi_pcie_info_v2;

typedef struct dcmi_hbm_info {
    unsigned long long memory_size;  /* MB */
    unsigned int freq;               /* MHz */
    unsigned long long memory_usage; /* MB; the unit is unverified */
    int temp;                        /* degrees Celsius */
    unsigned int bandwith_util_rate; /* percent */
} dcmi_hbm_info;

typedef struct dcmi_memory_info_v3 {
    unsigned long long memory_size, memory_available; /* MB */
    unsigned int freq;
    unsigned long hugepagesize; /* KB */
    unsigned long hugepages_total, hugepages_free;
    unsigned int utiliza; /* percent */
    unsigned char reserved[60];
} dcmi_memory_info_v3;

typedef struct dcmi_ecc_info {
    int enable;
    unsigned int single, doubles, total_single, total_double, isolated_single, isolated_double;
} dcmi_ecc_info;

typedef struct dcmi_aicore_info {
    unsigned int freq, cur_freq; /* MHz */
} dcmi_aicore_info;

typedef struct dcmi_process_memory {
    int pid;
    unsigned long bytes;
} dcmi_process_memory;

/* clang-format off */
#define DCMI_SYMBOLS(X) \
    X(dcmi_init, (void)) \
    X(dcmi_get_dcmi_version, (char* ver, unsigned int len)) \
    X(dcmi_get_driver_version, (char* ver, unsigned int len)) \
    X(dcmi_get_card_list, (int* card_num, int* card_list, int list_len)) \
    X(dcmi_get_card_num_list, (int* card_num, int* card_list, int list_len)) \
    X(dcmi_get_device_num_in_card, (int card_id, int* device_num)) \
    X(dcmi_get_device_id_in_card, (int card_id, int* device_id_max, int* mcu_id, int* cpu_id)) \
    X(dcmi_get_device_logic_id, (int* logic_id, int card_id, int device_id)) \
    X(dcmi_get_card_id_device_id_from_logicid, (int* card_id, int* device_id, unsigned int id)) \
    X(dcmi_get_card_id_device_id_from_phyid, (int* card_id, int* device_id, unsigned int id)) \
    X(dcmi_get_device_phyid_from_logicid, (unsigned int logicid, unsigned int* phyid)) \
    X(dcmi_get_device_type, (int card_id, int device_id, dcmi_unit_type* type)) \
    X(dcmi_get_device_chip_info, (int card_id, int device_id, dcmi_chip_info* info)) \
    X(dcmi_get_device_chip_info_v2, (int card_id, int device_id, dcmi_chip_info_v2* info)) \
    X(dcmi_get_device_pcie_info_v2, (int card_id, int device_id, dcmi_pcie_info_v2* info)) \
    X(dcmi_get_device_health, (int card_id, int device_id, unsigned int* health)) \
    X(dcmi_get_driver_health, (unsigned int* health)) \
    X(dcmi_get_device_errorcode_v2, (int card_id, int device_id, int* count, unsigned int* list, unsigned int list_len)) \
    X(dcmi_get_device_errorcode_string, (int card_id, int device_id, unsigned int code, unsigned char* buf, int buf_size)) \
    X(dcmi_get_device_temperature, (int card_id, int device_id, int* celsius)) \
    X(dcmi_get_device_power_info, (int card_id, int device_id, int* power)) \
    X(dcmi_get_device_voltage, (int card_id, int device_id, unsigned int* voltage)) \
    X(dcmi_get_device_utilization_rate, (int card_id, int device_id, int type, unsigned int* percent)) \
    X(dcmi_get_device_hbm_info, (int card_id, int device_id, dcmi_hbm_info* info)) \
    X(dcmi_get_device_memory_info_v3, (int card_id, int device_id, dcmi_memory_info_v3* info)) \
    X(dcmi_get_device_ecc_info, (int card_id, int device_id, dcmi_ecc_type type, dcmi_ecc_info* info)) \
    X(dcmi_get_device_frequency, (int card_id, int device_id, dcmi_frequency_type type, unsigned int* mhz)) \
    X(dcmi_get_device_aicore_info, (int card_id, int device_id, dcmi_aicore_info* info)) \
    X(dcmi_get_device_resource_info, (int card_id, int device_id, dcmi_process_memory* list, int* num)) \
    X(dcmi_get_device_boot_status, (int card_id, int device_id, dcmi_boot_status* status))
/* clang-format on */

#define DCMI_FN_TYPE_ROW(name, params) typedef int(*name##_fn) params;
DCMI_SYMBOLS(DCMI_FN_TYPE_ROW)
#undef DCMI_FN_TYPE_ROW
#ifdef CANN_DECLARE_PROTOTYPES
#define DCMI_FN_PROTOTYPE_ROW(name, params) int name params;
DCMI_SYMBOLS(DCMI_FN_PROTOTYPE_ROW)
#undef DCMI_FN_PROTOTYPE_ROW
#endif

#ifdef __cplusplus
}
#define DCMI_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type)
#else
#define DCMI_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#endif

DCMI_SIZE(dcmi_chip_info, 100);
DCMI_SIZE(dcmi_chip_info_v2, 132);
DCMI_SIZE(dcmi_pcie_info_v2, 64);
DCMI_SIZE(dcmi_hbm_info, 32);
DCMI_SIZE(dcmi_memory_info_v3, 112);
DCMI_SIZE(dcmi_ecc_info, 28);

#endif
