// SPDX-License-Identifier: Apache-2.0
/* device_api_npu/cann.h - our own declarations of Huawei Ascend CANN's C ABI.
 *
 * Both sides read this one header: the adapter (which opens the vendor's libraries) and the
 * simulator (which exports the same symbols).  Nothing here is vendor text: names, numbers and
 * orders of parameters are facts, restated from public headers and documentation (CANN 8.1.RC1,
 * which is ACL API 1.13.0, and the open 9.x trees, ACL API 1.17.0).
 *
 *   cann_marks.h    the columns of every table: library, since, CONFIRMED / UNCONFIRMED
 *   cann_types.h    handles, structs and enums (X-macro tables, one row per constant)
 *   cann_errors.h   aclError and aclnnStatus values
 *   cann_runtime.h  CANN_RUNTIME_SYMBOLS(X): acl*, aclrt* functions
 *   cann_aclnn.h    CANN_NNOPBASE_SYMBOLS(X): aclTensor and friends; CANN_ACLNN_SYMBOLS(X): the
 *                   operators
 *   cann_hccl.h     CANN_HCCL_SYMBOLS(X): collectives
 *   cann_beliefs.h  CANN_BELIEFS(X): behaviour that code relies on and no header can state
 *
 * Every function NAME of a table also gets the pointer type NAME_fn.  Define
 * CANN_DECLARE_PROTOTYPES before the first inclusion to get the prototypes too (the simulator
 * does: a signature that differs then fails to compile).
 * ABI basics: plain C, 64-bit Linux, enums are 4 bytes, bool is 1 byte, handles are pointers.
 */
#ifndef DEVICE_API_NPU_CANN_H
#define DEVICE_API_NPU_CANN_H

#include "cann_aclnn.h"
#include "cann_beliefs.h"
#include "cann_errors.h"
#include "cann_hccl.h"
#include "cann_marks.h"
#include "cann_runtime.h"
#include "cann_types.h"

#endif
