// SPDX-License-Identifier: Apache-2.0
// The control table's functions about the chip.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "chip_file.hpp"
#include "control.hpp"
#include "engine.hpp"

namespace device_api::engine {
namespace {

std::string range_of(const ChipKey& k) {
    char text[80] = "";
    if (k.most > k.least) std::snprintf(text, sizeof text, "%.10g to %.10g", k.least, k.most);
    return text;
}

/// | table | key | kind | unit | range | default | meaning |
std::string key_rows() {
    static constexpr const char* kinds[] = {"string", "integer", "number", "boolean",
                                            "array of strings"};
    std::string out;
    for (const ChipKey& k : chip_keys()) {
        const std::string name = k.name;
        const std::size_t point = name.find('.');
        const std::string key = name.substr(point + 1);
        out += "| `[" + name.substr(0, point) + "]` | " +
               (key == "*" ? "*data type*" : "`" + key + "`") + " | " +
               kinds[static_cast<int>(k.kind)] + " | " + k.unit + " | " + range_of(k) + " | " +
               (!k.otherwise ? "required"
                : key == "*" ? ""
                             : "`" + std::string(k.otherwise) + "`") +
               " | " + k.words + " |\n";
    }
    return out;
}

bool syntax(const char* name, std::string* out, std::string* problem) {
    std::string file, text;
    toml::Document d;
    toml::Error e;
    if (!chip_text(name ? name : "", &file, &text, problem)) return false;
    if (!toml::parse(text, &d, &e)) {
        *problem = file + ":" + std::to_string(e.line) + ": " + e.cause + "; " + e.remedy;
        return false;
    }
    *out = toml::to_json(d);
    return true;
}

bool text_of(const char* name, int what, std::string* out, std::string* problem) {
    if (what == DAS_CHIP_KEYS) {
        *out = key_rows();
        return true;
    }
    if (what == DAS_CHIP_NAMES) {
        for (const std::string& n : chip_names()) *out += n + "\n";
        return true;
    }
    if (what == DAS_CHIP_SYNTAX) return syntax(name, out, problem);
    const ChipPtr c = name ? chip_read(name, problem) : chip();
    if (!c && !name) *problem = chip_problem();
    if (!c) return false;
    *out = what == DAS_CHIP_FILE ? c->file : c->json;
    return true;
}

} // namespace

int control_set_chip(const char* name) noexcept {
    if (alive() != Status::ok) return DAS_UNUSABLE;
    if (!name) {
        fail(Status::invalid_value, "no chip was given");
        return DAS_INVALID;
    }
    Engine& e = engine();
    std::lock_guard<std::mutex> once(e.setup_mutex);
    std::string problem;
    bool ready;
    {
        std::shared_lock<std::shared_mutex> lock(e.mutex);
        ready = e.ready;
    }
    if (ready) {
        const ChipPtr now = chip(), wanted = *name ? chip_read(name, &problem) : now;
        if (now && wanted && now->file == wanted->file) return DAS_OK;
        fail(Status::invalid_state,
             "the simulated %s devices are in use already, as %s; choose the chip before the first "
             "use, or reset first",
             e.vendor.name, now ? now->name.c_str() : "no chip");
        return DAS_BUSY;
    }
    if (chip_choose(name, &problem)) return DAS_OK;
    fail(Status::invalid_value, "%s", problem.c_str());
    return DAS_INVALID;
}

int control_chip_read(const char* name, std::int32_t what, char* text, std::size_t room) noexcept {
    if (alive() != Status::ok) return DAS_UNUSABLE;
    std::string out, problem;
    if (what < DAS_CHIP_FILE || what > DAS_CHIP_NAMES) {
        fail(Status::invalid_value, "text %d about a chip: 0 to %d are there", what,
             DAS_CHIP_NAMES);
        return DAS_INVALID;
    }
    if (!text_of(name, what, &out, &problem)) {
        fail(Status::invalid_value, "%s", problem.c_str());
        return DAS_INVALID;
    }
    if (text && room) std::snprintf(text, room, "%s", out.c_str());
    return static_cast<int>(out.size());
}

} // namespace device_api::engine
