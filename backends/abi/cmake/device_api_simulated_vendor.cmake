# SPDX-License-Identifier: Apache-2.0
# device_api_add_simulated_vendor(): the shared libraries of one simulated vendor.
#
#   device_api_add_simulated_vendor(<target>
#       SONAMES   libfoo.so libbar.so.2 ...   # the vendor's library names: one empty forwarder each
#       EXPORTS   fooInit bar* ...            # the vendor's symbols (version-script patterns)
#       SOURCES   a.cpp b.cpp ...
#       [OUTPUT_NAME  <name>]                 # file lib<name>.so of the engine library; default <target>
#       [OUTPUT_DIR   <folder>]               # default ${CMAKE_CURRENT_BINARY_DIR}/sim
#       [INSTALL_DIR  <folder>]               # install rule, when given
#       [CHIPS        <folder>]               # chip files (*.toml), put beside the libraries in chips/
#       [LINK_LIBRARIES ...] [INCLUDE_DIRECTORIES ...])
#
# Makes <target>: a shared library with the vendor's code and the engine (linked in whole and hidden), which exports EXPORTS
# and das_control_table and nothing else, and is never unmapped. Each soname becomes a shared library with no code
# that needs <target> and finds it beside itself ($ORIGIN), so all libraries of a vendor share one state. Files that
# include the engine's headers need no more than the target. <target>_forwarders builds them all.
include_guard(GLOBAL)

function(device_api_add_simulated_vendor target)
    cmake_parse_arguments(PARSE_ARGV 1 SIM "" "OUTPUT_NAME;OUTPUT_DIR;INSTALL_DIR;CHIPS"
                          "SONAMES;EXPORTS;SOURCES;LINK_LIBRARIES;INCLUDE_DIRECTORIES")
    foreach(needed SONAMES EXPORTS SOURCES)
        if(NOT SIM_${needed})
            message(FATAL_ERROR "device_api_add_simulated_vendor(${target}): ${needed} is empty")
        endif()
    endforeach()
    if(SIM_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "device_api_add_simulated_vendor(${target}): unknown arguments: "
                            "${SIM_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT SIM_OUTPUT_NAME)
        set(SIM_OUTPUT_NAME ${target})
    endif()
    if(NOT SIM_OUTPUT_DIR)
        set(SIM_OUTPUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/sim")
    endif()

    set(generated "${CMAKE_CURRENT_BINARY_DIR}/${target}_generated")
    string(REPLACE ";" ";\n        " exports "${SIM_EXPORTS}")
    file(CONFIGURE OUTPUT "${generated}/exports.map"
         CONTENT "{\n    global:\n        @exports@;\n        das_control_table;\n    local: *;\n};\n" @ONLY)
    file(CONFIGURE OUTPUT "${generated}/forwarder.c"
         CONTENT "/* No code: this library only needs the vendor's engine library. */\ntypedef int forwarder;\n" @ONLY)

    add_library(${target} SHARED ${SIM_SOURCES})
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME "${SIM_OUTPUT_NAME}"
        LIBRARY_OUTPUT_DIRECTORY "${SIM_OUTPUT_DIR}"
        CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        LINK_DEPENDS "${generated}/exports.map")
    target_include_directories(${target} PRIVATE ${SIM_INCLUDE_DIRECTORIES})
    target_link_libraries(${target} PRIVATE device_api::engine device_api::abi ${SIM_LINK_LIBRARIES})
    # no-gnu-unique: such symbols would be shared by all vendors in a process in spite of RTLD_LOCAL.
    # nodelete: the streams' threads may run until the process ends.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
    target_link_options(${target} PRIVATE
        "LINKER:--version-script,${generated}/exports.map" LINKER:-z,nodelete LINKER:-Bsymbolic)
    if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
        target_link_options(${target} PRIVATE LINKER:-z,defs)
    endif()

    add_custom_target(${target}_forwarders ALL)
    set(forwarders)
    foreach(soname IN LISTS SIM_SONAMES)
        string(MAKE_C_IDENTIFIER "${target}_${soname}" forwarder)
        add_library(${forwarder} SHARED "${generated}/forwarder.c")
        # Named exactly as the soname, "libbar.so.2" included.
        set_target_properties(${forwarder} PROPERTIES
            PREFIX "" SUFFIX "" OUTPUT_NAME "${soname}"
            LIBRARY_OUTPUT_DIRECTORY "${SIM_OUTPUT_DIR}"
            BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
        target_link_options(${forwarder} PRIVATE LINKER:--no-as-needed LINKER:-z,nodelete)
        target_link_libraries(${forwarder} PRIVATE ${target})
        add_dependencies(${target}_forwarders ${forwarder})
        list(APPEND forwarders ${forwarder})
    endforeach()

    if(SIM_CHIPS)
        file(GLOB chips CONFIGURE_DEPENDS "${SIM_CHIPS}/*.toml")
        add_custom_target(${target}_chips ALL
            COMMAND ${CMAKE_COMMAND} -E make_directory "${SIM_OUTPUT_DIR}/chips"
            COMMAND ${CMAKE_COMMAND} -E copy_if_different ${chips} "${SIM_OUTPUT_DIR}/chips"
            VERBATIM)
        add_dependencies(${target} ${target}_chips)
        if(SIM_INSTALL_DIR)
            install(FILES ${chips} DESTINATION "${SIM_INSTALL_DIR}/chips")
        endif()
    endif()
    if(SIM_INSTALL_DIR)
        install(TARGETS ${target} ${forwarders} LIBRARY DESTINATION "${SIM_INSTALL_DIR}")
    endif()
endfunction()
