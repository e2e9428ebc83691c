// SPDX-License-Identifier: Apache-2.0
// The kernels' source text, embedded when the library is built.
#pragma once

namespace device_api::simt {

struct SourceFile {
    const char* name; // "elementwise.inc"
    const char* text;
};

/// Null when there is no such file.
const SourceFile* source_file(const char* name);

} // namespace device_api::simt
