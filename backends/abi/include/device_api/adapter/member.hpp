// SPDX-License-Identifier: Apache-2.0
// What every member of the exported tables begins with: a look for a forked process, then for null
// arguments; and ends with: no exception gets out.
#pragma once

#include <new>

#include "device_api/adapter/fork.hpp"

namespace device_api::adapter {

inline da_status refuse_null(const char* what) noexcept {
    return fail(DA_INVALID_ARGUMENT, nullptr, "%s is null", what);
}

template <class T>
bool present(T) noexcept {
    return true;
}
template <class T>
bool present(T* pointer) noexcept {
    return pointer != nullptr;
}

// Where null is a value: the data of a callback, a workspace of no bytes.
template <auto function, bool null_allowed = false>
struct Member;

template <class... A, da_status (*function)(dab_instance&, A...), bool null_allowed>
struct Member<function, null_allowed> {
    static da_status call(dab_instance* self, A... arguments) noexcept {
        if (forked()) return refuse_forked();
        if (!self) return refuse_null("the instance");
        if (!null_allowed && !(present(arguments) && ...)) return refuse_null("an argument");
        try {
            return function(*self, arguments...);
        } catch (const std::bad_alloc&) {
            return fail(DA_OUT_OF_MEMORY, nullptr, "host memory is exhausted");
        } catch (...) {
            return fail(DA_INTERNAL, nullptr, "an unexpected C++ exception in the backend");
        }
    }
};

} // namespace device_api::adapter
