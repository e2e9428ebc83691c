// SPDX-License-Identifier: Apache-2.0
// What toml.cpp reads of single tokens: numbers, and whether a text is UTF-8.
#include <charconv>
#include <system_error>

#include "toml.hpp"

namespace device_api::engine::toml {

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

/// Digits, with single _ between them: checked and left out.
static bool take_digits(const std::string& t, std::size_t* at, std::string* plain) {
    const std::size_t begin = *at;
    while (*at < t.size()) {
        if (digit(t[*at]))
            plain->push_back(t[*at]);
        else if (t[*at] != '_' || *at == begin || !digit(t[*at - 1]) || *at + 1 == t.size() ||
                 !digit(t[*at + 1]))
            break;
        ++*at;
    }
    return *at > begin;
}

bool scan_number(const std::string& token, Value* v) {
    std::string plain;
    std::size_t at = 0;
    bool real = false;
    if (token[0] == '+' || token[0] == '-') at = 1;
    if (token[0] == '-') plain = "-";
    const std::size_t first = plain.size();
    bool good = take_digits(token, &at, &plain);
    if (good && plain[first] == '0' && plain.size() > first + 1) good = false; // 012
    if (good && at < token.size() && token[at] == '.') {
        plain += '.';
        real = good = take_digits(token, &++at, &plain);
    }
    if (good && at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
        plain += 'e';
        real = true;
        if (++at < token.size() && (token[at] == '+' || token[at] == '-')) plain += token[at++];
        good = take_digits(token, &at, &plain);
    }
    if (!good || at != token.size()) return false;
    v->kind = real ? Kind::number : Kind::integer;
    const char *begin = plain.data(), *end = begin + plain.size();
    const auto whole =
        real ? std::from_chars_result{end, std::errc()} : std::from_chars(begin, end, v->integer);
    const auto all = std::from_chars(begin, end, v->number);
    return whole.ec == std::errc() && all.ec == std::errc() && all.ptr == end;
}

/// The byte at which the text stops being UTF-8; its size: nowhere.
std::size_t not_utf8(const std::string& s) {
    std::size_t i = 0;
    while (i < s.size()) {
        const auto c = static_cast<unsigned char>(s[i]);
        const int more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
        if (more < 0 || i + static_cast<std::size_t>(more) >= s.size()) return i;
        unsigned code = more ? c & (0x3fu >> more) : c;
        for (int k = 1; k <= more; ++k) {
            const auto next = static_cast<unsigned char>(s[i + static_cast<std::size_t>(k)]);
            if (next >> 6 != 2) return i;
            code = code << 6 | (next & 0x3f);
        }
        constexpr unsigned least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return i;
        i += static_cast<std::size_t>(more) + 1;
    }
    return i;
}

} // namespace device_api::engine::toml
