// SPDX-License-Identifier: Apache-2.0
// A libascendcl.so that is neither CANN's nor simulated: for tests of how it is refused.
extern "C" __attribute__((visibility("default"))) int aclInit(const char*) {
    return 500000;
}
