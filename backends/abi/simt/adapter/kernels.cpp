// SPDX-License-Identifier: Apache-2.0
// The registry of kernels.
#include "kernels.hpp"

#include <algorithm>

#include "cache.hpp"
#include "sources.hpp"

namespace device_api::simt {
namespace {

da_status text_of(const Variant& variant, std::string* text) {
    std::vector<std::string> names{"prelude.inc"};
    names.insert(names.end(), variant.files.begin(), variant.files.end());
    for (const std::string& name : names) {
        const SourceFile* file = source_file(name.c_str());
        if (!file) return fail(DA_INTERNAL, nullptr, "no kernel source is called %s", name.c_str());
        *text += std::string("#line 1 \"") + name + "\"\n" + file->text + "\n";
    }
    return DA_OK;
}

std::vector<std::string> options_of(const Instance& self, const Variant& variant) {
    std::vector<std::string> options{"--std=c++17"};
    options.push_back(variant.contract ? "--fmad=true" : "--fmad=false");
    for (const std::string& macro : self.parts.definitions) options.push_back("-D" + macro);
    for (const std::string& macro : variant.macros) options.push_back("-D" + macro);
    return options;
}

da_status identify(Instance& self) {
    const std::lock_guard<std::mutex> guard(self.compiler_lock);
    if (!self.compiler.empty()) return DA_OK;
    return self.parts.compiler->identify(&self.compiler);
}

// The source text is long and the same for many entries: its hash stands for it.
std::string cache_key(const Instance& self, const std::string& text, const std::string& arch,
                      const std::vector<std::string>& options) {
    char hash[40];
    std::snprintf(hash, sizeof hash, "%016llx%016llx", hash_of(text), hash_of(text, text.size()));
    std::string key = self.compiler + "\n" + arch + "\n" + hash;
    for (const std::string& option : options) key += "\n" + option;
    return key;
}

da_status image_of(Instance& self, const Chip& chip, const Variant& variant, bool fresh,
                   std::string* image, bool* stored) {
    std::string text;
    if (const da_status status = text_of(variant, &text)) return status;
    if (const da_status status = identify(self)) return status;
    const std::vector<std::string> options = options_of(self, variant);
    const std::string key = cache_key(self, text, chip.arch, options);
    if (!fresh) *image = cache_read(key);
    *stored = !image->empty();
    if (*stored) return DA_OK;
    const std::string name = variant.files.empty() ? "kernel" : variant.files.back();
    if (const da_status status =
            self.parts.compiler->compile(name, text, chip.arch, options, image))
        return status;
    cache_write(key, *image);
    return DA_OK;
}

da_status load(Instance& self, const Chip& chip, const Variant& variant, bool fresh,
               Handle* function, bool* stored) {
    std::string image;
    if (const da_status status = image_of(self, chip, variant, fresh, &image, stored))
        return status;
    Handle module = nullptr;
    if (const da_status status = self.parts.driver->load(image, &module)) return status;
    return self.parts.driver->function(module, variant.entry, function);
}

} // namespace

Handle find_kernel(Device& device, Key key) {
    const std::shared_lock<std::shared_mutex> guard(device.kernels_lock);
    const auto found = device.kernels.find(key.value());
    return found == device.kernels.end() ? nullptr : found->second;
}

da_status make_kernel(Instance& self, std::int32_t device, Key key, const Variant& variant,
                      Handle* function) {
    Device& d = device_of(self, device);
    bool stored = false;
    da_status status = load(self, d.chip, variant, false, function, &stored);
    // What lay on disk passed its checksum but not the loader: made anew, once.
    if (status && stored) status = load(self, d.chip, variant, true, function, &stored);
    if (status) {
        add_context("kernel %s of device %d: ", variant.entry, device);
        return status;
    }
    const std::lock_guard<std::shared_mutex> guard(d.kernels_lock);
    *function = d.kernels.emplace(key.value(), *function).first->second;
    return DA_OK;
}

unsigned blocks_for(const Chip& chip, std::uint64_t count, std::uint64_t per_block,
                    unsigned threads) {
    const std::uint64_t needed = (count + per_block - 1) / per_block;
    const std::uint64_t resident =
        std::uint64_t(chip.compute_units) * std::max(1u, chip.threads_per_unit / threads);
    return static_cast<unsigned>(
        std::max<std::uint64_t>(1, std::min({needed, resident * 4, chip.grid_x})));
}

} // namespace device_api::simt
