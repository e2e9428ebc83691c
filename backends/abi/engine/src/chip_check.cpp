// SPDX-License-Identifier: Apache-2.0
// Checks a chip file against the table of its keys.
#include <algorithm>
#include <cstring>

#include "chip_file.hpp"
#include "engine.hpp"

namespace device_api::engine {
namespace {

constexpr const char* dtypes[] = {"bool",     "int8",    "int16",   "int32",     "int64",
                                  "uint8",    "uint16",  "uint32",  "uint64",    "float16",
                                  "bfloat16", "float32", "float64", "complex64", "complex128"};

bool is_dtype(const std::string& name) {
    return std::find(std::begin(dtypes), std::end(dtypes), name) != std::end(dtypes);
}

std::string table_of(const std::string& key) {
    return key.substr(0, key.find('.'));
}

std::string what_is_wanted(const ChipKey& k) {
    static constexpr const char* kinds[] = {"a \"string\"", "an integer", "a number",
                                            "true or false", "an array of \"strings\""};
    std::string out = kinds[static_cast<int>(k.kind)];
    char range[80];
    if (k.most > k.least) {
        std::snprintf(range, sizeof range, " from %.15g to %.15g", k.least, k.most);
        out += range;
    }
    return *k.unit ? out + " (" + k.unit + ")" : out;
}

/// Of the kind and in the range that the key wants.
bool convert(const ChipKey& k, const toml::Value& v, ChipValue* out) {
    using toml::Kind;
    const bool numeric = v.kind == Kind::integer || v.kind == Kind::number;
    out->text = v.text;
    out->integer = v.integer;
    out->number = v.number;
    out->flag = v.flag;
    for (const toml::Value& item : v.items) {
        if (item.kind != Kind::text) return false;
        out->texts.push_back(item.text);
    }
    switch (k.kind) {
    case ChipKind::text: return v.kind == Kind::text;
    case ChipKind::flag: return v.kind == Kind::flag;
    case ChipKind::texts: return v.kind == Kind::array;
    case ChipKind::integer:
        return v.kind == Kind::integer && v.number >= k.least && v.number <= k.most;
    case ChipKind::number: return numeric && v.number >= k.least && v.number <= k.most;
    }
    return false;
}

class Check {
  public:
    Check(const toml::Document& d, const std::string& file) : document_(d), all_(chip_keys()) {
        chip_->file = file;
    }

    ChipPtr run() {
        fill_defaults();
        for (const auto& [name, value] : document_.values) take(name, value);
        for (const std::string& table : document_.tables) known_table(table, 0);
        for (const ChipKey& k : all_)
            if (!k.otherwise && !chip_->has(k.name))
                fail(0, std::string("the key ") + k.name + " is missing",
                     std::string("add to [") + table_of(k.name) + "] " +
                         (std::strchr(k.name, '.') + 1) + " = " + what_is_wanted(k));
        for (const std::string& d : chip_->get("chip.dtypes").texts)
            if (!is_dtype(d))
                fail(line_of("chip.dtypes"), "chip.dtypes names " + d + ", which is no data type",
                     "use NumPy's names, as \"float32\" or \"bfloat16\"");
        chip_->name = chip_->text("chip.name");
        if (chip_->name.empty() || chip_->name.size() > 48)
            fail(line_of("chip.name"), "chip.name has no or more than 48 characters", "shorten it");
        const auto mistake = engine().vendor.chip_mistake;
        if (const std::string wrong = mistake ? mistake(*chip_) : ""; !wrong.empty())
            fail(0, wrong.substr(0, wrong.find("; ")), wrong.substr(wrong.find("; ") + 2));
        chip_->json = toml::to_json(document_);
        return chip_;
    }

  private:
    [[noreturn]] void fail(int line, const std::string& cause, const std::string& remedy) const {
        throw toml::Error{line, cause, remedy};
    }
    int line_of(const std::string& key) const {
        auto it = document_.values.find(key);
        return it == document_.values.end() ? 0 : it->second.line;
    }

    void fill_defaults() {
        for (const ChipKey& k : all_) {
            if (!k.otherwise) continue;
            toml::Value v;
            toml::Error e;
            if (!toml::parse_value(k.otherwise, &v, &e)) fail(0, k.name, e.cause);
            convert(k, v, &chip_->defaults[k.name]);
        }
    }

    const ChipKey* find(const std::string& name) const {
        const std::string table = table_of(name), key = name.substr(table.size() + 1);
        for (const ChipKey& k : all_) {
            if (name == k.name) return &k;
            const bool any = std::strcmp(std::strchr(k.name, '.'), ".*") == 0;
            if (any && table == table_of(k.name) && (is_dtype(key) || key == "other")) return &k;
        }
        return nullptr;
    }

    bool known(const std::string& table) const {
        return std::any_of(all_.begin(), all_.end(),
                           [&](const ChipKey& k) { return table_of(k.name) == table; });
    }

    void known_table(const std::string& table, int line) const {
        if (known(table)) return;
        std::string names;
        for (const ChipKey& k : all_)
            if (names.find("[" + table_of(k.name) + "]") == std::string::npos)
                names += " [" + table_of(k.name) + "]";
        fail(line, "the table [" + table + "] is not known", "use one of" + names);
    }

    void take(const std::string& name, const toml::Value& v) {
        const std::string table = table_of(name);
        known_table(table, v.line);
        if (name == table + ".source") { // in every table: where its figures are from
            bool texts = v.kind == toml::Kind::text || v.kind == toml::Kind::array;
            for (const toml::Value& item : v.items) texts &= item.kind == toml::Kind::text;
            if (!texts) fail(v.line, name + " is " + v.kind_name(), "give strings");
            return;
        }
        const ChipKey* k = find(name);
        if (!k) fail(v.line, "the key " + name + " is not known", keys_of(table));
        if (!convert(*k, v, &chip_->values[name]))
            fail(v.line, name + " is " + v.kind_name() + " that it cannot be",
                 "give " + what_is_wanted(*k) + ": " + k->words);
    }

    std::string keys_of(const std::string& table) const {
        std::string out = "use one of";
        for (const ChipKey& k : all_)
            if (table_of(k.name) == table) {
                const std::string key = std::strchr(k.name, '.') + 1;
                out += key == "*" ? " a data type's name, other," : " " + key + ",";
            }
        return out + " source; see docs/chips.md";
    }

    const toml::Document& document_;
    const std::vector<ChipKey> all_;
    std::shared_ptr<Chip> chip_ = std::make_shared<Chip>();
};

} // namespace

const ChipValue& Chip::get(const std::string& key) const {
    static const ChipValue none;
    auto it = values.find(key);
    if (it != values.end()) return it->second;
    it = defaults.find(key);
    return it != defaults.end() ? it->second : none;
}

bool Chip::has_dtype(const std::string& dtype) const {
    const auto& all = get("chip.dtypes").texts;
    return std::find(all.begin(), all.end(), dtype) != all.end();
}

ChipPtr chip_of(const toml::Document& d, const std::string& file, std::string* problem) {
    try {
        return Check(d, file).run();
    } catch (const toml::Error& e) {
        *problem =
            file + (e.line ? ":" + std::to_string(e.line) : "") + ": " + e.cause + "; " + e.remedy;
        return nullptr;
    }
}

} // namespace device_api::engine
