// SPDX-License-Identifier: Apache-2.0
// The chip that is simulated: a data file (docs/chips.md), read when the devices are first needed.
//
// Files lie beside the vendor's engine library, in chips/NAME.toml. Which one: the control table's
// set_chip(), else the environment variable that the vendor names, else the vendor's default; each
// a NAME, or the path of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace device_api::engine {

enum class ChipKind : int { text, integer, number, flag, texts };

/// One key of a chip file. A vendor library has keys of its own, under a table of its own.
struct ChipKey {
    const char* name; // "memory.bytes"; "matrix.*": a dtype's name, or "other"
    ChipKind kind;
    const char* otherwise; // as in a file; null: the key must be there
    double least, most;    // of numbers
    const char* unit;      // "" for none
    const char* words;     // what it says; of texts with few values: "one of a, b"
};

struct ChipValue {
    std::string text;
    std::int64_t integer = 0;
    double number = 0; // of integers, too
    bool flag = false;
    std::vector<std::string> texts;
};

class Chip {
  public:
    std::string name;
    std::string file; // its path; "" for a vendor without chip files
    std::string json; // all of the file, tables as objects

    /// The value of a key, or its default. A key that no table has: zero, "" ...
    const ChipValue& get(const std::string& key) const;
    double number(const std::string& key) const { return get(key).number; }
    std::int64_t integer(const std::string& key) const { return get(key).integer; }
    bool flag(const std::string& key) const { return get(key).flag; }
    const std::string& text(const std::string& key) const { return get(key).text; }
    /// Whether the file has the key itself.
    bool has(const std::string& key) const { return values.count(key) != 0; }
    /// By NumPy's name, "bfloat16".
    bool has_dtype(const std::string& dtype) const;

    std::map<std::string, ChipValue> values, defaults;
};
using ChipPtr = std::shared_ptr<const Chip>;

/// The chip in use, read now if need be. Null: it cannot be had, and chip_problem() says why, with
/// the remedy.
ChipPtr chip() noexcept;
std::string chip_problem() noexcept;

} // namespace device_api::engine
