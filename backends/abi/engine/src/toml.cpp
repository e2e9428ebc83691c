// SPDX-License-Identifier: Apache-2.0
// Reads the subset of TOML that toml.hpp describes.
#include "toml.hpp"

#include <algorithm>
#include <cstring>

namespace device_api::engine::toml {

namespace {

bool bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    void document(Document* out);
    Value value(int depth = 0);
    void end_of_line();
    bool at_end() const { return at_ >= text_.size(); }
    int line() const { return line_; }

  private:
    [[noreturn]] void fail(const std::string& cause, const char* remedy) const {
        throw Error{line_, cause, remedy};
    }
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool newline() const { return peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }
    void blanks() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }
    void comment();
    bool step_line();
    void between_items();
    std::string name(const char* what);
    std::string text();
    char escape();
    Value array(int depth);
    Value word();
    void add(Document* out, const std::string& table);

    const std::string& text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

/// From '#' to the end of the line.
void Reader::comment() {
    if (peek() != '#') return;
    while (!at_end() && !newline()) {
        const auto c = static_cast<unsigned char>(peek());
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            fail("a control character in a comment", "remove it");
        ++at_;
    }
}

/// Over the end of a line, if here is one.
bool Reader::step_line() {
    if (!newline()) return false;
    at_ += peek() == '\r' ? 2 : 1;
    ++line_;
    return true;
}

void Reader::end_of_line() {
    blanks();
    comment();
    if (!at_end() && !step_line())
        fail("something follows the value or the table's name", "begin a new line, or a # comment");
}

std::string Reader::name(const char* what) {
    const std::size_t begin = at_;
    while (bare(peek())) ++at_;
    if (at_ == begin)
        fail(std::string(what) + " is missing or has other characters",
             "use letters, digits, _ and -, without quotes and points");
    return text_.substr(begin, at_ - begin);
}

char Reader::escape() {
    constexpr char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
    const char* found = peek() ? std::strchr(from, peek()) : nullptr;
    if (!found) fail("an escape that is not known", "use \\\\, \\\", \\n, \\t, \\b, \\f or \\r");
    ++at_;
    return to[found - from];
}

std::string Reader::text() {
    std::string out;
    ++at_; // the opening quote
    if (peek() == '"' && peek(1) == '"') fail("a string of many lines", "use one line, \"...\"");
    for (;;) {
        const auto c = static_cast<unsigned char>(peek());
        if (at_end() || newline()) fail("a string does not end", "close it with \" in its line");
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            fail("a control character in a string", "write it as an escape, as \\n");
        ++at_;
        if (c == '"') return out;
        out += c == '\\' ? escape() : static_cast<char>(c);
        if (out.size() > most_text)
            fail("a string is longer than 4096 bytes", "shorten it, or make it an array");
    }
}

/// Blanks, comments and ends of lines inside an array.
void Reader::between_items() {
    do {
        blanks();
        comment();
    } while (step_line());
}

Value Reader::array(int depth) {
    if (depth > 0) fail("an array in an array", "use flat arrays only");
    Value v;
    v.kind = Kind::array;
    v.line = line_;
    ++at_;
    for (;;) {
        between_items();
        if (peek() == ']') break;
        if (v.items.size() == most_items) fail("an array of more than 256 items", "shorten it");
        v.items.push_back(value(depth + 1));
        if (v.items.back().kind != v.items.front().kind)
            fail("an array of items of different kinds", "use items of one kind");
        between_items();
        if (peek() == ']') break;
        if (peek() != ',') fail("an array goes on without a comma", "use [a, b, c]");
        ++at_;
    }
    ++at_;
    return v;
}

Value Reader::word() {
    const std::size_t begin = at_;
    while (bare(peek()) || peek() == '.' || peek() == '+') ++at_;
    const std::string token = text_.substr(begin, at_ - begin);
    if (token.empty())
        fail("a value is missing, or of a kind that is not known",
             "use \"text\", a number, true, false, or an array of these");
    Value v;
    if (token == "true" || token == "false") {
        v.kind = Kind::flag;
        v.flag = token == "true";
    } else if (!scan_number(token, &v)) {
        fail("'" + token + "' is no value, or a number beyond 64 bits",
             "use \"text\", true, false, or decimal numbers, as 42, -1, 1_000, 0.5 or 1e9");
    }
    v.line = line_;
    return v;
}

Value Reader::value(int depth) {
    if (peek() == '[') return array(depth);
    if (peek() != '"') return word();
    Value v;
    v.line = line_;
    v.kind = Kind::text;
    v.text = text();
    return v;
}

void Reader::add(Document* out, const std::string& table) {
    const std::string key = name("the name of a key");
    if (table.empty()) fail("the key " + key + " is in no table", "put it under a [table]");
    blanks();
    if (peek() != '=') fail("no = after the key " + key, "write key = value, without points");
    ++at_;
    blanks();
    if (out->values.size() == most_values) fail("more than 1000 values", "use fewer");
    const int begin = line_;
    Value v = value();
    v.line = begin;
    if (!out->values.emplace(table + "." + key, std::move(v)).second)
        fail("the key " + key + " is there twice in [" + table + "]", "keep one of them");
    end_of_line();
}

void Reader::document(Document* out) {
    std::string table;
    while (!at_end()) {
        blanks();
        if (peek() == '#' || newline() || at_end()) {
            end_of_line();
            continue;
        }
        if (peek() != '[') {
            add(out, table);
            continue;
        }
        ++at_;
        if (peek() == '[') fail("an array of tables", "use one level of [tables]");
        blanks();
        table = name("the name of a table");
        blanks();
        if (peek() != ']') fail("the name of a table does not end", "write [name], without points");
        ++at_;
        if (std::find(out->tables.begin(), out->tables.end(), table) != out->tables.end())
            fail("the table [" + table + "] is there twice", "join the two");
        out->tables.push_back(table);
        end_of_line();
    }
}

} // namespace

const char* Value::kind_name() const {
    constexpr const char* names[] = {"a string", "an integer", "a float", "a boolean", "an array"};
    return names[static_cast<int>(kind)];
}

bool parse(const std::string& text, Document* out, Error* error) {
    *out = Document{};
    if (text.size() > most_bytes) {
        *error = {1, "the file has more than 256 KiB", "shorten it"};
        return false;
    }
    if (const std::size_t bad = not_utf8(text); bad < text.size()) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(bad);
        *error = {1 + static_cast<int>(std::count(text.begin(), end, '\n')),
                  "the text is not UTF-8", "save the file as UTF-8"};
        return false;
    }
    try {
        Reader(text).document(out);
    } catch (const Error& e) {
        *error = e;
        return false;
    }
    return true;
}

bool parse_value(const std::string& text, Value* out, Error* error) {
    try {
        Reader reader(text);
        *out = reader.value();
        reader.end_of_line();
        if (reader.at_end()) return true;
        *error = {reader.line(), "more than one value", "give one"};
    } catch (const Error& e) {
        *error = e;
    }
    return false;
}

} // namespace device_api::engine::toml
