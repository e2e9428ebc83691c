// SPDX-License-Identifier: Apache-2.0
// aclScalar, the arrays of numbers, and the lists that own their members.
#include <cstring>

#include "objects.hpp"

using namespace cann_sim;

namespace {

// Register an object; null with a text when the table is full.
template <class T>
Handle add(Call& c, std::uint32_t kind, std::shared_ptr<T> object) {
    Handle h = engine::handle_create(kind, std::move(object));
    if (!h) c.engine(Status::out_of_resources);
    return h;
}

template <class T>
Handle create_array(const char* name, std::uint32_t kind, const T* values, std::uint64_t n) {
    Handle h = nullptr;
    call(name, Need::nothing, [&](Call& c) -> aclError {
        if (!values && n) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "value is null, size is not 0");
        auto a = std::make_shared<ArrayObject<T>>();
        a->values.assign(values, values + n);
        h = add(c, kind, a);
        return ACL_SUCCESS;
    });
    return h;
}

template <class T>
aclnnStatus destroy(const char* name, std::uint32_t kind, const void* handle) {
    return call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!handle) return ACLNN_SUCCESS;
        std::shared_ptr<T> found;
        if (engine::handle_take(kind, const_cast<void*>(handle), &found) != Status::ok)
            return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        found->destroyed = true;
        return ACLNN_SUCCESS;
    });
}

template <class T>
aclnnStatus size_of(const char* name, std::uint32_t kind, const void* handle, std::uint64_t* size,
                    std::size_t (*count)(const T&)) {
    return call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!handle || !size) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "a pointer is null");
        auto found = object<T>(kind, handle);
        if (!found) return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        *size = count(*found);
        return ACLNN_SUCCESS;
    });
}

template <class T>
aclnnStatus array_size(const char* name, std::uint32_t kind, const void* h, std::uint64_t* size) {
    return size_of<ArrayObject<T>>(name, kind, h, size,
                                   [](const ArrayObject<T>& a) { return a.values.size(); });
}

aclnnStatus list_size(const char* name, std::uint32_t kind, const void* h, std::uint64_t* size) {
    return size_of<ListObject>(name, kind, h, size,
                               [](const ListObject& l) { return l.members.size(); });
}

// A tensor goes into one list only: two owners would destroy it twice.
bool adopt(Call& c, std::uint32_t kind, Handle member) {
    if (kind != kind_tensor) return object<ScalarObject>(kind, member) != nullptr;
    auto t = object<TensorObject>(kind, member);
    if (!t) return false;
    if (t->in_list.exchange(true))
        return c.misuse(Rule::list_ownership, ACLNN_ERR_PARAM_INVALID,
                        "a tensor is in another list already"),
               false;
    return true;
}

Handle create_list(const char* name, std::uint32_t kind, std::uint32_t member_kind,
                   const void* const* members, std::uint64_t n) {
    Handle h = nullptr;
    call(name, Need::nothing, [&](Call& c) -> aclError {
        if (!members && n) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "value is null, size is not 0");
        auto list = std::make_shared<ListObject>();
        list->member_kind = member_kind;
        for (std::uint64_t i = 0; i < n; ++i) {
            Handle member = const_cast<void*>(members[i]);
            if (!adopt(c, member_kind, member)) return ACLNN_ERR_PARAM_INVALID;
            list->members.push_back(member);
        }
        h = add(c, kind, list);
        return ACL_SUCCESS;
    });
    return h;
}

aclnnStatus destroy_list(const char* name, std::uint32_t kind, const void* handle) {
    return call(name, Need::nothing, [&](Call& c) -> aclnnStatus {
        if (!handle) return ACLNN_SUCCESS;
        std::shared_ptr<ListObject> list;
        if (engine::handle_take(kind, const_cast<void*>(handle), &list) != Status::ok)
            return c.fail(ACLNN_ERR_PARAM_INVALID, "%s", engine::last_message());
        list->destroyed = true;
        for (Handle member : list->members) {
            if (list->member_kind == kind_scalar) {
                destroy<ScalarObject>(name, kind_scalar, member);
                continue;
            }
            destroy<TensorObject>(name, kind_tensor, member);
        }
        return ACLNN_SUCCESS;
    });
}

} // namespace

SIM_EXPORT aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
    Handle h = nullptr;
    call(__func__, Need::nothing, [&](Call& c) -> aclError {
        if (!value) return c.fail(ACLNN_ERR_PARAM_NULLPTR, "value is null");
        const std::size_t bytes = dtype_bytes(dataType);
        if (bytes == 0)
            return c.fail(ACLNN_ERR_PARAM_INVALID, "%s has no scalars", dtype_name(dataType));
        auto s = std::make_shared<ScalarObject>();
        s->dtype = dataType;
        std::memcpy(s->bytes, value, bytes);
        h = add(c, kind_scalar, s);
        return ACL_SUCCESS;
    });
    return static_cast<aclScalar*>(h);
}

SIM_EXPORT aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
    return static_cast<aclIntArray*>(create_array(__func__, kind_int_array, value, size));
}

SIM_EXPORT aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
    return static_cast<aclFloatArray*>(create_array(__func__, kind_float_array, value, size));
}

SIM_EXPORT aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
    return static_cast<aclBoolArray*>(create_array(__func__, kind_bool_array, value, size));
}

SIM_EXPORT aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
    return static_cast<aclTensorList*>(create_list(__func__, kind_tensor_list, kind_tensor,
                                                   reinterpret_cast<const void* const*>(value),
                                                   size));
}

SIM_EXPORT aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
    return static_cast<aclScalarList*>(create_list(__func__, kind_scalar_list, kind_scalar,
                                                   reinterpret_cast<const void* const*>(value),
                                                   size));
}

SIM_EXPORT aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
    return destroy<ScalarObject>(__func__, kind_scalar, scalar);
}
SIM_EXPORT aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
    return destroy<IntArrayObject>(__func__, kind_int_array, array);
}
SIM_EXPORT aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
    return destroy<ArrayObject<float>>(__func__, kind_float_array, array);
}
SIM_EXPORT aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
    return destroy<ArrayObject<bool>>(__func__, kind_bool_array, array);
}
SIM_EXPORT aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
    return destroy_list(__func__, kind_tensor_list, array);
}
SIM_EXPORT aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
    return destroy_list(__func__, kind_scalar_list, array);
}

SIM_EXPORT aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
    return array_size<std::int64_t>(__func__, kind_int_array, array, size);
}
SIM_EXPORT aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
    return array_size<float>(__func__, kind_float_array, array, size);
}
SIM_EXPORT aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
    return array_size<bool>(__func__, kind_bool_array, array, size);
}
SIM_EXPORT aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
    return list_size(__func__, kind_tensor_list, list, size);
}
SIM_EXPORT aclnnStatus aclGetScalarListSize(const aclScalarList* list, uint64_t* size) {
    return list_size(__func__, kind_scalar_list, list, size);
}
