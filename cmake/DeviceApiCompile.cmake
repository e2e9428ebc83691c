# SPDX-License-Identifier: Apache-2.0
# The compile options of the core, and the sanitizers of a developer build.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Set before any target exists, so that the backends of a developer build get them too.
if(DEVICE_API_SANITIZE)
    foreach(language C CXX)
        string(APPEND CMAKE_${language}_FLAGS " -fsanitize=${DEVICE_API_SANITIZE}"
               " -fno-sanitize-recover=all -fno-omit-frame-pointer -g1")
    endforeach()
endif()

# Warnings are errors and nothing is exported unless its declaration says so.
function(device_api_compile_options target)
    # no-gnu-unique: such symbols would be shared by all libraries in spite of hidden visibility.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Werror
                                             $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden
                                               CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
endfunction()
