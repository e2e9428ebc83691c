// SPDX-License-Identifier: Apache-2.0
// Fork, process exit, and host access to device memory: each in a process of its own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "sim.hpp"

using namespace sim;

namespace {

struct End {
    int code = -1, signal = 0;
    double seconds = 0;
};

/// Run f in a forked child (which must come first: before the engine is used here) and exit()
/// normally.
template <class F>
End child(F f) {
    const auto start = std::chrono::steady_clock::now();
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        const int code = f();
        std::fflush(stdout);
#if defined(__SANITIZE_ADDRESS__)
        _exit(code); // the leak check would count what the parent's threads hold
#endif
        std::exit(code); // exit handlers must be harmless in a child, too
    }
    int status = 0;
    waitpid(pid, &status, 0);
    End end;
    if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return end;
}

int leave_work(int streams, bool hang) {
    fresh(2, 256u << 20, 1, DAS_ADVERSARIAL, hang ? 1 : 3000000);
    if (hang) {
        das_fault f{};
        f.size = sizeof f;
        f.kind = DAS_FAULT_HANG;
        f.device = -1;
        std::strcpy(f.name, "add_one"); // a copy that hung would hold this thread
        CHECK(control()->fault_add(&f) > 0);
    }
    for (int i = 0; i < streams; ++i) {
        Tensor x = upload<float>(std::vector<float>(100000, 0.f), {100000}, i % 2);
        Handle s = new_stream(i % 2);
        for (int k = 0; k < 50; ++k) CHECK(add_one(s, x) == Status::ok);
        if (i == 0) stream_query(s);
    }
    return check::failures;
}

} // namespace

int main() {
    // The engine must know itself in each child: the mark is made when the program starts, so
    // children made by a plain fork are "forked" ones. They are given a program of their own by
    // exec.
    const char* mode = std::getenv("LIFETIME_MODE");
    const std::string m = mode ? mode : "";
    if (m == "read") {
        fresh();
        return *static_cast<volatile char*>(pointer(allocate(64)));
    }
    if (m == "write") {
        fresh();
        *static_cast<volatile char*>(pointer(allocate(64))) = 1;
        return 0;
    }
    if (m == "pending") return leave_work(8, false);
    if (m == "hang") return leave_work(3, true);
    if (m == "thread_waiting") {
        leave_work(1, true);
        std::thread([] { (void)device_synchronize(0); }).detach();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return check::failures;
    }
    if (m == "after_exit") { // an exit handler registered before the engine's runs after it
        std::atexit([] {
            DevicePtr p = 0;
            if (mem_alloc(0, 64, &p) != Status::shutdown) _exit(7);
        });
        return leave_work(2, false);
    }
    if (m ==
        "callback_blocks") { // a callback that never returns: exit waits a moment, then leaves it
        fresh(1, 64u << 20, 1, DAS_IMMEDIATE);
        CHECK(host_task(new_stream(), "stuck", [](TaskContext&) {
                  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
                  return Status::ok;
              }) == Status::ok);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return check::failures;
    }

    auto again = [](const char* what) {
        return child([what] {
            setenv("LIFETIME_MODE", what, 1);
            execl("/proc/self/exe", "lifetime_test", static_cast<char*>(nullptr));
            return 99;
        });
    };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    CHECK(again("read").code != 0); // the sanitizer reports the signal and exits
    CHECK(again("write").code != 0);
#else
    CHECK(again("read").signal == SIGSEGV);
    CHECK(again("write").signal == SIGSEGV);
#endif
    for (const char* what : {"pending", "hang", "thread_waiting", "after_exit", "callback_blocks"})
        for (int i = 0; i < 3; ++i) {
            const End end = again(what);
            if (end.code != 0)
                std::printf("%s ended with code %d, signal %d\n", what, end.code, end.signal);
            CHECK(end.code == 0);
            CHECK(end.seconds < 10);
        }

    // A child of a process that uses the engine: every call says so, at once, whatever locks were
    // held.
    CHECK(leave_work(4, false) == 0);
    Handle s = new_stream();
    const DevicePtr p = allocate(64);
    const End forked = child([&] {
        DevicePtr q = 0;
        Handle h = nullptr;
        char byte = 0;
        das_setup setup{};
        setup.size = sizeof setup;
        CHECK(mem_alloc(0, 64, &q) == Status::forked);
        CHECK(contains(last_message(), "spawn"));
        CHECK(mem_free(p) == Status::forked);
        CHECK(copy(&byte, pointer(p), 1) == Status::forked);
        CHECK(stream_create(0, &h) == Status::forked);
        CHECK(stream_synchronize(s) == Status::forked);
        CHECK(stream_destroy(s) == Status::forked);
        CHECK(event_create(&h) == Status::forked);
        CHECK(device_synchronize(0) == Status::forked);
        CHECK(device_count() == 0);
        CHECK(control()->setup(&setup) == DAS_UNUSABLE);
        CHECK(control()->reset() == DAS_UNUSABLE);
        return check::failures ? 1 : 0;
    });
    CHECK(forked.code == 0);
    CHECK(forked.seconds < 5);
    CHECK(stream_synchronize(s) == Status::ok); // the parent goes on
    std::printf(check::failures ? "FAILED\n" : "ok\n");
    return check::failures ? 1 : 0;
}
