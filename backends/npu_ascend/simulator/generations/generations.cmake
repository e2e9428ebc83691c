# SPDX-License-Identifier: Apache-2.0
# The names that each generation of CANN has, in folders of their own beside the engine's library:
# 8.1/ with the symbols of 8.1 only, 9.0/ without the names that 9 announces as removed.
set(npu_generations "${CMAKE_CURRENT_LIST_DIR}")

function(npu_add_generation folder soname)
    string(MAKE_C_IDENTIFIER "device_api_sim_npu_${folder}_${soname}" target)
    if(folder STREQUAL "8.1")
        add_library(${target} SHARED "${npu_generations}/forwarder_8_1.cpp")
        target_compile_definitions(${target} PRIVATE ${ARGN})
        target_compile_options(${target} PRIVATE -Wall -Wextra -Werror)
        target_link_libraries(${target} PRIVATE device_api_npu::cann ${CMAKE_DL_LIBS})
        add_dependencies(${target} device_api_sim_npu)
    else()
        add_library(${target} SHARED
            "${CMAKE_CURRENT_BINARY_DIR}/device_api_sim_npu_generated/forwarder.c")
        target_link_options(${target} PRIVATE LINKER:--no-as-needed)
        target_link_libraries(${target} PRIVATE device_api_sim_npu)
    endif()
    set_target_properties(${target} PROPERTIES
        PREFIX "" SUFFIX "" OUTPUT_NAME "${soname}"
        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/../sim/${folder}"
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/..")
    target_link_options(${target} PRIVATE LINKER:-z,nodelete)
    add_dependencies(device_api_sim_npu_forwarders ${target})
    install(TARGETS ${target} LIBRARY DESTINATION "${DEVICE_API_NPU_INSTALL_DIR}/lib/sim/${folder}")
endfunction()

npu_add_generation(8.1 libascendcl.so FORWARD_RUNTIME)
npu_add_generation(8.1 libnnopbase.so FORWARD_OBJECTS)
npu_add_generation(8.1 libopapi.so FORWARD_OPERATORS)
npu_add_generation(8.1 libhccl.so FORWARD_HCCL)
npu_add_generation(8.1 libdcmi.so FORWARD_DCMI)
foreach(soname libacl_rt.so libnnopbase.so libopapi_math.so libopapi_nn.so libopapi_cv.so
        libopapi_transformer.so libhccl.so libhcomm.so libdcmi.so)
    npu_add_generation(9.0 ${soname})
endforeach()
