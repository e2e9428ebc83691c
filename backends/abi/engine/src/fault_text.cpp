// SPDX-License-Identifier: Apache-2.0
// Faults as text: "[vendor or type:] kind key=value ...; ..." (DEVICE_API_SIM_FAULTS).
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "engine.hpp"
#include "log.hpp"

namespace device_api::engine {
namespace {

struct KindRow {
    const char* name;
    int kind;
};
constexpr KindRow kinds[] = {
    {"out_of_memory", DAS_FAULT_OUT_OF_MEMORY},
    {"launch", DAS_FAULT_LAUNCH},
    {"async", DAS_FAULT_ASYNC},
    {"device_lost", DAS_FAULT_DEVICE_LOST},
    {"wrong_result", DAS_FAULT_WRONG_RESULT},
    {"corrupt_copy", DAS_FAULT_CORRUPT_COPY},
    {"hang", DAS_FAULT_HANG},
    {"ecc", DAS_FAULT_ECC},
    {"slow", DAS_FAULT_SLOW},
    {"telemetry", DAS_FAULT_TELEMETRY},
    {"telemetry_short", DAS_FAULT_TELEMETRY_SHORT},
    {"telemetry_stale", DAS_FAULT_TELEMETRY_STALE},
    {"collective", DAS_FAULT_COLLECTIVE},
    {"slow_link", DAS_FAULT_SLOW_LINK},
};

bool slows(int kind) {
    return kind == DAS_FAULT_SLOW || kind == DAS_FAULT_SLOW_LINK;
}

std::string trim(const std::string& s) {
    const char* blank = " \t\n\r";
    const std::size_t from = s.find_first_not_of(blank);
    return from == std::string::npos ? "" : s.substr(from, s.find_last_not_of(blank) - from + 1);
}

std::vector<std::string> split(const std::string& s, const char* at) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (;;) {
        const std::size_t end = s.find_first_of(at, from);
        const std::string part = trim(s.substr(from, end - from));
        if (!part.empty()) parts.push_back(part);
        if (end == std::string::npos) return parts;
        from = end + 1;
    }
}

// ---- values ------------------------------------------------------

bool whole(const std::string& s, std::uint64_t* out) {
    if (s.empty() || s[0] < '0' || s[0] > '9') return false;
    char* end;
    errno = 0;
    *out = std::strtoull(s.c_str(), &end, 10);
    return !*end && !errno;
}
bool number(const std::string& s, double* out) {
    char* end;
    *out = std::strtod(s.c_str(), &end);
    return !s.empty() && !*end && std::isfinite(*out) && *out >= 0;
}
bool size(const std::string& s, std::uint64_t* out) {
    const std::size_t digits = s.find_first_not_of("0123456789");
    if (!whole(s.substr(0, digits), out)) return false;
    const std::string unit = digits == std::string::npos ? "" : s.substr(digits);
    const struct {
        const char* name;
        int shift;
    } units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    for (const auto& u : units) {
        if (unit != u.name) continue;
        const bool fits = *out <= (~std::uint64_t{0} >> u.shift);
        *out <<= u.shift;
        return fits;
    }
    return false;
}
bool small(const std::string& s, std::int32_t* out, int least) {
    char* end;
    errno = 0;
    const long n = std::strtol(s.c_str(), &end, 10);
    *out = static_cast<std::int32_t>(n);
    return !s.empty() && !*end && !errno && n >= least && n <= INT32_MAX;
}

using Read = bool (*)(const std::string& value, das_fault* f);
struct KeyRow {
    const char* name;
    const char* takes;
    Read read;
};

bool read_name(const std::string& v, das_fault* f) {
    if (v.size() >= sizeof f->name) return false;
    std::memcpy(f->name, v.c_str(), v.size() + 1);
    return true;
}
bool read_stream(const std::string& v, das_fault* f) {
    std::uint64_t n;
    if (!whole(v, &n) || n > UINT32_MAX) return false;
    f->stream = static_cast<std::uint32_t>(n);
    return true;
}
bool read_probability(const std::string& v, das_fault* f) {
    return number(v, &f->probability) && f->probability > 0 && f->probability <= 1;
}

const KeyRow keys[] = {
    {"name", "a pattern of up to 63 characters", read_name},
    {"op", "a pattern of up to 63 characters", read_name},
    {"device", "an index, or -1 for any",
     [](const std::string& v, das_fault* f) { return small(v, &f->device, -1); }},
    {"stream", "the small number of a stream", read_stream},
    {"skip", "a count", [](const std::string& v, das_fault* f) { return whole(v, &f->skip); }},
    {"count", "a count, or all",
     [](const std::string& v, das_fault* f) {
         if (v != "all") return whole(v, &f->count);
         f->count = 0;
         return true;
     }},
    {"probability", "a number above 0 and up to 1", read_probability},
    {"value", "a number", [](const std::string& v, das_fault* f) { return number(v, &f->value); }},
    {"seed", "a whole number",
     [](const std::string& v, das_fault* f) { return whole(v, &f->seed); }},
    {"code", "a whole number",
     [](const std::string& v, das_fault* f) { return small(v, &f->code, INT32_MIN); }},
    {"min_bytes", "a size, such as 4096 or 1MiB",
     [](const std::string& v, das_fault* f) { return size(v, &f->min_bytes); }},
    {"max_bytes", "a size, such as 4096 or 1MiB",
     [](const std::string& v, das_fault* f) { return size(v, &f->max_bytes); }},
    {"after", "seconds", [](const std::string& v, das_fault* f) { return number(v, &f->after_s); }},
    {"until", "seconds", [](const std::string& v, das_fault* f) { return number(v, &f->until_s); }},
};

template <class Row>
std::string names_of(const Row* rows, std::size_t n) {
    std::string all;
    for (std::size_t i = 0; i < n; ++i) all += (i ? ", " : "") + std::string(rows[i].name);
    return all;
}

// ---- entries -----------------------------------------------------

bool refuse(const std::string& entry, const std::string& why) {
    fail(Status::invalid_value, "fault \"%.200s\": %s", entry.c_str(), why.c_str());
    return false;
}

bool read_kind(const std::string& entry, const std::string& word, das_fault* f) {
    for (const KindRow& row : kinds)
        if (word == row.name) {
            f->kind = row.kind;
            f->count = slows(row.kind) ? 0 : 1;
            return true;
        }
    return refuse(entry, "there is no kind \"" + word + "\"; there are " +
                             names_of(kinds, sizeof kinds / sizeof *kinds));
}

bool read_member(const std::string& entry, const std::string& word, das_fault* f) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos)
        return refuse(entry, "\"" + word + "\" is no key=value; keys are " +
                                 names_of(keys, sizeof keys / sizeof *keys));
    const std::string value = word.substr(equals + 1);
    for (const KeyRow& row : keys) {
        if (key != row.name) continue;
        return row.read(value, f) ||
               refuse(entry, key + "=" + value + ": " + key + " takes " + row.takes);
    }
    return refuse(entry, "there is no key \"" + key + "\"; there are " +
                             names_of(keys, sizeof keys / sizeof *keys));
}

