// SPDX-License-Identifier: Apache-2.0
// The DLPack exchange structs, version 1.0 (dmlc/dlpack, include/dlpack/dlpack.h).
#pragma once

#include <cstdint>

namespace device_api::binding::dlpack {

enum DeviceType : int32_t { cpu = 1, extension = 12 };
enum TypeCode : uint8_t {
    integer = 0,
    unsigned_integer = 1,
    floating = 2,
    bfloat = 4,
    complex = 5,
    boolean = 6
};

// By da_dtype.
inline constexpr uint8_t type_codes[15] = {
    boolean,          integer,          integer,          integer,          integer,
    unsigned_integer, unsigned_integer, unsigned_integer, unsigned_integer, floating,
    bfloat,           floating,         floating,         complex,          complex};

struct Device {
    int32_t type;
    int32_t id;
};
struct DataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};
struct Array {
    void* data;
    Device device;
    int32_t ndim;
    DataType dtype;
    int64_t* shape;
    int64_t* strides; // in elements; NULL means row-major
    uint64_t byte_offset;
};

// The older form, in capsules named "dltensor".
struct Managed {
    Array array;
    void* context;
    void (*deleter)(Managed*);
};

struct Version {
    uint32_t major;
    uint32_t minor;
};
constexpr uint64_t flag_read_only = 1;
constexpr uint64_t flag_copied = 2;

// Version 1, in capsules named "dltensor_versioned".
struct ManagedVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedVersioned*);
    uint64_t flags;
    Array array;
};

constexpr const char* name_old = "dltensor";
constexpr const char* name_old_used = "used_dltensor";
constexpr const char* name_new = "dltensor_versioned";
constexpr const char* name_new_used = "used_dltensor_versioned";

} // namespace device_api::binding::dlpack
