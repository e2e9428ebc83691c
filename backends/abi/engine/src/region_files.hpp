// SPDX-License-Identifier: Apache-2.0
// Private: the files in which groups of devices meet: where they are, whose, and their locks.
#pragma once

#include <string>

namespace device_api::engine {

/// A folder of shared memory: /dev/shm, else TMPDIR, else /tmp.
const std::string& group_folder();
/// What the names of this user's files begin with.
std::string file_prefix();
/// The path could be one of comm_id() of this user.
bool names_group(const std::string& path);

/// A lock of this opening of the file on one byte; gone when the last process that has it ends.
bool lock_byte(int file, long byte, bool wait);
void unlock_byte(int file, long byte);
/// Held by another opening?
bool byte_locked(int file, long byte);

/// Old files that nobody holds any more: their ranks were killed while they met.
void sweep_files();

/// Closed in a forked child, so that the child does not keep the parent's locks.
void note_file(int file);
void forget_file(int file);

} // namespace device_api::engine