/// False: wrong. *mine: it is for this vendor.
bool read_entry(const std::string& entry, das_fault* f, bool* mine) {
    std::string rest = entry;
    const std::size_t colon = entry.find(':');
    *mine = true;
    if (colon != std::string::npos) {
        const std::string prefix = trim(entry.substr(0, colon));
        const Vendor& v = engine().vendor;
        *mine = prefix == v.name || prefix == v.type;
        rest = entry.substr(colon + 1);
    }
    *f = das_fault{};
    f->size = sizeof *f;
    f->device = -1;
    const std::vector<std::string> words = split(rest, " \t\n\r");
    if (words.empty()) return refuse(entry, "it names no kind of fault");
    if (!read_kind(entry, words[0], f)) return false;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (!read_member(entry, words[i], f)) return false;
    return fault_valid(*f) || refuse(entry, last_message());
}

} // namespace

bool fault_valid(const das_fault& f) noexcept {
    const char* wrong = nullptr;
    if (f.kind < DAS_FAULT_OUT_OF_MEMORY || f.kind >= DAS_FAULT_KINDS_END)
        wrong = "its kind is no das_fault_kind";
    else if (f.device < -1)
        wrong = "device is an index, or -1 for any";
    else if (!(f.probability >= 0 && f.probability <= 1))
        wrong = "probability is 0 to 1";
    else if (!(f.value >= 0) || std::isinf(f.value))
        wrong = "value is a finite number that is not negative";
    else if (slows(f.kind) && !(f.value > 1))
        wrong = "slow and slow_link take a value above 1: how many times as long";
    else if (f.max_bytes && f.max_bytes < f.min_bytes)
        wrong = "max_bytes is less than min_bytes: nothing is of such a size";
    else if (!(f.after_s >= 0) || !(f.until_s >= 0) || (f.until_s > 0 && f.until_s <= f.after_s))
        wrong = "after and until are seconds from now on, and until comes after after";
    if (wrong) fail(Status::invalid_value, "%s", wrong);
    return !wrong;
}

int fault_add_text(const char* text, int add) noexcept {
    if (!text) {
        fail(Status::invalid_value, "no text of faults was given");
        return DAS_INVALID;
    }
    std::vector<das_fault> found;
    for (const std::string& entry : split(text, ";")) {
        das_fault f;
        bool mine;
        if (!read_entry(entry, &f, &mine)) return DAS_INVALID;
        if (mine) found.push_back(f);
    }
    if (add)
        for (const das_fault& f : found) fault_add(f);
    return static_cast<int>(found.size());
}

bool fault_add_environment() noexcept {
    const char* text = std::getenv("DEVICE_API_SIM_FAULTS");
    if (!text || fault_add_text(text, 1) >= 0) return true;
    const std::string why = last_message();
    fail(Status::invalid_value, "DEVICE_API_SIM_FAULTS: %s", why.c_str());
    std::fprintf(stderr, "simulated %s: %s\n", engine().vendor.name, last_message());
    return false;
}

} // namespace device_api::engine
