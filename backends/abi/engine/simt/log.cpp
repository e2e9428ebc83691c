// SPDX-License-Identifier: Apache-2.0
// Lines "file:3:7: error: text" become "file(3): error: text".
#include "log.hpp"

#include <cstdlib>
#include <sstream>

namespace device_api::engine::simt {
namespace {

std::string plain(std::string text) {
    for (const auto& quote : {std::string("\xe2\x80\x98"), std::string("\xe2\x80\x99")})
        for (std::size_t at; (at = text.find(quote)) != std::string::npos;)
            text.replace(at, quote.size(), "\"");
    for (char& c : text)
        if (c == '\'') c = '"';
    return text;
}

struct Message {
    std::string file, kind, text;
    int line = 0;
};

// Takes ":3" off the end of a text, and gives the number; 0 when there is none.
int take_number(std::string* text) {
    const std::size_t colon = text->rfind(':');
    if (colon == std::string::npos || colon + 1 == text->size()) return 0;
    if (text->find_first_not_of("0123456789", colon + 1) != std::string::npos) return 0;
    const int number = std::atoi(text->c_str() + colon + 1);
    text->resize(colon);
    return number;
}

// "file:line: kind: text", or with a column after the line.
bool parse(const std::string& line, Message* m) {
    std::size_t first = std::string::npos;
    for (const char* kind : {"fatal error", "error", "warning"}) {
        const std::size_t at = line.find(std::string(": ") + kind + ": ");
        if (at >= first) continue;
        first = at;
        m->kind = kind;
    }
    if (first == std::string::npos) return false;
    m->text = plain(line.substr(first + 2 + m->kind.size() + 2));
    m->file = line.substr(0, first);
    const int last = take_number(&m->file), before = take_number(&m->file);
    m->line = before ? before : last;
    return m->line > 0;
}

std::string told(const Message& m, const Source& s) {
    if (m.file == expression_file && m.line >= 1 && m.line <= int(s.expressions.size()))
        return "error: the name expression \"" + s.expressions[std::size_t(m.line - 1)] +
               "\" names no kernel or variable: " + m.text;
    const std::string missing = ": No such file or directory";
    const std::size_t at = m.text.find(missing);
    const std::string where = m.file + "(" + std::to_string(m.line) + "): ";
    if (m.kind == "fatal error" && at != std::string::npos)
        return where + "catastrophic error: cannot open source file \"" + m.text.substr(0, at) +
               "\"";
    return where + (m.kind == "fatal error" ? "catastrophic error" : m.kind) + ": " + m.text;
}

} // namespace

std::string vendor_log(const std::string& output, const Source& source, const std::string& cxx) {
    std::stringstream lines(output);
    std::string log;
    int errors = 0;
    bool quoting = false; // the source and the caret that follow a message
    for (std::string line; std::getline(lines, line);) {
        Message m;
        if (parse(line, &m)) {
            if (quoting) log += "\n";
            log += told(m, source) + "\n";
            errors += m.kind != "warning";
            quoting = true;
            continue;
        }
        const std::size_t bar = line.find(" | ");
        if (quoting && bar != std::string::npos && line.find_first_not_of(" 0123456789") >= bar)
            log += "  " + line.substr(bar + 3) + "\n";
        else
            quoting = false;
    }
    if (!errors) log += output;
    log += "\n" + std::to_string(errors) + (errors == 1 ? " error" : " errors") +
           " detected in the compilation of \"" + source.name + "\" (by " + cxx + ").\n";
    return log;
}

} // namespace device_api::engine::simt
