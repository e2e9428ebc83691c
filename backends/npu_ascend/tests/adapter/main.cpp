// SPDX-License-Identifier: Apache-2.0
// test_adapter <adapter library> <simulator folder> <folder with strange toolkits> [case]
// Without a case: prints the names of all.
#include <cstring>

#include "check.hpp"
#include "harness.hpp"

int main(int argc, char** argv) {
    if (argc < 4) {
        for (const check::Case& c : check::cases()) std::puts(c.name);
        return 0;
    }
    harness::paths() = {argv[1], argv[2], argv[3]};
    for (const check::Case& c : check::cases()) {
        if (argc < 5 || std::strcmp(c.name, argv[4]) != 0) continue;
        c.run();
        return 0;
    }
    std::fprintf(stderr, "there is no case \"%s\"\n", argc < 5 ? "" : argv[4]);
    return 2;
}
