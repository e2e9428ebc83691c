# SPDX-License-Identifier: Apache-2.0
# Fails when an object compiled for one instruction-set level holds symbols that the linker may
# merge (weak, unique): cmake -D NM=nm -D OBJECTS="a.o;b.o" -P check_objects.cmake
if(NOT OBJECTS)
    message(FATAL_ERROR "no objects to look at")
endif()
foreach(object IN LISTS OBJECTS)
    execute_process(COMMAND "${NM}" -C "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]* [VvWwu] [^\n]*" shared "${symbols}")
    if(shared)
        message(FATAL_ERROR "${object} holds functions that another level may replace: ${shared}")
    endif()
    if(NOT symbols MATCHES " T ")
        message(FATAL_ERROR "${object} defines no function: is it an object of a level?")
    endif()
endforeach()
