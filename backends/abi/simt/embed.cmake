# SPDX-License-Identifier: Apache-2.0
# Writes a source file with the text of FILES as string literals: cmake -DOUTPUT= -DFILES= -P
set(text "// Made from the kernels' sources; do not edit.\n#include \"sources.hpp\"\n\n#include <cstring>\n\n")
string(APPEND text "namespace device_api::simt {\nnamespace {\n\nconstexpr SourceFile files[] = {\n")
foreach(file IN LISTS FILES)
    file(READ "${file}" content)
    get_filename_component(name "${file}" NAME)
    string(APPEND text "    {\"${name}\", R\"kernel(${content})kernel\"},\n")
endforeach()
string(APPEND text "};\n\n} // namespace\n\nconst SourceFile* source_file(const char* name) {\n")
string(APPEND text "    for (const SourceFile& file : files)\n        if (std::strcmp(file.name, name) == 0) return &file;\n")
string(APPEND text "    return nullptr;\n}\n\n} // namespace device_api::simt\n")
file(WRITE "${OUTPUT}" "${text}")
