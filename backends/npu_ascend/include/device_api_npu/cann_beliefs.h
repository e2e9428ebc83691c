// SPDX-License-Identifier: Apache-2.0
/* Behaviour of CANN that code here relies on and that a declaration cannot state.
 *
 * CANN_BELIEFS(X): X(ID, MARK, "what is believed", "where it was read, or why it is unconfirmed").
 * On real hardware the adapter refuses to rely on an UNCONFIRMED one, unless
 * DEVICE_API_UNCONFIRMED=1, and names it.
 */
#ifndef DEVICE_API_NPU_CANN_BELIEFS_H
#define DEVICE_API_NPU_CANN_BELIEFS_H

#include "cann_marks.h"

/* clang-format off */
#define CANN_BELIEFS(X) \
    X(INIT_TWICE, CONFIRMED, "a second aclInit returns 100002 and raises the count of users", "runtime documentation and source, 9.x") \
    X(FINALIZE_ENDS_ALL, CONFIRMED, "aclFinalize ends ACL for every user of the process", "runtime documentation, 9.x") \
    X(NO_DEVICE_107002, CONFIRMED, "a thread without a current device gets 107002", "runtime documentation") \
    X(NO_DEVICE_COUNT_207004, UNCONFIRMED, "aclrtGetDeviceCount returns 207004 where no device or driver exists", "inferred from source, never run") \
    X(FREE_NEVER_WAITS, CONFIRMED, "aclrtFree returns at once and does not wait for queued work", "runtime documentation") \
    X(PAGEABLE_ASYNC_COPY_WAITS, CONFIRMED, "aclrtMemcpyAsync with pageable host memory returns after completion", "runtime documentation") \
    X(MEMCPY_DOES_NOT_SYNC, CONFIRMED, "aclrtMemcpy does not wait for streams", "runtime documentation") \
    X(PEER_ACCESS_ONE_WAY, CONFIRMED, "peer access is enabled for one direction, current device to peer", "runtime documentation") \
    X(EXECUTOR_SINGLE_USE, CONFIRMED, "phase 2 deletes a normal executor, on success and on failure", "opbase source, 9.x") \
    X(EXECUTOR_ABANDON, UNCONFIRMED, "aclDestroyAclOpExecutor also frees a normal executor whose phase 2 is not called", "documented for repeatable executors only") \
    X(TENSORS_UNTIL_PHASE2_RETURNS, CONFIRMED, "aclTensor and aclScalar may be destroyed once phase 2 has returned", "public client code (torch_npu)") \
    X(WORKSPACE_UNTIL_EXECUTED, CONFIRMED, "workspace and buffers must live until the stream has executed the work", "runtime documentation, user reports") \
    X(NONCONTIGUOUS_ACCEPTED, CONFIRMED, "operators take non-contiguous inputs, and most of them non-contiguous outputs", "ops documentation; which outputs: per operator") \
    X(STRIDED_OUTPUT_EVERY_OP, UNCONFIRMED, "every operator listed here takes a non-contiguous output", "the documentation says most") \
    X(INTEGER_POW, UNCONFIRMED, "aclnnPowTensorTensor of integers wraps, and gives 0 for a negative exponent unless the base is 1 or -1", "the documentation lists the types, not these cases") \
    X(INTEGER_FLOOR_DIVIDE, UNCONFIRMED, "aclnnFloorDivide of integers is exact, gives 0 for a divisor of 0, and wraps", "the documentation gives the formula, not these cases") \
    X(SHIFT_PAST_WIDTH, UNCONFIRMED, "aclnnLeftShift and aclnnRightShift by the width or more leave nothing but the sign; signed numbers shift arithmetically", "the documentation promises shifts below the width only") \
    X(SORT_NAN_LAST, UNCONFIRMED, "aclnnSort takes NaN as the largest", "as in PyTorch; the documentation does not say") \
    X(TOPK_FIRST_OF_EQUALS, UNCONFIRMED, "aclnnTopk takes the first ones of equal elements, and NaN as the largest", "the documentation does not say") \
    X(SCATTER_LAST_WINS, UNCONFIRMED, "of equal indices the last one counts in aclnnScatter without reduction", "documented as deterministic on A2 and A3; which one counts is not said") \
    X(GATHER_ON_A3_A2_ONLY, UNCONFIRMED, "aclnnGather runs on 910A, 310P and 950 as on A2 and A3", "9.x documentation lists A2 and A3 only; older CANN often ran it") \
    X(STRIDES_NOT_NEGATIVE, CONFIRMED, "strides and offset of an aclTensor are 0 or more", "aclCreateTensor documentation") \
    X(STORAGE_ALIGNED_32, CONFIRMED, "the storage address of an aclTensor is aligned to 32 bytes", "aclCreateTensor documentation") \
    X(PHASES_ON_ONE_THREAD, CONFIRMED, "both phases run on one thread, with the device set", "public client code (torch_npu) moves thread-local state by hand") \
    X(EX_EVENT_REFUSAL_CODE, UNCONFIRMED, "the older queries on an extended event return 207000", "that they fail is documented, the code is not") \
    X(F32_MATMUL_KEEP_DTYPE, CONFIRMED, "cubeMathType 0 keeps f32 on A2, A3, 950 and is rejected with f32 on 910A, 310P", "ops documentation")
/* clang-format on */

typedef enum cannBelief {
#define CANN_BELIEF_ID(id, mark, what, source) CANN_BELIEF_##id,
    CANN_BELIEFS(CANN_BELIEF_ID)
#undef CANN_BELIEF_ID
        CANN_BELIEF_COUNT
} cannBelief;

#endif
