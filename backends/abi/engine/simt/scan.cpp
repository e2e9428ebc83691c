// SPDX-License-Identifier: Apache-2.0
// The scanner. It knows tokens, braces and namespaces, and no more of the language: the compiler
// that follows finds the mistakes.
#include "scan.hpp"

#include <cctype>
#include <cstring>
#include <map>

namespace device_api::engine::simt {
namespace {

struct Token {
    std::size_t begin, end;
    std::string text;
};

bool word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t end_of_quoted(const std::string& s, std::size_t at) {
    const char quote = s[at];
    for (++at; at < s.size() && s[at] != quote && s[at] != '\n'; ++at)
        if (s[at] == '\\') ++at;
    return at < s.size() ? at + 1 : s.size();
}

std::size_t end_of_raw(const std::string& s, std::size_t at) { // at the quote of R"
    const std::size_t open = s.find('(', at);
    if (open == std::string::npos) return s.size();
    const std::string close = ")" + s.substr(at + 1, open - at - 1) + "\"";
    const std::size_t end = s.find(close, open);
    return end == std::string::npos ? s.size() : end + close.size();
}

/// Words, numbers, quoted text and single characters; not the line markers of the preprocessor.
std::vector<Token> tokens_of(const std::string& s) {
    std::vector<Token> all;
    bool line_start = true;
    for (std::size_t at = 0; at < s.size();) {
        const char c = s[at];
        if (c == '\n') line_start = true;
        if (std::isspace(static_cast<unsigned char>(c))) {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        if (c == '#' && line_start) {
            end = s.find('\n', at);
            at = end == std::string::npos ? s.size() : end;
            continue;
        }
        line_start = false;
        if (word_char(c)) {
            while (end < s.size() && word_char(s[end])) ++end;
            if (end < s.size() && s[end] == '"' && s[end - 1] == 'R') end = end_of_raw(s, end);
        } else if (c == '"' || c == '\'') {
            end = end_of_quoted(s, at);
        }
        all.push_back({at, end, s.substr(at, end - at)});
        at = end;
    }
    return all;
}

class Scanner {
  public:
    explicit Scanner(const std::string& text) : out_{text, {}, {}}, tokens_(tokens_of(text)) {}

    Scanned scan() {
        for (at_ = 0; at_ < tokens_.size(); ++at_) step();
        for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit)
            out_.text.replace(edit->first, edit->second.first, edit->second.second);
        return out_;
    }

  private:
    const std::string& word(std::size_t i) const {
        static const std::string none;
        return i < tokens_.size() ? tokens_[i].text : none;
    }
    void replace(std::size_t from, std::size_t to, const std::string& text) {
        const std::size_t begin = tokens_[from].begin, length = tokens_[to].end - begin;
        std::string all = text; // the lines that follow keep their numbers
        for (std::size_t i = begin; i < begin + length; ++i)
            if (out_.text[i] == '\n') all += '\n';
        edits_[begin] = {length, all};
    }
    /// The index behind a bracketed group that begins at i.
    std::size_t skip_group(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "(" || t == "[" || t == "{") ++depth;
            if ((t == ")" || t == "]" || t == "}") && --depth == 0) return i + 1;
        }
        return i;
    }
    std::size_t skip_angles(std::size_t i) const {
        int depth = 0;
        for (; i < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "(" || t == "[" || t == "{") i = skip_group(i) - 1;
            if (t == "<") ++depth;
            if (t == ">" && --depth == 0) return i + 1;
        }
        return i;
    }

    void step() {
        const std::string& t = word(at_);
        if (t == "namespace") return open_namespace();
        if (t == "template") return open_template();
        if (t == "__simt_global") return kernel();
        if (t == "__simt_shared") return shared();
        if (t == "__simt_bounds") return drop_bounds();
        if (t == "{") open(word(at_ - 1)[0] == '"' ? Scope::linkage : Scope::other, "");
        if (t == "}" && !scopes_.empty()) scopes_.pop_back();
        if (t == ";" || t == "{" || t == "}") template_ = false;
    }

    enum class Scope { space, linkage, other };
    void open(Scope kind, const std::string& name) { scopes_.push_back({kind, name}); }

    void open_namespace() {
        std::string name;
        std::size_t i = at_ + 1;
        for (; i < tokens_.size() && word(i) != "{" && word(i) != ";" && word(i) != "="; ++i)
            if (word_char(word(i)[0]) && word(i) != "inline")
                name += (name.empty() ? "" : "::") + word(i);
        if (word(i) != "{") return;
        open(Scope::space, name);
        at_ = i;
    }

    void open_template() {
        if (word(at_ + 1) != "<") return; // an explicit instantiation
        at_ = skip_angles(at_ + 1) - 1;
        template_ = true;
    }

    void drop_bounds() {
        const std::size_t end = skip_group(at_ + 1);
        replace(at_, end - 1, "");
        at_ = end - 1;
    }

    bool in_function() const {
        for (const auto& s : scopes_)
            if (s.first == Scope::other) return true;
        return false;
    }

    std::string qualified(const std::string& name) const {
        std::string all;
        for (const auto& s : scopes_)
            if (s.first == Scope::space && !s.second.empty()) all += "::" + s.second;
        return all + "::" + name;
    }

    void kernel() {
        replace(at_, at_, "");
        if (at_ > 0 && word(at_ - 1) == "static") replace(at_ - 1, at_ - 1, "");
        FoundKernel found;
        std::size_t i = at_ + 1, name = i;
        for (; i < tokens_.size() && word(i) != "(" && word(i) != ";" && word(i) != "{"; ++i) {
            if (word(i) == "__attribute__") {
                i = skip_group(i + 1) - 1;
            } else if (word(i) == "__simt_bounds") {
                const std::size_t end = skip_group(i + 1);
                found.bounds = out_.text.substr(tokens_[i + 1].end,
                                                tokens_[end - 1].begin - tokens_[i + 1].end);
                replace(i, end - 1, "");
                i = end - 1;
            } else if (word(i) == "static") {
                replace(i, i, "");
            } else if (word(i) == "<") {
                i = skip_angles(i) - 1;
            } else if (word_char(word(i)[0])) {
                name = i;
            }
        }
        if (word(i) != "(") return;
        found.name = out_.text.substr(tokens_[name].begin, tokens_[i].begin - tokens_[name].begin);
        if (!template_) add(qualified(found.name), found.bounds);
        at_ = i - 1;
    }

    void add(const std::string& name, const std::string& bounds) {
        for (FoundKernel& k : out_.kernels)
            if (k.name == name) { // declared before
                if (k.bounds.empty()) k.bounds = bounds;
                return;
            }
        out_.kernels.push_back({name, bounds});
    }

    /// `__shared__ T x[3];` is one object for each thread of the host, which runs whole blocks.
    /// `extern __shared__ T x[];` is a pointer to what the launch gives.
    void shared() {
        std::size_t first = at_;
        bool dynamic = false;
        for (; first > 0 && (word(first - 1) == "extern" || word(first - 1) == "static"); --first)
            dynamic = dynamic || word(first - 1) == "extern";
        std::size_t end = at_ + 1;
        for (; end < tokens_.size() && word(end) != ";" && word(end) != "["; ++end) {
            if (word(end) == "extern") dynamic = true;
            if (word(end) == "(") end = skip_group(end) - 1;
        }
        if (!dynamic) return replace(first, at_, "static thread_local");
        std::string type;
        const std::size_t name = end - 1;
        for (std::size_t i = at_ + 1; i < name; ++i) {
            if (word(i) == "__attribute__") {
                i = skip_group(i + 1) - 1;
            } else if (word(i) != "extern" && word(i) != "static") {
                type += word(i) + " ";
            }
        }
        while (end < tokens_.size() && word(end) != ";") ++end;
        const std::string& id = word(name);
        const bool inside = in_function();
        const std::string label = "simt_bound." + std::to_string(out_.bound.size());
        if (!inside) out_.bound.push_back(qualified(id));
        replace(first, end,
                inside
                    ? type + "* const " + id + " = (" + type + "*)simt_dynamic;"
                    : "static thread_local " + type + "* " + id + " __asm__(\"" + label + "\");");
        at_ = end;
    }

    Scanned out_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool template_ = false;
    std::vector<std::pair<Scope, std::string>> scopes_;
    std::map<std::size_t, std::pair<std::size_t, std::string>> edits_;
};

} // namespace

Scanned scan(const std::string& preprocessed) {
    return Scanner(preprocessed).scan();
}

} // namespace device_api::engine::simt
