// SPDX-License-Identifier: Apache-2.0
// Private: a reader of a flat, strict subset of TOML 1.0 (https://toml.io), for data files.
//
// One level of [tables] with bare names; key = value, with strings in double quotes, decimal
// integers, floats, booleans, and arrays of one of these. What it takes, every reader of TOML
// takes, with the same values. It only reads: nothing in a file is ever run, opened or followed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace device_api::engine::toml {

enum class Kind { text, integer, number, flag, array };

struct Value {
    Kind kind = Kind::integer;
    std::string text;
    std::int64_t integer = 0;
    double number = 0; // of a float, and of an integer as well
    bool flag = false;
    std::vector<Value> items;
    int line = 0; // where it begins, from 1

    /// "a string", "an array" ...
    const char* kind_name() const;
};

/// By "table.key". The names of the tables are in the order of the file.
struct Document {
    std::map<std::string, Value> values;
    std::vector<std::string> tables;
};

/// What is wrong, in which line, and what to write instead.
struct Error {
    int line = 0;
    std::string cause, remedy;
};

constexpr std::size_t most_bytes = 256 * 1024;
constexpr std::size_t most_values = 1000;
constexpr std::size_t most_text = 4096;
constexpr std::size_t most_items = 256;

/// False: `error` says why. Never more than most_bytes are looked at.
bool parse(const std::string& text, Document* out, Error* error);
/// One value, as it stands after "key =".
bool parse_value(const std::string& text, Value* out, Error* error);
/// {"table": {"key": value}}; floats always with a point or an exponent.
std::string to_json(const Document& d);
std::string json_text(const std::string& text);

/// A decimal integer or float, all of the token: false when it is none, or beyond 64 bits.
bool scan_number(const std::string& token, Value* out);
/// The byte at which the text stops being UTF-8; its size: nowhere.
std::size_t not_utf8(const std::string& text);

} // namespace device_api::engine::toml
