// SPDX-License-Identifier: Apache-2.0
// From source to a shared object of the host, by the host's own compiler.
#include <algorithm>
#include <cctype>

#include "abi.hpp"
#include "device_api/engine/simt.hpp"
#include "log.hpp"
#include "process.hpp"
#include "scan.hpp"

namespace device_api::engine::simt {

extern const char* const prelude_text; // prelude/*.h, put together by the build
extern const char* const entry_text;   // prelude/entry.h

namespace {

using Words = std::vector<std::string>;

constexpr const char* how_to_install =
    "the simulated device compiles kernels with the host's C++ compiler, and found none: install "
    "g++ (Debian, Ubuntu: apt install g++; Fedora, openEuler: dnf install gcc-c++), or name one by "
    "DEVICE_API_SIM_CXX\n";

/// What the two steps have in common.
Words command(const std::string& cxx, const Source& s) {
    return {cxx, "-std=" + s.standard, "-w", "-fno-diagnostics-color", "-fdiagnostics-show-caret"};
}

Words preprocess(const std::string& cxx, const Source& s, const Folder& in) {
    Words w = command(cxx, s);
    for (const char* fixed : {"-E", "-x", "c++", "-nostdinc", "-nostdinc++"}) w.push_back(fixed);
    w.push_back("-DSIMT_WARP=" + std::to_string(s.warp));
    if (s.unmasked) w.push_back("-DSIMT_UNMASKED=1");
    for (const std::string& d : s.definitions) w.push_back("-D" + d);
    w.push_back("-I" + in.path + "/headers");
    for (const std::string& f : s.folders) w.push_back("-I" + f);
    for (const std::string& last :
         {in.path + "/source.cpp", std::string("-o"), in.path + "/source.ii"})
        w.push_back(last);
    return w;
}

Words translate(const std::string& cxx, const Source& s, const Folder& in) {
    Words w = command(cxx, s);
    for (const char* fixed :
         {"-x", "c++-cpp-output", "-O2", "-ftree-vectorize", "-fPIC", "-shared", "-fno-exceptions",
          "-fno-rtti", "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-math-errno",
          "-fno-trapping-math", "-fno-strict-overflow", "-fno-threadsafe-statics",
          "-fvisibility=default", "-nostartfiles", "-nodefaultlibs", "-Wl,-Bsymbolic",
          "-Wl,--build-id=none"})
        w.push_back(fixed);
    if (is_gcc(cxx)) {
        w.push_back("-fno-gnu-unique");
        w.push_back("-fvect-cost-model=dynamic");
    }
    w.push_back(s.contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    if (host_level() == level_v3) w.push_back("-march=x86-64-v3");
    if (s.line_info) w.push_back("-g1");
    for (const std::string& last :
         {in.path + "/kernels.ii", std::string("-o"), in.path + "/kernels.so", std::string("-lm"),
          std::string("-lc"), std::string("-lgcc")})
        w.push_back(last);
    return w;
}

std::string quoted(const std::string& text) {
    std::string all = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += c;
    }
    return all + "\"";
}

/// The end of what is compiled: the table of kernels.
std::string table_of(const Scanned& found, const Source& s) {
    std::string t = "\n# 1 \"<built-in>\"\n" + std::string(entry_text);
    t += "static void simt_bind_dynamic() {\n";
    for (const std::string& name : found.bound)
        t += name + " = (decltype(" + name + "))simt_dynamic;\n";
    t += "}\ntemplate <class... T> constexpr unsigned simt_first(unsigned n = 0, T...) { return n; "
         "}\n"
         "static const simt_entry simt_entries[] = {\n";
    for (const FoundKernel& k : found.kernels)
        t += "simt_kernel<&" + k.name + ">::entry(" + quoted(k.name) + ", simt_first(" + k.bounds +
             "), 0),\n";
    std::size_t n = 0;
    for (const std::string& e : s.expressions) {
        const std::string address = e.find('&') == 0 ? e : "&" + e;
        t += "# " + std::to_string(++n) + " \"" + expression_file + "\"\n";
        t += "simt_kernel<" + address + ">::entry(" + quoted(e) + ", 0, 1),\n";
    }
    t += "# 1 \"<built-in>\"\n{}};\n";
    t +=
        "struct simt_table { unsigned version, warp, level, count; const char* architecture; const "
        "simt_entry* entries; const simt_runtime** runtime; };\nextern \"C\" {\n"
        "extern const char simt_image_mark[];\n"
        "extern const simt_table simt_module_table;\n"
        "const char simt_image_mark[] = " +
        quoted(image_mark) + ";\n";
    t += "const simt_table simt_module_table = {" + std::to_string(table_version) +
         "u, SIMT_WARP_, " + std::to_string(host_level()) + "u, " +
         std::to_string(found.kernels.size() + s.expressions.size()) + "u, " +
         quoted(s.architecture) + ", simt_entries, &simt_rt};\n}\n";
    const std::string warp = "SIMT_WARP_";
    t.replace(t.find(warp), warp.size(), std::to_string(s.warp));
    return t;
}

bool write_sources(const Source& s, const Folder& in, std::string* log) {
    std::string text = "# 1 \"<built-in>\"\n" + std::string(prelude_text);
    text += "\n#line 1 " + quoted(s.name) + "\n" + s.text + "\n";
    if (!in.write("source.cpp", text)) return *log = in.problem(), false;
    if (!in.write("headers/.none", "")) return *log = in.problem(), false;
    for (const auto& header : s.headers) {
        if (header.first.empty() || header.first[0] == '/' ||
            header.first.find("..") != std::string::npos) {
            *log = "the name of a header, " + header.first + ", leads out of its folder\n";
            return false;
        }
        if (!in.write("headers/" + header.first, header.second)) return *log = in.problem(), false;
    }
    return true;
}

void name_kernels(const Source& s, Compiled* c) {
    ModulePtr m;
    if (load(c->image.data(), c->image.size(), &m) != Status::ok) {
        c->outcome = Outcome::failed;
        c->log += std::string(last_message()) + "\n";
        return;
    }
    for (const std::string& e : s.expressions) c->lowered[e] = lowered_name(*m, e);
}

Compiled fail_with(Outcome outcome, std::string log) {
    Compiled c;
    c.outcome = outcome;
    c.log = std::move(log);
    return c;
}

Compiled compile_in(const Source& s, const std::string& cxx, const Folder& in) {
    std::string log;
    if (!write_sources(s, in, &log)) return fail_with(Outcome::failed, log);
    for (const Words& words : {preprocess(cxx, s, in), translate(cxx, s, in)}) {
        const bool second = words.back() == "-lgcc";
        if (second) {
            const Scanned found = scan(in.read("source.ii"));
            if (!in.write("kernels.ii", found.text + table_of(found, s)))
                return fail_with(Outcome::failed, in.problem());
        }
        const Ended e = run_process(words);
        if (e.code == 0) continue;
        if (!e.started || e.code < 0 || e.output.find(" error: ") == std::string::npos)
            return fail_with(Outcome::failed, cxx + " did not work: " + e.output + "\n");
        return fail_with(Outcome::errors, vendor_log(e.output, s, cxx));
    }
    Compiled c;
    c.outcome = Outcome::ok;
    c.image = in.read("kernels.so");
    name_kernels(s, &c);
    return c;
}

} // namespace

Compiled compile(const Source& source) noexcept {
    try {
        const std::string cxx = compiler();
        if (cxx.empty()) return fail_with(Outcome::no_compiler, how_to_install);
        const Folder in;
        if (in.path.empty()) return fail_with(Outcome::failed, in.problem());
        return compile_in(source, cxx, in);
    } catch (...) {
        return {};
    }
}

} // namespace device_api::engine::simt
