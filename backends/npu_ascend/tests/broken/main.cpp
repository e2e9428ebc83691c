// SPDX-License-Identifier: Apache-2.0
// test_broken_adapters <adapter> <folder of the simulator> <folder of the broken CANN>
//                      list | <variant> [first seed [number of seeds]]
// Plays one adapter in a process for each seed. Prints what gave it away, and how often.
// Exit status 0: the good adapter passed every seed, or a broken one was caught in 99 % of them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "program.hpp"
#include "variants.hpp"

using namespace program;

namespace {

struct Paths {
    std::string adapter, simulator, broken;
};

void* open(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) found("dlopen", dlerror());
    return handle;
}

void start(const Paths& paths, std::uint64_t seed) {
    void* engine = open(paths.simulator + "/libdevice_api_sim_npu.so");
    control = reinterpret_cast<das_control_table_fn>(dlsym(engine, DAS_ENTRY))();
    das_setup setup{};
    setup.size = sizeof setup;
    setup.seed = seed;
    setup.devices = 2;
    setup.memory_bytes = 64 << 20;
    if (control->setup(&setup) != DAS_OK) found("setup", control->message());
    das_schedule schedule{};
    schedule.size = sizeof schedule;
    schedule.seed = seed;
    schedule.strategy = DAS_BY_SEED;
    if (control->set_schedule(&schedule) != DAS_OK) found("schedule", control->message());
    if (control->set_checks(DAS_CHECK_ALL) != DAS_OK) found("checks", control->message());
    void* adapter = open(paths.adapter);
    table =
        reinterpret_cast<dab_entry>(dlsym(adapter, DAB_ENTRY_SYMBOL))(DAB_ABI_MAJOR, DAB_ABI_MINOR);
    const char* options[] = {"simulate", "1", "simulator", paths.broken.c_str()};
    const dab_config config{sizeof config, DAB_ABI_MAJOR, DAB_ABI_MINOR, options, 2, 0};
    must("create", table->create(&config, &self));
}

// What the simulator noticed, and what is left over.
void check_the_end() {
    if (control->misuse_count()) {
        char text[4096] = "";
        control->misuse_read(control->misuse_count() < 64 ? control->misuse_count() - 1 : 63, text,
                             sizeof text);
        found("misuse", text);
    }
    for (const char* kind : {"allocation", "pinned", "stream", "event", "aclTensor", "aclScalar",
                             "aclIntArray", "aclOpExecutor", "aclrtContext"})
        if (const auto n = control->live(kind); n != 0)
            found("leak", std::string(kind) + ", " + std::to_string(n) + " left");
}

constexpr std::uint64_t rounds = 4; // a short delay may let a defect pass once

[[noreturn]] void play(const Paths& paths, std::uint64_t seed) {
    start(paths, seed);
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (auto part : {orders, waits, views, host, lifetimes, failures}) {
            part(seed + 1000 * round);
            if (control->misuse_count()) check_the_end();
        }
    table->destroy(self);
    check_the_end();
    _exit(0);
}

constexpr int patience_s = 30;

/// The child's finding: "" for none.
std::string outcome(pid_t child, int pipe) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(patience_s);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return "hang: not done in time";
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    char text[5000];
    const ssize_t n = read(pipe, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    if (WIFSIGNALED(status)) return std::string("crash: ") + strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) == 0) return "";
    if (char* newline = std::strchr(text, '\n')) *newline = 0;
    return text[0] ? text : "exit status " + std::to_string(WEXITSTATUS(status));
}

std::string one_seed(const Paths& paths, std::uint64_t seed) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        play(paths, seed);
    }
    close(ends[1]);
    const std::string what = outcome(child, ends[0]);
    close(ends[0]);
    return what;
}

int list() {
    for (const broken::Row& row : broken::rows) std::printf("%s\t%s\n", row.name, row.words);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 5) return std::fputs("see the head of main.cpp\n", stderr), 2;
    const Paths paths = {argv[1], argv[2], argv[3]};
    if (!std::strcmp(argv[4], "list")) return list();
    const auto first = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 1;
    const int seeds = argc > 6 ? std::atoi(argv[6]) : 3;
    setenv("BROKEN_ADAPTER", argv[4], 1);
    int caught = 0;
    std::map<std::string, int> ways; // by the part before the colon
    std::string words;
    for (int i = 0; i < seeds; ++i) {
        const std::string what = one_seed(paths, first + static_cast<std::uint64_t>(i));
        if (what.empty()) continue;
        ++caught;
        ++ways[what.substr(0, what.find(':'))];
        if (words.empty()) words = what;
    }
    std::printf("%s\t%d\t%d\t%s\n", argv[4], caught, seeds, words.c_str());
    for (const auto& way : ways) std::printf("\t%s: %d\n", way.first.c_str(), way.second);
    const bool good = !std::strcmp(argv[4], "none");
    return good ? caught != 0 : caught * 100 < seeds * 99;
}
