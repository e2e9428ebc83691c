// SPDX-License-Identifier: Apache-2.0
// A document of toml.hpp as JSON, for who reads it in another language.
#include <cstdio>

#include "toml.hpp"

namespace device_api::engine::toml {

std::string json_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            out += escaped;
        else
            out += c;
    }
    return out + '"';
}

static std::string json_number(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    std::string out = text;
    for (char& c : out)
        if (c == ',') c = '.'; // the process may have another locale
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return out;
}

static std::string json_value(const Value& v) {
    switch (v.kind) {
    case Kind::text: return json_text(v.text);
    case Kind::integer: return std::to_string(v.integer);
    case Kind::number: return json_number(v.number);
    case Kind::flag: return v.flag ? "true" : "false";
    case Kind::array: break;
    }
    std::string out = "[";
    for (const Value& item : v.items) out += (out.size() > 1 ? ", " : "") + json_value(item);
    return out + "]";
}

std::string to_json(const Document& d) {
    std::string out = "{";
    for (const std::string& table : d.tables) {
        out += (out.size() > 1 ? ", " : "") + json_text(table) + ": {";
        const std::string prefix = table + ".";
        bool first = true;
        for (auto it = d.values.lower_bound(prefix);
             it != d.values.end() && it->first.compare(0, prefix.size(), prefix) == 0; ++it) {
            out += (first ? "" : ", ") + json_text(it->first.substr(prefix.size())) + ": " +
                   json_value(it->second);
            first = false;
        }
        out += "}";
    }
    return out + "}";
}

} // namespace device_api::engine::toml
