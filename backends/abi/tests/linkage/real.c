/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the vendor's real library: the soname of a simulated one, and no control table. */
__attribute__((visibility("default"))) const char* dummyVendor(void) {
    return "real";
}
