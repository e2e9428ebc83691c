// SPDX-License-Identifier: Apache-2.0
// Sharing work among cores. See parallel.hpp.
#include "parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace device_api::engine {
namespace {

constexpr double worth_a_thread = 4e6; // multiplications: some 0.1 ms
constexpr int most = 8;

int cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::min(CPU_COUNT(&set), most);
}

} // namespace

void share(std::int64_t n, double work, const std::function<void(std::int64_t, std::int64_t)>& f) {
    const auto wanted = static_cast<std::int64_t>(std::min(work / worth_a_thread, double(most)));
    const std::int64_t parts =
        std::min(n, wanted) > 1 ? std::min({n, wanted, std::int64_t{cores()}}) : 1;
    std::vector<std::thread> helpers;
    std::int64_t begun = 0; // by the caller: what no thread was to be had for
    for (std::int64_t part = 1; part < parts; ++part) {
        const std::int64_t first = n * (part - 1) / parts, last = n * part / parts;
        try {
            helpers.emplace_back([&f, first, last] { f(first, last); });
        } catch (const std::system_error&) {
            break;
        }
        begun = last;
    }
    f(begun, n);
    for (std::thread& helper : helpers) helper.join();
}

} // namespace device_api::engine
