// SPDX-License-Identifier: Apache-2.0
// Running the other families.
#pragma once

#include "ops.hpp"

namespace device_api::simt {

da_status run_reduce(const Call& call);
da_status reduce_workspace(const Call& call, std::uint64_t* bytes);
da_status run_scan(const Call& call);
da_status run_sort(const Call& call);
da_status sort_workspace(const Call& call, std::uint64_t* bytes);
da_status run_search(const Call& call);
da_status run_take(const Call& call);
da_status run_put(const Call& call);
da_status put_workspace(const Call& call, std::uint64_t* bytes);
da_status run_accumulate(const Call& call);
da_status accumulate_workspace(const Call& call, std::uint64_t* bytes);
da_status run_window(const Call& call);
da_status run_normalize(const Call& call);
da_status run_product(const Call& call);

} // namespace device_api::simt
