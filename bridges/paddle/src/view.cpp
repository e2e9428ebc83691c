// SPDX-License-Identifier: Apache-2.0
// Paddle's tensors as descriptors of the contract.
#include "view.hpp"

#include <algorithm>

namespace bridge {
namespace {

// Indexed by da_dtype.
const phi::DataType kPaddleTypes[DA_DTYPE_COUNT] = {
    phi::DataType::BOOL,    phi::DataType::INT8,      phi::DataType::INT16,
    phi::DataType::INT32,   phi::DataType::INT64,     phi::DataType::UINT8,
    phi::DataType::UINT16,  phi::DataType::UINT32,    phi::DataType::UINT64,
    phi::DataType::FLOAT16, phi::DataType::BFLOAT16,  phi::DataType::FLOAT32,
    phi::DataType::FLOAT64, phi::DataType::COMPLEX64, phi::DataType::COMPLEX128,
};

bool dense(const View& view) {
    int64_t step = 1;
    for (size_t d = view.shape.size(); d-- > 0;) {
        if (view.shape[d] != 1 && view.strides[d] != step) return false;
        step *= view.shape[d];
    }
    return true;
}

} // namespace

da_dtype dtype_of(phi::DataType type) {
    for (int i = 0; i < DA_DTYPE_COUNT; ++i)
        if (kPaddleTypes[i] == type) return static_cast<da_dtype>(i);
    return DA_DTYPE_COUNT;
}

phi::DataType paddle_dtype(da_dtype type) {
    return kPaddleTypes[type];
}

da_tensor View::descriptor() const {
    da_tensor out{};
    out.data = data;
    out.storage = storage;
    out.storage_bytes = storage_bytes;
    out.shape = shape.data();
    out.strides = strides.data();
    out.rank = static_cast<int32_t>(shape.size());
    out.dtype = static_cast<uint16_t>(dtype);
    out.flags = dense(*this) ? DA_TENSOR_CONTIGUOUS : 0;
    return out;
}

bool View::broadcast_to(const std::vector<int64_t>& target) {
    if (shape.size() > target.size()) return false;
    std::vector<int64_t> steps(target.size(), 0);
    const size_t lead = target.size() - shape.size();
    for (size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == target[lead + d])
            steps[lead + d] = strides[d];
        else if (shape[d] != 1)
            return false;
    }
    shape = target;
    strides = steps;
    return true;
}

void View::swap_last_two() {
    const size_t rank = shape.size();
    std::swap(shape[rank - 2], shape[rank - 1]);
    std::swap(strides[rank - 2], strides[rank - 1]);
}

void View::insert_dimension(size_t at) {
    shape.insert(shape.begin() + at, 1);
    strides.insert(strides.begin() + at, 1);
}

bool broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b,
               std::vector<int64_t>* common) {
    const size_t rank = std::max(a.size(), b.size());
    common->assign(rank, 1);
    for (const auto* shape : {&a, &b}) {
        const size_t lead = rank - shape->size();
        for (size_t d = 0; d < shape->size(); ++d) {
            int64_t& size = (*common)[lead + d];
            if (size == 1)
                size = (*shape)[d];
            else if ((*shape)[d] != 1 && (*shape)[d] != size)
                return false;
        }
    }
    return true;
}

std::vector<int64_t> dense_strides(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size());
    int64_t step = 1;
    for (size_t d = shape.size(); d-- > 0; step *= shape[d]) strides[d] = step;
    return strides;
}

View view_of(const phi::DenseTensor& tensor) {
    View view;
    view.data = const_cast<void*>(tensor.data());
    view.storage = tensor.Holder()->ptr();
    view.storage_bytes = tensor.Holder()->size();
    view.shape = common::vectorize<int64_t>(tensor.dims());
    view.strides = common::vectorize<int64_t>(tensor.strides());
    view.dtype = dtype_of(tensor.dtype());
    return view;
}

View bits_of(const phi::DenseTensor& tensor) {
    View view = view_of(tensor);
    if (view.dtype != DA_COMPLEX64 && view.dtype != DA_COMPLEX128) return view;
    view.dtype = view.dtype == DA_COMPLEX64 ? DA_FLOAT32 : DA_FLOAT64;
    for (auto& stride : view.strides) stride *= 2;
    view.shape.push_back(2);
    view.strides.push_back(1);
    return view;
}

} // namespace bridge
