// SPDX-License-Identifier: Apache-2.0
// Images as clients carry them.
#include <cstring>

#include "module.hpp"

namespace cuda_sim {
namespace {

constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char mark[] = "// image: ";
constexpr std::size_t line = 96;

std::string encode(const std::string& bytes) {
    std::string all;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned n = 0;
        for (std::size_t k = 0; k < 3; ++k)
            n = n << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            all += i + k > bytes.size() ? '=' : letters[n >> (18 - 6 * k) & 63];
    }
    return all;
}

std::string decode(const std::string& text) {
    std::string all;
    unsigned n = 0, have = 0;
    for (const char c : text) {
        const char* at = c ? std::strchr(letters, c) : nullptr;
        if (!at) continue;
        n = n << 6 | static_cast<unsigned>(at - letters);
        if ((have += 6) >= 8) all += static_cast<char>(n >> (have -= 8) & 255);
    }
    return all;
}

} // namespace

std::string text_image(const std::string& image, const std::string& architecture) {
    std::string text =
        "// Simulated: host code for a simulated device, which no real driver takes.\n"
        ".version 8.8\n.target " +
        architecture + "\n.address_size 64\n";
    const std::string coded = encode(image);
    for (std::size_t at = 0; at < coded.size(); at += line)
        text += mark + coded.substr(at, line) + "\n";
    return text;
}

std::string image_of(const void* given) {
    const char* text = static_cast<const char*>(given);
    if (std::strncmp(text,
                     "\x7f"
                     "ELF",
                     4) == 0) {
        const std::size_t size = simt::image_size(text, SIZE_MAX / 4);
        return std::string(text, size);
    }
    if (std::strncmp(text, "// Simulated", 12) != 0) return "";
    std::string coded;
    for (const char* at = text; (at = std::strstr(at, mark)); ++at) {
        at += sizeof mark - 1;
        coded.append(at, std::strcspn(at, "\n"));
    }
    return decode(coded);
}

} // namespace cuda_sim
