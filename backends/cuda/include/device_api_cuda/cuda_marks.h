// SPDX-License-Identifier: Apache-2.0
/* The columns that every table of this folder shares, and the names of the libraries. */
#ifndef DEVICE_API_CUDA_MARKS_H
#define DEVICE_API_CUDA_MARKS_H

#include <stddef.h>
#include <stdint.h>

/* Column MARK: was the row seen in a public header of CUDA 12.9 or 13.x, or not? */
#define CUDA_MARK_CONFIRMED   1
#define CUDA_MARK_UNCONFIRMED 0

/* Column FIRST, as cuDriverGetVersion counts. 12_0: in 12.9 and 13.x; whether older releases have
 * it was not looked at. */
#define CUDA_FIRST_12_0 12000
#define CUDA_FIRST_13_0 13000

/* Sonames. The driver's libraries carry one version for all releases; the toolkit's carry the
 * major version, and no bare name is shipped with them. */
#define CUDA_SONAME_DRIVER   "libcuda.so.1"
#define CUDA_SONAME_NVML     "libnvidia-ml.so.1"
#define CUDA_SONAME_NCCL     "libnccl.so.2"
#define CUDA_SONAME_NVRTC    "libnvrtc.so."    /* + major version */
#define CUDA_SONAME_CUBLAS   "libcublas.so."   /* + major version */
#define CUDA_SONAME_CUBLASLT "libcublasLt.so." /* + major version */

/* Enums are 4 bytes and may hold any value that a caller gave: in C++ that needs saying. */
#ifdef __cplusplus
#define CU_ENUM_INT : int
#else
#define CU_ENUM_INT
#endif
#define CU_ENUM_ROW(name, value, mark) name = (value),

#define CU_FN_TYPE_ROW(ret, name, params, first, mark)      typedef ret(*name##_fn) params;
#define CU_FN_PROTOTYPE_ROW(ret, name, params, first, mark) ret name params;

#endif
