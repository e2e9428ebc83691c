// SPDX-License-Identifier: Apache-2.0
// Private: a loaded image.
#pragma once

#include <map>
#include <string>

#include "abi.hpp"
#include "device_api/engine/simt.hpp"

namespace device_api::engine::simt {

class Module {
  public:
    ~Module();

    void* handle = nullptr;
    const Table* table = nullptr;
    std::size_t tls_bytes = 0;
    std::vector<Function> functions;                // without their module
    std::map<std::string, std::string> expressions; // name expression: lowered name

    /// The calling thread's copy of what is thread_local in the image, shared arrays among it.
    void* thread_block() const;
};

/// Bytes of static shared memory by the function that declares it ("" for none in particular), read
/// from the symbols of an image: names as the compiler makes them.
struct SharedSymbol {
    std::string name;
    std::size_t bytes;
};
std::vector<SharedSymbol> thread_symbols(const void* image, std::size_t bytes);

} // namespace device_api::engine::simt
