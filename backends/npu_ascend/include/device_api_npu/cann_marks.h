// SPDX-License-Identifier: Apache-2.0
/* The columns that every table of this folder shares. */
#ifndef DEVICE_API_NPU_CANN_MARKS_H
#define DEVICE_API_NPU_CANN_MARKS_H

/* Column "mark": was the row seen in a public header or in the vendor's documentation?
 * On real hardware the adapter refuses what is UNCONFIRMED, unless DEVICE_API_UNCONFIRMED=1, and
 * says which. */
#define CANN_MARK_CONFIRMED   1
#define CANN_MARK_UNCONFIRMED 0

/* Column "since": the first release that has the row. 8_1 means "in both header sets". */
#define CANN_SINCE_8_1 801
#define CANN_SINCE_9   900

/* Column "library": where the symbol lives.  Placement moved between releases, so each value names
 * a search order; an adapter tries all of it, and a symbol that is nowhere is not in this CANN. */
typedef enum cannLibrary {
    CANN_LIB_ACL = 0,      /* libascendcl.so (8.x, kept in 9.x), then libacl_rt.so (9.x) */
    CANN_LIB_NNOPBASE = 1, /* libnnopbase.so; also reachable through a libopapi*.so handle */
    CANN_LIB_MATH = 2,     /* every libopapi_*.so (9.x: in libopapi_math.so), then libopapi.so */
    CANN_LIB_NN = 3,       /* every libopapi_*.so (9.x: in libopapi_nn.so), then libopapi.so */
    CANN_LIB_HCCL = 4      /* libhccl.so, then libhcomm.so (9.x) */
} cannLibrary;

/* Sonames: every one is loaded by its bare name, none carries a version. */
#define CANN_SONAME_ASCENDCL   "libascendcl.so"
#define CANN_SONAME_ACL_RT     "libacl_rt.so"
#define CANN_SONAME_NNOPBASE   "libnnopbase.so"
#define CANN_SONAME_OPAPI      "libopapi.so"
#define CANN_SONAME_OPAPI_MATH "libopapi_math.so"
#define CANN_SONAME_OPAPI_NN   "libopapi_nn.so"
/* These two by the pattern of the others: no list of files was seen. */
#define CANN_SONAME_OPAPI_CV          "libopapi_cv.so"
#define CANN_SONAME_OPAPI_TRANSFORMER "libopapi_transformer.so"
#define CANN_SONAME_HCCL              "libhccl.so"
#define CANN_SONAME_HCOMM             "libhcomm.so"

#endif
