// SPDX-License-Identifier: Apache-2.0
// What can be told of an image without loading it: an ELF file of this host with our mark in it.
#include <algorithm>
#include <cstring>
#include <elf.h>

#include "module.hpp"

namespace device_api::engine::simt {
namespace {

/// The header, when `bytes` are enough and it is of this kind of host.
const Elf64_Ehdr* header(const void* image, std::size_t bytes) {
    const auto* h = static_cast<const Elf64_Ehdr*>(image);
    if (bytes < sizeof *h || std::memcmp(h->e_ident, ELFMAG, SELFMAG) != 0) return nullptr;
    if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_machine != EM_X86_64) return nullptr;
    return h;
}

} // namespace

std::size_t image_size(const void* image, std::size_t at_most) noexcept {
    const Elf64_Ehdr* h = header(image, at_most);
    if (!h || h->e_shentsize != sizeof(Elf64_Shdr)) return 0;
    const std::size_t size = h->e_shoff + std::size_t(h->e_shnum) * sizeof(Elf64_Shdr);
    if (size > at_most || size < sizeof *h) return 0; // linkers put the section table last
    const char* begin = static_cast<const char*>(image);
    const char* end = begin + size;
    return std::search(begin, end, image_mark, image_mark + sizeof image_mark - 1) == end ? 0
                                                                                          : size;
}

std::vector<SharedSymbol> thread_symbols(const void* image, std::size_t bytes) {
    std::vector<SharedSymbol> all;
    const Elf64_Ehdr* h = header(image, bytes);
    if (!h || h->e_shoff + std::size_t(h->e_shnum) * sizeof(Elf64_Shdr) > bytes) return all;
    const char* base = static_cast<const char*>(image);
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(base + h->e_shoff);
    for (unsigned i = 0; i < h->e_shnum; ++i) {
        const Elf64_Shdr& s = sections[i];
        if (s.sh_type != SHT_SYMTAB || s.sh_link >= h->e_shnum) continue;
        const Elf64_Shdr& names = sections[s.sh_link];
        if (s.sh_offset + s.sh_size > bytes || names.sh_offset + names.sh_size > bytes) continue;
        const auto* symbol = reinterpret_cast<const Elf64_Sym*>(base + s.sh_offset);
        for (std::size_t n = s.sh_size / sizeof *symbol; n > 0; --n, ++symbol)
            if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS && symbol->st_name < names.sh_size)
                all.push_back({base + names.sh_offset + symbol->st_name, symbol->st_size});
    }
    return all;
}

} // namespace device_api::engine::simt
