// SPDX-License-Identifier: Apache-2.0
// Private: reading chip files and choosing one.
#pragma once

#include <string>
#include <vector>

#include "device_api/engine/chip.hpp"
#include "toml.hpp"

namespace device_api::engine {

/// The engine's keys and the vendor's.
std::vector<ChipKey> chip_keys();
/// The text of the chip of a vendor without chip files.
const char* generic_chip();
/// Check a document against the keys and make a chip of it. Null: `problem` says why.
ChipPtr chip_of(const toml::Document& d, const std::string& file, std::string* problem);
/// Read and check the file of a chip, by name or path.
ChipPtr chip_read(const std::string& name_or_path, std::string* problem);
/// The text of a chip's file: false, and `problem` says why.
bool chip_text(const std::string& name_or_path, std::string* file, std::string* text,
               std::string* problem);
/// The names of the files beside the library, sorted.
std::vector<std::string> chip_names();

/// The control table's choice; "" takes it back. Read and checked now.
bool chip_choose(const std::string& name_or_path, std::string* problem);
/// Tell the sensors of the devices what they are to show.
void chip_telemetry(const Chip& c) noexcept;
/// Read again when next needed; the control table's choice is taken back.
void chip_forget() noexcept;

} // namespace device_api::engine
