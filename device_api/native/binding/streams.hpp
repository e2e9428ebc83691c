// SPDX-License-Identifier: Apache-2.0
// Streams as Python objects.
#pragma once

#include "runtime.hpp"

namespace device_api::binding {

// Borrowed; throws TypeError for anything else than a Stream.
dah_stream* stream_of(py::handle object);

} // namespace device_api::binding
