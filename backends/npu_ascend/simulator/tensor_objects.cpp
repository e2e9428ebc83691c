// SPDX-License-Identifier: Apache-2.0
// aclTensor: creation, inspection, rebinding of its address, destruction.
#include <algorithm>
#include <cstring>

#include "objects.hpp"

using namespace cann_sim;

namespace {

struct Description {
    const std::int64_t* dims;
    std::uint64_t dims_num;
    aclDataType dtype;
    const std::int64_t* strides;
    std::int64_t offset;
    aclFormat format;
    const std::int64_t* storage;
    std::uint64_t storage_num;
    void* data;
};

bool any_negative(const std::int64_t* values, std::uint64_t n) {
    return values && std::any_of(values, values + n, [](std::int64_t v) { return v < 0; });
}

// What the documentation asks of the arguments: nothing negative, no missing dims.
bool describes(const Call& c, const Description& d) {
    if ((!d.dims && d.dims_num) || (!d.storage && d.storage_num))
        return c.fail(ACLNN_ERR_PARAM_NULLPTR, "dims are null but their number is not 0"), false;
    if (any_negative(d.dims, d.dims_num) || any_negative(d.storage, d.storage_num))
        return c.misuse(Rule::tensor_description, ACLNN_ERR_PARAM_INVALID,
                        "a dimension is negative"),
               false;
    if (any_negative(d.strides, d.dims_num) || d.offset < 0)
        return c.misuse(Rule::tensor_description, ACLNN_ERR_PARAM_INVALID,
                        "a stride or the offset is negative; both must be 0 or more"),
               false;
    return true;
}

void fill(TensorObject* t, const Description& d) {
    t->dims.assign(d.dims, d.dims + d.dims_num);
    t->strides.assign(d.dims_num, 1);
    if (d.strides)
        t->strides.assign(d.strides, d.strides + d.dims_num);
    else
        for (std::size_t i = t->dims.size(); i-- > 1;)
            t->strides[i - 1] = t->strides[i] * std::max<std::int64_t>(t->dims[i], 1);
    t->storage.assign(d.storage, d.storage + d.storage_num);
    t->offset = d.offset;
    t->dtype = d.dtype;
    t->format = d.format;
    t->address = d.data;
}

// The caller releases the array with delete[].
aclnnStatus give(const std::vector<std::int64_t>& values, std::int64_t** out, std::uint64_t* num) {
    *out = new std::int64_t[values.size()];
    std::copy(values.begin(), values.end(), *out);
    *num = values.size();
    return ACLNN_SUCCESS;
}

// Run body(tensor) for a tensor that must exist.
template <class Body>
aclnnStatus with_tensor(const char* name, const aclTensor* tensor, bool outputs, Body body) {
    return call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!tensor || !outputs) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "a pointer is null");
        auto t = object<TensorObject>(kind_tensor, tensor);
        if (!t) return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        return body(*t);
    });
}

} // namespace

namespace cann_sim {

std::int64_t TensorObject::numel() const {
    std::int64_t n = 1;
    for (std::int64_t d : dims) n *= d;
    return n;
}

bool TensorObject::contiguous() const {
    std::int64_t expected = 1;
    for (std::size_t i = dims.size(); i-- > 0;) {
        if (dims[i] == 0) return true;
        if (dims[i] != 1 && strides[i] != expected) return false;
        expected *= dims[i];
    }
    return true;
}

bool TensorObject::contiguous_or_transposed() const {
    if (contiguous()) return true;
    const std::size_t n = dims.size();
    if (n < 2) return false;
    TensorObject swapped;
    swapped.dims = dims;
    swapped.strides = strides;
    std::swap(swapped.dims[n - 1], swapped.dims[n - 2]);
    std::swap(swapped.strides[n - 1], swapped.strides[n - 2]);
    return swapped.contiguous();
}

} // namespace cann_sim

SIM_EXPORT aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum,
                                      aclDataType dataType, const int64_t* stride, int64_t offset,
                                      aclFormat format, const int64_t* storageDims,
                                      uint64_t storageDimsNum, void* tensorData) {
    Handle h = nullptr;
    call(__func__, Need::nothing, [&](Call& c) -> aclError {
        const Description d = {viewDims, viewDimsNum, dataType,       stride,    offset,
                               format,   storageDims, storageDimsNum, tensorData};
        if (!describes(c, d)) return ACLNN_ERR_PARAM_INVALID;
        auto t = std::make_shared<TensorObject>();
        fill(t.get(), d);
        h = engine::handle_create(kind_tensor, t);
        return h ? ACL_SUCCESS : c.engine(Status::out_of_resources);
    });
    return static_cast<aclTensor*>(h);
}

SIM_EXPORT aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims,
                                     uint64_t viewDimsNum, aclDataType dataType,
                                     const int64_t* stride, int64_t offset, aclFormat format,
                                     const int64_t* storageDims, uint64_t storageDimsNum,
                                     void* tensorData) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclnnStatus {
        const Description d = {viewDims, viewDimsNum, dataType,       stride,    offset,
                               format,   storageDims, storageDimsNum, tensorData};
        if (!tensor) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "tensor is null");
        auto t = object<TensorObject>(kind_tensor, tensor);
        if (!t) return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        if (!describes(c, d)) return ACLNN_ERR_PARAM_INVALID;
        fill(t.get(), d);
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
    return call(__func__, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!tensor) return ACLNN_SUCCESS;
        auto t = object<TensorObject>(kind_tensor, tensor);
        if (!t) return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        if (t->in_list)
            return c.misuse(Rule::list_ownership, ACLNN_ERR_PARAM_INVALID,
                            "the tensor belongs to an aclTensorList, which destroys it");
        t->destroyed = true;
        engine::handle_take<TensorObject>(kind_tensor, const_cast<aclTensor*>(tensor), nullptr);
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims,
                                       uint64_t* viewDimsNum) {
    return with_tensor(__func__, tensor, viewDims && viewDimsNum,
                       [&](TensorObject& t) { return give(t.dims, viewDims, viewDimsNum); });
}

SIM_EXPORT aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                                          uint64_t* storageDimsNum) {
    return with_tensor(__func__, tensor, storageDims && storageDimsNum, [&](TensorObject& t) {
        return give(t.storage, storageDims, storageDimsNum);
    });
}

SIM_EXPORT aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides,
                                         uint64_t* stridesNum) {
    return with_tensor(__func__, tensor, strides && stridesNum,
                       [&](TensorObject& t) { return give(t.strides, strides, stridesNum); });
}

SIM_EXPORT aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
    return with_tensor(__func__, tensor, offset, [&](TensorObject& t) {
        *offset = t.offset;
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
    return with_tensor(__func__, tensor, format, [&](TensorObject& t) {
        *format = t.format;
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
    return with_tensor(__func__, tensor, dataType, [&](TensorObject& t) {
        *dataType = t.dtype;
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
    return with_tensor(__func__, tensor, addr, [&](TensorObject& t) {
        *addr = t.address;
        return ACLNN_SUCCESS;
    });
}

SIM_EXPORT aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
    return with_tensor(__func__, tensor, true, [&](TensorObject& t) {
        t.address = addr;
        return ACLNN_SUCCESS;
    });
}
