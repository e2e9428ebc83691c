// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk. Safe under many processes: a file appears whole or not at all; one that
// is damaged, or not only ours to write, counts as absent. Nothing of it is ever executed here: an
// image goes to the vendor's loader.
#pragma once

#include <string>

namespace device_api::simt {

/// Where entries lie: DEVICE_API_KERNEL_CACHE, else device_api/kernels in XDG_CACHE_HOME or
/// ~/.cache; "" (no cache) when the variable is empty or "0", or there is no home.
std::string cache_folder();

/// The image stored under exactly this key; "" when there is none.
std::string cache_read(const std::string& key);

/// Store an image; failures (a full disk, a folder that others may write) leave things as they are.
void cache_write(const std::string& key, const std::string& image);

/// 64-bit FNV-1a.
unsigned long long hash_of(const std::string& text,
                           unsigned long long seed = 14695981039346656037ull);

} // namespace device_api::simt
